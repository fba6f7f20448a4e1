"""Every planted bug fits the code, without a history; and what does not fit is named."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from tests.fakes.slices import in_one_slice
from tests.simulator.bugs import BUGS, Bug
from tests.simulator.fitting import misfits


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_planted_bug_fits_the_code(bug: Bug):
    """What it replaces is there, is a generator function if it was one, and takes the same parameters."""
    assert misfits(bug) == []
    bug.options(1)


def in_slices(view: object, broker_id: int, *, unclean: bool = False) -> Iterator[None]:
    """A function of the code, for these tests."""
    del view, broker_id, unclean
    yield


CODE = SimpleNamespace(
    __name__="code",
    in_slices=in_slices,
    passes_on=lambda view: in_slices(view, 1),
    plain=lambda view, broker_id: None,
    PAUSE_MS=1_000,
)


@pytest.mark.parametrize(
    ("name", "value", "stated"),
    [
        ("gone", lambda view: [], "has no attribute 'gone'"),
        ("in_slices", lambda view, broker_id, *, unclean=False: [], "one is a generator function"),
        ("in_slices", in_one_slice(lambda view, broker_id: []), r"\(view, broker_id, unclean\) is refused"),
        ("in_slices", in_one_slice(lambda view, broker_id, *, unclean: []), r"\(view, broker_id\) is refused"),
        ("in_slices", in_one_slice(lambda view, **how: []), "too many positional arguments"),
        ("plain", in_one_slice(lambda view, broker_id: []), "one is a generator function"),
        ("plain", lambda view, broker_id, more: None, "missing a required argument: 'more'"),
        ("plain", 7, "is replaced by 7"),
        ("PAUSE_MS", lambda: 0, "1000 is replaced by"),
    ],
)
def test_a_planted_bug_that_does_not_fit_is_named(name, value, stated):
    """A name that is gone, another kind of function, other parameters, another type."""
    [fault] = misfits(Bug("a bug", lambda patch: patch.setattr(CODE, name, value)))
    with pytest.raises(AssertionError, match=stated):
        raise AssertionError(fault)


def test_a_plant_is_taken_back():
    """Nothing stays of what was planted to be looked at, and a plant that replaces nothing is none."""
    before = CODE.plain
    assert misfits(Bug("a bug", lambda patch: patch.setattr(CODE, "plain", lambda *_: None))) == []
    assert CODE.plain is before
    assert misfits(Bug("a bug", lambda _patch: None)) == ["it replaces nothing"]
