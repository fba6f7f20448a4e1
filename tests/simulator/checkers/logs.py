"""Logs are equal below the high watermark: in the end, byte for byte, from each one's start."""

from __future__ import annotations

from kraftpy.records.batch import split_batches
from tests.simulator.checkers.base import Checker

READ_BYTES = 1 << 20


class LogsChecker(Checker):
    """Reads every log whole, when all is quiet."""

    name = "logs"

    def at_end(self) -> None:
        ledger = self.sim.ledger
        for node in self.sim.up():
            log, high_watermark = node.running.directory.log, node.running.replica.high_watermark or 0
            at = log.start_offset
            with node.disk.looking():
                while at < high_watermark and (data := log.read(at, READ_BYTES, high_watermark)):
                    for batch in split_batches(data):
                        known = ledger.at(batch.base_offset)
                        self.require(
                            known is not None and known.batch.data == batch.data,
                            "logs are equal below the high watermark",
                            f"node {node.id} has another batch at offset {batch.base_offset}",
                        )
                        at = batch.next_offset
            self.require(at == high_watermark, "a log reaches its high watermark", node.id, at, high_watermark)
