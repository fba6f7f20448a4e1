"""A live cluster changes its controllers, from Kafka's to ours and back, by ``kraftpy migrate``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interop.jars import Jars
from tests.kafka_faults.migration import SHARE, STEPS, migrate_there_and_back

CONTROLLERS = 3


@pytest.mark.timeout(900)
def test_three_brokers_keep_every_record_while_controllers_fail(jars: Jars, root: Path) -> None:
    """A record that was acknowledged is lost or doubled, or a step that was interrupted does not go on.

    Replication factor 3, min.insync.replicas 2; topics come and go and ISRs shrink and grow at the steps.
    """
    report = migrate_there_and_back(jars, root, SHARE, stops=False)
    print(report)
    assert report.complaints == []
    assert report.facts.failed == []
    assert report.fewest >= CONTROLLERS
    assert len(report.steps) == STEPS
