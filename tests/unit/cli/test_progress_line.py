"""The progress of the auditor's commands: amounts, an estimate of the end, and nothing left of it."""

from __future__ import annotations

import threading

import pytest

from kraftpy.cli import waiting
from kraftpy.cli.audit_options import CLEARED as ERASED
from kraftpy.cli.audit_options import ProgressLine, progress_text, shown_progress

MIB = 1024**2
PATIENCE_S = 10.0
CLEARED = "\r"
"""What is left of the codes for a terminal where none is."""


class Clock:
    def __init__(self):
        self.s = 100.0

    def __call__(self):
        return self.s


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (("reading", 0, 4096 * MIB, 0, 12, 9.0), "reading 0 of 4,096 MiB, 0 of 12 files"),
        (("reading", 1024 * MIB, 4096 * MIB, 3, 12, 1.9), "reading 1,024 of 4,096 MiB, 3 of 12 files"),
        (
            ("replaying", 1024 * MIB, 4096 * MIB, 3, 12, 10.0),
            "replaying 1,024 of 4,096 MiB, 3 of 12 files, about 30 s left",
        ),
        (("judging", 13, 78, 0, 0, 0.1), "judging 13 of 78"),
    ],
)
def test_a_step_is_shown_with_its_amounts_and_its_end(step, text):
    """Bytes pass for files, or the end is estimated from nothing."""
    assert progress_text(*step) == text


def test_the_line_is_rewritten_now_and_then_and_removed_at_the_end(capsys):
    """Thousands of lines a second slow the work down, or the last one stays before an error."""
    clock = Clock()
    line = ProgressLine(clock)
    for done in range(5):
        line("reading", done, 10, 0, 1)
    assert capsys.readouterr().err == f"{CLEARED}reading 0 of 0 MiB, 0 of 1 files"
    clock.s += 1
    line("reading", 5, 10, 0, 1)
    line("reading", 10, 10, 1, 1)
    assert capsys.readouterr().err == f"{CLEARED}reading 0 of 0 MiB, 0 of 1 files{CLEARED}"
    line.clear()
    assert capsys.readouterr().err == ""


def test_an_estimate_begins_with_its_step(capsys):
    """A long reading makes the replay after it look slow."""
    clock = Clock()
    line = ProgressLine(clock)
    line("reading", 0, 10, 0, 1)
    clock.s += 1000
    line("replaying", 0, 10, 0, 1)
    clock.s += 10
    line("replaying", 5, 10, 0, 1)
    assert capsys.readouterr().err.endswith("about 10 s left")


def test_a_step_that_is_done_again_has_an_estimate_of_its_own(capsys):
    """Files that have to be read in one piece are read a second time."""
    clock = Clock()
    line = ProgressLine(clock)
    line("reading", 0, 100, 0, 1)
    clock.s += 50
    line("reading", 100, 100, 1, 1)
    line("reading", 0, 100, 0, 1)
    clock.s += 10
    capsys.readouterr()
    line("reading", 50, 100, 0, 1)
    assert capsys.readouterr().err.endswith("about 10 s left")


def test_an_interrupted_command_leaves_nothing_of_its_progress(monkeypatch, capsys):
    """The error is written behind the progress, on the same line."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)

    def work():
        with shown_progress("the logs are read") as progress:
            progress("reading", 1, 10, 0, 1)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert capsys.readouterr().err == f"{ERASED}reading 0 of 0 MiB, 0 of 1 files{ERASED}"


def test_without_a_terminal_there_is_one_line(monkeypatch, capsys):
    """A log of a scheduled job is full of control characters, or looks like a hang."""
    printed, prints = threading.Event(), waiting.print_waiting
    monkeypatch.setattr(waiting, "SILENT_S", 0.001)
    monkeypatch.setattr(waiting, "print_waiting", lambda what: (prints(what), printed.set()))
    with shown_progress("the logs are read") as progress:
        assert progress is None
        assert printed.wait(PATIENCE_S)
    assert capsys.readouterr().err == "# waiting: the logs are read\n"
