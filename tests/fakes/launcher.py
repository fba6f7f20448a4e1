"""Start kraftpy again and again without importing it again: ``python -u -m tests.fakes.launcher``.

Tests start hundreds of nodes, and most of a start is imports. This process imports kraftpy once; a child is forked for
each command, with its output in a file. It serves the process that started it, and ends with it, as do its children:
who is killed cannot stop them, but the end of its pipe can.

Lines in, their fields separated by tabs:

* ``start KEY LOG ARG...`` runs the command ``kraftpy``; ``script KEY LOG PATH ARG...`` runs a script;
* ``apart KEY OUT ERR ARG...`` runs the command, with its errors in a file of their own;
* ``signal KEY NUMBER`` sends a signal;
* ``environ NAME=VALUE...`` is the whole environment of what is started later.

Lines out: ``started KEY PID``; ``exited KEY CODE``, where a child that a signal ended has 128 and its number. The
parent chooses the keys.
"""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import random
import runpy
import select
import signal
import sys
import traceback

from kraftpy.cli import main

PRELOADED = ("kraftpy.cli", "kraftpy.client", "kraftpy.node", "kraftpy.records.generated", "kraftpy.transport")
"""The packages that a node or a command may need a module of; they import lazily."""

SIGNALLED = 128


class Launcher:
    """The children, by the keys that the parent gave them."""

    def __init__(self) -> None:
        self.children: dict[int, str] = {}
        self.wakeups, self.wake = os.pipe()

    def serve(self) -> None:
        """Obey until the standard input ends; then kill what is left."""
        os.set_blocking(self.wake, False)
        signal.set_wakeup_fd(self.wake)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        # Ctrl-C goes to the parent, too, which then closes the pipe.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        buffered = b""
        while True:
            ready, _, _ = select.select([0, self.wakeups], [], [])
            if self.wakeups in ready:
                os.read(self.wakeups, 4096)
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
        verb, *rest = fields
        match verb:
            case "environ":
                os.environ.clear()
                os.environ.update(dict(each.split("=", 1) for each in rest))
            case "signal":
                key, number = rest
                for pid, owner in self.children.items():
                    if owner == key:
                        os.kill(pid, int(number))
            case "start":
                key, log, *argv = rest
                self.fork(key, (log, log), argv, is_script=False)
            case "script":
                key, log, *argv = rest
                self.fork(key, (log, log), argv, is_script=True)
            case "apart":
                key, out, err, *argv = rest
                self.fork(key, (out, err), argv, is_script=False)
            case _:
                raise ValueError(f"no such line: {fields}")

    def fork(self, key: str, outputs: tuple[str, str], argv: list[str], *, is_script: bool) -> None:
        # They are there when the parent reads that the child has started.
        out, err = (os.open(each, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644) for each in outputs)
        pid = os.fork()
        if pid == 0:
            os.close(self.wakeups)
            os.close(self.wake)
            run(out, err, argv, is_script=is_script)
        os.close(out)
        os.close(err)
        self.children[pid] = key
        print("started", key, pid, sep="\t", flush=True)

    def reap(self) -> None:
        while self.children:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            code = os.waitstatus_to_exitcode(status)
            print("exited", self.children.pop(pid), code if code >= 0 else SIGNALLED - code, sep="\t", flush=True)


def run(out: int, err: int, argv: list[str], *, is_script: bool) -> None:
    """Be kraftpy, or a script, in a child; does not return."""
    code = 1
    try:
        # A group of its own, as quickstart's nodes have: a terminal's Ctrl-C is not for it.
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        redirect(out, err)
        # Controllers that draw the same numbers would start the same elections.
        random.seed()
        if is_script:
            sys.argv = argv
            runpy.run_path(argv[0], run_name="__main__")
        else:
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


def redirect(out: int, err: int) -> None:
    """Let the output go to open files, and the input be empty."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    for descriptor, target in ((nothing, 0), (out, 1), (err, 2)):
        os.dup2(descriptor, target)
        os.close(descriptor)


def preload() -> None:
    for name in PRELOADED:
        package = importlib.import_module(name)
        for module in pkgutil.walk_packages(package.__path__, f"{name}."):
            importlib.import_module(module.name)


if __name__ == "__main__":
    preload()
    gc.freeze()
    Launcher().serve()
