"""What a process beside the active controller could take off it: `python bench/micro_processes.py [requests]`.

A node is one process, and its event loop is the limit of what the active controller commits. This compares what such a
process would take over of a request, *read* and *answer*, with what the controller would have to do instead: take in
the request, and hand over what the answer is made of, both pickled, through a Unix socket, 64 at a time. What is left,
*kept*, is what the controller does either way (:mod:`bench.micro_controller`); the log, the disk and the fetches of the
followers are not in it.

CPU microseconds, fastest of the runs. *saved* is the share of a request's time that the controller would be rid of; a
negative share says that it would have more to do. TLS is not in it: it would be saved as a whole, and ``--tls`` prints
what it costs for a request and its answer.
"""

from __future__ import annotations

import argparse
import pickle
import socket
import ssl
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from bench.micro_controller import BATCH, DECODE, RUNS, WINDOW, active_controller, measure, read
from bench.wire import request
from bench.work import Work
from bench.writes import values_of
from kraftpy.controller.controller import Controller
from kraftpy.controller.requests import IncrementalAlterConfigs
from kraftpy.records.rpc import body_start, encode_response
from kraftpy.transport.kafka.control.alter_configs import alter_to_wire
from kraftpy.transport.kafka.framing import FrameSplitter
from kraftpy.transport.node_api import Committed

KEPT: Final = ("decide", "encode", "author", "note", "commit")
PROTOCOL: Final = pickle.HIGHEST_PROTOCOL
SOCKET_BYTES: Final = 4 << 20
SELF_SIGNED: Final = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost")


class Stopwatch:
    """Sums up what each stage takes, in microseconds of CPU."""

    def __init__(self) -> None:
        self.us: dict[str, float] = defaultdict(float)

    def timed(self, stage: str, work: Callable[..., Any], *arguments: object) -> Any:
        begin = time.process_time_ns()
        result = work(*arguments)
        self.us[stage] += (time.process_time_ns() - begin) / 1_000
        return result


def outcome_of(controller: Controller, call: IncrementalAlterConfigs, offset: int) -> Committed:
    """Return what the answer to a request is made of, once it is committed."""
    response: Any = controller.decide(0, call).response
    return Committed(response, offset, 1)


def hand_over(work: Work, windows: int) -> dict[str, float]:
    """Return the microseconds of taking requests in and handing outcomes over, in the fastest of some runs."""
    best: dict[str, float] = {}
    for _ in range(RUNS):
        watch = Stopwatch()
        controller = active_controller()
        offset = controller.next_offset
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        for end in (here, there):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SOCKET_BYTES)
        for window in range(windows):
            values = values_of(work, window)
            frames = [request(slot, slot * work.batch, work.batch, values) for slot in range(WINDOW)]
            calls = [read(payload)[1] for payload in FrameSplitter().feed(b"".join(frames))]
            sent = pickle.dumps(calls, PROTOCOL)
            there.sendall(sent)
            received = watch.timed("receive", here.recv, len(sent), socket.MSG_WAITALL)
            watch.timed("unpickle", pickle.loads, received)
            outcomes = []
            for call in calls:
                offset += work.batch
                outcomes.append(outcome_of(controller, call, offset))
            pickled = watch.timed("pickle", pickle.dumps, outcomes, PROTOCOL)
            watch.timed("send", here.sendall, pickled)
            there.recv(len(pickled), socket.MSG_WAITALL)
        here.close()
        there.close()
        for stage, us in watch.us.items():
            best[stage] = min(best.get(stage, us), us)
    return best


def tls_us(sent: int, received: int, rounds: int = 2_000) -> float:
    """Return the microseconds of decrypting ``sent`` bytes and encrypting ``received``, without any socket."""
    with tempfile.TemporaryDirectory() as directory:
        key, certificate = Path(directory, "key.pem"), Path(directory, "cert.pem")
        subprocess.run(
            [*SELF_SIGNED, "-keyout", key, "-out", certificate],
            check=True,
            capture_output=True,
        )
        serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        serving.load_cert_chain(certificate, key)
    asking = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    asking.check_hostname, asking.verify_mode = False, ssl.CERT_NONE
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = serving.wrap_bio(to_server, to_client, server_side=True)
    client = asking.wrap_bio(to_client, to_server)
    for _ in range(4):
        for side in (client, server):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    question, answer = bytes(sent), bytes(received)
    watch = Stopwatch()
    for _ in range(rounds):
        client.write(question)
        watch.timed("TLS", server.read, sent)
        watch.timed("TLS", server.write, answer)
        client.read(received)
    return watch.us["TLS"] / rounds


def bytes_of(work: Work) -> tuple[int, int]:
    """Return how long a request and its answer are, the mean of a window."""
    values = values_of(work, 0)
    frames = [request(slot, slot * work.batch, work.batch, values) for slot in range(WINDOW)]
    controller = active_controller()
    answers = 0
    for payload in FrameSplitter().feed(b"".join(frames)):
        message = DECODE(payload, body_start(payload, is_flexible=True))
        outcome = outcome_of(controller, read(payload)[1], 1)
        answers += len(encode_response(7, alter_to_wire(outcome, message), 1))
    return sum(map(len, frames)) // WINDOW, answers // WINDOW


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("requests", nargs="?", type=int, default=2_000)
    parser.add_argument("--tls", action="store_true", help="also print what TLS costs; needs openssl")
    arguments = parser.parse_args()
    for batch in (1, BATCH):
        windows = max(1, arguments.requests // WINDOW // (8 if batch > 1 else 1))
        work = Work(is_mixed=True, batch=batch)
        count = windows * WINDOW
        stages = measure(work, windows)
        off = {stage: stages[stage] / count / 1_000 for stage in ("read", "answer")}
        instead = {stage: us / count for stage, us in hand_over(work, windows).items()}
        kept = sum(stages[stage] for stage in KEPT) / count / 1_000
        saved = (sum(off.values()) - sum(instead.values())) / (sum(off.values()) + kept)
        print(f"mixed, a request of {batch}, us a request")
        for what, parts in (("taken off", off), ("instead", instead)):
            listed = ", ".join(f"{stage} {us:.1f}" for stage, us in parts.items())
            print(f"  {what:10} {sum(parts.values()):8.1f}  ({listed})")
        print(f"  {'kept':10} {kept:8.1f}\n  {'saved':10} {saved:8.0%}")
        if arguments.tls:
            sizes = bytes_of(work)
            print(f"  {'TLS':10} {tls_us(*sizes):8.1f}  ({sizes[0]:,} bytes in, {sizes[1]:,} out)")


if __name__ == "__main__":
    main()
