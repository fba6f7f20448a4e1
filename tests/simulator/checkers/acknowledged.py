"""Acknowledged writes are at the offset of their answer, in the order that clients saw, and visible at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kraftpy.model.features import SchemaSet
from kraftpy.model.offsets import Offset
from kraftpy.records.metadata import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    ConfigRecord,
    EndTransactionRecord,
    decode_record,
)
from tests.simulator.checkers.base import Checker

KEY_PREFIX = "simulated.key."
"""What the clients write begins so."""

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.workload import Acknowledgement


DONE_ONCE = "a write is done once, however often it is repeated"


class AcknowledgedChecker(Checker):
    """Holds the history of the clients against the ledger."""

    name = "acknowledged"

    def on_acknowledged(self, node: SimulatedNode, reported: Acknowledgement) -> None:
        shown = node.running.state_machine.image.provenance.offset
        self.require(reported.offset <= shown, "who reads an answer can read its effect", node.id, reported, shown)
        after = reported.operation.after
        if reported.operation.may_change_nothing:
            rule = "what is acknowledged is true of a state that has all that was acknowledged before it was asked"
            # The controller counts its own records; a change of voters is none.
            current = reported.offset >= after or self.sim.ledger.same_state(reported.offset, after)
            self.require(current, rule, reported, after)
        else:
            self.require(
                reported.offset > after, "a write stands behind those acknowledged before it began", reported, after
            )

    def at_end(self) -> None:
        effects = self._effects()
        self._check_done_once(effects)
        for reported in self.sim.acknowledged:
            if reported.operation.may_change_nothing:
                continue
            self.require(
                self.sim.ledger.at(reported.offset) is not None, "an acknowledged write is committed", reported
            )
            operation, records = reported.operation, effects.get(reported.offset, [])
            same = any((record.name, record.value) == (operation.key, operation.value) for record in records)
            self.require(same, "an acknowledged write stands where the answer said", reported, records)

    def _effects(self) -> dict[Offset, list[ConfigRecord]]:
        """Return the configs that were set, at the offset with which they take effect; none of an aborted write."""
        schema, effects = SchemaSet.for_level(self.sim.level), dict[Offset, list[ConfigRecord]]()
        open_records: list[ConfigRecord] | None = None
        for entry in self.sim.ledger.entries:
            values = () if entry.batch.is_control else entry.batch.values()
            for offset, value in enumerate(values, entry.batch.base_offset):
                record = decode_record(value, schema)
                if isinstance(record, BeginTransactionRecord):
                    open_records = []
                elif isinstance(record, EndTransactionRecord | AbortTransactionRecord):
                    ended, open_records = open_records, None
                    effects[offset] = (ended or []) if isinstance(record, EndTransactionRecord) else []
                elif isinstance(record, ConfigRecord):
                    (effects.setdefault(offset, []) if open_records is None else open_records).append(record)
        return effects

    def _check_done_once(self, effects: dict[Offset, list[ConfigRecord]]) -> None:
        places: dict[tuple[str, str | None], int] = {}
        for offset, records in effects.items():
            for record in records:
                if record.name.startswith(KEY_PREFIX):
                    known = places.setdefault((record.name, record.value), offset)
                    self.require(known == offset, DONE_ONCE, record, known, offset)
