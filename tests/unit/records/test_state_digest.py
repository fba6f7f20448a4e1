"""Digests of states: they depend on the records, on their order and their borders, and on nothing else."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from kraftpy.model.digests import DIGEST_BYTES, SCHEME
from kraftpy.records.snapshot import SnapshotEncoder, read_snapshot, stated_digest
from kraftpy.records.state_digest import digest_of

VALUES = st.lists(st.binary(min_size=1, max_size=8), max_size=8)


@given(VALUES, st.lists(st.integers(0, 8), max_size=4))
def test_groups_do_not_matter(values: list[bytes], cuts: list[int]) -> None:
    """The same records gave another digest because they came in other groups."""
    at = [0, *sorted(min(cut, len(values)) for cut in cuts), len(values)]
    groups = [values[start:end] for start, end in pairwise(at)]
    assert digest_of(groups) == digest_of([values])


@given(VALUES, VALUES)
def test_other_records_have_another_digest(values: list[bytes], others: list[bytes]) -> None:
    """Two lists of records share a digest."""
    assert (digest_of([values]) == digest_of([others])) == (values == others)


def test_the_borders_of_records_matter() -> None:
    """Moving a byte from one record to the next went unnoticed."""
    assert digest_of([[b"ab", b"c"]]) != digest_of([[b"a", b"bc"]])
    assert digest_of([[b"a", b"b"]]) != digest_of([[b"b", b"a"]])


def test_the_scheme_is_what_it_was() -> None:
    """Digests are made in another way under the same scheme: nodes of both kinds would take each other for corrupt."""
    assert (SCHEME, DIGEST_BYTES) == (1, 16)
    assert digest_of([[b"kraft", b"py"], [b"!"]]).hex() == "014663588e26403f880028116e547368"
    assert digest_of([]).hex() == "01e45f0e2721f9d72bfab7e8531713d9"


def test_the_footer_states_it() -> None:
    """A snapshot with records states their digest; one without records, or on request, is Kafka's to the byte."""
    settings = {"epoch": 1, "timestamp_ms": 2, "last_contained_log_timestamp_ms": 3}

    def made(groups: list[list[bytes]], **changed: bool) -> bytes:
        return b"".join(SnapshotEncoder(**settings, **changed).encode(groups))

    groups = [[b"one"], [b"two", b"three"]]
    read = read_snapshot(made(groups))
    assert read.digest == digest_of(groups)
    assert stated_digest(read.batches[0]) is None
    assert read_snapshot(made(groups, states_digest=False)).digest is None
    assert made([]) == made([], states_digest=False)
