"""All watchers of a node together do one slice of work in a turn of the loop, in turns, and share what they make."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kraftpy.model.features import SchemaSet
from kraftpy.records.batch import encode_batch, split_batches
from kraftpy.records.metadata import ConfigRecord, encode_record
from kraftpy.transport.grpc.services import conversions, watch_changes, watch_json
from kraftpy.transport.grpc.services.conversions import SLICE_COST, Converted, WatchTurns, WatchWork, cost_of, pieces
from kraftpy.transport.grpc.services.watch_changes import RecordChanges
from kraftpy.transport.grpc.services.watch_json import RecordTexts
from tests.unit.transport.conftest import PATIENCE, turns_counted

WATCHERS = 1_000


def batch_of(count, name="g", value="1", base_offset=0):
    records = [encode_record(ConfigRecord(32, f"{name}-{number}", "k", value), 0) for number in range(count)]
    data = encode_batch(records, base_offset=base_offset, epoch=1, timestamp_ms=0)
    return split_batches(data, verify_crc=False)[0]


def texts(work):
    return RecordTexts(SchemaSet.KRAFTPY, work=work)


def changes(work):
    return RecordChanges(None, SchemaSet.KRAFTPY, frozenset({"configs"}), work)


async def all_of(shown, batch):
    return [item async for item in shown.of(batch)]


def counting(monkeypatch, counted):
    """Count conversions by the turn of the loop in which they are made."""
    converted = Counter()

    def counts(convert):
        def count(*values):
            converted[counted.turns] += 1
            return convert(*values)

        return count

    monkeypatch.setattr(watch_changes, "change_of", counts(watch_changes.change_of))
    monkeypatch.setattr(watch_json, "shown_json", counts(watch_json.shown_json))
    return converted


async def test_a_turn_of_the_loop_has_one_slice_of_work():
    """However many watchers wait; a piece that is larger than a slice has a turn for itself."""
    turns, done = WatchTurns(), Counter()
    async with turns_counted() as counted, asyncio.TaskGroup() as tasks:

        async def work(cost):
            for _ in range(3):
                await turns.take(cost)
                done[counted.turns] += cost

        for number in range(WATCHERS):
            tasks.create_task(work((1, 10, 70, SLICE_COST)[number % 4]))
        tasks.create_task(work(9 * SLICE_COST))
    assert sum(done.values()) == 3 * (250 * (1 + 10 + 70 + SLICE_COST) + 9 * SLICE_COST)
    assert {cost for cost in done.values() if cost > SLICE_COST} == {9 * SLICE_COST}
    assert len(turns) == 0


async def test_watchers_take_turns():
    """One that always has more to do gets no second piece before all others had one."""
    turns, order = WatchTurns(), []

    async def work(name, count):
        for _ in range(count):
            await turns.take(SLICE_COST)
            order.append(name)

    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tasks:
        for name in range(5):
            tasks.create_task(work(name, 10 if name == 0 else 2))
    assert order == [*range(5), *range(5), *[0] * 8]


async def test_a_cancelled_watcher_costs_nothing():
    """Its place in the queue is skipped, and the queue goes on."""
    turns = WatchTurns()
    waiting = [asyncio.ensure_future(turns.take()) for _ in range(5)]
    await asyncio.sleep(0)
    for each in waiting[:4]:
        each.cancel()
    async with asyncio.timeout(PATIENCE):
        await waiting[4]
        await turns.take()
    assert len(turns) == 0


@pytest.mark.parametrize("kind", [texts, changes])
async def test_watchers_of_one_batch_convert_it_once(kind, monkeypatch):
    """A thousand at the end of a log: each record once, and each gets all of it."""
    work, batch = WatchWork(), batch_of(300)
    async with turns_counted() as counted:
        converted = counting(monkeypatch, counted)
        async with asyncio.TaskGroup() as tasks:
            found = [tasks.create_task(all_of(kind(work), batch)) for _ in range(WATCHERS)]
    assert sum(converted.values()) == 300
    assert max(converted.values()) <= SLICE_COST
    assert {len(one.result()) for one in found} == {300}
    assert all(one.result() == found[0].result() for one in found)


@pytest.mark.parametrize("kind", [texts, changes])
async def test_watchers_of_different_batches_share_a_slice(kind, monkeypatch):
    """A hundred behind the end, each elsewhere: as much in a turn as one alone."""
    work = WatchWork()
    batches = [batch_of(60, f"g{number}", base_offset=60 * number) for number in range(100)]
    async with turns_counted() as counted:
        converted = counting(monkeypatch, counted)
        async with asyncio.TaskGroup() as tasks:
            for batch in batches:
                tasks.create_task(all_of(kind(work), batch))
    assert sum(converted.values()) == 6_000
    assert max(converted.values()) <= SLICE_COST


async def test_a_large_batch_is_converted_piece_by_piece(monkeypatch):
    """Nothing of it is kept, and the first record comes before the last one is converted."""
    work, batch = WatchWork(), batch_of(3_000)
    assert batch.size > conversions.SHARED_BATCH_BYTES_MAX
    async with turns_counted() as counted:
        converted = counting(monkeypatch, counted)
        shown = aiter(changes(work).of(batch))
        await anext(shown)
        assert sum(converted.values()) <= SLICE_COST
        assert 1 + len([one async for one in shown]) == 3_000
    assert not work._kept


async def test_what_depends_on_more_than_the_batch_is_not_shared():
    """Another slice, another schema, and with and without secrets."""
    work, batch = WatchWork(), batch_of(3)
    assert len(await all_of(changes(work), batch)) == 3
    others = RecordChanges(None, SchemaSet.KRAFTPY, frozenset({"topics"}), work)
    assert await all_of(others, batch) == []
    secret = batch_of(1, "n", "v")
    assert await all_of(texts(work), secret) == await all_of(RecordTexts(SchemaSet.KAFKA, work=work), secret)
    assert len(work._kept) == 4
    await all_of(RecordTexts(SchemaSet.KAFKA, hides=False, work=work), secret)
    assert len(work._kept) == 5


async def test_the_next_watcher_goes_on_where_one_was_cancelled():
    """And where one failed: each has its own outcome."""
    work, made = WatchWork(), []

    async def stuck():
        await asyncio.Event().wait()

    async def fails():
        raise ValueError("no")

    async def make():
        made.append(1)
        return Converted([1], None, 10)

    first = asyncio.ensure_future(work.converted("k", stuck))
    await asyncio.sleep(0)
    second, third = (asyncio.ensure_future(work.converted("k", each)) for each in (fails, make))
    await asyncio.sleep(0)
    first.cancel()
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(ValueError, match="no"):
            await second
        assert (await third).items == [1]
        assert (await work.converted("k", stuck)).items == [1]
    assert (made, work._making) == ([1], {})


async def test_what_is_kept_is_bounded(monkeypatch):
    """By its bytes: what was used longest ago goes first."""
    monkeypatch.setattr(conversions, "KEPT_BYTES_MAX", 100)
    work = WatchWork()

    def making(size):
        async def make():
            return Converted([], None, size)

        return make

    for key in range(10):
        await work.converted(key, making(30))
        await work.converted(0, making(30))
    await work.converted("large", making(101))
    assert list(work._kept) == [8, 9, 0]
    assert work._kept_bytes == 90


@given(st.lists(st.sampled_from([b"", b"x" * 30, b"x" * 5_000, b"x" * 200_000]), max_size=400))
def test_pieces_are_all_of_it_and_within_a_slice(values):
    found = list(pieces(values))
    assert [value for _, piece in found for value in piece] == values
    assert all(len(piece) == 1 or cost_of(*piece) <= SLICE_COST for _, piece in found)
    assert [start for start, _ in found] == [sum(len(one) for _, one in found[:place]) for place in range(len(found))]
