"""What one IncrementalAlterConfigs costs the active controller in CPU time, stage by stage, from bytes to bytes.

Run: python bench/micro_controller.py [requests]

The stages are those of a request's way: its frame is read, decided, its records are encoded, the first one names who
asked, and, once the log took them, they are noted; a commit lets go of them, and the answer is encoded. The log, the
disk and the loader are not in it.
"""

import gc
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate

from bench.wire import request
from bench.work import Work
from bench.writes import values_of
from kraftpy.controller.config import ControllerConfig
from kraftpy.controller.controller import Controller
from kraftpy.controller.requests import IncrementalAlterConfigs
from kraftpy.controller.result import ControllerResult
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.provenance import Provenance
from kraftpy.records.authors import Author, encode_author, with_author
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import body_decoder, body_start, encode_response
from kraftpy.transport.kafka.control.alter_configs import alter_from_wire, alter_to_wire
from kraftpy.transport.kafka.framing import FrameSplitter
from kraftpy.transport.kafka.items import COUNTED_BYTES_MIN, names_too_much
from kraftpy.transport.node_api import Committed

ALICE = Author("User:alice", "kafka-admin")
WINDOW = 64
"""How many results wait for their commit at a time."""
RUNS = 7
"""The fastest run counts: the others were held up."""
BATCH = 128


class OneUuid:
    """Where a cluster id is drawn from, if one is."""

    def next(self) -> bytes:
        """Return the only one."""
        return bytes(range(16))


DECODE = body_decoder(rpc.IncrementalAlterConfigsRequest.API_KEY, 1)


def read(payload: bytes) -> tuple[Message, IncrementalAlterConfigs]:
    """Read a request as a listener and its handler do."""
    message = DECODE(payload, body_start(payload, is_flexible=True))
    assert len(payload) < COUNTED_BYTES_MIN or not names_too_much(message)
    assert isinstance(message, rpc.IncrementalAlterConfigsRequest)
    return message, alter_from_wire(message, 1)


def note(controller: Controller, result: ControllerResult, offset: int) -> None:
    """Rehearse a result, and take it in."""
    controller.validate_replay(result)
    controller.appended(result, offset, 1)


def active_controller() -> Controller:
    """Make a controller that has begun to decide."""
    controller = Controller(config=ControllerConfig(), node_id=1, uuids=OneUuid())
    result = controller.activate(
        now_ms=0, epoch=1, image=EMPTY, next_offset=1, cluster_id=None, bootstrap=None, open_transaction=False
    )
    controller.appended(result, len(result.records), 1)
    return controller


class Stages:
    """Walks requests through the stages, a window at a time, and sums up what each stage takes."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()
        self._controller = active_controller()
        self._image = self._controller.image
        self._offset = self._controller.next_offset - 1

    def _timed(self, stage: str, work: Callable[[], object]) -> None:
        begin = time.process_time_ns()
        work()
        self.spent[stage] += time.process_time_ns() - begin

    def walk(self, frames: list[bytes]) -> None:
        """Take one window of requests from bytes to bytes."""
        controller = self._controller
        splitter, data = FrameSplitter(), b"".join(frames)
        calls: list[tuple[Message, IncrementalAlterConfigs]] = []
        self._timed("read", lambda: calls.extend(map(read, splitter.feed(data))))
        results: list[ControllerResult] = []
        # No two requests of a window alter the same resource, so each stage may take all of them at a time.
        self._timed("decide", lambda: results.extend(controller.decide(0, request) for _, request in calls))
        encoded: list[Sequence[bytes]] = []
        self._timed("encode", lambda: encoded.extend(map(controller.encode, results)))
        self._timed("author", lambda: [
            with_author(result.records, values, encode_author(ALICE._replace(correlation_id=number)))
            for number, (result, values) in enumerate(zip(results, encoded, strict=True))
        ])  # fmt: skip
        offsets = list(accumulate((len(result.records) for result in results), initial=self._offset))[1:]
        self._timed("note", lambda: [note(controller, *each) for each in zip(results, offsets, strict=True)])
        self._offset = offsets[-1]
        delta = MetadataDelta(self._image)
        for result in results:
            delta.replay_all(result.records)
        self._image = delta.apply(Provenance(self._offset, 1, 0, batch_aligned=True))
        self._timed("commit", lambda: controller.committed(self._offset, self._image))
        outcomes = [Committed(result.response, offset, 1) for result, offset in zip(results, offsets, strict=True)]
        self._timed("answer", lambda: [
            encode_response(7, alter_to_wire(done, message), 1)
            for (message, _), done in zip(calls, outcomes, strict=True)
        ])  # fmt: skip


def measure(work: Work, windows: int) -> Counter[str]:
    """Return the nanoseconds of each stage in the fastest of some runs."""
    batch = work.batch
    best: Counter[str] = Counter()
    for _ in range(RUNS):
        stages = Stages()
        for window in range(windows):
            values = values_of(work, window)
            frames = [request(slot, slot * batch, batch, values) for slot in range(WINDOW)]
            gc.collect()
            gc.disable()
            stages.walk(frames)
            gc.enable()
        for stage, spent in stages.spent.items():
            best[stage] = min(best[stage] or spent, spent)
    return best


def main() -> None:
    """Print a table of each workload: one column for single records, one for batches."""
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    windows, windows_of_batches = max(1, requests // WINDOW), max(1, requests // WINDOW // 8)
    print(f"Python {sys.version.split()[0]}, microseconds of CPU, fastest of {RUNS} runs")
    for is_mixed in (True, False):
        single = measure(Work(is_mixed=is_mixed), windows)
        batches = measure(Work(is_mixed=is_mixed, batch=BATCH), windows_of_batches)
        print(f"\n{Work(is_mixed=is_mixed).label.partition(', ')[2]:10} {'a request of 1':>16} {'a record of 128':>16}")
        for stage in (*single, "all"):
            one = sum(single.values()) if stage == "all" else single[stage]
            many = sum(batches.values()) if stage == "all" else batches[stage]
            per_request, per_record = windows * WINDOW * 1_000, windows_of_batches * WINDOW * BATCH * 1_000
            print(f"{stage:10} {one / per_request:16.2f} {many / per_record:16.2f}")


if __name__ == "__main__":
    main()
