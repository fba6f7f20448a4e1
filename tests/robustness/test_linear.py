"""The judge itself: right histories pass, and each way of being wrong is told."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.robustness.history import Kind, Operation, Outcome, load, save
from tests.robustness.linear import Verdict, check, check_register


def write(value, started, ended, outcome=Outcome.OK):
    return Operation("w", Kind.WRITE, "k", value, started, ended, outcome)


def read(value, started, ended):
    return Operation("r", Kind.READ, "k", value, started, ended, Outcome.OK, confirmed=True)


LOST = write("b", 2, None, Outcome.UNKNOWN)


@pytest.mark.parametrize(
    ("history", "verdict"),
    [
        ([], Verdict.VALID),
        ([read(None, 0, 1)], Verdict.VALID),
        ([write("a", 0, 1), read("a", 2, 3)], Verdict.VALID),
        ([write("a", 0, 5), read(None, 1, 2), read("a", 3, 4)], Verdict.VALID),
        ([write("a", 0, 1), write("b", 0, 1), read("a", 2, 3)], Verdict.VALID),
        # A write of unknown outcome: never, soon, or late.
        ([write("a", 0, 1), LOST, read("a", 3, 4)], Verdict.VALID),
        ([write("a", 0, 1), LOST, read("b", 3, 4)], Verdict.VALID),
        ([write("a", 0, 1), LOST, read("a", 3, 4), read("b", 5, 6)], Verdict.VALID),
        # An acknowledged write that nobody sees.
        ([write("a", 0, 1), read(None, 2, 3)], Verdict.INVALID),
        ([write("a", 0, 1), write("b", 2, 3), read("a", 4, 5)], Verdict.INVALID),
        # A value that was never written, or comes and goes.
        ([write("a", 0, 1), read("x", 2, 3)], Verdict.INVALID),
        ([write("a", 0, 5), read("a", 1, 2), read(None, 3, 4)], Verdict.INVALID),
        ([write("a", 0, 1), LOST, read("b", 3, 4), read("a", 5, 6)], Verdict.INVALID),
        # Before it was asked for.
        ([read("a", 0, 1), write("a", 2, 3)], Verdict.INVALID),
    ],
)
def test_verdicts(history, verdict):
    assert check_register(history) is verdict


def test_a_search_that_takes_too_long_says_so():
    many = [write(str(index), 0, 100) for index in range(14)]
    impossible = read("never", 101, 102)
    assert check_register([*many, impossible], budget=500) is Verdict.UNKNOWN


def test_what_constrains_nothing_is_left_out():
    refused = write("x", 0, 1, Outcome.REFUSED)
    unconfirmed = replace(read("stale", 2, 3), confirmed=False)
    assert check([write("a", 0, 1), refused, unconfirmed, read("a", 4, 5)]) == {"k": Verdict.VALID}


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 3), st.floats(0, 2), st.floats(0, 2)), max_size=9))
def test_histories_of_a_real_register_are_valid(steps):
    """Operations that take effect at moment n, and start before and end after it by any amount, can be explained."""
    value, history = None, []
    for moment, (is_write, written, before, after) in enumerate(steps):
        if is_write:
            value = str(written)
        make = write if is_write else read
        history.append(make(value, moment - before, moment + after))
    assert check_register(history) is Verdict.VALID


def test_a_history_is_kept_as_it_is(tmp_path):
    history = [write("a", 0.5, 1.25), LOST, read(None, 2, 3)]
    save(tmp_path / "h.jsonl", history)
    assert load(tmp_path / "h.jsonl") == history
