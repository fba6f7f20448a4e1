"""The judge itself: correct histories pass, and each kind of violation is reported."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.robustness.history import Kind, Operation, Outcome, load, save
from tests.robustness.linear import Verdict, check, check_register


def write(value, started, ended, outcome=Outcome.OK):
    return Operation("w", Kind.WRITE, "k", value, started, ended, outcome)


def read(value, started, ended):
    return Operation("r", Kind.READ, "k", value, started, ended, Outcome.OK, linearizable=True)


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
        # An acknowledged write that no read sees.
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


def test_a_search_that_takes_too_long_reports_it():
    many = [write(str(index), 0, 100) for index in range(14)]
    impossible = read("never", 101, 102)
    assert check_register([*many, impossible], budget=500) is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("history", "verdict"),
    [
        # The value comes back: which write a read saw is for the search to say.
        ([write("a", 0, 1), write("b", 2, 3), write("a", 4, 5), read("a", 6, 7)], Verdict.VALID),
        ([write("a", 0, 1), write("b", 2, 3), write("a", 4, 9), read("b", 5, 6), read("a", 7, 8)], Verdict.VALID),
        ([write("a", 0, 1), write("b", 2, 3), read("a", 4, 5), write("a", 6, 7)], Verdict.INVALID),
        # A write that changed nothing is a write: acknowledged by a leader that was deposed, it hides the other one.
        ([write("a", 0, 1), write("b", 2, 3), write("a", 4, 5), read("b", 6, 7)], Verdict.INVALID),
        # A delete is a write of nothing.
        ([write("a", 0, 1), write(None, 2, 3), read(None, 4, 5)], Verdict.VALID),
        ([write("a", 0, 1), write(None, 2, 3), read("a", 4, 5)], Verdict.INVALID),
        # Its client was answered at 4 that it is done by then or never.
        ([write("a", 0, 1), replace(LOST, until=4), read("a", 5, 6), read("b", 7, 8)], Verdict.INVALID),
        ([write("a", 0, 1), replace(LOST, until=4), read("b", 5, 6), read("b", 7, 8)], Verdict.VALID),
        ([write("a", 0, 1), replace(LOST, until=4), write("a", 5, 6), read("b", 7, 8)], Verdict.INVALID),
        # Two of one value, one of which has expired.
        ([write("a", 0, 1), replace(LOST, until=4), LOST, write("a", 5, 6), read("b", 7, 8)], Verdict.VALID),
    ],
)
def test_values_that_repeat(history, verdict):
    assert check_register(history) is verdict


def _explained(certain, uncertain, value=None, latest=float("-inf")):
    """Say by trying everything whether an order explains what was seen: the definition, for small histories."""
    if not certain:
        return True
    deadline = min(each.ended for each in certain)
    for each in certain:
        if each.started <= deadline and (each.kind is Kind.WRITE or each.value == value):
            rest = [other for other in certain if other is not each]
            if _explained(rest, uncertain, each.value, max(latest, each.started)):
                return True
    for each in uncertain:
        if each.started <= deadline and (each.until is None or latest <= each.until):
            rest = [other for other in uncertain if other is not each]
            if _explained(certain, rest, each.value, max(latest, each.started)):
                return True
    return False


OPERATION = st.tuples(
    st.sampled_from(["write", "read", "lost", "settled"]),
    st.sampled_from(["a", "b", None]),
    st.integers(0, 12),
    st.integers(1, 5),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(OPERATION, max_size=7))
# A read of a write that began late: what had to be done before that was not.
@example(
    [("write", "a", 0, 1), ("read", "a", 4, 1), ("read", None, 2, 1), ("lost", None, 3, 1), ("settled", "a", 0, 2)]
)
def test_the_search_agrees_with_the_definition(drawn):
    """Whatever overlaps, repeats and was lost, the verdict is that of trying every order."""
    history = []
    for index, (kind, value, started, lasted) in enumerate(drawn):
        # No two moments are the same one.
        begin = started + index / 100
        if kind in {"lost", "settled"}:
            until = begin + lasted + 0.5 if kind == "settled" else None
            history.append(replace(write(value, begin, None, Outcome.UNKNOWN), until=until))
        else:
            history.append((write if kind == "write" else read)(value, begin, begin + lasted + 0.5))
    certain = [each for each in history if each.outcome is Outcome.OK]
    uncertain = [each for each in history if each.outcome is Outcome.UNKNOWN]
    expected = Verdict.VALID if _explained(certain, uncertain) else Verdict.INVALID
    assert check_register(history) is expected


def test_a_long_history_of_few_values_is_judged_within_the_budget():
    """A thousand operations on one key, a tenth of them lost: no state is larger than what is under way."""
    draw, value, now, history = random.Random(1), None, 0.0, []
    for _ in range(1_000):
        now += 1
        before, after = draw.uniform(0, 2), draw.uniform(0, 2)
        if draw.random() < 0.5:
            history.append(read(value, now - before, now + after))
            continue
        written = draw.choice(["a", "b", None])
        if draw.random() < 0.2:
            history.append(write(written, now - before, None, Outcome.UNKNOWN))
            value = written if draw.random() < 0.5 else value
        else:
            history.append(write(written, now - before, now + after))
            value = written
    assert check_register(history) is Verdict.VALID
    certain = [each for each in history if each.outcome is Outcome.OK and each.kind is Kind.WRITE]
    assert check_register([*certain, read("never", now + 10, now + 11)]) is Verdict.INVALID


def test_what_constrains_nothing_is_left_out():
    refused = write("x", 0, 1, Outcome.REFUSED)
    committed = replace(read("stale", 2, 3), linearizable=False)
    assert check([write("a", 0, 1), refused, committed, read("a", 4, 5)]) == {"k": Verdict.VALID}


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
