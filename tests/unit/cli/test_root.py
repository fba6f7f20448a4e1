"""The command's frame: help without imports, exit codes, one line for every mistake."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
import yaml

import kraftpy
from kraftpy.cli.errors import CommandError, InterruptedCommandError, UnreachableError, report
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.root import ALIASES, COMMANDS
from kraftpy.cli.suggestions import ETCD_COMMANDS
from kraftpy.model.errors import ApiError, ConfigError, ErrorCode
from kraftpy.node.build_info import form_text
from tests.unit.cli.json_outputs import faults

REPOSITORY = Path(__file__).resolve().parents[3]
ONE_LINE_MAX = 700
"""All commands, and no words of any length."""

MODULES_MAX = 350
"""What Python, click and our frame need; grpc alone would add about as many again."""

COUNT_MODULES = """
import sys
from kraftpy.cli.root import cli
try:
    cli(["--help"], prog_name="kraftpy")
except SystemExit as ended:
    assert ended.code == 0, ended.code
print("\\n".join(sys.modules), file=sys.stderr)
"""


def test_help_imports_no_command_and_no_grpc() -> None:
    """``kraftpy --help`` stays instant: it imports the frame and click, and nothing of what the commands need."""
    done = subprocess.run([sys.executable, "-c", COUNT_MODULES], capture_output=True, text=True, check=True)
    modules = done.stderr.split()
    heavy = [name for name in modules if name.split(".")[0] in {"grpc", "google", "prometheus_client", "structlog"}]
    ours = {name for name in modules if name.startswith("kraftpy.")}
    assert heavy == []
    assert ours <= {
        "kraftpy.cli", "kraftpy.cli.root", "kraftpy.cli.errors", "kraftpy.cli.exit_codes", "kraftpy.cli.output",
        "kraftpy.cli.options", "kraftpy.cli.start", "kraftpy.cli.suggestions", "kraftpy.model", "kraftpy.model.errors",
        "kraftpy.model.escaping",
    }  # fmt: skip
    assert len(modules) < MODULES_MAX, f"{len(modules)} modules are imported for --help"
    assert all(name in done.stdout for name in COMMANDS)


def test_help_shows_every_exit_code(run) -> None:
    """A script's author finds the codes where they look first."""
    text = run("--help").stdout
    for code in ExitCode:
        assert re.search(rf"^\s+{code}\s+{re.escape(code.meaning)}$", text, re.MULTILINE)


def test_exit_codes_are_documented() -> None:
    """docs/cli.md has the same table."""
    text = (REPOSITORY / "docs" / "cli.md").read_text(encoding="utf-8")
    for code in ExitCode:
        assert f"| {code.value} | {code.meaning} |" in text


def test_every_command_is_documented() -> None:
    """docs/cli.md has a heading for every command."""
    text = (REPOSITORY / "docs" / "cli.md").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"`kraftpy {name}" in text, name


COMMIT = "0123456789abcdef0123456789abcdef01234567"
VERSION = f"""\
kraftpy, version {kraftpy.__version__}
commit: {kraftpy.__commit__}
compiled: {form_text()}
metadata.version: 3.3-IV3 to 5.0-IV2; 5.0-IV0 is the highest without unstable.feature.versions.enable
record tables: kafka (3.0-IV1 to 4.3-IV0), kafka-4.4 (4.4-IV0 to 4.5-IV0), kraftpy (5.0-IV0 to 5.0-IV2); \
kafka is that of Kafka 4.3
"""


def test_version_is_the_package_s(run) -> None:
    """``--version`` says which kraftpy this is, in which form, and which logs it reads and writes."""
    assert run("--version").stdout == VERSION


def test_version_names_the_commit_of_a_wheel(run, monkeypatch) -> None:
    monkeypatch.setattr("kraftpy.__commit__", "unknown")
    assert run("--version").stdout.splitlines()[1] == "commit: unknown"
    assert json.loads(run("--version", "-o", "json").stdout)["commit"] is None
    monkeypatch.setattr("kraftpy.__commit__", COMMIT)
    assert run("--version").stdout.splitlines()[1] == f"commit: {COMMIT}"
    shown = json.loads(run("--version", "-o", "json").stdout)
    assert (shown["commit"], faults("--version", shown)) == (COMMIT, [])


@pytest.mark.parametrize(
    "words",
    [("-o", "json", "--version"), ("--version", "-o", "json"), ("--version", "-oyaml"), ("-ojsonl", "--version")],
)
def test_version_for_scripts(run, words) -> None:
    """In each format, wherever the option is; an unknown format is a usage error."""
    shown = yaml.safe_load(run(*words).stdout)
    assert faults("--version", shown) == []
    assert (shown["kraftpyVersion"], shown["maxMetadataVersion"]) == (kraftpy.__version__, "5.0-IV2")
    assert shown["schemaSets"][1] == {
        "schemaSet": "kafka-4.4", "minMetadataVersion": "4.4-IV0", "maxMetadataVersion": "4.5-IV0",
    }  # fmt: skip
    assert run("--version", "-o", "xml").exit_code == ExitCode.USAGE


@pytest.mark.parametrize("name", [name for name, lazy in COMMANDS.items() if lazy.section != "Run a node"])
def test_every_command_has_a_help(run, name: str) -> None:
    """Each command loads, and ``--help`` of it ends well; groups list their commands with a text."""
    result = run(name, "--help")
    assert result.exit_code == ExitCode.OK
    assert result.stdout.startswith(f"Usage: kraftpy {name}")


def test_alias_is_the_same_command(run) -> None:
    """``quorum`` is short for ``metadata-quorum``."""
    assert ALIASES == {"quorum": "metadata-quorum"}
    assert run("quorum", "--help").exit_code == ExitCode.OK


@pytest.mark.parametrize(
    ("args", "stated"),
    [
        (["bogus"], "No such command 'bogus'. There are: quickstart"),
        (["--bogus"], "No such option '--bogus'"),
        (["storage", "bogus"], "No such command 'bogus'. There are: feature-dependencies, format, info"),
        (["storage", "format"], "Missing option '-c' / '--config'"),
        (["storage", "info"], "Missing option '-c' / '--config'"),
        (["storage", "random-uuid", "-o", "xml"], "'xml' is not one of 'table', 'json', 'jsonl'"),
        (["storage", "feature-dependencies"], "Missing option '-f' / '--feature'"),
        (["dump-log"], "Missing required argument: name at least one file."),
        (["dump-log", "--max-bytes", "0", "x.log"], "'0' is not a whole number from 1 to 9223372036854775807"),
        (["inspect"], "Missing argument 'DIRECTORY'"),
    ],
)
def test_usage_error_is_one_line_and_code_2(run, args: list[str], stated: str) -> None:
    """A wrong command line says what is wrong in one line, and nothing is done."""
    result = run(*args)
    assert result.exit_code == ExitCode.USAGE
    assert result.stderr.startswith("error: ")
    assert stated in result.stderr
    assert result.stderr.count("\n") == 1
    assert "--help" in result.stderr


@pytest.mark.parametrize(
    ("args", "stated"),
    [
        (["watc"], "No such command 'watc'. Did you mean 'watch'? There are: quickstart, server"),
        (["qourum"], "No such command 'qourum'. Did you mean 'quorum'"),
        (["shell"], "Did you mean 'metadata-shell'?"),
        (["kafka-topics.sh"], "Did you mean 'topics'?"),
        (["dump_log"], "Did you mean 'dump-log'?"),
        (["quorum", "descirbe"], "Did you mean 'describe'? There are: add-controller, describe, ok-to-stop"),
        (["topics", "lst"], "Did you mean 'list'? There are: alter, create"),
        (["topics", "list", "--exclude-internl"], "Did you mean '--exclude-internal'"),
        (["configs", "describe", "--entity-type", "topcs"], "'ips'. Did you mean 'topics'?"),
        (["acls", "add", "--operation", "wriet"], "Did you mean 'Write'?"),
        (["topics", "list", "--consistency", "linearisable"], "Did you mean 'linearizable'?"),
        (["topics", "list", "-o", "jsonline"], "Did you mean 'jsonl' or 'json'?"),
        (["history", "topics", "t", "."], "Did you mean 'topic'?"),
        (["member", "list"], "'member'. Did you mean 'quorum describe --replication'? There are: quickstart"),
        (["endpoint", "health"], "Did you mean 'doctor'?"),
        (["endpoint", "hashkv"], "Did you mean 'audit'?"),
        (["snapshot", "save", "x.db"], "Did you mean 'backup'?"),
        (["snapshot"], "Did you mean 'backup' or 'restore' or 'restore --dry-run'?"),
        (["move-leader", "8e9e05c52164694d"], "Did you mean 'quorum transfer-leader'?"),
        (["alarm", "list"], "Did you mean 'doctor'?"),
        (["topics", "member"], "No such command 'member'. There are: alter"),
    ],
    ids=" ".join,
)
def test_a_misspelt_word_is_answered_with_the_nearest(run, args: list[str], stated: str) -> None:
    """Commands of every level, options, and values of which there are a few."""
    result = run(*args)
    assert (result.exit_code, stated in result.stderr) == (ExitCode.USAGE, True), result.stderr


@pytest.mark.parametrize("meant", sorted({text for words in ETCD_COMMANDS.values() for text in words.values()}))
def test_what_a_command_of_etcd_is_answered_with_exists(run, meant: str) -> None:
    words, options = [], []
    for word in meant.split():
        (options if word.startswith("-") else words).append(word)
    result = run(*words, "--help")
    assert (result.exit_code, [one for one in options if one not in result.stdout]) == (ExitCode.OK, [])


def test_a_word_like_none_is_answered_with_all(run) -> None:
    """Nothing is suggested that is not like it, and a long word costs nothing."""
    for word in ("zzzz", "z" * 100_000):
        result = run(word)
        assert "Did you mean" not in result.stderr
        assert f"There are: {', '.join(COMMANDS)}." in result.stderr
        assert len(result.stderr) < ONE_LINE_MAX


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (CommandError("no"), ExitCode.FAILURE, "error: no\n"),
        (CommandError("two\n lines"), ExitCode.FAILURE, "error: two lines\n"),
        (UnreachableError("no controller"), ExitCode.UNREACHABLE, "error: no controller\n"),
        (ConfigError("f:1: x=1: bad"), ExitCode.FAILURE, "error: f:1: x=1: bad\n"),
        (ApiError(ErrorCode.INVALID_CONFIG, "bad"), ExitCode.FAILURE, "error: bad (INVALID_CONFIG)\n"),
        (FileNotFoundError(2, "No such file", "/x"), ExitCode.FAILURE, "error: /x: No such file\n"),
        (click.ClickException("hm"), ExitCode.FAILURE, "error: hm\n"),
        (KeyboardInterrupt(), ExitCode.INTERRUPTED, "error: interrupted (SIGINT)\n"),
        (InterruptedCommandError(), ExitCode.INTERRUPTED, "error: interrupted (SIGINT)\n"),
    ],
)
def test_errors_of_the_user_s_world_become_one_line(capsys, error, code, line) -> None:
    """Each kind of failure has its exit code and its sentence."""
    assert report(error) is code
    assert capsys.readouterr().err == line


def test_an_interrupted_command_prints_one_line(run, monkeypatch, capsys) -> None:
    """Without the blank line that click prints; on a terminal, the line of ^C is ended first."""

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kraftpy.cli.storage.uuid_from_random", interrupt)
    result = run("storage", "random-uuid")
    assert (result.exit_code, result.stdout, result.stderr) == (
        ExitCode.INTERRUPTED, "", "error: interrupted (SIGINT)\n",
    )  # fmt: skip
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert report(KeyboardInterrupt()) is ExitCode.INTERRUPTED
    assert capsys.readouterr().err == "\nerror: interrupted (SIGINT)\n"


INTERRUPTED_IN_A_TEXT = """
import os, signal, sys
import kraftpy.cli.storage
from kraftpy.cli.root import cli
from kraftpy.cli.termination import ended_by_sigterm

def interrupt(_):
    if sys.argv[1] == "SIGINT":
        exec("raise KeyboardInterrupt")
    with ended_by_sigterm():
        exec("os.kill(os.getpid(), signal.SIGTERM)")

kraftpy.cli.storage.uuid_from_random = interrupt
cli(["storage", "random-uuid"], prog_name="kraftpy")
"""


@pytest.mark.parametrize(
    ("name", "code", "line"),
    [
        ("SIGINT", ExitCode.INTERRUPTED, "error: interrupted (SIGINT)\n"),
        ("SIGTERM", ExitCode.TERMINATED, "error: terminated (SIGTERM)\n"),
    ],
)
def test_an_interrupt_within_a_text_that_is_executed_has_the_code_of_others(tmp_path, name, code, line) -> None:
    """As when Ctrl-C comes while a dataclass is made: ``python -m`` would end by the signal itself."""
    (tmp_path / "interrupted.py").write_text(INTERRUPTED_IN_A_TEXT)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(REPOSITORY)])}
    command = [sys.executable, "-m", "interrupted", name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, line)


def test_an_interrupt_of_which_an_import_makes_its_own_error_is_one(capsys) -> None:
    """As when Ctrl-C comes while a descriptor learns its name."""
    error = RuntimeError("Error calling __set_name__ on 'Field' instance")
    error.__cause__ = KeyboardInterrupt()
    assert report(error) is ExitCode.INTERRUPTED
    assert capsys.readouterr().err == "error: interrupted (SIGINT)\n"


def test_an_interrupted_command_has_its_code_also_without_a_reader_of_its_errors(monkeypatch) -> None:
    """``kraftpy watch 2>&1 | tee log``: Ctrl-C ends tee, too, and the command ended with 1."""

    class Left(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    for stream in (Left(), None):
        monkeypatch.setattr("sys.stderr", stream)
        assert report(KeyboardInterrupt()) is ExitCode.INTERRUPTED


@pytest.mark.parametrize("error", [ValueError("bug"), AssertionError(), ZeroDivisionError()])
def test_our_own_bugs_keep_their_traceback(error: Exception) -> None:
    """What is not the user's doing is not dressed up as such."""
    assert report(error) is None


def test_a_closed_pipe_is_distinguished_from_success_and_failure() -> None:
    """``kraftpy ... | head`` ends quietly, and hides no finding as a success."""
    uuids = f"{sys.executable} -m kraftpy storage random-uuid -o json"
    script = f"set -o pipefail; {uuids} | true"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, cwd=REPOSITORY)
    assert (done.returncode, done.stderr) == (ExitCode.READER_LEFT, "")


def test_output_may_come_before_or_after_the_command(run) -> None:
    """``-o json`` holds for the whole line; a command's own wins."""
    assert run("-o", "json", "storage", "random-uuid").stdout.startswith("{\n")
    assert run("-o", "json", "storage", "random-uuid", "-o", "jsonl").stdout.startswith('{"uuid"')
    assert run("storage", "random-uuid").stdout[0] not in "{-"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full is Linux's")
def test_output_that_cannot_be_written_is_reported() -> None:
    """Not by the number of an error: what could not be done, and why."""
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "kraftpy", "storage", "random-uuid"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=REPOSITORY)
    assert done.returncode == ExitCode.FAILURE
    assert done.stderr == "error: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize(
    "args",
    [
        ["inspect", ""], ["dump-log", ""], ["storage", "info", "-c", ""], ["storage", "format", "-c", ""],
        ["server", "-c", ""], ["broker", "-c", ""], ["controller", "-c", ""], ["quickstart", "--dir", ""],
        ["backup", "--dir", "", "--out", "x"], ["backup", "--dir", "x", "--out", ""], ["restore", "", "--dir", "x"],
        ["restore", __file__, "--dir", ""], ["cluster", "stop", "--dir", ""], ["cluster", "start", "--dir", ""],
        ["cluster", "start", "-C", "h:1", "--record", ""], ["recover", "apply", "", "--digest", "x"],
        ["cluster", "describe", "-C", "h:1", "--tls-ca", ""], ["observe", "-C", "h:1", "--dir", ""],
        ["observe", "-C", "h:1", "--tls-cert", ""], ["quorum", "add-controller", "-C", "h:1", "--config", ""],
    ],
    ids=" ".join,
)  # fmt: skip
def test_an_empty_name_is_no_file_and_no_directory(run, args: list[str]) -> None:
    """An unset variable of a script must not read as the working directory."""
    result = run(*args)
    assert (result.exit_code, "the name is empty" in result.stderr) == (ExitCode.USAGE, True), result.stderr
