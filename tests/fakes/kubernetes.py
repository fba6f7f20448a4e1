"""``deploy/kubernetes`` as ``kubectl apply -k`` reads it, and the pods that Kubernetes would make of it.

Of kustomize there is what the files use: resources, files in ConfigMaps, components and images. The suffix that
kustomize adds to the name of a ConfigMap, and to what refers to it, is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.fakes import compose

DIRECTORY = Path(__file__).resolve().parents[2] / "deploy" / "kubernetes"
NAMESPACE = "metadata-team"
DIGEST = re.compile(r"-[0-9a-z]{10}(?=\W|$)")
"""What kustomize adds to the name of a ConfigMap."""

Manifest = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Pod:
    """One pod of a StatefulSet.

    Attributes:
        hostname: its name in the domain of the StatefulSet's Service.
        command: what its container runs, with the variables filled in.
        files: the text of each file of a ConfigMap, by its path in the container.
        volumes: the path of each claimed volume in the container -> the name of the claim.
        ports: number of each port of the container, by name.
        container: the definition of the container.
    """

    name: str
    index: int
    labels: dict[str, str]
    service: str
    environment: dict[str, str]
    command: tuple[str, ...]
    files: dict[str, str]
    volumes: dict[str, str]
    ports: dict[str, int]
    container: Manifest = field(repr=False)

    def port(self, named: str | int) -> int:
        """Return the number of a port that a manifest refers to by name or number."""
        assert isinstance(named, int) or named in self.ports, f"{self.name} has no port {named}: {self.ports}"
        return named if isinstance(named, int) else self.ports[named]

    def probe(self, kind: str) -> tuple[str, int]:
        """Return path and port of a probe."""
        asked = self.container[kind]["httpGet"]
        return asked["path"], self.port(asked["port"])


def read(path: Path) -> list[Manifest]:
    """Return the documents of a file."""
    return list(yaml.safe_load_all(path.read_text(encoding="utf-8")))


def built(directory: Path = DIRECTORY, *, components: tuple[str, ...] = ()) -> list[Manifest]:
    """Return what kustomize makes of a directory, and of components that the user adds to it."""
    (kustomization,) = read(directory / "kustomization.yaml")
    found = list(_gathered(directory, kustomization))
    for component in components:
        (added,) = read(directory / component / "kustomization.yaml")
        assert added["kind"] == "Component"
        found += _gathered(directory / component, added)
    images = {one["name"]: f"{one['newName']}:{one['newTag']}" for one in kustomization["images"]}
    for manifest in found:
        for container in _pod_spec(manifest).get("containers", ()):
            container["image"] = images[container["image"]]
    return found


def _gathered(directory: Path, kustomization: Manifest) -> Iterator[Manifest]:
    for name in kustomization["resources"]:
        yield from read(directory / name)
    for generated in kustomization.get("configMapGenerator", ()):
        data = {name: (directory / name).read_text(encoding="utf-8") for name in generated["files"]}
        yield {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": generated["name"]}, "data": data}


def _pod_spec(manifest: Manifest) -> Manifest:
    return manifest["spec"]["template"]["spec"] if manifest["kind"] == "StatefulSet" else {}


def named(manifests: list[Manifest], kind: str, name: str) -> Manifest:
    """Return the one object of this kind and name."""
    found = [one for one in manifests if (one["kind"], one["metadata"]["name"]) == (kind, name)]
    assert len(found) == 1, f"{kind} {name}: {found}"
    return found[0]


def pods(manifests: list[Manifest], name: str, *, replicas: int | None = None) -> list[Pod]:
    """Return the pods of a StatefulSet, by default as many as it has replicas."""
    stateful_set = named(manifests, "StatefulSet", name)
    count = stateful_set["spec"]["replicas"] if replicas is None else replicas
    return [_pod(manifests, stateful_set, index) for index in range(count)]


def _pod(manifests: list[Manifest], stateful_set: Manifest, index: int) -> Pod:
    spec = stateful_set["spec"]
    template = spec["template"]
    (container,) = template["spec"]["containers"]
    name = f"{stateful_set['metadata']['name']}-{index}"
    # Kubernetes adds these.
    own = {"statefulset.kubernetes.io/pod-name": name, "apps.kubernetes.io/pod-index": str(index)}
    labels = template["metadata"]["labels"] | own
    fields = {f"metadata.labels['{key}']": value for key, value in labels.items()}
    fields |= {"metadata.name": name, "metadata.namespace": NAMESPACE}
    environment: dict[str, str] = {}
    for variable in container["env"]:
        value = variable.get("value")
        text = fields[variable["valueFrom"]["fieldRef"]["fieldPath"]] if value is None else expanded(value, environment)
        environment[variable["name"]] = text
    words = (*container.get("command", entrypoint()), *container.get("args", ()))
    files, volumes = {}, {}
    given = {one["name"]: one for one in template["spec"]["volumes"]}
    for mount in container["volumeMounts"]:
        path = mount["mountPath"]
        if mount["name"] in given:
            files.update({f"{path}/{file}": text for file, text in data(manifests, given[mount["name"]]).items()})
        else:
            (claim,) = [each for each in spec["volumeClaimTemplates"] if each["metadata"]["name"] == mount["name"]]
            volumes[path] = f"{claim['metadata']['name']}-{name}"
    return Pod(
        name=name,
        index=index,
        labels=labels,
        service=spec["serviceName"],
        environment=environment,
        command=tuple(expanded(word, environment) for word in words),
        files=files,
        volumes=volumes,
        ports={one["name"]: one["containerPort"] for one in container["ports"]},
        container=container,
    )


def data(manifests: list[Manifest], volume: Manifest) -> dict[str, str]:
    """Return the files that a volume of a pod has from the start, by name."""
    if "configMap" in volume:
        return named(manifests, "ConfigMap", volume["configMap"]["name"])["data"]
    if "secret" in volume:
        return named(manifests, "Secret", volume["secret"]["secretName"])["stringData"]
    assert "emptyDir" in volume, volume
    return {}


def entrypoint() -> list[str]:
    """Return what the image runs where a container names no command."""
    text = (compose.DIRECTORY / "Dockerfile").read_text(encoding="utf-8")
    (line,) = re.findall(r"^ENTRYPOINT (.*)$", text, re.MULTILINE)
    return json.loads(line)


def expanded(text: str, environment: Mapping[str, str]) -> str:
    """Fill in ``$(NAME)`` as Kubernetes does; ``$$`` is a dollar sign. A name that is not there is a failure here."""

    def value(match: re.Match[str]) -> str:
        if match[0] == "$$":
            return "$"
        assert match[1] in environment, f"{text}: no variable {match[1]} is set before"
        return environment[match[1]]

    return re.sub(r"\$\$|\$\(([A-Za-z_][A-Za-z0-9_]*)\)", value, text)


def selected(selector: Mapping[str, str], pods: list[Pod]) -> list[Pod]:
    """Return the pods that have all of these labels."""
    assert selector
    return [pod for pod in pods if selector.items() <= pod.labels.items()]
