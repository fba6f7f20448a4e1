"""The doctor and the support bundle on real processes: all is well, a voter is killed, and no secret leaves a node."""

from __future__ import annotations

import asyncio
import json
import re
import tarfile
from pathlib import Path

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.client import values as v
from kraftpy.doctor.checks import CHECKS
from kraftpy.model.errors import ErrorCode
from kraftpy.quorum_tools.ok_to_stop import SILENT_MS
from kraftpy.records.properties import parse_properties
from tests.fakes.processes import STEADY, configure, error_line, eventually, kraftpy, running
from tests.fakes.secure_cluster import running_secure

JUMPY_NODE = Path(__file__).with_name("jumpy_node.py")

PLANTED = "pl4nted-s3cret"
NO_PROBE = {"metadata.log.disk.probe": "false"}
"""The disk of a machine for tests may be slow."""

NEEDS_MORE = {"certificates", "disk-probe"}
"""The checks that are skipped on a cluster without TLS whose disks were not measured."""


OF_THE_DEAD = {"voters-fetch", "bootstrap-list", "controllers-respond", "metrics-respond"}
"""What finds a controller that is not there."""


async def command(*words):
    return await asyncio.to_thread(kraftpy, *words)


async def examined(*words):
    """The findings that are problems, by check, and the exit code."""
    result = await command("doctor", *words, "-o", "json")
    data = json.loads(result.stdout)
    problems = [one for one in data["findings"] if one["severity"] != "info"]
    return data, {one["check"]: one for one in problems}, result.returncode


async def test_a_quorum_is_healthy_until_a_voter_is_killed(tmp_path):
    """Every check is made; the one that finds the voter names it, and the bundle has what the doctor found."""
    async with running(tmp_path, controllers=3, brokers=2, extra=NO_PROBE | STEADY) as cluster:
        leader = await cluster.leader()
        await eventually(cluster.brokers, lambda found: list(found.values()) == [False] * 2, "two brokers run")
        metrics = ",".join(node.properties["metrics.listener"] for node in cluster.sandbox.nodes)
        endpoints = ",".join(cluster.node(node_id).grpc_endpoint for node_id in cluster.controller_ids)
        words = ("-C", endpoints, "--metrics", metrics)
        async with cluster.client() as client:
            first, second = sorted(await cluster.brokers())
            created = await client.create_topics([v.NewTopic(name="orders", assignments={0: [first, second]})])
            assert created.outcomes[0].error is ErrorCode.NONE, created.outcomes[0].message

        async def found():
            return await examined(*words)

        data, _, code = await eventually(found, lambda answer: not answer[1], "no check finds a problem")
        assert code == ExitCode.OK
        assert {one["check"] for one in data["skipped"]} == NEEDS_MORE
        assert {one["check"] for one in data["findings"]} <= {"kraft-version", "voter-hosts"}

        dead = next(node_id for node_id in cluster.controller_ids if node_id != leader)
        await cluster.kill(dead)
        data, problems, code = await eventually(
            found, lambda answer: set(answer[1]) == OF_THE_DEAD, f"{dead} has been silent for {SILENT_MS} ms"
        )
        assert code == ExitCode.FINDINGS
        assert problems["voters-fetch"]["place"] == f"controller {dead}"
        assert data["checkCount"] == len(CHECKS)
        await bundled(cluster, dead, words, tmp_path)
        await refused(cluster, tmp_path)


async def test_a_node_that_differs_from_the_others_is_named(tmp_path):
    """A clock that is a minute ahead at its node's start, and a file with other values; each with its place."""
    async with running(tmp_path, controllers=3, start=False, extra=NO_PROBE) as cluster:
        *alike, other = cluster.controller_ids
        configure(
            cluster.node(other),
            broker__session__timeout__ms="8000",
            controller__quorum__fetch__timeout__ms="1100",
            log__level="debug",
            delegation__token__secret__key=PLANTED,
        )
        (cluster.node(other).directory / "jump").write_text("wall 60")
        for node_id in cluster.controller_ids:
            await cluster.start_script(JUMPY_NODE, node_id)
        leader = await cluster.leader()
        metrics = {node_id: cluster.node(node_id).properties["metrics.listener"] for node_id in cluster.controller_ids}
        words = ("-C", cluster.node(leader).grpc_endpoint, "--metrics", ",".join(metrics.values()))

        async def found():
            return await examined(*words)

        wanted = {"node-skew", "controller-configs"}
        # Where the node with the other clock leads, or comes to lead, its answers show that, too.
        data, problems, code = await eventually(
            found, lambda answer: set(answer[1]) - {"clock-skew"} == wanted, "both are found"
        )
        assert code == ExitCode.FINDINGS
        assert problems["node-skew"]["place"] == metrics[other]
        assert re.match(
            r"its time is at least (5[5-9]|6[0-5])\d{3} ms ahead of that of", problems["node-skew"]["message"]
        )
        differing = {
            one["message"]: one["severity"] for one in data["findings"] if one["check"] == "controller-configs"
        }
        a, b = alike
        assert differing == {
            f"broker.session.timeout.ms differs: 3000 (file) on {a}, {b}; 8000 (file) on {other}": "warning",
            f"controller.quorum.fetch.timeout.ms differs: 1000 (file) on {a}, {b}; 1100 (file) on {other}": "warning",
            f"log.level differs: debug (file) on {other}; info (default) on {a}, {b}": "info",
        }
        assert PLANTED not in json.dumps(data)


async def bundled(cluster, dead, words, tmp_path):
    """A bundle of a cluster and of two nodes, one of which is dead: every byte of it is without the secret."""
    nodes = [cluster.node(node_id) for node_id in (dead, next(n for n in cluster.controller_ids if n != dead))]
    configure(nodes[0], ssl__key__password=PLANTED, our__plugin__api_key=f"{PLANTED}-too")
    with nodes[0].log_file.open("a", encoding="utf-8") as log:
        log.write(f"a plugin printed {PLANTED}\n")
    out = tmp_path / "bundle.tar.gz"
    files = [node.config_file for node in nodes]
    result = await command(
        "support-bundle", "--out", out, *files, *words, "--log-file", nodes[0].log_file, "-o", "json"
    )
    assert result.returncode == ExitCode.INCOMPLETE
    metrics = nodes[0].properties["metrics.listener"]
    assert f"without 1 parts: metrics of {metrics}: refused the connection" in error_line(result)
    with tarfile.open(out) as archive:
        members = {one.name: archive.extractfile(one).read() for one in archive.getmembers()}
    for name, content in members.items():
        assert PLANTED.encode() not in content, name
        assert PLANTED not in name
    live = [node.properties["metrics.listener"] for node in cluster.sandbox.nodes if node.node_id != dead]
    assert set(members) == {
        "manifest.json", "versions.json", "doctor.json", "cluster.json", "quorum.json", "features.json", "counts.json",
        "logs/1.txt", *(f"metrics/{one.replace(':', '_')}.txt" for one in live),
        *(f"nodes/{number}/{name}" for number in (1, 2)
          for name in ("server.properties", "files.json", "1/meta.properties", "1/quorum-state")),
    }  # fmt: skip
    assert json.loads(members["counts.json"]) == {
        "brokerCount": 2, "controllerCount": 3, "topicCount": 1, "partitionCount": 1,
    }  # fmt: skip
    assert "voters-fetch" in {one["check"] for one in json.loads(members["doctor.json"])["findings"]}
    manifest = json.loads(members["manifest.json"])
    assert [one["member"] for one in manifest["redacted"]] == [f"nodes/{number}/server.properties" for number in (1, 2)]
    shown = parse_properties(members["nodes/1/server.properties"].decode())
    assert shown["ssl.key.password"] == shown["our.plugin.api_key"] == "[redacted]"
    (listing,) = json.loads(members["nodes/1/files.json"])
    assert "__cluster_metadata-0/00000000000000000000.log" in {one["name"] for one in listing["files"]}
    # No record of the metadata log is in it, nor a name that only records have.
    assert not [name for name, content in members.items() if b"orders" in content and name != "doctor.json"]


async def refused(cluster, tmp_path):
    """Bad input: each has one line and its own code."""
    endpoint = cluster.node(cluster.running_controllers[0]).grpc_endpoint
    kafka = cluster.node(cluster.running_controllers[0]).properties["listeners"].rpartition("//")[2]
    metrics = cluster.node(cluster.running_controllers[0]).properties["metrics.listener"]
    out = tmp_path / "other.tar.gz"
    for words, code, text in (
        (("doctor", "-C", "127.0.0.1:1"), ExitCode.UNREACHABLE, "refused the connection"),
        (("doctor", "-C", metrics), ExitCode.UNREACHABLE, "is the metrics listener of a kraftpy node"),
        (("support-bundle", "--out", tmp_path / "bundle.tar.gz", "-C", endpoint), ExitCode.FAILURE, "exists"),
        (("support-bundle", "--out", out, tmp_path / "no.properties"), ExitCode.FAILURE, "there is no such file"),
        (("support-bundle", "--out", out, "-C", "127.0.0.1:1"), ExitCode.INCOMPLETE, "cluster: 127.0.0.1:1 refused"),
    ):
        result = await command(*words)
        assert result.returncode == code, words
        assert text in error_line(result), words
    # A port of another kind under --metrics is a finding.
    _, problems, _ = await examined("-C", endpoint, "--metrics", kafka)
    assert "metrics-respond" in problems


async def test_certificates_that_expire_soon_are_found(tmp_path):
    """Each TLS listener that is registered shows one of two days; one that demands a certificate is read with ours."""
    async with running_secure(tmp_path, controllers=1, brokers=0) as secure:
        await secure.cluster.leader()
        ours = secure.authority.issue("operator", "kraft:///client/operator")
        endpoint = secure.cluster.node(1).grpc_endpoint
        words = ("-C", endpoint, "--tls-ca", secure.authority.certificate, "--tls-cert", ours.both)
        data, _, code = await examined(*words)
        assert code == ExitCode.FINDINGS
        expiring = {one["place"]: one for one in data["findings"] if one["check"] == "certificates"}
        listener = secure.cluster.node(1).properties["listeners"].rpartition("//")[2]
        assert set(expiring) == {endpoint, listener}
        assert {one["severity"] for one in expiring.values()} == {"warning"}
        assert all(one["message"].startswith("its certificate expires in 1 day") for one in expiring.values())
