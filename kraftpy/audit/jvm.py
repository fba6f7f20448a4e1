"""The JVM that PySpark starts. It ends no later than this process, also when a signal ends this process.

By itself, Spark's JVM ends some seconds after the process that started it, when its standard input is closed; that also
holds after SIGKILL. But if PySpark stops waiting for it during its start, it cannot write its port and never ends. So
its process is recorded from its first moment, in a process group of its own, and a command that receives SIGINT or
SIGTERM ends that group first. A second signal does not wait for it.

A program that only uses the data source keeps its signal handlers, and PySpark's behaviour: all this applies within
:func:`ended_by_signals`, and there not before a JVM starts.

Source: ``launch_gateway`` in PySpark 4.3's ``java_gateway``, which calls the module's ``Popen`` for the process.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any, Final

from kraftpy.audit.optional_dependencies import extra

JVM_END_S: Final = 10.0
"""The time limit of Spark's shutdown (temporary files, its master) after SIGTERM, before SIGKILL."""

PIECE_BYTES: Final = 65_536
STDERR: Final = 2
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class SignalledError(KeyboardInterrupt):
    """A signal ended this process, and Spark was ended. It is no ``Exception``, which py4j would catch."""

    def __init__(self, number: int) -> None:
        super().__init__(f"interrupted by {signal.Signals(number).name}; Spark was ended too")
        self.number = number


class _Jvm:
    """The JVM that PySpark starts in this process, and the signal that ends it."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.is_guarded = False
        self.is_starting = False
        self.number: int | None = None
        self._before: dict[int, Any] = {}

    def started(self, command: Sequence[str], **settings: Any) -> subprocess.Popen[bytes]:
        """Start it, as ``subprocess.Popen`` does; a signal during the start waits until there is a process to end.

        PySpark has Python run in the new process, to ignore SIGINT there. That may deadlock where other threads run
        (``driver_share``), and is not needed: a terminal's SIGINT does not reach another process group.
        """
        self.is_starting = True
        settings.pop("preexec_fn", None)
        try:
            self.process = process = subprocess.Popen(  # noqa: S603 - PySpark's own launcher
                command, stderr=subprocess.PIPE, process_group=0, **settings
            )
            threading.Thread(target=self._relay, args=(process.stderr,), daemon=True).start()
        finally:
            self.is_starting = False
        if self.number is not None:
            self._end_and_raise(self.number)
        return self.process

    def guard(self) -> None:
        """Begin: JVMs that start from now on are ended by signals."""
        self.is_guarded, self.number = True, None

    def take_signals(self) -> None:
        """Install the signal handlers, also over a handler of Spark's."""
        for number in SIGNALS:
            before = signal.signal(number, self._on_signal)
            self._before.setdefault(number, before)

    def release(self) -> None:
        """End: wait for a JVM that was signalled, and restore the previous handlers."""
        if self.number is not None:
            self._see_off()
            logging.disable(logging.NOTSET)
        self.is_guarded = False
        for number, before in self._before.items():
            signal.signal(number, before)
        self._before = {}

    def _see_off(self) -> None:
        """Wait until it has ended; kill it and its group if it does not."""
        if self.process is None:
            return
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(JVM_END_S)
        self._kill()
        self.process.wait()
        self.process = None

    def _relay(self, source: IO[bytes]) -> None:
        """Copy the JVM's stderr, except after a signal: every task that ran then prints a long trace."""
        with source, suppress(OSError):  # our stderr has no reader
            while stated := os.read(source.fileno(), PIECE_BYTES):
                if self.number is None:
                    os.write(STDERR, stated)

    def _kill(self) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError, PermissionError):  # the group has ended, as Linux and macOS report it
                os.killpg(self.process.pid, signal.SIGKILL)

    def _on_signal(self, number: int, _frame: Any) -> None:
        if self.number is not None:
            self._kill()
            # If this process waits for something else, such as a file system without an answer, the next one ends it.
            for each in SIGNALS:
                signal.signal(each, signal.SIG_DFL)
            return
        self.number = number
        # py4j logs a traceback for every call that the JVM's end interrupts.
        logging.disable(logging.CRITICAL)
        if not self.is_starting:
            self._end_and_raise(number)

    def _end_and_raise(self, number: int) -> None:
        if self.process is not None:
            # Not its group: it ends its own workers.
            self.process.terminate()
        raise SignalledError(number)


_JVM: Final = _Jvm()


def is_guarded() -> bool:
    """Whether signals end a JVM that starts now; see :func:`ended_by_signals`."""
    return _JVM.is_guarded


@contextmanager
def remembered() -> Iterator[None]:
    """Record the process of a JVM that PySpark starts within, if signals are to end it."""
    if not _JVM.is_guarded:
        yield
        return
    gateway = extra("pyspark.java_gateway")
    popen = gateway.Popen
    gateway.Popen = _JVM.started
    _JVM.take_signals()
    try:
        yield
    finally:
        gateway.Popen = popen
        _JVM.take_signals()


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let SIGINT and SIGTERM end a JVM that starts within, and then the code within.

    Raises:
        SignalledError: when a signal arrived, whatever error it caused; the JVM has ended.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _JVM.guard()
    try:
        yield
    except BaseException as error:
        # A call into a JVM that was ended fails in many ways, and all of them mean the signal.
        if _JVM.number is None or isinstance(error, SignalledError):
            raise
        raise SignalledError(_JVM.number) from error
    else:
        if _JVM.number is not None:
            raise SignalledError(_JVM.number)
    finally:
        _JVM.release()
