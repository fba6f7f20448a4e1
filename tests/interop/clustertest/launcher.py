"""Start kraftpy again and again without importing it again: ``python -m tests.interop.clustertest.launcher``.

Kafka's suites start hundreds of controllers, and most of a start is imports. This process imports kraftpy once; a child
is forked for each command, with its output in a file. It serves the JVM that started it, and ends with it, as do its
children: a JVM that is killed cannot stop them, but the end of its pipe can.

Lines in, fields separated by tabs: ``start KEY LOG ARG...``, ``signal KEY NUMBER``. Lines out: ``exited KEY CODE``,
where a child that ended by a signal has 128 and its number. The parent chooses the keys.
"""

from __future__ import annotations

import gc
import os
import random
import select
import signal
import sys
import traceback

import kraftpy.cli.run
import kraftpy.cli.storage
import kraftpy.cli.storage_format
import kraftpy.node.node  # noqa: F401 - the commands import lazily, which is what is saved here
from kraftpy.cli import main

SIGNALLED = 128


class Launcher:
    """The children, by the keys that the parent gave them."""

    def __init__(self) -> None:
        self.children: dict[int, str] = {}

    def serve(self) -> None:
        """Obey until the standard input ends; then kill what is left."""
        wakeups, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        buffered = b""
        while True:
            ready, _, _ = select.select([0, wakeups], [], [])
            if wakeups in ready:
                os.read(wakeups, 4096)
                self.reap()
            if 0 in ready:
                received = os.read(0, 65536)
                if not received:
                    break
                *lines, buffered = (buffered + received).split(b"\n")
                for line in lines:
                    self.obey(line.decode().split("\t"))
        for pid in self.children:
            os.kill(pid, signal.SIGKILL)

    def obey(self, fields: list[str]) -> None:
        verb, key, *rest = fields
        if verb == "start":
            log, *argv = rest
            pid = os.fork()
            if pid == 0:
                run(log, argv)
            self.children[pid] = key
        else:
            for pid, owner in self.children.items():
                if owner == key:
                    os.kill(pid, int(rest[0]))

    def reap(self) -> None:
        while self.children:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            code = os.waitstatus_to_exitcode(status)
            print("exited", self.children.pop(pid), code if code >= 0 else SIGNALLED - code, sep="\t", flush=True)


def run(log: str, argv: list[str]) -> None:
    """Be kraftpy, in a child; does not return."""
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        for descriptor in (1, 2):
            os.dup2(output, descriptor)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        # Controllers that draw the same numbers would start the same elections.
        random.seed()
        sys.argv = ["kraftpy", *argv]
        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1 if end.code else 0
    except BaseException:  # noqa: BLE001 - the child must not go on as its parent; the log has the reason
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    gc.freeze()
    Launcher().serve()
