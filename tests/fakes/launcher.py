"""Start kraftpy again and again without importing it again: ``python -u -m tests.fakes.launcher``.

Tests start hundreds of nodes, and most of a start is imports. This process imports kraftpy once; a child is forked for
each command, with its output in a file. It serves the process that started it. When its input ends, as it does when
that process is killed, it kills its children; and they are killed when it ends in any other way (on Linux).

Lines in, their fields separated by tabs:

* ``start KEY LOG ARG...`` runs the command ``kraftpy``; ``script KEY LOG PATH ARG...`` runs a script;
* ``apart KEY OUT ERR ARG...`` runs the command, with its errors in a file of their own;
* ``signal KEY NUMBER`` sends a signal, unless the child has ended;
* ``environ NAME=VALUE...`` is the whole environment of what is started later.

Lines out: ``started KEY PID``; ``exited KEY CODE``, where the code of a child that a signal ended is minus its number;
``failed KEY REASON`` for what could not be started. The parent chooses the keys. The working directory is the
launcher's.
"""

from __future__ import annotations

import contextlib
import ctypes
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

PR_SET_PDEATHSIG = 1
"""Linux: the signal that a process gets when its parent ends."""


class Launcher:
    """The children, by the keys that the parent gave them."""

    def __init__(self) -> None:
        self.children: dict[int, str] = {}
        self.wakeups, self.wake = os.pipe()

    def serve(self) -> None:
        """Process commands until the standard input ends; kill what is left."""
        os.set_blocking(self.wake, False)
        signal.set_wakeup_fd(self.wake)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: sys.exit())
        try:
            self.process_commands()
        finally:
            for pid in self.children:
                os.kill(pid, signal.SIGKILL)

    def process_commands(self) -> None:
        buffered = b""
        while True:
            ready, _, _ = select.select([0, self.wakeups], [], [])
            if self.wakeups in ready:
                os.read(self.wakeups, 4096)
                self.reap()
            if 0 in ready:
                received = os.read(0, 65536)
                if not received:
                    return
                *lines, buffered = (buffered + received).split(b"\n")
                for line in lines:
                    self.obey(line.decode().split("\t"))

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
        try:
            # They are there when the parent reads that the child has started.
            out, err = (os.open(each, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644) for each in outputs)
        except OSError as error:
            print("failed", key, error, sep="\t", flush=True)
            return
        launcher = os.getpid()
        pid = os.fork()
        if pid == 0:
            os.close(self.wakeups)
            os.close(self.wake)
            run(out, err, argv, is_script=is_script, launcher=launcher)
        os.close(out)
        os.close(err)
        self.children[pid] = key
        print("started", key, pid, sep="\t", flush=True)

    def reap(self) -> None:
        while self.children:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            print("exited", self.children.pop(pid), os.waitstatus_to_exitcode(status), sep="\t", flush=True)


def run(out: int, err: int, argv: list[str], *, is_script: bool, launcher: int) -> None:
    """Be kraftpy, or a script, in a child; does not return."""
    code = 1
    try:
        # A session of its own, as quickstart's nodes have.
        os.setsid()
        end_with(launcher)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
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
        if end.code is not None and not isinstance(end.code, int):
            print(end.code, file=sys.stderr)
        code = end.code if isinstance(end.code, int) else 1 if end.code else 0
    except BaseException:  # noqa: BLE001 - the child must not go on as its parent; the log has the reason
        traceback.print_exc()
    finally:
        try:
            # A full disk may refuse what is left.
            with contextlib.suppress(OSError):
                sys.stdout.flush()
                sys.stderr.flush()
        finally:
            os._exit(code)


def end_with(launcher: int) -> None:
    """Let the kernel kill this process when the launcher ends, where it can."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != launcher:
        os.kill(os.getpid(), signal.SIGKILL)


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
    # Ctrl-C, and the signal that a JVM's group gets at its end, are not for the launcher: the end of its input is.
    with contextlib.suppress(PermissionError):
        os.setsid()
    preload()
    gc.freeze()
    Launcher().serve()
