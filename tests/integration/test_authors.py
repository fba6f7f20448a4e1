"""Who changed what, asked of a real node whose callers authenticate by SASL, and of its directory afterwards."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from kraftpy.authenticator.mechanism import SCRAM_SHA_256
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.client import AsyncClient, Author
from kraftpy.client.values import MetadataSlice, WatchedBatch
from kraftpy.records.codec import AUTHOR_MARK
from tests.fakes.processes import Cluster, group, kraftpy
from tests.fakes.sasl_cluster import USER, client_properties
from tests.integration.test_sasl_api import running_api
from tests.unit.cli.json_outputs import faults

pytestmark = pytest.mark.landing

PRINCIPAL = f"User:{USER}"
NAMES = [f"g-{number}" for number in range(20)]


async def changed(client: AsyncClient) -> None:
    answers = await asyncio.gather(*(client.incremental_alter_configs(group(name, "1")) for name in NAMES))
    assert all(not answer.outcomes[0].error for answer in answers)


async def typed_changes(client: AsyncClient) -> list[tuple[str, Author | None]]:
    """The configs and features of the log, each with its author, until the last of the changes."""
    found: list[tuple[str, Author | None]] = []
    async for event in client.watch(0, changes_of=[MetadataSlice.CONFIGS, MetadataSlice.FEATURES]):
        if isinstance(event, WatchedBatch):
            assert len(event.authors) == len(event.changes)
            found += [
                (getattr(record, "resource_name", ""), author)
                for record, author in zip(event.changes, event.authors, strict=True)
            ]
        if set(NAMES) <= {name for name, _ in found}:
            break
    return found


def lines_of(*command: object) -> list[dict[str, object]]:
    done = kraftpy(*command, "-o", "jsonl")
    assert done.returncode == ExitCode.OK, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


async def watched(cluster: Cluster, config: Path, count: int) -> list[dict[str, object]]:
    command = ("watch", "-C", cluster.node(1).grpc_endpoint, "--command-config", config, "--from", 0, "--count", count)
    return await asyncio.to_thread(lines_of, *command)


async def test_each_view_of_the_log_has_the_author(tmp_path) -> None:
    """A client's changes have its name in every view of the log; what the node wrote by itself has none."""
    async with running_api(tmp_path) as cluster:
        config = tmp_path / "client.properties"
        config.write_text(client_properties(SCRAM_SHA_256))
        async with cluster.client() as client:
            await changed(client)
            typed = await typed_changes(client)
        authors = {name: author for name, author in typed if name in NAMES}
        assert {author.principal for author in authors.values() if author} == {PRINCIPAL}
        assert all(author and author.request_id and not author.fault for author in authors.values())
        assert len({author.request_id for author in authors.values() if author}) == len(NAMES)
        assert [author for name, author in typed if not name][:1] == [None], "the first level is the controller's"
        shown = await watched(cluster, config, 30)
        directory = cluster.data(1)
    assert [fault for line in shown for fault in faults("watch", line)] == []
    by_name = {line["data"]["resourceName"]: line["author"] for line in shown if line["type"] == "CONFIG_RECORD"}
    for name in NAMES & by_name.keys():
        assert by_name[name]["principal"] == PRINCIPAL
        assert by_name[name]["requestId"] == authors[name].request_id.hex()
    assert [line["author"] for line in shown if line["type"] == "LEADER_CHANGE"] == [None]

    (step,) = lines_of("history", "config", "group:g-7", directory)
    assert faults("history", [step]) == []
    assert step["author"] == by_name["g-7"]
    text = kraftpy("history", "config", "group:g-7", directory)
    assert f"CONFIG_RECORD  by {PRINCIPAL}" in text.stdout

    done = kraftpy("audit", "--growth", "--engine", "local", directory, "-o", "json")
    growth = json.loads(done.stdout)["growth"]
    (row,) = growth["byAuthor"]
    assert (row["principal"], row["recordCount"]) == (PRINCIPAL, len(NAMES))
    assert 0 < row["bytes"] < sum(each["bytes"] for each in growth["byType"])
    assert PRINCIPAL in kraftpy("audit", "--growth", "--engine", "local", directory).stdout


async def test_the_key_keeps_authors_out_of_the_log(tmp_path) -> None:
    """The key is not acted on."""
    async with running_api(tmp_path, {"metadata.log.authors.enable": "false"}) as cluster:
        async with cluster.client() as client:
            await changed(client)
            assert {author for _, author in await typed_changes(client)} == {None}
        directory = cluster.data(1)
    data = b"".join(path.read_bytes() for path in directory.glob("*.log"))
    assert NAMES[0].encode() in data
    assert AUTHOR_MARK not in data
