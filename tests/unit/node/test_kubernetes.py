"""The manifests of ``deploy/kubernetes``: right for Kubernetes' schemas, and for kraftpy."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kraftpy.cli.root import COMMANDS, cli
from kraftpy.config.node_config import NodeConfig, parse_config
from kraftpy.config.settings import OVERRIDE, read_settings
from kraftpy.config.values import FILE_KEYS
from kraftpy.doctor.bundle import BUNDLE_BYTES_MAX
from kraftpy.node.node import CONTROLLED_SHUTDOWN_TIMEOUT_MS, HANDOVER_TIMEOUT_MS
from tests.fakes import compose, kubernetes
from tests.fakes.kubernetes import DIRECTORY, NAMESPACE, Manifest, Pod

PLAINTEXT = ("speaks PLAINTEXT", "speaks plaintext", "has no TLS")
COMPONENTS = ("brokers",)
MANIFESTS = kubernetes.built(components=COMPONENTS)
SETS = [one for one in MANIFESTS if one["kind"] == "StatefulSet"]
CONTROLLERS = kubernetes.pods(MANIFESTS, "kraftpy-controller")
BROKERS = kubernetes.pods(MANIFESTS, "kraftpy-broker")
PODS = CONTROLLERS + BROKERS
OLDEST_RELEASE = "1.28"
PAGE = (DIRECTORY.parents[1] / "docs" / "deploy.md").read_text(encoding="utf-8")
GIB = {"Mi": 2**20, "Gi": 2**30}


def name_of(one: Manifest | Pod) -> str:
    return one.name if isinstance(one, Pod) else f"{one['kind']}-{one['metadata']['name']}"


def with_pods(test: Any) -> Any:
    return pytest.mark.parametrize("pod", PODS, ids=name_of)(test)


def with_sets(test: Any) -> Any:
    return pytest.mark.parametrize("one", SETS, ids=name_of)(test)


def config_of(pod: Pod) -> NodeConfig:
    """Return what the container's command makes of its file and its options."""
    command, option, path, *rest = pod.command[1:]
    assert (pod.command[0], command in COMMANDS, option) == ("kraftpy", True, "--config")
    assert rest[::2] == [OVERRIDE] * (len(rest) // 2)
    overrides = dict(word.split("=", 1) for word in rest[1::2])
    config = parse_config(pod.files[path], path, overrides, local_host=lambda: pod.name)
    assert command in config.roles
    return config


def objects_with(kind: str) -> list[Manifest]:
    return [one for one in MANIFESTS if one["kind"] == kind]


def test_there_are_manifests() -> None:
    """Nothing below passes for want of files, and no file is left out."""
    assert [name_of(one) for one in SETS] == ["StatefulSet-kraftpy-controller", "StatefulSet-kraftpy-broker"]
    assert len(PODS) == 6
    optional = {"pod-monitor.yaml"}
    for directory in (DIRECTORY, DIRECTORY / COMPONENTS[0]):
        (kustomization,) = kubernetes.read(directory / "kustomization.yaml")
        files = {path.name for path in directory.glob("*.yaml")} - {"kustomization.yaml"}
        assert files - optional == set(kustomization["resources"])
        generated = [name for one in kustomization["configMapGenerator"] for name in one["files"]]
        assert {path.name for path in directory.glob("*.properties")} == set(generated)
    commented = (DIRECTORY / "kustomization.yaml").read_text(encoding="utf-8")
    assert all(f"# - {name}\n" in commented for name in optional)
    assert all(f"# components:\n#   - {name}\n" in commented for name in COMPONENTS)


@pytest.mark.parametrize("release", [OLDEST_RELEASE, "newest"])
@pytest.mark.parametrize("manifest", MANIFESTS, ids=name_of)
def test_a_manifest_is_valid(manifest: Manifest, release: str) -> None:
    """By Kubernetes' own schemas, in which no unknown key is allowed."""
    validator = pytest.importorskip("kubernetes_validate", reason="pip install -r requirements-dev.txt")
    wanted = validator.latest_version() if release == "newest" else release
    assert wanted.startswith(validator.validate(manifest, wanted, strict=True))


@pytest.mark.parametrize(
    "path",
    [
        ("spec", "replicaz"),
        ("spec", "template", "spec", "terminationGraceSeconds"),
        ("spec", "template", "spec", "containers", 0, "readinessProbe", "httpGet", "pathh"),
    ],
    ids=lambda path: ".".join(map(str, path)),
)
def test_the_schemas_refuse_an_unknown_key(path: tuple[str | int, ...]) -> None:
    """The test above would see a key that is misspelt."""
    validator = pytest.importorskip("kubernetes_validate", reason="pip install -r requirements-dev.txt")
    broken: Any = kubernetes.named(kubernetes.built(), "StatefulSet", "kraftpy-controller")
    place = broken
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = 1
    with pytest.raises(validator.ValidationError, match=str(path[-1])):
        validator.validate(broken, OLDEST_RELEASE, strict=True)


def without_digests(manifests: list[Manifest]) -> list[Manifest]:
    text = yaml.safe_dump_all(sorted(manifests, key=name_of))
    return list(yaml.safe_load_all(re.sub(rf"(kraftpy-(?:controller|broker)){kubernetes.DIGEST.pattern}", r"\1", text)))


@pytest.mark.parametrize("components", [(), COMPONENTS], ids=["base", "brokers"])
def test_kubectl_makes_the_same_of_the_files(components: tuple[str, ...], tmp_path: Path) -> None:
    """What the tests read is what would be applied; where there is a kubectl."""
    program = shutil.which("kubectl")
    if program is None:
        pytest.skip("there is no kubectl")
    copy = tmp_path / "kubernetes"
    shutil.copytree(DIRECTORY, copy)
    file = copy / "kustomization.yaml"
    text = file.read_text(encoding="utf-8")
    for name in components:
        text = text.replace(f"# components:\n#   - {name}\n", f"components:\n  - {name}\n")
    file.write_text(text, encoding="utf-8")
    made = subprocess.run([program, "kustomize", str(copy)], capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    assert "namespace:" not in made.stdout
    expected = kubernetes.built(components=components)
    assert without_digests(list(yaml.safe_load_all(made.stdout))) == sorted(expected, key=name_of)


@with_pods
def test_every_property_is_a_key(pod: Pod) -> None:
    """Also those that the files show in comments; a node would ignore a misspelt one with a warning."""
    for path, text in pod.files.items():
        shown = re.sub(r"^#(?=[a-z.]+=)", "", text, flags=re.MULTILINE)
        assert set(read_settings(shown, path).given) - FILE_KEYS.keys() == set()
    given = {word.split("=", 1)[0] for word in pod.command if "=" in word}
    assert given - FILE_KEYS.keys() == set()


@with_pods
def test_a_pod_can_start(pod: Pod) -> None:
    """Its properties are accepted and name this pod, its ports and its volume; plaintext is what it warns of."""
    config = config_of(pod)
    assert [one for one in config.warnings if not any(words in one for words in PLAINTEXT)] == []
    assert config.unused_keys == ()
    assert config.node_id == (pod.index if pod in CONTROLLERS else 100 + pod.index)
    (volume,) = pod.volumes
    assert all(directory.startswith(f"{volume}/") for directory in config.log.log_dirs)
    listeners = config.controller_listeners + config.broker_listeners
    opened = {listener.port for listener in listeners} | {config.api.metrics_listener[1]}
    assert {listener.host for listener in listeners} | {config.api.metrics_listener[0]} == {""}
    if config.is_controller:
        assert config.api.grpc_listener[0] == ""
        opened.add(config.api.grpc_listener[1])
    assert set(pod.ports.values()) == opened
    assert pod.ports["metrics"] == config.api.metrics_listener[1]


def test_the_voters_are_the_pods() -> None:
    """By index, name and port; no pod finds another one at a voter's address."""
    for pod in CONTROLLERS:
        config = config_of(pod)
        addresses = {voter.key.node_id: voter.endpoints[0] for voter in config.voters}
        there = {one.index: (f"{one.name}.{one.service}", one.ports["quorum"]) for one in CONTROLLERS}
        assert {node_id: (each.host, each.port) for node_id, each in addresses.items()} == there
        assert config.controller_listener.advertised == addresses[pod.index]
        reported = config.api.grpc_advertised
        assert (reported.host, reported.port) == (f"{pod.name}.{pod.service}.{NAMESPACE}.svc", pod.ports["grpc"])
    for pod in BROKERS:
        config = config_of(pod)
        known = {(server.host, server.port) for server in config.bootstrap_servers}
        assert known == set(there.values())
        (listener,) = config.broker_listeners
        address = (listener.advertised.host, listener.advertised.port)
        assert address == (f"{pod.name}.{pod.service}.{NAMESPACE}.svc", pod.ports["clients"])
    assert len({config_of(pod).node_id for pod in PODS}) == len(PODS)


@with_sets
def test_a_pod_has_a_name_before_it_is_ready(one: Manifest) -> None:
    """The Service of the StatefulSet gives names, to every pod of it, ready or not."""
    service = kubernetes.named(MANIFESTS, "Service", one["spec"]["serviceName"])
    assert service["spec"]["clusterIP"] == "None"
    assert service["spec"]["publishNotReadyAddresses"] is True


def selectors(spec: Any) -> Iterator[dict[str, str]]:
    """Iterate over the labels by which a StatefulSet is spread."""
    affinity = spec["affinity"]["podAntiAffinity"]
    for term in affinity.get("requiredDuringSchedulingIgnoredDuringExecution", ()):
        assert term["topologyKey"] == "kubernetes.io/hostname"
        yield term["labelSelector"]["matchLabels"]
    for term in affinity.get("preferredDuringSchedulingIgnoredDuringExecution", ()):
        assert term["podAffinityTerm"]["topologyKey"] == "kubernetes.io/hostname"
        yield term["podAffinityTerm"]["labelSelector"]["matchLabels"]
    for term in spec["topologySpreadConstraints"]:
        assert term["topologyKey"] == "topology.kubernetes.io/zone"
        yield term["labelSelector"]["matchLabels"]


@with_sets
def test_every_selector_means_the_pods_of_its_set(one: Manifest) -> None:
    """A label that differs would leave a Service without endpoints, a budget without pods, and pods on one machine."""
    own = CONTROLLERS if one["metadata"]["name"] == "kraftpy-controller" else BROKERS
    spec = one["spec"]
    spreading = list(selectors(spec["template"]["spec"]))
    assert len(spreading) == 2
    services = [each for each in objects_with("Service") if each["metadata"]["labels"] == one["metadata"]["labels"]]
    budgets = [
        each for each in objects_with("PodDisruptionBudget") if each["metadata"]["name"] == one["metadata"]["name"]
    ]
    assert len(budgets) == 1
    assert budgets[0]["metadata"]["labels"] == one["metadata"]["labels"]
    assert len(services) == (2 if own is CONTROLLERS else 1)
    meant = [spec["selector"]["matchLabels"], *spreading]
    meant += [each["spec"]["selector"] for each in services]
    meant += [each["spec"]["selector"]["matchLabels"] for each in budgets]
    assert [kubernetes.selected(labels, PODS) for labels in meant] == [own] * len(meant)
    for service in services:
        for port in service["spec"]["ports"]:
            assert {pod.port(port["targetPort"]) for pod in own} == {port["port"]}


@with_pods
def test_a_probe_asks_where_a_node_answers(pod: Pod) -> None:
    """Without a majority no controller is ready: what is restarted for a failed probe is asked whether it works."""
    metrics = pod.ports["metrics"]
    assert pod.probe("startupProbe") == pod.probe("livenessProbe") == ("/livez", metrics)
    assert pod.probe("readinessProbe") == ("/readyz", metrics)
    startup = pod.container["startupProbe"]
    assert startup["periodSeconds"] * startup["failureThreshold"] >= 600
    # A node whose disk or machine stalls for seconds works again without a restart.
    liveness = pod.container["livenessProbe"]
    assert liveness["timeoutSeconds"] >= 5
    assert liveness["failureThreshold"] >= 3
    assert liveness["periodSeconds"] * liveness["failureThreshold"] >= 30


@with_sets
def test_metrics_are_where_prometheus_looks(one: Manifest) -> None:
    """The annotations, and the file for the operator, name the port and path of the metrics."""
    annotations = one["spec"]["template"]["metadata"]["annotations"]
    (container,) = one["spec"]["template"]["spec"]["containers"]
    ports = {str(port["containerPort"]) for port in container["ports"] if port["name"] == "metrics"}
    assert {annotations["prometheus.io/port"]} == ports
    (monitor,) = kubernetes.read(DIRECTORY / "pod-monitor.yaml")
    assert (monitor["apiVersion"], monitor["kind"]) == ("monitoring.coreos.com/v1", "PodMonitor")
    assert kubernetes.selected(monitor["spec"]["selector"]["matchLabels"], PODS) == PODS
    (endpoint,) = monitor["spec"]["podMetricsEndpoints"]
    assert (endpoint["port"], endpoint["path"]) == ("metrics", annotations["prometheus.io/path"])
    # The rules of deploy/monitoring are about this job.
    assert {pod.labels[monitor["spec"]["jobLabel"]] for pod in PODS} == {"kraftpy"}


@with_sets
def test_a_container_may_do_no_more_than_it_needs(one: Manifest) -> None:
    """The rules of the pod security standard "restricted", and a root file system that is not written."""
    spec = one["spec"]["template"]["spec"]
    (container,) = spec["containers"]
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["runAsUser"] > 0
    assert spec["securityContext"]["fsGroup"] == spec["securityContext"]["runAsGroup"]
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert spec["automountServiceAccountToken"] is False
    assert spec["enableServiceLinks"] is False
    config, scratch = spec["volumes"]
    mounts = {each["name"]: each for each in container["volumeMounts"]}
    assert "configMap" in config
    assert mounts[config["name"]]["readOnly"] is True
    # A support bundle of up to 64 MiB, before compression, has room for a second one.
    assert int(scratch["emptyDir"]["sizeLimit"].removesuffix("Mi")) * 2**20 > 2 * BUNDLE_BYTES_MAX
    assert mounts[scratch["name"]] == {"name": scratch["name"], "mountPath": "/tmp"}
    assert "--out /tmp/" in PAGE


@with_sets
def test_pods_start_together_and_stop_in_order(one: Manifest) -> None:
    """The first start needs all voters, a stop has time, a volume outlives its pod, one pod is missing at a time."""
    spec = one["spec"]
    assert spec["podManagementPolicy"] == "Parallel"
    assert spec["updateStrategy"] == {"type": "RollingUpdate"}
    assert spec["minReadySeconds"] >= 5
    longest = HANDOVER_TIMEOUT_MS + CONTROLLED_SHUTDOWN_TIMEOUT_MS
    assert spec["template"]["spec"]["terminationGracePeriodSeconds"] * 1_000 > 2 * longest
    assert set(spec["persistentVolumeClaimRetentionPolicy"].values()) == {"Retain"}
    budget = kubernetes.named(MANIFESTS, "PodDisruptionBudget", one["metadata"]["name"])
    assert budget["spec"]["maxUnavailable"] == 1
    assert spec["replicas"] % 2 == 1


@with_sets
def test_memory_is_what_was_measured(one: Manifest) -> None:
    """A request for a node under load, a limit above the largest state that was measured (bench/README.md)."""
    (container,) = one["spec"]["template"]["spec"]["containers"]
    resources = container["resources"]
    asked, limit = (
        int(text[:-2]) * GIB[text[-2:]] for text in (resources["requests"]["memory"], resources["limits"]["memory"])
    )
    assert 2 * 134e6 < asked < limit
    assert limit > 2 * 700e6
    assert "cpu" not in resources["limits"]


def test_the_image_is_that_of_the_dockerfile() -> None:
    """It has the name that the compose file builds, so that it can be tried at once."""
    assert {pod.container["image"] for pod in PODS} == {"kraftpy:local"}
    assert {one.definition["image"] for one in compose.services().values() if one.command} == {"kraftpy:local"}


CLIENT = {"kraftpy-client": "true"}


def admitted(pods: Manifest, *ports: str) -> Manifest:
    """The rule that lets some pods reach these ports, and no more."""
    return {"from": [pods], "ports": [{"port": port} for port in ports]}


def test_what_the_network_lets_in() -> None:
    """No port is open to every pod, and none is forgotten; pods are what the label is on."""
    (policy,) = objects_with("NetworkPolicy")
    spec = policy["spec"]
    assert kubernetes.selected(spec["podSelector"]["matchLabels"], PODS) == PODS
    assert spec["policyTypes"] == ["Ingress"]
    assert {port["port"] for rule in spec["ingress"] for port in rule["ports"]} == {
        name for pod in PODS for name in pod.ports
    }
    prometheus = {"app.kubernetes.io/name": "prometheus"}
    assert spec["ingress"] == [
        admitted({"podSelector": {"matchLabels": {"app.kubernetes.io/name": "kraftpy"}}}, "quorum", "grpc"),
        # What reaches the quorum's port owns the data: no client does.
        admitted({"podSelector": {"matchLabels": CLIENT}}, "grpc", "clients"),
        admitted({"namespaceSelector": {}, "podSelector": {"matchLabels": prometheus}}, "metrics"),
    ]
    assert "`{}={}`".format(*next(iter(CLIENT.items()))) in PAGE


def test_the_page_admits_clients_of_another_namespace() -> None:
    """A rule that has both selectors in one item: two items would admit each pod of that namespace."""
    (text,) = re.findall(r"\n```yaml\n(- from:\n.*?)```\n", PAGE, re.DOTALL)
    namespace = {"matchLabels": {"kubernetes.io/metadata.name": "shop"}}
    of_others = {"namespaceSelector": namespace, "podSelector": {"matchLabels": CLIENT}}
    assert yaml.safe_load(text) == [admitted(of_others, "grpc", "clients")]


def test_commands_in_a_pod_find_the_controllers() -> None:
    """The variable is one that commands read, and names every controller, ready or not."""
    option = next(one for one in cli.get_command(None, "quorum").get_command(None, "describe").params if one.envvar)
    for pod in PODS:
        host, _, port = pod.environment[option.envvar].rpartition(":")
        service = kubernetes.named(MANIFESTS, "Service", host)
        assert kubernetes.selected(service["spec"]["selector"], PODS) == CONTROLLERS
        assert int(port) in {each["port"] for each in service["spec"]["ports"] if each["name"] == "grpc"}
        assert service["spec"]["publishNotReadyAddresses"] is True


def test_the_page_names_what_there_is() -> None:
    """Objects and files that docs/deploy.md names exist, and those that are to be changed are named."""
    _, _, section = PAGE.partition("\n## Kubernetes\n")
    section = section.partition("\n## ")[0]
    files = set(re.findall(r"`((?:brokers/)?[a-z-]+\.(?:yaml|properties))`", section))
    assert {"kustomization.yaml", "controllers.yaml", "controller.properties", "network-policy.yaml"} <= files
    assert [name for name in files if not (DIRECTORY / name).is_file()] == []
    known = {f"{one['kind'].lower()}/{one['metadata']['name']}" for one in MANIFESTS}
    known |= {f"pod/{pod.name}" for pod in PODS} | {f"pvc/{claim}" for pod in PODS for claim in pod.volumes.values()}
    mentioned = set(re.findall(r"\b((?:statefulset|pod|pvc|service)/[a-z0-9-]+)", section))
    assert mentioned
    assert mentioned - known == set()
