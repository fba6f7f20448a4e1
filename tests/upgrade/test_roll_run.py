"""``kraftpy roll run`` carries out an upgrade from the last landed version, and a downgrade to it, under load."""

from __future__ import annotations

from pathlib import Path

import pytest

from kraftpy.cli.exit_codes import ExitCode
from tests.integration.test_rolling import Operator, command, endpoints, planned, serving, status
from tests.upgrade.mixed_cluster import NEW, MixedCluster, mixed_cluster, under_checked_load

pytestmark = pytest.mark.landing


class Installer(Operator):
    """Installs another version on the node that is restarted."""

    def __init__(self, mixed: MixedCluster, root: Path, tree: Path) -> None:
        super().__init__(mixed.cluster, root)
        self.mixed = mixed
        self.tree = tree

    async def restart(self, node_id: int) -> int:
        code = await self.cluster.terminate(node_id)
        await self.mixed.start(self.tree, node_id)
        return code


@pytest.mark.parametrize(
    ("is_upgrade", "options"), [(True, ()), (False, ("--brokers-first",))], ids=["upgrade", "downgrade"]
)
async def test_every_node_gets_the_other_version(tmp_path, old_tree, is_upgrade, options) -> None:
    """A node is left out or restarted twice, a roll waits for ever for one of another version, or a write is lost."""
    before, after = (old_tree, NEW) if is_upgrade else (NEW, old_tree)
    path = tmp_path / "roll.json"
    async with mixed_cluster(tmp_path / "nodes", old_tree, tree=before) as mixed:
        cluster = mixed.cluster
        installer = Installer(mixed, tmp_path, after)
        async with under_checked_load(cluster) as (load, reader), serving(installer):
            await load.grow(10)
            plan = await planned(cluster, path, *options)
            addresses = ("-C", endpoints(cluster), "--plan", path)
            done = await command("roll", "run", *addresses, "--restart", installer.command, "--wait", "120")
            await load.grow(10)
        assert done.returncode == ExitCode.OK, (done.stdout, done.stderr)
        roles = ["controller"] * len(cluster.controller_ids) + ["broker"] * len(mixed.broker_ids)
        assert [word.partition(" ")[0] for word in installer.words] == (roles if is_upgrade else roles[::-1])
        assert sorted(installer.order) == sorted(node["nodeId"] for node in plan["nodes"]) == mixed.node_ids
        assert set(mixed.trees.values()) == {after}
        assert (await status(cluster, path))[0] == ExitCode.OK
        assert reader.count > 0
        await mixed.have_all(load)
        await mixed.one_state()
