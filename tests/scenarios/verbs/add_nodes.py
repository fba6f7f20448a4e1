"""``add-nodes voters=(1,2,3) [observers=(4)] [dynamic=yes] [guarded=yes] [cluster=id] [key=number ...]``: begin.

All disks are empty; with ``guarded`` they are marked so, as those of real nodes are.
"""

from __future__ import annotations

from tests.fakes.raft_cluster import Cluster, FixedJitter
from tests.scenarios.world import World, ids, options


def run(world: World, args: list[str]) -> list[str]:
    _, given = options(args)
    voters, observers = ids(given.pop("voters")), ids(given.pop("observers", ""))
    dynamic, cluster_id = given.pop("dynamic", "no") == "yes", given.pop("cluster", "cluster")
    guarded = given.pop("guarded", "no") == "yes"
    cluster = Cluster(
        voters,
        observers,
        jitter=lambda node_id: FixedJitter(node_id / 10),
        dynamic=dynamic,
        guarded=guarded,
        cluster_id=cluster_id,
        **{key: int(value) for key, value in given.items()},
    )
    world.begin(cluster)
    return []
