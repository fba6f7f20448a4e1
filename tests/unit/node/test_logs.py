"""Lines of the standard library's logging: in the form of all others, and not more of them than anybody can read."""

from __future__ import annotations

import json
import logging
import subprocess
import sys

import pytest

from kraftpy.model.escaping import escaped, shortened
from kraftpy.model.log_rate_limiter import REPEAT_MS
from kraftpy.node.logs import LIMITED_ELSEWHERE, LINES_MAX, LineRateLimiter, uses_colors
from kraftpy.transport.administrative_changes import LOG

SCRIPT = """
import logging, structlog
from kraftpy.node.logs import configure_logging, name_quorum
configure_logging(level="info", form={form!r}, node_id=7)
quorum = [None, 4]
name_quorum(lambda: tuple(quorum))
structlog.get_logger("here").info("before")
quorum[:] = "abc", 5
structlog.get_logger("here").warning("ours", fact=1, name="x\\ny\\x1b[2J")
logging.getLogger("kraftpy.transport.kafka").warning("connection_closed peer=%s reason=%s", "127.0.0.1:5", "noise\\n{{")
logging.getLogger("library").debug("nobody asked")
logging.getLogger("changes").warning("change", extra={{"facts": {{"about": ["x"], "request": "a\\nb"}}, "other": 1}})
try:
    raise ValueError("broken")
except ValueError:
    logging.getLogger("library").exception("it failed")
"""


def lines_of(form: str) -> list[str]:
    script = SCRIPT.format(form=form)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == ""
    return done.stderr.splitlines()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ä", "plain ä"),
        ("a\nb\r", r"a\nb\r"),
        ("\x1b[2J", r"\x1b[2J"),
        ("\u2028\x00", r"\u2028\x00"),
        ("\ud800", r"\ud800"),
    ],
)
def test_no_text_looks_like_another_line(text, shown) -> None:
    assert escaped(text) == shown


def test_a_text_is_shortened_with_its_escapes() -> None:
    """An escape takes several characters, and counts as them."""
    assert shortened("x" * 9, 9) == "x" * 9
    assert shortened("x" * 10, 9) == "xxxxxx..."
    assert shortened("\n" * 9, 9) == r"\n\n\n..."


def test_every_line_is_json_when_that_is_asked_for() -> None:
    """A library's lines, too, with its name, its level, the node, and a traceback inside the line."""
    before, ours, wire, change, failed = (json.loads(line) for line in lines_of("json"))
    assert (before["node"], before["epoch"], "cluster_id" in before) == (7, 4, False)
    assert (ours["event"], ours["name"]) == ("ours", "x\ny\x1b[2J")
    assert (wire["level"], wire["logger"]) == ("warning", "kraftpy.transport.kafka")
    for line in (ours, wire, change, failed):
        assert (line["node"], line["cluster_id"], line["epoch"]) == (7, "abc", 5)
    assert wire["event"] == "connection_closed peer=127.0.0.1:5 reason=noise\n{"
    assert wire.keys() - {"logger"} == ours.keys() - {"fact", "name"}
    assert "ValueError: broken" in failed["exception"]
    assert (change["event"], change["request"], change["about"]) == ("change", "a\nb", ["x"])
    assert change.keys() - {"request", "about"} == wire.keys()


def test_text_output_has_one_form() -> None:
    """Time in the same place, then the level, then what happened."""
    _, ours, wire, change, failed, *traceback = lines_of("console")
    assert ours[10] == wire[10] == "T"
    assert ours.split()[1:3] == wire.split()[1:3] == ["[warning", "]"]
    assert ours.endswith(r"ours node=7 cluster_id=abc epoch=5 fact=1 name=x\ny\x1b[2J")
    assert r"reason=noise\n{" in wire
    assert r"about=['x'] request=a\nb" in change
    assert "it failed" in failed
    assert "ValueError: broken" in "\n".join(traceback)


def test_lines_of_administrative_changes_have_a_limit_of_their_own(rationed) -> None:
    """That of one place in the code is not theirs."""
    assert LOG.name in LIMITED_ELSEWHERE
    record = logging.LogRecord(LOG.name, logging.INFO, "changes.py", 1, "administrative_change_requested", (), None)
    assert all(rationed.filter(record) for _ in range(LINES_MAX + 1))


@pytest.fixture
def rationed() -> LineRateLimiter:
    return LineRateLimiter()


def stated(rationed: LineRateLimiter, at_s: float, *, line: int = 1, text: str = "refused %s") -> str | None:
    """What is written of one line, if anything."""
    record = logging.LogRecord("wire", logging.WARNING, "wire.py", line, text, ("peer",), None)
    record.created = at_s
    return record.getMessage() if rationed.filter(record) else None


def test_a_place_that_logs_more_than_its_limit_is_silent_for_a_time(rationed) -> None:
    """Another place is heard meanwhile, and the next line says how many were left out."""
    written = [stated(rationed, 100.0, text=f"refused {number} %s") for number in range(LINES_MAX + 5)]
    assert [each is None for each in written] == [False] * LINES_MAX + [True] * 5
    assert stated(rationed, 100.0, line=2) == "refused peer"
    assert stated(rationed, 100.0 + REPEAT_MS / 1_000 - 0.1) is None
    assert stated(rationed, 100.0 + REPEAT_MS / 1_000) == "refused peer (and 6 more such lines were left out)"
    assert stated(rationed, 100.0 + REPEAT_MS / 1_000) == "refused peer"


def test_a_clock_that_goes_back_silences_no_node(rationed) -> None:
    """A ration that begins in the future is over."""
    for _ in range(LINES_MAX + 1):
        stated(rationed, 100.0)
    assert stated(rationed, 50.0) == "refused peer (and 1 more such lines were left out)"


def test_a_line_that_cannot_be_formatted_is_the_handler_s_to_complain_of(rationed) -> None:
    """It must not throw at the library that logs it, which expects that of no logger."""
    for _ in range(LINES_MAX + 1):
        stated(rationed, 100.0)
    record = logging.LogRecord("wire", logging.WARNING, "wire.py", 1, "%s of %d", ("all",), None)
    record.created = 100.0 + REPEAT_MS / 1_000
    assert rationed.filter(record)
    with pytest.raises(TypeError):
        record.getMessage()


@pytest.mark.parametrize(
    ("is_terminal", "no_color", "expected"),
    [(True, None, True), (True, "", True), (True, "1", False), (False, None, False)],
)
def test_colors_are_for_terminals_whose_user_wants_them(
    monkeypatch: pytest.MonkeyPatch, is_terminal: bool, no_color: str | None, expected: bool
) -> None:
    """An empty NO_COLOR is none, by its convention."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: is_terminal)
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color is not None:
        monkeypatch.setenv("NO_COLOR", no_color)
    assert uses_colors() is expected
