"""The pods of the chart ``deploy/helm/kraftpy``, as processes: what Helm makes of it, with Secrets, starts a quorum."""

from __future__ import annotations

import copy
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kraftpy.records.properties import parse_properties
from tests.fakes import kubernetes
from tests.fakes.certificates import Authority
from tests.fakes.kubernetes import NAMESPACE, Manifest, Pod
from tests.integration.test_kubernetes import Pods
from tests.interop.helm.programs import EXAMPLES, Helm, loaded
from tests.unit.node.test_kubernetes import PLAINTEXT, config_of

pytestmark = pytest.mark.timeout(300)

LOGIN = 'org.apache.kafka.common.security.{module} required username="node" password="a secret"{more};'


def sets_of(manifests: list[Manifest]) -> list[Manifest]:
    return [one for one in manifests if one["kind"] == "StatefulSet"]


def settings(manifests: list[Manifest], component: str) -> dict[str, str]:
    """Return the properties that the chart gives to all pods of a component."""
    (text,) = (
        one["data"][f"{component}.properties"]
        for one in manifests
        if one["kind"] == "ConfigMap" and f"{component}.properties" in one["data"]
    )
    return parse_properties(text)


def passwords(mechanism: str) -> Manifest:
    """Return the Secret of docs/helm.md, for a mechanism."""
    is_plain = mechanism == "PLAIN"
    module = "plain.PlainLoginModule" if is_plain else "scram.ScramLoginModule"
    login = LOGIN.format(module=module, more=' user_node="a secret"' if is_plain else "")

    def lines(*listeners: str) -> str:
        key = f"{mechanism.lower()}.sasl.jaas.config"
        return "".join(f"listener.name.{one}.{key}={login}\n" for one in listeners)

    client = {
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": mechanism,
        "sasl.jaas.config": LOGIN.format(module=module, more=""),
        "ssl.truststore.location": "/etc/kraftpy-tls/ca.crt",
    }
    data = {
        "controller.properties": lines("controller", "grpc") if is_plain else lines("controller"),
        "broker.properties": lines("controller", "sasl_ssl") if is_plain else lines("controller"),
        "client.properties": "".join(f"{key}={value}\n" for key, value in client.items()),
        "scram": f"{mechanism}=[name=node,password=a secret]",
    }
    return {"kind": "Secret", "metadata": {"name": "kraftpy-passwords"}, "stringData": data}


def certificates(manifests: list[Manifest], folder: Path) -> Iterator[Manifest]:
    """Yield the Secret with certificates of each StatefulSet that mounts one."""
    authority = None
    for one in sets_of(manifests):
        component = one["metadata"]["labels"]["app.kubernetes.io/component"]
        for volume in one["spec"]["template"]["spec"]["volumes"]:
            if volume["name"] == "tls":
                authority = authority or Authority(folder)
                first = 100 if component == "broker" else 0
                uris = (f"kraft:///{component}/{first + index}" for index in range(one["spec"]["replicas"]))
                pair = authority.issue(component, *uris)
                data = {"ca.crt": authority.certificate.read_text(), "tls-combined.pem": pair.both.read_text()}
                yield {
                    "kind": "Secret",
                    "metadata": {"name": volume["secret"]["secretName"]},
                    "stringData": data,
                }


def with_settings_joined(manifests: list[Manifest], home: Path) -> list[Manifest]:
    """Return manifests in which the init containers ``settings`` have run, each in a directory in place of its root."""
    manifests = copy.deepcopy(manifests)
    for one in sets_of(manifests):
        name, spec = one["metadata"]["name"], one["spec"]["template"]["spec"]
        volumes = {volume["name"]: volume for volume in spec["volumes"]}
        for init in (each for each in spec.get("initContainers", ()) if each["name"] == "settings"):
            for mount in init["volumeMounts"]:
                directory = home / name / mount["mountPath"].lstrip("/")
                directory.mkdir(parents=True)
                for file, text in kubernetes.data(manifests, volumes[mount["name"]]).items():
                    (directory / file).write_text(text, encoding="utf-8")
            shell, option, script = init["command"]
            subprocess.run([shell, option, script.replace(" /etc/", f" {home / name}/etc/")], check=True)
            written = {path.name: path.read_text(encoding="utf-8") for path in (home / name / "etc/kraftpy").iterdir()}
            del volumes["config"]["emptyDir"]
            volumes["config"]["secret"] = {"secretName": f"{name}-joined"}
            manifests.append({"kind": "Secret", "metadata": {"name": f"{name}-joined"}, "stringData": written})
    return manifests


def installed(helm: Helm, values: Path | dict[str, Any], home: Path) -> list[Manifest]:
    """Return what there is when the pods of a release start: its objects, its Secrets, the files that were joined."""
    manifests = helm.objects(values, home=home)
    secrets = list(certificates(manifests, home / "authority"))
    mechanism = settings(manifests, "controller").get("sasl.enabled.mechanisms")
    if mechanism is not None:
        secrets.append(passwords(mechanism))
    return with_settings_joined([*manifests, *secrets], home / "init")


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_a_pod_can_start(helm: Helm, example: Path, tmp_path: Path) -> None:
    """Its properties are accepted, each has an effect, and they name this pod; plaintext is what it warns of.

    With TLS that is the port of the metrics alone.
    """
    manifests = installed(helm, example, tmp_path)
    has_tls = "ssl.keystore.location" in settings(manifests, "controller")
    expected = ("metrics.listener has no TLS",) if has_tls else PLAINTEXT
    for one in sets_of(manifests):
        for pod in kubernetes.pods(manifests, one["metadata"]["name"]):
            config = config_of(pod)
            assert [each for each in config.warnings if not any(words in each for words in expected)] == []
            assert config.unused_keys == ()
            first = 0 if config.is_controller else 100 if pod.index < 10 else 1_000
            assert config.node_id == first + pod.index
            listeners = config.controller_listeners + config.broker_listeners
            opened = {each.port for each in listeners} | {config.api.metrics_listener[1]}
            if config.is_controller:
                opened.add(config.api.grpc_listener[1])
                assert (config.api.grpc_advertised.host, config.api.grpc_advertised.port) == (
                    f"{pod.name}.{pod.service}.{NAMESPACE}.svc",
                    pod.ports["grpc"],
                )
            assert opened == set(pod.ports.values())
            assert all(each.advertised.host.startswith(f"{pod.name}.{pod.service}") for each in listeners)


@pytest.mark.parametrize("name", ["cert-manager", "everything"])
def test_certificates_name_what_is_called(helm: Helm, name: str, tmp_path: Path) -> None:
    """Every address in the settings, and every node by its id; each Secret that is mounted is made."""
    manifests = installed(helm, EXAMPLES[name], tmp_path)
    made = {one["spec"]["secretName"]: one["spec"] for one in manifests if one["kind"] == "Certificate"}
    assert len(made) == len(sets_of(manifests)) == 2
    for one in sets_of(manifests):
        for pod in kubernetes.pods(manifests, one["metadata"]["name"]):
            volumes = {each["name"]: each for each in one["spec"]["template"]["spec"]["volumes"]}
            spec = made[volumes["tls"]["secret"]["secretName"]]
            config = config_of(pod)
            kind = "controller" if config.is_controller else "broker"
            assert f"kraft:///{kind}/{config.node_id}" in spec["uris"]
            listeners = config.controller_listeners + config.broker_listeners
            called = {each.advertised.host for each in listeners}
            if config.is_controller:
                called |= {config.api.grpc_advertised.host, pod.environment["KRAFTPY_BOOTSTRAP_CONTROLLER"][:-5]}
            assert called <= set(spec["dnsNames"])
            assert spec["additionalOutputFormats"] == [{"type": "CombinedPEM"}]


@pytest.mark.parametrize("name", ["default", "tls", "sasl"])
def test_a_quorum_forms_and_helm_test_passes(helm: Helm, name: str, tmp_path: Path) -> None:
    """The quorum would not form of what the chart makes, or the command of `helm test` not reach it."""
    manifests = installed(helm, EXAMPLES[name], tmp_path)
    (tester,) = loaded(helm.template(EXAMPLES[name], "--show-only", "templates/tests/quorum.yaml", home=tmp_path))
    (container,) = tester["spec"]["containers"]
    pods = Pods(tmp_path, manifests=manifests)
    first = pods.controllers[0]
    try:
        for pod in pods.controllers:
            pods.mount(pod)
            format_volume(pods, pod)
        pods.start(*pods.controllers)
        pods.wait_until_ready(*pods.controllers)
        assert pods.endpoints("kraftpy", 9193)
        client = tmp_path / "client.properties"
        client.write_text(pods.here(first, passwords("SCRAM-SHA-256")["stringData"]["client.properties"]))
        words = [word.replace("/etc/kraftpy-passwords/client.properties", str(client)) for word in container["args"]]
        printed = pods.execute(first, *(pods.here(first, word) for word in words))
        assert re.search(r"^LeaderId: +[012]$", printed, re.MULTILINE), printed
        assert ("grpc.security.protocol" in settings(manifests, "controller")) == (name != "default")
    finally:
        for process in reversed(pods.running):
            process.kill()


def format_volume(pods: Pods, pod: Pod) -> None:
    """Run the init container ``format`` of a pod, if it has one; twice, as when a pod is replaced."""
    spec = pods.controller_set["spec"]["template"]["spec"]
    for init in (each for each in spec.get("initContainers", ()) if each["name"] == "format"):
        values = {"POD_INDEX": str(pod.index)}
        for variable in init["env"]:
            key = variable["valueFrom"].get("secretKeyRef")
            if key is not None:
                secret = kubernetes.named(pods.manifests, "Secret", key["name"])
                values[variable["name"]] = secret["stringData"][key["key"]]
        for _ in range(2):
            pods.execute(pod, *(pods.here(pod, kubernetes.expanded(word, values)) for word in init["args"]))
