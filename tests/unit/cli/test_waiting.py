"""What a command waits for is on stderr once it takes longer, whatever it is busy with, and delays nothing."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from kraftpy.cli import cluster_stop, waiting
from kraftpy.cli.errors import CommandError
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.waiting import WaitingLine, answered, waiting_for
from kraftpy.model.errors import LocalError

PATIENCE_S = 10.0


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "SILENT_S", 0.001)


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch, soon: None) -> threading.Event:
    """It is set once something was printed."""
    event, prints = threading.Event(), waiting.print_waiting

    def observed(reason: str) -> None:
        prints(reason)
        event.set()

    monkeypatch.setattr(waiting, "print_waiting", observed)
    return event


def test_a_command_that_polls_prints_what_is_new(monkeypatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing before the time is over, the same reason once, and another one a while later."""
    monkeypatch.setattr(waiting, "SILENT_S", 2.0)
    now = [0.0]
    line = WaitingLine(lambda: now[0])
    for at, reason in ((1, "a"), (2, "a"), (3, "a"), (3.5, "b"), (4, "b"), (9, None), (9, "c\nd")):
        now[0] = at
        line.waits_for(reason)
    assert capsys.readouterr().err == "# waiting: a\n# waiting: b\n# waiting: c\\nd\n"


async def test_one_request_prints_each_new_reason_until_it_is_answered(
    soon, capsys: pytest.CaptureFixture[str]
) -> None:
    """A reason that cannot be had is a reason, whatever went wrong with it, and the request goes on."""
    reasons = iter(["slow", "slow", None, "slower", ValueError("a defect")])
    done = asyncio.Event()

    async def reason() -> str:
        found = next(reasons, "end")
        if found == "end":
            done.set()
        if found is None:
            raise LocalError("no leader was found")
        if isinstance(found, ValueError):
            raise found
        return found

    async def work() -> int:
        await done.wait()
        return 5

    assert await asyncio.wait_for(answered(work(), reason), PATIENCE_S) == 5
    lines = capsys.readouterr().err.splitlines()
    assert lines[:4] == [f"# waiting: {each}" for each in ("slow", "no leader was found", "slower", "a defect")]


async def test_an_answer_waits_for_no_reason(soon) -> None:
    """The reason is asked of a cluster that may not answer."""
    asked = asyncio.Event()

    async def reason() -> str:
        asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def refused() -> None:
        await asked.wait()
        raise LocalError("refused")

    answer = asyncio.ensure_future(answered(refused(), reason))
    done, _ = await asyncio.wait({answer}, timeout=PATIENCE_S)
    assert isinstance(answer.exception() if done else None, LocalError)
    assert len(asyncio.all_tasks()) == 1, "nobody asks any longer"


async def test_a_quick_request_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    async def at_once() -> int:
        return 1

    async def reason() -> str:
        raise AssertionError

    assert await answered(at_once(), reason) == 1
    assert capsys.readouterr().err == ""


def test_work_that_keeps_the_thread_busy_is_named_once(printed, capsys: pytest.CaptureFixture[str]) -> None:
    with waiting_for("the log"):
        assert printed.wait(PATIENCE_S)
    assert capsys.readouterr().err == "# waiting: the log\n"


def test_quick_work_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """And leaves no thread."""
    with pytest.raises(LocalError), waiting_for("the log"):
        raise LocalError("refused")
    assert capsys.readouterr().err == ""
    assert not [one for one in threading.enumerate() if isinstance(one, threading.Timer)]


def held(function: Callable[..., object], printed: threading.Event) -> Callable[..., object]:
    """Do it only after a line was printed."""

    def call(*args: object, **named: object) -> object:
        assert printed.wait(PATIENCE_S)
        return function(*args, **named)

    return call


def test_a_backup_and_a_restore_name_what_they_do(
    run, printed, tmp_path: Path, kafka_directory: Path, monkeypatch
) -> None:
    from kraftpy.cli import backup as module

    monkeypatch.setattr(module, "backup", held(module.backup, printed))
    made = run("backup", "--dir", kafka_directory, "--out", tmp_path / "one.tar")
    assert (made.exit_code, made.stderr.splitlines()) == (
        ExitCode.OK, [f"# waiting: the log in {kafka_directory} is read, checked and written to {tmp_path}/one.tar"],
    )  # fmt: skip
    assert "# waiting" not in made.stdout
    printed.clear()
    monkeypatch.setattr(module, "read_backup", held(module.read_backup, printed))
    restored = run("restore", tmp_path / "one.tar", "--dir", tmp_path / "new", "--address", "there:9093")
    assert restored.exit_code == ExitCode.OK
    assert restored.stderr.splitlines()[0] == f"# waiting: {tmp_path}/one.tar is read and checked"


def test_a_compaction_without_a_terminal_names_what_it_does(
    run, printed, tmp_path: Path, log_directory: Path, monkeypatch
) -> None:
    from kraftpy.audit.compaction import run as module

    monkeypatch.setattr(module, "compact", held(module.compact, printed))
    done = run("compact", log_directory, "--out", tmp_path / "out")
    assert (done.exit_code, done.stderr) == (
        ExitCode.OK, f"# waiting: the logs are read and replayed, and a snapshot is written to {tmp_path}/out\n"
    )  # fmt: skip


HELD = {
    "inspect {log}": ("kraftpy.cli.inspect_dir.inspect", "the log in {log} is read and replayed"),
    "metadata-shell -d {log} ls": ("kraftpy.cli.inspect_dir.inspect", "the log in {log} is read and replayed"),
    "metadata-shell -s {snapshot} ls": ("kraftpy.cli.metadata_shell.read_snapshot", "{snapshot} is read"),
    "dump-log {snapshot} -o json": ("kraftpy.cli.dump_log.dump_file", "the files are read"),
    "history topic t {log}": ("kraftpy.audit.history.discover", "the logs are read for what touched topic t"),
    "audit {log}": (
        "kraftpy.audit.engines.choice.choose_engine", "the logs are read and replayed, and the rules are checked",
    ),
    "diff {log} {log}@3": ("kraftpy.audit.diff.read_states", "the logs of {log} are read and replayed"),
    "storage probe --syncs 3 --seconds 7 {log}": (
        "kraftpy.storage.disk_probe.measure_syncs", "up to 3 fsyncs in {log}, for up to 7 s",
    ),
    "repair show --dirs {log}": (
        "kraftpy.cli.repair.find_unreplayable", "the logs in {log} are read and replayed",
    ),
    "repair skip --digest x --dirs {log}": (
        "kraftpy.cli.repair.find_unreplayable", "the logs in {log} are read and replayed, and the record is replaced",
    ),
}  # fmt: skip
"""What each command does that reads a whole log, or takes its time: in which function, and as which line."""


@pytest.mark.parametrize("words", HELD)
def test_work_on_files_is_named(
    run, printed, words: str, kafka_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, on stderr, while it goes on."""
    snapshot = max((kafka_directory / "__cluster_metadata-0").glob("*.checkpoint"))
    places = {"log": kafka_directory, "snapshot": snapshot}
    target, line = HELD[words]

    def work(*_: object, **__: object) -> None:
        assert printed.wait(PATIENCE_S)
        raise CommandError("enough")

    monkeypatch.setattr(target, work)
    result = run(*(word.format(**places) for word in words.split()))
    assert result.stderr == f"# waiting: {line.format(**places)}\nerror: enough\n"
    assert "# waiting" not in result.stdout


def test_a_recovery_names_what_it_does(run, printed, tmp_path: Path, kafka_directory: Path, monkeypatch) -> None:
    """The plan, what it says, and the way back."""
    from kraftpy.cli import recover as module

    for name in ("make_plan", "apply_plan", "undo_directory"):
        monkeypatch.setattr(module, name, held(getattr(module, name), printed))
    file = tmp_path / "plan.json"
    planned = run("recover", "plan", "--dirs", kafka_directory, "--out", file, "-o", "json")
    assert planned.stderr == f"# waiting: the logs in {kafka_directory} are read\n"
    printed.clear()
    applied = run("recover", "apply", file, "--digest", json.loads(planned.stdout)["digest"])
    assert applied.stderr == f"# waiting: the logs are read again, and {kafka_directory} changed\n"
    printed.clear()
    undone = run("recover", "undo", "--dirs", kafka_directory)
    assert undone.stderr == f"# waiting: the files in {kafka_directory} are put back\n"


def test_nodes_that_do_not_stop_are_named(monkeypatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """While a slow disk holds them up; those that have stopped are not."""
    now, holders = [0.0], {"a": 1, "b": 1}
    monkeypatch.setattr(waiting, "SILENT_S", 2.0)
    monkeypatch.setattr(cluster_stop, "holder_of", lambda path: holders.get(Path(path).name))
    monkeypatch.setattr(cluster_stop.os, "kill", lambda *_: None)
    monkeypatch.setattr(cluster_stop, "_now", lambda: now[0])

    def pause() -> None:
        now[0] += 1.0
        if now[0] == 5.0:
            del holders["a"]
        if now[0] == 9.0:
            del holders["b"]

    monkeypatch.setattr(cluster_stop, "_pause", pause)
    cluster_stop._stop_kind({"broker-4": tmp_path / "a", "broker-5": tmp_path / "b"}, 60.0)
    assert capsys.readouterr().err == "# waiting: broker-4, broker-5 to stop\n# waiting: broker-5 to stop\n"
