"""The share of the fuzzing that every run of the tests does: the corpus, and a fixed number of seeded mutations.

``make fuzz SECONDS=60`` searches for longer, with coverage where atheris is installed.
"""

from __future__ import annotations

import asyncio
import time

import pytest
import structlog
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kraftpy.model.errors import MalformedError
from tests.fuzz import corpus
from tests.fuzz.catalogue import NAMES, find
from tests.fuzz.judge import Judge, timers
from tests.fuzz.mutate import Mutator
from tests.fuzz.target import Target
from tests.fuzz.targets import grpc_session
from tests.simulator.quiet import quiet_logs

MUTATIONS = 300
DRAWN = 50
SEED = 4

CORPUS_BYTES_MAX = 256 * 1024
"""The corpus is committed small."""


@pytest.fixture(autouse=True)
def judged():
    """Own the timer of the judge."""
    before = structlog.get_config()
    quiet_logs()
    with timers():
        yield
    structlog.configure(**before)


@pytest.mark.parametrize("name", NAMES)
def test_what_was_found_once_stays_fixed(name) -> None:
    """An input of the corpus, its memory counted, did what no input may do."""
    target = find(name)
    judge, strict = Judge(target), Judge(target, measured_every=1)
    for label, data in corpus.read(target).items():
        assert (judge.judge(data) or strict.judge(data)) is None, label


@pytest.mark.parametrize("name", NAMES)
def test_samples_are_no_hostile_input(name) -> None:
    """What our encoders write was refused: then the mutations would not get past the first check."""
    target = find(name)
    samples = [data for label, data in corpus.read(target).items() if label.startswith(corpus.SAMPLE)]
    judge = Judge(target)
    assert all(judge.judge(data) is None for data in samples)
    assert judge.refused < len(samples)


@pytest.mark.parametrize("name", NAMES)
def test_a_share_of_the_mutations(name) -> None:
    """A seeded mutation of the corpus did what no input may do."""
    target = find(name)
    mutator, judge = Mutator(list(corpus.read(target).values()), target.words, SEED), Judge(target)
    for _ in range(MUTATIONS):
        found = judge.judge(mutator.next())
        assert found is None, f"{found}: python -m tests.fuzz --target {name} --replay {found.data.hex()}"


@pytest.mark.parametrize("name", NAMES)
def test_what_hypothesis_draws(name) -> None:
    """Bytes that hypothesis drew did what no input may do."""
    judge = Judge(find(name))

    @settings(max_examples=DRAWN, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.binary(max_size=200))
    def judged(data: bytes) -> None:
        assert judge.judge(data) is None

    judged()


def test_the_corpus_is_small() -> None:
    """The corpus grew beyond its limit."""
    files = list(corpus.FOLDER.iterdir())
    assert {path.stem for path in files} == set(NAMES)
    assert sum(path.stat().st_size for path in files) < CORPUS_BYTES_MAX


def _target(run) -> Target:
    return Target(name="planted", run=run, refusals=(MalformedError,), samples=tuple)


def _refuse(_: bytes) -> None:
    raise MalformedError("no")


def _break(_: bytes) -> None:
    raise IndexError("no")


def _loop(_: bytes) -> None:
    while True:
        pass


def _burn(_: bytes) -> None:
    started = time.process_time()
    while time.process_time() - started < 10:
        try:
            while True:
                pass
        except Exception:  # noqa: BLE001 - code under test that swallows what it can
            pass


@pytest.mark.parametrize(
    ("run", "place"),
    [
        (_break, "IndexError at ?"),
        (_loop, "time"),
        (_burn, "time"),
        (lambda data: bytes(8_000_000), "memory"),
        (_refuse, None),
        (len, None),
    ],
    ids=["crash", "hang", "hang that swallows", "memory", "refusal", "answer"],
)
def test_the_judge_sees(run, place) -> None:
    """The judge took a crash, a hang or a feast for an answer, or a refusal for a finding."""
    found = Judge(_target(run), measured_every=1 if place == "memory" else 100).judge(b"x")
    assert (found and found.place) == place


def test_a_seed_gives_the_same_inputs() -> None:
    """Two mutators of one seed made different inputs, or one of another seed the same."""
    one, two, other = (Mutator([b"abcdef" * 9], [b"word"], seed) for seed in (1, 1, 2))
    inputs = [one.next() for _ in range(200)]
    assert inputs == [two.next() for _ in range(200)]
    assert inputs != [other.next() for _ in range(200)]


def test_a_session_that_is_refused_half_way_leaves_nothing_behind():
    """A task that is left for a loop that never turns again is reported as destroyed when the process ends."""
    grpc_session.run(b"\2" + b"\xff" * 40)
    assert asyncio.all_tasks(grpc_session.RUNNER.get_loop()) == set()
