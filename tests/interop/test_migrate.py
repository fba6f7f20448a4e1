"""A live cluster changes its controllers, from Kafka's to ours and back, by ``kraftpy migrate``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interop.jars import Jars
from tests.kafka_faults.migration import OURS, SHARE, STEPS, MigratingWorld, migrate_there_and_back

CONTROLLERS = 3
TAKES_OVER = OURS[-1:]


@pytest.mark.timeout(900)
def test_three_brokers_keep_every_record_while_controllers_fail(jars: Jars, root: Path) -> None:
    """A record that was acknowledged is lost or doubled, or a step that was interrupted does not go on.

    Replication factor 3, min.insync.replicas 2; topics come and go and ISRs shrink and grow at the steps. One of ours
    takes over the address of one of Kafka's, and gives it back: one voter fewer meanwhile.
    """
    report = migrate_there_and_back(MigratingWorld(jars, root, ours=False, takes_over=TAKES_OVER), SHARE, stops=False)
    print(report)
    assert report.complaints == []
    assert report.facts.failed == []
    assert report.fewest >= CONTROLLERS - 1
    assert len(report.steps) == STEPS + 2 * len(TAKES_OVER)
