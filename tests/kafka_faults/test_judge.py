"""The judge finds each kind of loss in made-up lines."""

from __future__ import annotations

import pytest

from tests.kafka_faults.judge import complaints, facts_of

CLEAN = """\
ready
ack 0 0 a 5
ack 0 1 b 7
fail c TimeoutException
read 0 0 a
offset readers 0 1
offset copy 0 1
position readers 0 1
read 0 1 b
offset readers 0 2
shared 0 1 b
shared 0 0 a
shared 0 0 a
committed t-1 9
aborted t-2
undone t-3 KafkaException
unsure t-4 KafkaException
last readers 0 2
final plain 0 0 a
final plain 0 1 b
final transactions 0 0 t-1-0
final transactions 0 1 t-1-1
final transactions 1 0 t-1-2
final sink 0 0 a
final sink 1 0 b
"""


def test_a_clean_run_has_no_complaints() -> None:
    facts = facts_of(CLEAN.splitlines())
    assert complaints(facts) == []
    assert (len(facts.acknowledged), facts.latencies_ms, facts.failed) == (2, [5, 7], ["c"])


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("final plain 0 1 b\n", "", "acknowledged records are lost"),
        ("final plain 0 1 b\n", "final plain 0 1 x\n", "acknowledged records are lost"),
        ("final plain 0 1 b\n", "final plain 0 1 b\nfinal plain 0 2 b\n", "records are there twice"),
        ("read 0 1 b\n", "read 0 2 z\n", "a consumer was given are not in the log"),
        ("read 0 1 b\n", "", "records were given to no consumer: b"),
        ("shared 0 1 b\n", "", "records were given to no member of the share group: b"),
        ("shared 0 1 b\n", "shared 0 1 b\nshared 0 2 z\n", "a consumer was given are not in the log"),
        ("final transactions 1 0 t-1-2\n", "", "t-1 (committed): 2 records"),
        ("final sink 0 0 a\n", "final sink 0 0 a\nfinal transactions 1 1 t-1-2\n", "t-1-2: 2 times"),
        ("final sink 0 0 a\n", "final sink 0 0 a\nfinal transactions 2 0 t-2-0\n", "t-2 (aborted): 1 records"),
        ("final sink 0 0 a\n", "final sink 0 0 a\nfinal transactions 2 0 t-4-0\n", "t-4 (unsure): 1 records"),
        ("final sink 0 0 a\n", "", "a: 0 times"),
        ("final sink 0 0 a\n", "final sink 0 0 a\nfinal sink 0 1 a\n", "a: 2 times"),
        ("position readers 0 1\n", "position readers 0 0\n", "readers of partition 0: 0 after 1"),
        ("last readers 0 2\n", "last readers 0 1\n", "readers of partition 0: 1 after 2"),
        ("ready\n", "died p1 java.lang.OutOfMemoryError\n", "threads of the load ended"),
    ],
)  # fmt: skip
def test_each_anomaly_is_found(old: str, new: str, complaint: str) -> None:
    assert old in CLEAN
    found = complaints(facts_of(CLEAN.replace(old, new).splitlines()))
    assert any(complaint in one for one in found), found
