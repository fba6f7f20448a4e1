"""The chart ``deploy/helm/kraftpy`` in a real Helm, and what it makes, judged by the types of Kubernetes."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml

from kraftpy.records.properties import parse_properties
from tests.fakes import kubernetes
from tests.fakes.kubernetes import Manifest
from tests.interop.helm.programs import CHART, EXAMPLES, Helm, HelmFailedError, loaded
from tests.unit.test_monitoring import MONITORING, RULES

pytestmark = pytest.mark.timeout(300)

OWN_LABELS = (
    "app.kubernetes.io/instance",
    "app.kubernetes.io/version",
    "app.kubernetes.io/managed-by",
    "helm.sh/chart",
)
"""What Helm's objects have besides those of deploy/kubernetes."""

CHECKSUM = "checksum/config"


def with_examples(test: Any) -> Any:
    return pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())(test)


@with_examples
def test_lint_finds_nothing(helm: Helm, example: Path, tmp_path: Path) -> None:
    printed = helm.call("lint", "--strict", CHART, "--values", example, home=tmp_path)
    assert "1 chart(s) linted, 0 chart(s) failed" in printed
    assert not re.search(r"\[(WARNING|ERROR)\]", printed), printed


@with_examples
def test_objects_are_those_of_kubernetes(helm: Helm, example: Path, tmp_path: Path) -> None:
    """Each decodes into Kubernetes' own type, which allows no unknown field, and has what its schema requires."""
    text = helm.template(example, home=tmp_path)
    manifests = loaded(text)
    assert helm.decode(text) == [f"{one['kind']}/{one['metadata']['name']}" for one in manifests]
    validator = pytest.importorskip("kubernetes_validate", reason="pip install -r requirements-dev.txt")
    for one in manifests:
        if one["apiVersion"].partition("/")[0] not in ("cert-manager.io", "monitoring.coreos.com"):
            validator.validate(one, validator.latest_version(), strict=True)


def test_the_manifests_of_kustomize_are_those_of_kubernetes(helm: Helm) -> None:
    manifests = kubernetes.built(components=("brokers",)) + kubernetes.read(kubernetes.DIRECTORY / "pod-monitor.yaml")
    assert len(helm.decode(yaml.safe_dump_all(manifests))) == len(manifests) > 8


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("StatefulSet", ("spec", "replicaz")),
        ("StatefulSet", ("spec", "template", "spec", "containers", 0, "readinessProbe", "httpGet", "pathh")),
        ("Service", ("spec", "publishNotReady")),
        ("NetworkPolicy", ("spec", "ingres")),
        ("PodDisruptionBudget", ("spec", "maxUnavailabl")),
        ("PodMonitor", ("spec", "podMetricsEndpoints", 0, "pathh")),
        ("PrometheusRule", ("spec", "groups", 0, "rules", 0, "exprs")),
        ("Certificate", ("spec", "dnsName")),
    ],
    ids=lambda part: part if isinstance(part, str) else ".".join(map(str, part)),
)
def test_the_decoder_finds_a_misspelt_field(helm: Helm, kind: str, path: tuple[str | int, ...], tmp_path: Path) -> None:
    """The tests above would see one, also in the kinds of operators."""
    manifests = helm.objects(EXAMPLES["everything"], home=tmp_path)
    place: Any = next(one for one in manifests if one["kind"] == kind)
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = "1"
    with pytest.raises(HelmFailedError, match=f'unknown field "[^"]*{path[-1]}"'):
        helm.decode(yaml.safe_dump_all(manifests))


def comparable(manifests: list[Manifest]) -> dict[str, Manifest]:
    """Return objects by kind and name, without what docs/helm.md says is different."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(each) for key, each in value.items() if key not in (*OWN_LABELS, CHECKSUM)}
        return [plain(each) for each in value] if isinstance(value, list) else value

    found = {}
    for one in map(plain, manifests):
        if one["kind"] == "ConfigMap":
            one["metadata"].pop("labels", None)
            one["data"] = {name: parse_properties(text) for name, text in one["data"].items()}
        found[f"{one['kind']}/{one['metadata']['name']}"] = one
    assert len(found) == len(manifests)
    return found


@pytest.mark.parametrize(("example", "components"), [("default", ()), ("brokers", ("brokers",))])
def test_the_chart_makes_what_kustomize_makes(
    helm: Helm, example: str, components: tuple[str, ...], tmp_path: Path
) -> None:
    made, expected = comparable(helm.objects(EXAMPLES[example], home=tmp_path)), kubernetes.built(components=components)
    assert made.keys() == comparable(expected).keys()
    for name, one in comparable(expected).items():
        assert made[name] == one, name


def test_the_pod_monitor_is_that_of_kustomize(helm: Helm, tmp_path: Path) -> None:
    """And takes the place of the annotations."""
    manifests = helm.objects({"monitoring": {"podMonitor": {"enabled": True}}}, home=tmp_path)
    (expected,) = kubernetes.read(kubernetes.DIRECTORY / "pod-monitor.yaml")
    assert comparable(manifests)["PodMonitor/kraftpy"] == expected
    (controllers,) = (one for one in manifests if one["kind"] == "StatefulSet")
    assert set(controllers["spec"]["template"]["metadata"]["annotations"]) == {CHECKSUM}


def test_rules_and_dashboards_are_those_of_the_directory(helm: Helm, tmp_path: Path) -> None:
    manifests = helm.objects(EXAMPLES["everything"], home=tmp_path)
    (rule,) = (one for one in manifests if one["kind"] == "PrometheusRule")
    prefix = "https://git.example/kraftpy/"
    text = yaml.safe_dump(rule["spec"])
    assert yaml.safe_load(text.replace(f"runbook_url: {prefix}", "runbook_url: ")) == RULES
    assert prefix in text
    for name in ("quorum", "cluster"):
        dashboard = kubernetes.named(manifests, "ConfigMap", f"metadata-dashboard-{name}")
        assert dashboard["metadata"]["labels"]["grafana_dashboard"] == "1"
        (shown,) = dashboard["data"].values()
        assert json.loads(shown) == json.loads((MONITORING / f"{name}.json").read_text(encoding="utf-8"))


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"controller": {"replicas": 3}}, "additional properties 'controller' not allowed"),
    ({"controllers": {"replica": 3}}, "at '/controllers': additional properties 'replica' not allowed"),
    ({"controllers": {"replicas": 4}}, "at '/controllers/replicas': value must be one of 1, 3, 5, 7"),
    ({"controllers": {"replicas": "3"}}, "at '/controllers/replicas': value must be one of"),
    (
        {"controllers": {"properties": {"some.key": 600000}}},
        "/controllers/properties/some.key': got number, want string",
    ),
    ({"controllers": {"properties": {"some.key": "1\nother=2"}}}, "some.key': .*does not match pattern"),
    ({"controllers": {"properties": {"log.dirs": "/tmp"}}}, "controllers.properties: log.dirs is set by the chart"),
    ({"controllers": {"properties": {"node.id": "7"}}}, "controllers.properties: node.id differs from pod to pod"),
    ({"controllers": {"properties": {"ssl.key.password": "x"}}}, "ssl.key.password is a secret"),
    ({"controllers": {"storage": {"size": "10 GB"}}}, "at '/controllers/storage/size': '10 GB' does not match pattern"),
    ({"controllers": {"resources": {"limit": {}}}}, "additional properties 'limit' not allowed"),
    ({"controllers": {"antiAffinity": "soft"}}, "at '/controllers/antiAffinity': value must be one of 'required'"),
    ({"controllers": {"dynamicVoters": True}}, "controllers.dynamicVoters is for a running cluster"),
    ({"brokers": {"enabled": "yes"}}, "at '/brokers/enabled': got string, want boolean"),
    ({"image": {"tag": 1}}, "at '/image/tag': got number, want string"),
    ({"clusterId": "mine"}, "at '/clusterId': 'mine' does not match pattern"),
    ({"fullnameOverride": "a" * 39}, "at '/fullnameOverride': maxLength: got 39, want 38"),
    ({"tls": {"enabled": True}}, "name a Secret in tls.existingSecrets.controllers, or set tls.certManager.enabled"),
    ({"tls": {"certManager": {"enabled": True}}}, "has no effect without tls.enabled"),
    ({"tls": {"enabled": True, "certManager": {"enabled": True}}}, "tls.certManager.issuer.name is empty"),
    (
        {
            "tls": {
                "enabled": True,
                "existingSecrets": {"controllers": "one"},
                "certManager": {"enabled": True, "issuer": {"name": "ca"}},
            }
        },
        "certificates come from one of them",
    ),
    (
        {"brokers": {"enabled": True}, "tls": {"enabled": True, "existingSecrets": {"controllers": "one"}}},
        "name a Secret in tls.existingSecrets.brokers",
    ),
    ({"sasl": {"enabled": True}}, "name a Secret in sasl.existingSecret"),
    ({"sasl": {"enabled": True, "existingSecret": "one"}}, "SCRAM-SHA-256 needs clusterId"),
    ({"sasl": {"mechanism": "GSSAPI"}}, "at '/sasl/mechanism': value must be one of 'PLAIN'"),
    ({"networkPolicy": {"clients": [{"podSelectors": {}}]}}, "additional properties 'podSelectors' not allowed"),
    ({"monitoring": {"rules": {"runbookPrefix": "git.example"}}}, "runbookPrefix': 'git.example' does not match"),
]


@pytest.mark.parametrize(("values", "message"), REFUSED, ids=[message[:60] for _, message in REFUSED])
def test_values_that_are_refused(helm: Helm, values: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(HelmFailedError, match=re.sub(r"(?<!\.)([][()?+])", r"\\\1", message)):
        helm.template(values, home=tmp_path)


@pytest.mark.parametrize("release", ["a" * 31, "a.b", "7up"])
def test_a_name_that_gives_no_pod_names_is_refused(helm: Helm, release: str, tmp_path: Path) -> None:
    with pytest.raises(HelmFailedError, match=r"the names of the pods would begin with .*; set fullnameOverride"):
        helm.template({}, home=tmp_path, release=release)
    assert "metadata-controller" in helm.template({"fullnameOverride": "metadata"}, home=tmp_path, release=release)


def test_two_releases_do_not_meet(helm: Helm, tmp_path: Path) -> None:
    """Names differ, and what selects pods of one selects none of the other."""
    values = {"brokers": {"enabled": True}}
    one, other = (loaded(helm.template(values, home=tmp_path, release=name)) for name in ("one", "other"))
    assert not {each["metadata"]["name"] for each in one} & {each["metadata"]["name"] for each in other}
    for found, name in ((one, "one"), (other, "other")):
        for manifest in found:
            texts = selectors(manifest)
            assert all(each["app.kubernetes.io/instance"] == name for each in texts), manifest


def selectors(value: Any) -> list[dict[str, str]]:
    """Return the labels by which an object selects pods of kraftpy."""
    if isinstance(value, dict):
        inside = [one for each in value.values() for one in selectors(each)]
        found = [value[key] for key in ("matchLabels", "selector") if is_of_kraftpy(value.get(key))]
        return found + inside
    return [one for each in value for one in selectors(each)] if isinstance(value, list) else []


def is_of_kraftpy(labels: Any) -> bool:
    return isinstance(labels, dict) and labels.get("app.kubernetes.io/name") == "kraftpy"


class ClusterApi(BaseHTTPRequestHandler):
    """As much of a cluster's API as Helm asks for: one ConfigMap of a running release."""

    properties = ""

    def do_GET(self) -> None:
        resource = {"name": "configmaps", "namespaced": True, "kind": "ConfigMap", "verbs": ["get"]}
        config = {"metadata": {"name": "kraftpy-controller"}, "data": {"controller.properties": self.properties}}
        answers: dict[str, Manifest] = {
            "/version": {"major": "1", "minor": "35", "gitVersion": "v1.35.0"},
            "/api": {"kind": "APIVersions", "versions": ["v1"]},
            "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": []},
            "/api/v1": {"kind": "APIResourceList", "groupVersion": "v1", "resources": [resource]},
            "/api/v1/namespaces/default/configmaps/kraftpy-controller": {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                **config,
            },
        }
        body = json.dumps(answers.get(self.path.partition("?")[0], {})).encode()
        self.send_response(200 if self.path.partition("?")[0] in answers else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        """Print nothing."""


@pytest.fixture
def api() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), ClusterApi)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_static_voters_of_a_running_release_stay(
    helm: Helm, api: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three voters and five, side by side during a rollout, could elect two leaders."""
    (config,) = (one for one in helm.objects({}, home=tmp_path) if one["kind"] == "ConfigMap")
    monkeypatch.setattr(ClusterApi, "properties", config["data"]["controller.properties"])
    asked = ("--is-upgrade", "--dry-run=server", "--kube-apiserver", api, "--skip-schema-validation")
    helm.template({}, *asked, home=tmp_path)
    with pytest.raises(
        HelmFailedError, match=r"the running quorum has controller\.quorum\.voters=0@.*may elect two leaders"
    ):
        helm.template({"controllers": {"replicas": 5}}, *asked, home=tmp_path)
    helm.template({"controllers": {"replicas": 5, "dynamicVoters": True}}, *asked, home=tmp_path)


def test_the_notes_name_what_protects(helm: Helm, tmp_path: Path) -> None:
    """Helm shows them after an installation alone: here they are a part of an object in a copy of the chart."""
    chart = tmp_path / "chart"
    shutil.copytree(CHART, chart)
    text = (chart / "templates" / "NOTES.txt").read_text(encoding="utf-8")
    asked = '{{- define "notes" }}' + text + '{{ end }}\nnotes: |\n{{ include "notes" . | indent 2 }}\n'
    (chart / "templates" / "notes.yaml").write_text(asked, encoding="utf-8")

    def notes(example: str, *options: str) -> str:
        show = ("--show-only", "templates/notes.yaml", "--values", EXAMPLES[example])
        return helm.call("template", "kraftpy", chart, *show, *options, home=tmp_path)

    assert "only the network policy protects them" in notes("default")
    assert "NOTHING protects them" in notes("default", "--set", "networkPolicy.enabled=false")
    assert "plaintext" not in notes("tls")
    assert "describe --status --tls-ca /etc/kraftpy-tls/ca.crt" in notes("tls")
    assert "exec" not in notes("sasl")
    assert "5 controllers and 12 brokers" in notes("everything")
