"""Acknowledged writes are at the offset of their answer, in the order that clients saw, and visible at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kraftpy.model.features import SchemaSet
from kraftpy.records.metadata import ConfigRecord, decode_record
from tests.simulator.checkers.base import Checker

KEY_PREFIX = "simulated.key."
"""What the clients write begins so."""

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.workload import Acknowledgement


class AcknowledgedChecker(Checker):
    """Holds the history of the clients against the ledger."""

    name = "acknowledged"

    def on_acknowledged(self, node: SimulatedNode, told: Acknowledgement) -> None:
        shown = node.running.state_machine.image.provenance.offset
        self.require(told.offset <= shown, "who reads an answer can read its effect", node.id, told, shown)
        after = told.operation.after
        if told.operation.may_change_nothing:
            rule = "what is acknowledged is true of a state that has all that was acknowledged before it was asked"
            # The controller counts its own records; a change of voters is none.
            current = told.offset >= after or self.sim.ledger.same_state(told.offset, after)
            self.require(current, rule, told, after)
        else:
            self.require(told.offset > after, "a write stands behind those acknowledged before it began", told, after)

    def at_end(self) -> None:
        self._check_done_once()
        for told in self.sim.acknowledged:
            if told.operation.may_change_nothing:
                continue
            entry = self.sim.ledger.at(told.offset)
            self.require(entry is not None, "an acknowledged write is committed", told)
            assert entry is not None
            value = entry.batch.values()[told.offset - entry.batch.base_offset]
            record = decode_record(value, SchemaSet.for_level(self.sim.level))
            operation = told.operation
            same = isinstance(record, ConfigRecord) and (record.name, record.value) == (operation.key, operation.value)
            self.require(same, "an acknowledged write stands where the answer said", told, record)

    def _check_done_once(self) -> None:
        schema = SchemaSet.for_level(self.sim.level)
        places: dict[tuple[str, str | None], int] = {}
        for entry in self.sim.ledger.entries:
            values = () if entry.batch.is_control else entry.batch.values()
            for offset, value in enumerate(values, entry.batch.base_offset):
                record = decode_record(value, schema)
                if isinstance(record, ConfigRecord) and record.name.startswith(KEY_PREFIX):
                    known = places.setdefault((record.name, record.value), offset)
                    self.require(known == offset, "a write is done once, whoever repeats it", record, known, offset)
