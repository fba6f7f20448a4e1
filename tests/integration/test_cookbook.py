"""The programs of docs/cookbook.md, all on one cluster, in the order of the page: each prints what the page says."""

from __future__ import annotations

import asyncio
import contextlib
import io
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from kraftpy.authenticator.mechanism import SCRAM_SHA_256
from kraftpy.client import FeatureChange, ScramCredentials
from tests.fakes.processes import PATIENCE_S, Cluster, eventually, running, under_load
from tests.fakes.sasl_cluster import USER, USER_PASSWORD, format_node
from tests.integration.test_sasl_api import API
from tests.integration.test_snapshots import SMALL, cleaned
from tests.unit.client.documented import ROOT, recipes

CONTROLLER = 1
BROKERS = {2: False, 3: False}
SETTINGS = {
    **API,
    **SMALL,
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": f"User:{USER};User:ANONYMOUS",
    "delegation.token.secret.key": "a key",
    "unstable.feature.versions.enable": "true",
}
LEVEL = 41
CONNECTED = 'AsyncClient(["localhost:9193"])'
ENDING = "\n\nasyncio.run(main())\n"
UUID = re.compile(r"(?<![\w-])[\w-]{22}(?![\w-])")
LAST = "A copy of the state"
"""The recipe that is about a log whose start a snapshot has replaced."""


@contextlib.asynccontextmanager
async def cookbook_cluster(root: Path) -> AsyncIterator[Cluster]:
    """Start what the recipes need: brokers, users, an authorizer, tokens, broker ids of hosts."""
    async with running(root, controllers=1, brokers=2, extra=SETTINGS, start=False) as cluster:
        format_node(cluster.node(CONTROLLER).config_file, SCRAM_SHA_256)
        cluster.login = ScramCredentials(USER, USER_PASSWORD)
        await cluster.start(CONTROLLER, *BROKERS)
        await eventually(cluster.brokers, lambda one: one == BROKERS, "the brokers are unfenced")
        async with cluster.client() as client:
            await client.update_features([FeatureChange("metadata.version", LEVEL)])
        yield cluster


async def printed(program: str, address: str) -> str:
    """Run a program in this loop; return what it prints."""
    assert program.endswith(ENDING), program
    assert program.count(CONNECTED) == 1
    login = f"ScramCredentials({USER!r}, {USER_PASSWORD!r})"
    text = program.removesuffix(ENDING).replace(CONNECTED, f"AsyncClient([{address!r}], login={login})")
    names: dict[str, Any] = {"ScramCredentials": ScramCredentials}
    exec(compile(text, "cookbook.md", "exec"), names)
    with contextlib.redirect_stdout(io.StringIO()) as output:
        async with asyncio.timeout(PATIENCE_S):
            await names["main"]()
    return output.getvalue()


def numbered(text: str) -> str:
    """Replace uuids, which differ from run to run, by numbers in the order in which they appear."""
    seen: dict[str, int] = {}
    return UUID.sub(lambda found: f"<uuid {seen.setdefault(found[0], len(seen) + 1)}>", text)


async def test_each_recipe_prints_what_the_page_shows(tmp_path) -> None:
    """A recipe does not run, a change has another form than it says, or a uuid is not the one that it was."""
    cookbook = recipes(ROOT / "docs" / "cookbook.md")
    assert list(cookbook)[-1] == LAST
    async with cookbook_cluster(tmp_path) as cluster:
        address = cluster.node(CONTROLLER).grpc_endpoint
        assert address
        wrong = {}
        for name, (program, expected) in cookbook.items():
            if name == LAST:
                async with under_load(cluster, writers=8):
                    await cleaned(cluster, CONTROLLER, 10)
            try:
                found = await printed(program, address)
            except Exception as error:
                error.add_note(f"in the recipe {name!r} of docs/cookbook.md")
                raise
            if numbered(found) != numbered(expected):
                wrong[name] = (found, expected)
    assert wrong == {}


@pytest.mark.parametrize(
    ("first", "second", "are_equal"),
    [
        ("id AAAAAAAAAAAAAAAAAAAAAQ", "id sUGH5XxTTiOC_BIJvC-dkw", True),
        ("id AAAAAAAAAAAAAAAAAAAAAQ", "id AAAAAAAAAAAAAAAAAAAAAQA", False),
        ("AAAAAAAAAAAAAAAAAAAAAQ AAAAAAAAAAAAAAAAAAAAAQ", "AAAAAAAAAAAAAAAAAAAAAQ sUGH5XxTTiOC_BIJvC-dkw", False),
    ],
)
def test_uuids_are_compared_by_where_they_are_repeated(first, second, are_equal) -> None:
    assert (numbered(first) == numbered(second)) is are_equal
