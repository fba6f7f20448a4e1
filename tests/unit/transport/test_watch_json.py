"""Watching with JSON, beside everything else that a node does."""

from __future__ import annotations

from kraftpy.model.features import SchemaSet
from kraftpy.records.batch import encode_batch, split_batches
from kraftpy.records.metadata import ConfigRecord, encode_for_level
from kraftpy.transport.grpc.services.conversions import SLICE_COST
from kraftpy.transport.grpc.services.watch_json import RecordTexts
from tests.unit.transport.conftest import turns_counted

LEVEL = 40
SLICES = 20


async def test_the_loop_turns_while_a_large_batch_is_shown():
    """However many records a batch holds, others on the loop get their turn between some of them."""
    value = encode_for_level(ConfigRecord(4, "", "k", "v"), LEVEL)
    batch = encode_batch([value] * (SLICES * SLICE_COST), base_offset=0, epoch=1, timestamp_ms=0)
    texts = RecordTexts(SchemaSet.for_level(LEVEL))
    async with turns_counted() as counted:
        shown = [text for each in split_batches(batch) async for text in texts.of(each)]
    assert len(shown) == SLICES * SLICE_COST
    assert counted.turns >= SLICES
