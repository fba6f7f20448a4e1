"""The page of log events and the code have the same events, with the same levels."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from kraftpy.controller.broker_events import BrokerEventKind
from kraftpy.runtime.broker_event_log import BROKER_LINES_MAX, LINES_MAX
from kraftpy.transport import administrative_changes

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "logs.md"
LEVELS = ("debug", "info", "warning", "error", "critical")
NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
NAMED_ELSEWHERE = {
    ("kraftpy/node/startup.py", "log_start"): "each event is that of a Notice",
}
"""Functions that write lines whose events are named in other functions."""


def rows() -> list[list[str]]:
    """The cells of each row that is about an event."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("| `")]
    return [row for row in cells if len(row) == 4]


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Path and tree of every module that may log."""
    for path in sorted((ROOT / "kraftpy").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "LOG." in text or "_log." in text or "Notice(" in text:
            yield path.relative_to(ROOT).as_posix(), ast.parse(text)


def constants(module: ast.Module) -> dict[str, str]:
    """The texts that have a name in a module."""
    return {
        node.target.id: node.value.value
        for node in module.body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }


def calls(function: ast.AST, names: tuple[str, ...]) -> Iterator[tuple[ast.Call, str]]:
    """The calls of a logger with one of these names, and which method is called."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            logger = node.func.value
            if isinstance(logger, ast.Name) and logger.id in {"_log", "LOG"} and node.func.attr in names:
                yield node, node.func.attr


def event_of(node: ast.expr, named: dict[str, str]) -> str | None:
    """The event that an argument names: of a line of ``transport`` it is the first word, and facts follow."""
    text = node.value if isinstance(node, ast.Constant) else named.get(getattr(node, "id", ""))
    match = NAME.match(text) if isinstance(text, str) else None
    return None if match is None else match[0]


def words_in(function: ast.AST, named: dict[str, str]) -> set[str]:
    """What in a function can be an event: texts, and the named ones that it uses, of words joined by underscores."""
    texts = {node.value for node in ast.walk(function) if isinstance(node, ast.Constant)}
    texts |= {named.get(node.id) for node in ast.walk(function) if isinstance(node, ast.Name)}
    return {text for text in texts if isinstance(text, str) and "_" in text and NAME.fullmatch(text)}


def logged(path: str, module: ast.Module) -> Iterator[tuple[str, str]]:
    """Each event of a module, with its level."""
    named = constants(module)
    for function in ast.walk(module):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        found = [(call, event_of(call.args[0], named), level) for call, level in calls(function, LEVELS)]
        direct = {event for _, event, _ in found if event is not None}
        for call, event, level in found:
            events = words_in(function, named) - direct if event is None else {event}
            assert events, f"{path}:{call.lineno}: which event does this line have?"
            yield from ((each, level) for each in events)
        for call, _ in calls(function, ("log",)):
            assert (path, function.name) in NAMED_ELSEWHERE, f"{path}:{call.lineno}: which event does this line have?"
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Notice":
            level, event = (ast.literal_eval(each) for each in node.args[:2])
            yield event, level


def levels_in_code() -> dict[str, set[str]]:
    """The levels of each event of the code."""
    levels = defaultdict(set)
    for path, module in modules():
        for event, level in logged(path, module):
            levels[event].add(level)
    for kind in BrokerEventKind:
        levels[kind.value] |= {"info", "warning"} if kind is BrokerEventKind.FENCED else {"info"}
    return levels


def test_every_event_of_the_code_is_on_the_page_with_its_levels_and_no_other():
    """Each of them once, with a meaning, and what to do."""
    code = {event: ", ".join(sorted(levels, key=LEVELS.index)) for event, levels in levels_in_code().items()}
    page = {row[0].strip("`"): row[1] for row in rows()}
    assert page == code
    assert len(rows()) == len(page)
    assert all(meaning and remedy for _, _, meaning, remedy in rows())


def test_every_logger_is_looked_at():
    """A logger with another name would be missed, and its events with it."""
    made = re.compile(r"^( *)(\w+)(?:: Final)? = (?:structlog\.get_logger|logging\.getLogger)\(", re.MULTILINE)
    for path in sorted((ROOT / "kraftpy").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert len(made.findall(text)) == len(re.findall(r"get_?[lL]ogger\(", text)), path
        assert all(name in {"_log", "LOG"} and not indent for indent, name in made.findall(text)), path


def test_a_name_that_is_missing_is_noticed():
    """What is looked for is found where a line names its event itself, by a constant, in a loop, and in a text."""
    module = ast.parse(
        "FIRST: Final = 'first_event'\n"
        "def one():\n"
        "    _log.info(FIRST, why='x')\n"
        "    LOG.error('second_event peer=%s', 1)\n"
        "    for event in ('third_event', 'fourth_event'):\n"
        "        _log.warning(event)\n"
    )
    assert sorted(logged("m.py", module)) == [
        ("first_event", "info"),
        ("fourth_event", "warning"),
        ("second_event", "error"),
        ("third_event", "warning"),
    ]


def test_the_page_has_the_limits_of_the_code():
    text = PAGE.read_text(encoding="utf-8")
    changes = administrative_changes
    assert f"| {changes.LINES_MAX}, of one principal at one address {changes.CALLER_LINES_MAX}; " in text
    assert f"; {changes.REJECTED_LINES_MAX} more of requests of which nothing was accepted |" in text
    assert f"| {LINES_MAX:,}, of one broker {BROKER_LINES_MAX} |" in text
