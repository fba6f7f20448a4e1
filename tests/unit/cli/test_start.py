"""Ctrl-C while a command is still being imported ends it like Ctrl-C later: 130, one line, no traceback."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from kraftpy.cli import start
from kraftpy.cli.exit_codes import ExitCode
from tests.fakes.interrupts import children_get_sigint

PATIENCE_S = 40.0
MOMENTS = 10
"""At how many points of the start, evenly over its imports, the signal is sent."""

FIRST, LAST = "kraftpy.cli.start", "kraftpy.cli.quorum_text"
"""The module that the imports of the command line begin with, and the last one of the command."""


@contextmanager
def silent_port() -> Iterator[str]:
    """An address that takes connections and answers none: a command that asks it does not end by itself."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


def importing(address: str) -> subprocess.Popen[str]:
    """Start a command, which writes a line on stderr for each module that it has imported."""
    words = ["metadata-quorum", "describe", "--status", "-C", address, "--timeout", str(PATIENCE_S)]
    command = [sys.executable, "-X", "importtime", "-m", "kraftpy", *words]
    with children_get_sigint():
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def imported_until(process: subprocess.Popen[str], module: str) -> list[str]:
    """Read the modules that a command has imported, in order, up to one."""
    modules = [""]
    for line in process.stderr:
        if line.startswith("import time:"):
            modules.append(line.rpartition("|")[2].strip())
        if modules[-1] == module:
            return modules
    raise AssertionError(f"{module} was not imported")


def test_an_interrupted_start_prints_one_line() -> None:
    """Whatever is being imported: a traceback of imports, or no line, or the code of a signal."""
    wanted = (ExitCode.INTERRUPTED, "", [f"error: {ExitCode.INTERRUPTED.meaning}"])
    wrong = {}
    with silent_port() as address:
        with importing(address) as process:
            modules = imported_until(process, LAST)
            process.kill()
        modules = modules[modules.index(FIRST) + 1 :]
        assert {"click", "kraftpy.cli.root"} <= set(modules)
        for module in {*modules[:: len(modules) // MOMENTS], LAST}:
            with importing(address) as process:
                imported_until(process, module)
                process.send_signal(signal.SIGINT)
                printed, errors = process.communicate(timeout=PATIENCE_S)
            stated = [line for line in errors.splitlines() if not line.startswith("import time:")]
            if (process.returncode, printed, stated) != wanted:
                wrong[module] = (process.returncode, stated)
    assert wrong == {}


@pytest.mark.parametrize("before", [signal.default_int_handler, signal.SIG_IGN])
def test_the_command_has_the_signal_as_it_was(before) -> None:
    """A background job of a shell, which ignores SIGINT, would be ended by it; or no command could end in order."""
    handler = signal.signal(signal.SIGINT, before)
    try:
        start.interruptible_start()
        assert (signal.getsignal(signal.SIGINT) == before) is (before == signal.SIG_IGN)
        start.command_begins()
        assert signal.getsignal(signal.SIGINT) == before
    finally:
        signal.signal(signal.SIGINT, handler)
