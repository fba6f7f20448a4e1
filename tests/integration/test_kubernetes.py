"""The pods of ``deploy/kubernetes``, without Kubernetes: what their containers run, as processes on loopback.

Each process has the command and the environment of its container, the files of the ConfigMap, and a directory for its
volume. The names of pods and Services are resolved as the DNS of Kubernetes does: to the pods that a Service selects,
and to a pod by the Service of its StatefulSet. Only addresses, ports and paths differ: a pod is 127.0.0.1, each of its
ports a free one.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from kraftpy.client.async_client import AsyncClient
from kraftpy.client.values import Resource
from kraftpy.model.consistency import Consistency
from kraftpy.model.resource_types import ResourceType
from kraftpy.records.properties import parse_properties
from tests.fakes import kubernetes
from tests.fakes.kubernetes import NAMESPACE, Manifest, Pod
from tests.fakes.processes import KEY, group
from tests.fakes.processes import eventually as until
from tests.interop.processes import HOST, Process, eventually, free_ports

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT_S = 90
ADDRESS = re.compile(r"(?<![\w.])([a-z][a-z0-9.-]*)?:(\d{4,5})\b")
"""``host:port`` in a value, or ``:port``, which is every address of the pod."""


class Pods:
    """What ``kubectl apply`` would start of manifests; by default of ``deploy/kubernetes``."""

    def __init__(self, root: Path, *components: str, manifests: list[Manifest] | None = None) -> None:
        self.root = root
        self.manifests = kubernetes.built(components=components) if manifests is None else manifests
        self.controller_set = kubernetes.named(self.manifests, "StatefulSet", "kraftpy-controller")
        self.controllers = kubernetes.pods(self.manifests, "kraftpy-controller")
        self.brokers = kubernetes.pods(self.manifests, "kraftpy-broker") if components else []
        self.all = self.controllers + self.brokers
        self.more = kubernetes.pods(self.manifests, "kraftpy-controller", replicas=5)[3:]
        """What `kubectl scale --replicas=5` would add."""
        self.processes: dict[str, Process] = {}
        named = [(pod.name, port) for pod in (*self.all, *self.more) for port in pod.ports.values()]
        self._ports = dict(zip(named, free_ports(len(named)), strict=True))
        programs = root / "bin"
        programs.mkdir()
        program = programs / "kraftpy"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m kraftpy "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        self._outside = {"PATH": f"{programs}:/usr/bin:/bin", "PYTHONPATH": str(ROOT)}

    # Names and addresses.

    def port(self, pod: Pod, number: int) -> int:
        """Return the port in place of a pod's."""
        assert (pod.name, number) in self._ports, f"{pod.name} has no port {number}: {pod.ports}"
        return self._ports[pod.name, number]

    def endpoints(self, service: str, number: int) -> list[str]:
        """Return the addresses behind a port of a Service: of all pods that it selects, or of those that are ready."""
        spec = kubernetes.named(self.manifests, "Service", service)["spec"]
        (port,) = [each for each in spec["ports"] if each["port"] == number]
        everyone = spec.get("publishNotReadyAddresses", False)
        pods = [pod for pod in kubernetes.selected(spec["selector"], self.all) if everyone or self.is_ready(pod)]
        return [f"{HOST}:{self.port(pod, pod.port(port['targetPort']))}" for pod in pods]

    def resolved(self, host: str, number: int) -> str:
        """Return the addresses of a name and port, comma-separated."""
        first, _, rest = host.partition(".")
        pod = next((one for one in (*self.all, *self.more) if one.name == first), None)
        if pod is None:
            assert rest in ("", f"{NAMESPACE}.svc"), f"the cluster's DNS does not know {host}"
            return ",".join(self.endpoints(first, number))
        service = kubernetes.named(self.manifests, "Service", pod.service)["spec"]
        assert rest in (pod.service, f"{pod.service}.{NAMESPACE}.svc"), f"the cluster's DNS does not know {host}"
        assert service["clusterIP"] == "None", f"{pod.service} gives its pods no names"
        assert service.get("publishNotReadyAddresses"), f"{host} is needed before the pod is ready"
        assert kubernetes.selected(service["selector"], [pod]), f"{pod.service} does not select {pod.name}"
        return f"{HOST}:{self.port(pod, number)}"

    def here(self, pod: Pod, text: str) -> str:
        """Return a value of a pod with the addresses, ports and paths of this run."""

        def address(match: re.Match[str]) -> str:
            number = int(match[2])
            return f":{self.port(pod, number)}" if match[1] is None else self.resolved(match[1], number)

        paths = {*pod.volumes, *(str(Path(file).parent) for file in pod.files)}
        # At once, and the longer of two first: a path in place of another may contain it.
        either = "|".join(map(re.escape, sorted(paths, reverse=True)))
        text = re.sub(either, lambda match: str(self.mounted(pod, match[0])), text)
        return ADDRESS.sub(address, text)

    def mounted(self, pod: Pod, path: str) -> Path:
        """Return the directory in place of one in a pod: a volume is that of its claim, and outlives the pod."""
        if path in pod.volumes:
            return self.root / "volumes" / pod.volumes[path]
        return self.root / pod.name / path.lstrip("/")

    # Pods.

    def mount(self, pod: Pod) -> None:
        """Make the directories of its volumes, and its files."""
        for path in pod.volumes:
            self.mounted(pod, path).mkdir(parents=True, exist_ok=True)
        for path, text in pod.files.items():
            file = self.mounted(pod, str(Path(path).parent)) / Path(path).name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(self.here(pod, text), encoding="utf-8")

    def start(self, *pods: Pod) -> None:
        for pod in pods:
            self.mount(pod)
            log = self.root / pod.name / "log"
            # Nothing of this machine's environment is in a container's.
            command = ["/usr/bin/env", "-i", *(f"{name}={value}" for name, value in self.environment(pod).items())]
            self.processes[pod.name] = Process(pod.name, [*command, *self.command(pod)], log)

    def command(self, pod: Pod) -> list[str]:
        return [self.here(pod, word) for word in pod.command]

    def environment(self, pod: Pod) -> dict[str, str]:
        return self._outside | {name: self.here(pod, value) for name, value in pod.environment.items()}

    def probe(self, pod: Pod, kind: str) -> int | None:
        """Send the request of a probe; return the status, or nothing where no port is open."""
        path, number = pod.probe(kind)
        try:
            with urlopen(f"http://{HOST}:{self.port(pod, number)}{path}", timeout=5) as page:
                return page.status
        except URLError as error:
            return getattr(error, "code", None)
        except OSError:
            return None

    def is_ready(self, pod: Pod) -> bool:
        return pod.name in self.processes and self.probe(pod, "readinessProbe") == 200

    def wait_until_ready(self, *pods: Pod) -> None:
        eventually(f"{[pod.name for pod in pods]} are ready", lambda: all(map(self.is_ready, pods)), self.running)

    def execute(self, pod: Pod, *words: str, check: bool = True) -> str:
        """Run a command of kraftpy as `kubectl exec` does; return its output, of one that may fail only a success's."""
        done = subprocess.run(
            ["kraftpy", *words],
            env=self.environment(pod),
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_S,
        )
        assert done.returncode == 0 or not check, f"{words}: {done.returncode} {done.stdout}{done.stderr}"
        return done.stdout if done.returncode == 0 else ""

    @property
    def running(self) -> list[Process]:
        return list(self.processes.values())

    def leader(self) -> Pod:
        """Return the pod of the leader, as commands in any pod report it."""
        status = self.execute(self.controllers[0], "quorum", "describe", "--status")
        (leader_id,) = re.findall(r"^LeaderId: +(\d+)$", status, re.MULTILINE)
        return self.controllers[int(leader_id)]

    def metrics(self, pod: Pod) -> list[str]:
        """Return the metrics of a pod, from where the annotations send Prometheus."""
        annotations = self.controller_set["spec"]["template"]["metadata"]["annotations"]
        port = self.port(pod, int(annotations["prometheus.io/port"]))
        with urlopen(f"http://{HOST}:{port}{annotations['prometheus.io/path']}", timeout=5) as page:
            return page.read().decode().splitlines()

    def is_leader(self, pod: Pod) -> bool:
        return "kraft_active_controller 1.0" in self.metrics(pod)

    def address(self, pod: Pod) -> str:
        """Return where a client of the Service reaches this pod."""
        address = f"{HOST}:{self.port(pod, pod.ports['grpc'])}"
        assert address in self.endpoints("kraftpy", 9193)
        return address

    async def write(self, value: int) -> None:
        """Change a value as a client of the Service, which is connected to one pod, and read it by each other one."""
        reached = self.endpoints("kraftpy", 9193)
        async with AsyncClient(reached[:1], timeout_s=TIMEOUT_S) as client:
            (outcome,) = (await client.incremental_alter_configs(group("one", str(value)), retry_unknown=True)).outcomes
            assert not outcome.error, outcome
        for address in reached:
            assert await self.read(address) == str(value), address

    async def read(self, address: str) -> str:
        """Read the value by one pod behind the Service; only the leader may answer."""
        one = Resource(ResourceType.GROUP, "one")
        async with AsyncClient([address], timeout_s=TIMEOUT_S) as client:
            configs = await client.describe_configs([one], consistency=Consistency.LINEARIZABLE)
            return configs.resources[one][KEY]


@pytest.fixture
def make_pods(tmp_path: Path) -> Iterator[type[Pods]]:
    made: list[Pods] = []

    def make(*components: str) -> Pods:
        made.append(Pods(tmp_path, *components))
        return made[-1]

    yield make
    for cluster in made:
        for process in reversed(cluster.running):
            process.kill()


def identity(pods: Pods, pod: Pod) -> dict[str, str]:
    (volume,) = pod.volumes
    (file,) = pods.mounted(pod, volume).rglob("meta.properties")
    return parse_properties(file.read_text(encoding="utf-8"))


@pytest.mark.timeout(300)
@pytest.mark.landing
async def test_controllers_of_the_manifests(make_pods) -> None:
    """The quorum would not form, a probe not answer, a client not find the leader, or a pod not get its volume back."""
    pods = make_pods()
    first, *others = pods.controllers

    # One pod alone works and is not ready: it is not restarted, and no client is sent to it.
    pods.start(first)
    eventually("the first pod has started", lambda: pods.probe(first, "startupProbe") == 200, pods.running)
    assert pods.probe(first, "livenessProbe") == 200
    assert pods.probe(first, "readinessProbe") == 503
    assert pods.endpoints("kraftpy", 9193) == []

    pods.start(*others)
    pods.wait_until_ready(*pods.controllers)
    assert {pods.probe(pod, kind) for pod in pods.controllers for kind in ("startupProbe", "livenessProbe")} == {200}
    assert len(pods.endpoints("kraftpy", 9193)) == 3
    await pods.write(1_000)

    # A pod is lost; the others go on, and it comes back with its volume.
    leader = pods.leader()
    follower = next(pod for pod in pods.controllers if pod != leader)
    identities = {pod.name: identity(pods, pod) for pod in pods.controllers}
    assert [one["node.id"] for one in identities.values()] == ["0", "1", "2"]
    pods.processes.pop(leader.name).kill()
    left = [pod for pod in pods.controllers if pod != leader]
    eventually("another one leads", lambda: any(map(pods.is_leader, left)), pods.running)
    pods.wait_until_ready(*left)
    await pods.write(2_000)
    pods.start(leader)
    pods.wait_until_ready(*pods.controllers)
    assert identity(pods, leader) == identities[leader.name]
    assert await pods.read(pods.address(leader)) == "2000"

    # Pod and volume are deleted: the pod gets an empty volume, and its vote counts when it has everything.
    pods.processes.pop(follower.name).kill()
    shutil.rmtree(pods.mounted(follower, *follower.volumes))
    pods.start(follower)
    pods.wait_until_ready(*pods.controllers)
    assert identity(pods, follower)["directory.id"] != identities[follower.name]["directory.id"]
    eventually("its vote counts", lambda: "kraft_voter_eligible 1.0" in pods.metrics(follower), pods.running)
    assert await pods.read(pods.address(follower)) == "2000"

    # `kubectl rollout restart`: from the last index on, each when the one that was restarted is ready.
    for pod in reversed(pods.controllers):
        peers = pods.resolved("kraftpy-controllers", 9093)
        pods.execute(pod, "metadata-quorum", "ok-to-stop", str(pod.index), "-C", peers)
        stopped = pods.processes.pop(pod.name)
        assert stopped.stop() == 0, stopped.log_text()
        await pods.write(3_000 + pod.index)
        pods.start(pod)
        pods.wait_until_ready(*pods.controllers)

    # `kubectl scale` adds no voter.
    added = pods.more[0]
    pods.start(added)
    refused = pods.processes.pop(added.name)
    assert refused.process.wait(TIMEOUT_S) == 1
    assert "a controller must be in it, and node.id 3 is not" in refused.log_text()


@pytest.mark.landing
@pytest.mark.timeout(300)
async def test_brokers_and_more_controllers(make_pods) -> None:
    """The brokers of the component would not register, or the steps of docs/deploy.md would not make five voters."""
    pods = make_pods("brokers")
    pods.start(*pods.controllers)
    pods.wait_until_ready(*pods.controllers)
    pods.start(*pods.brokers)
    pods.wait_until_ready(*pods.brokers)
    async with AsyncClient(pods.endpoints("kraftpy", 9193), timeout_s=TIMEOUT_S) as client:
        cluster = await client.describe_cluster()
    registered = {one.broker_id: {(each.host, each.port) for each in one.listeners} for one in cluster.brokers}
    assert registered == {100 + pod.index: {(HOST, pods.port(pod, 9092))} for pod in pods.brokers}

    upgrade = ("features", "upgrade", "--feature", "kraft.version=1")
    eventually(
        "the voters are in the log", lambda: pods.execute(pods.controllers[0], *upgrade, check=False), pods.running
    )
    (path,) = pods.controllers[0].files
    text = pods.controllers[0].files[path]
    listed = re.findall(r"^controller\.quorum\.voters=(.*)$", text, re.MULTILINE)
    servers = re.sub(r"\d@", "", listed[0])
    text = text.replace(f"controller.quorum.voters={listed[0]}", f"controller.quorum.bootstrap.servers={servers}")
    for pod in (*pods.controllers, *pods.more):
        pod.files[path] = f"{text}controller.quorum.auto.join.enable=true\n"
    for pod in reversed(pods.controllers):
        assert pods.processes.pop(pod.name).stop() == 0
        pods.start(pod)
        pods.wait_until_ready(*pods.controllers)
    pods.all += pods.more
    pods.start(*pods.more)
    pods.wait_until_ready(*pods.more)

    async def voters() -> dict[int, bytes | None]:
        async with AsyncClient(pods.endpoints("kraftpy", 9193), timeout_s=TIMEOUT_S) as client:
            quorum = await client.describe_quorum()
        return {one.key.node_id: one.key.directory_id for one in quorum.voters}

    before = await until(voters, lambda found: sorted(found) == [0, 1, 2, 3, 4], "there are five voters", TIMEOUT_S)
    await pods.write(1_000)

    # A lost volume: the pod has itself made a voter in place of the one that it was.
    lost = pods.more[0]
    pods.processes.pop(lost.name).kill()
    shutil.rmtree(pods.mounted(lost, *lost.volumes))
    pods.start(lost)
    pods.wait_until_ready(lost)
    await until(voters, lambda found: found.get(3, before[3]) != before[3], "its new directory votes", TIMEOUT_S)
    assert await pods.read(pods.address(lost)) == "1000"

    peers = pods.resolved("kraftpy-controllers", 9093)
    pods.execute(pods.controllers[0], "metadata-quorum", "remove-controller", "--controller-id", "4", "-C", peers)
    await until(voters, lambda found: sorted(found) == [0, 1, 2, 3], "there are four voters", TIMEOUT_S)
