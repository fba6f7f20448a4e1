"""UpdateFeatures and DescribeCluster."""

from __future__ import annotations

import random
from typing import Final

from kraftpy.records.generated import rpc
from tests.interop.differential.asking import Ask, State, kind

FEATURES: Final = (
    "transaction.version", "group.version", "share.version", "streams.version", "eligible.leader.replicas.version",
    "metadata.version", "no.such.feature", "kraft.version",
)  # fmt: skip
ELR: Final = "eligible.leader.replicas.version"
LASTING: Final = frozenset({"metadata.version", "kraft.version"})
"""Features that are not taken back, so that they are only tried."""

UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE = 1, 2, 3


@kind(3)
def update_features(rng: random.Random, state: State) -> Ask:
    """Upgrade and downgrade features, to levels that there are and that there are not."""
    row = rpc.UpdateFeaturesRequestFeatureUpdateKey
    version = rng.choice((0, 1, 2))
    rows = []
    known = [each for each in FEATURES[: None if version else -1] if each != ELR or not state.keeps_elr]
    for feature in rng.sample(known, rng.choice((1, 1, 2))):
        level = rng.choice((0, 0, 1, 1, 2, 3, 99, -1))
        if feature == "metadata.version":
            level = rng.choice((30, 30, 31, 6, 0, 25, 29))
        allow = rng.random() < 0.5
        upgrade_type = rng.choice((UPGRADE, UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE, 0))
        rows.append(
            row(feature, level, allow_downgrade=allow)
            if version == 0
            else row(feature, level, upgrade_type=upgrade_type)
        )
    is_dry = version > 0 and (rng.random() < 0.3 or any(each.feature in LASTING for each in rows))
    return Ask(rpc.UpdateFeaturesRequest(30_000, rows, validate_only=is_dry), version)


@kind(1)
def describe_cluster(rng: random.Random, state: State) -> Ask:
    """Describe controllers, or try it with brokers."""
    del state
    version = rng.choice((0, 1, 2))
    message = rpc.DescribeClusterRequest(
        endpoint_type=rng.choice((1, 2, 2, 3)) if version else 1,
        include_fenced_brokers=version == 2 and rng.random() < 0.5,
    )
    return Ask(message, version, is_read=True)
