"""The JVM that PySpark starts, and its end: no later than ours, also when a signal ends us.

Left alone, Spark's JVM ends some seconds after the process that started it, when it finds its standard input closed.
One whose starter goes away while it starts does not even that: it fails to write down its port, and stays for good. So
its process is remembered from its first moment on, in a group of its own, and a command that is asked to end (SIGINT,
SIGTERM) ends that group first. A second signal does not wait for it.

A program that only uses the data source keeps its signals, and PySpark its ways: all this is so within
:func:`ended_by_signals`, and there not before a JVM starts.

Source: ``launch_gateway`` in PySpark 4.3's ``java_gateway``, which asks the module's ``Popen`` for the process.
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
"""How long Spark's shutdown (temporary files, its master) may take after SIGTERM before it is killed."""

PIECE_BYTES: Final = 65_536
STDERR: Final = 2
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class SignalledError(KeyboardInterrupt):
    """A signal asked this process to end, and Spark was ended. No ``Exception``: py4j would take it for its own."""

    def __init__(self, number: int) -> None:
        super().__init__(f"interrupted by {signal.Signals(number).name}; Spark was ended too")
        self.number = number


class _Jvm:
    """What is known of the one JVM that PySpark starts in a process, and of the signals that end it."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.is_guarded = False
        self.is_starting = False
        self.number: int | None = None
        self._before: dict[int, Any] = {}

    def started(self, command: Sequence[str], **settings: Any) -> subprocess.Popen[bytes]:
        """Start it, as ``subprocess.Popen`` does; a signal that comes meanwhile waits until there is what to end."""
        self.is_starting = True
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
        """Begin: what starts from now on is ended by signals."""
        self.is_guarded, self.number = True, None

    def take_signals(self) -> None:
        """Let signals end the JVM, also where Spark has put a handler of its own."""
        for number in SIGNALS:
            before = signal.signal(number, self._on_signal)
            self._before.setdefault(number, before)

    def release(self) -> None:
        """End: see a JVM off that was told to end, and put back the handlers that were there before."""
        if self.number is not None:
            self._see_off()
            logging.disable(logging.NOTSET)
        self.is_guarded = False
        for number, before in self._before.items():
            signal.signal(number, before)
        self._before = {}

    def _see_off(self) -> None:
        """Wait until it has ended; kill it when it does not, and whatever of its group is left."""
        if self.process is None:
            return
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(JVM_END_S)
        self._kill()
        self.process.wait()
        self.process = None

    def _relay(self, source: IO[bytes]) -> None:
        """Pass on what the JVM says, but for what its end cuts off: every task that ran is a long trace to it."""
        with source, suppress(OSError):  # nobody reads what we say
            while said := os.read(source.fileno(), PIECE_BYTES):
                if self.number is None:
                    os.write(STDERR, said)

    def _kill(self) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError, PermissionError):  # nobody is left, as Linux and macOS say it
                os.killpg(self.process.pid, signal.SIGKILL)

    def _on_signal(self, number: int, _frame: Any) -> None:
        if self.number is not None:
            self._kill()
            return
        self.number = number
        # py4j logs the trace of every call that the JVM's end cuts off.
        logging.disable(logging.CRITICAL)
        if not self.is_starting:
            self._end_and_raise(number)

    def _end_and_raise(self, number: int) -> None:
        if self.process is not None:
            # Not its group: its workers are for it to end.
            self.process.terminate()
        raise SignalledError(number)


_JVM: Final = _Jvm()


@contextmanager
def remembered() -> Iterator[None]:
    """Remember the process of a JVM that PySpark starts within, where signals are to end it."""
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
    """Let SIGINT and SIGTERM end a JVM that starts within, and then what runs within.

    Raises:
        SignalledError: when one came, whatever else its coming broke; the JVM is gone.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _JVM.guard()
    try:
        yield
    except BaseException as error:
        # Whatever it is: a call into a JVM that was ended fails in many ways, and all of them are the signal.
        if _JVM.number is None or isinstance(error, SignalledError):
            raise
        raise SignalledError(_JVM.number) from error
    else:
        if _JVM.number is not None:
            raise SignalledError(_JVM.number)
    finally:
        _JVM.release()
