"""Completion: what a shell is offered, the scripts, and their installation."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from kraftpy.cli.completion import SHELLS, VARIABLE
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.root import ALIASES, COMMANDS, cli

CHECKOUT = Path(__file__).resolve().parents[3]
COUNT_MODULES = """
import sys
from kraftpy.cli.root import cli
try:
    cli(prog_name="kraftpy")
except SystemExit:
    pass
print("\\n".join(sys.modules), file=sys.stderr)
"""


def completed(*words: str) -> list[str]:
    """What bash is offered for the last word."""
    env = {VARIABLE: "bash_complete", "COMP_WORDS": " ".join(("kraftpy", *words)), "COMP_CWORD": str(len(words))}
    result = CliRunner().invoke(cli, [], prog_name="kraftpy", env=env, input="never read")
    return [line.partition(",")[2] for line in result.stdout.splitlines() if line]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("topi",), ["topics"]),
        (("quor",), ["quorum"]),
        (("quorum", "des"), ["describe"]),
        (("metadata-quorum", "describe", "--stat"), ["--status"]),
        (("configs", "describe", "--entity-type", "cl"), ["client-metrics", "clients"]),
        (("-o", "json"), ["json", "jsonl"]),
        # bash divides words at colons.
        (("topics", "list", "-C", "localhost", ":", "9193", "--exclude"), ["--exclude-internal"]),
        (("completion", "install", "z"), ["zsh"]),
        (("delegation-tokens", "renew", "--hmac", "-", "--renew"), ["--renew-time-period"]),
        (("topcs", "x"), []),
    ],
    ids=str,
)
def test_what_is_offered(words: tuple[str, ...], offered: list[str]) -> None:
    """Commands and aliases, options, and values of which there are a few."""
    assert completed(*words) == offered


def test_all_commands_are_offered_without_importing_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person waits for it."""
    assert completed("")[: len(COMMANDS)] == list(COMMANDS)
    assert completed("") == [*COMMANDS, *ALIASES]
    monkeypatch.setenv(VARIABLE, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "kraftpy ")
    monkeypatch.setenv("COMP_CWORD", "1")
    done = subprocess.run([sys.executable, "-c", COUNT_MODULES], capture_output=True, text=True, check=True)
    assert "plain,topics" in done.stdout
    assert "kraftpy.cli.topics" not in done.stderr.split()


def test_bash_takes_the_script(run, tmp_path: Path) -> None:
    """The real shell, which is asked what it completes with what."""
    script = tmp_path / "completion"
    script.write_text(run("completion", "bash").stdout)
    commands = f"source {script} && complete -p kraftpy"
    done = subprocess.run(["bash", "--norc", "-c", commands], capture_output=True, text=True, check=True)
    assert done.stdout == "complete -o nosort -F _kraftpy_completion kraftpy\n"


def found(shell: str) -> str:
    """The path of a shell."""
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"there is no {shell} on this machine")
    return path


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_parses_its_script(run, tmp_path: Path, shell: str) -> None:
    """The real shell, where there is one; it executes nothing."""
    script = tmp_path / "completion"
    script.write_text(run("completion", shell).stdout)
    done = subprocess.run([found(shell), "-n", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_zsh_takes_the_script(run, tmp_path: Path) -> None:
    """Also where nothing has set up completion yet."""
    script = tmp_path / "completion"
    script.write_text(run("completion", "zsh").stdout)
    commands = f"source {script} && print -r -- $_comps[kraftpy] $+functions[_kraftpy_completion]"
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [found("zsh"), "-f", "-c", commands],
        env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("_kraftpy_completion 1\n", "")


@pytest.mark.parametrize(("line", "offered"), [("kraftpy topi", ["topics"]), ("kraftpy completion install z", ["zsh"])])
def test_fish_completes(run, tmp_path: Path, line: str, offered: list[str]) -> None:
    """It calls the command for what may follow."""
    fish = found("fish")
    script = tmp_path / "completion"
    script.write_text(run("completion", "fish").stdout)
    program = tmp_path / "kraftpy"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m kraftpy "$@"\n')
    program.chmod(0o755)
    environment = {"HOME": str(tmp_path), "PATH": f"{tmp_path}:/usr/bin:/bin", "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(
        [fish, "--no-config", "-c", f'source {script}; complete -C "{line}"'],
        env=environment, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ([shown.partition("\t")[0] for shown in done.stdout.splitlines()], done.stderr) == (offered, "")


@pytest.mark.parametrize("shell", SHELLS)
def test_each_script_asks_this_command(run, shell: str) -> None:
    """Not one of another name."""
    text = run("completion", shell).stdout
    assert f"{VARIABLE}={shell}_complete" in text
    assert text.startswith("(( $+functions[compdef] ))") == (shell == "zsh")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home directory of a user without files."""
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR", "SHELL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("shell", "script", "startup"),
    [
        ("bash", ".local/share/kraftpy/completion.bash", ".bashrc"),
        ("zsh", ".local/share/kraftpy/completion.zsh", ".zshrc"),
        ("fish", ".config/fish/completions/kraftpy.fish", None),
    ],
)
def test_installation(run, home: Path, shell: str, script: str, startup: str | None) -> None:
    """The script is written again each time, the line in the startup file once."""
    if startup is not None:
        (home / startup).write_text("export A=1")
    for number in range(2):
        data = json.loads(run("completion", "install", shell, "-o", "json").stdout)
        path = home / script
        assert path.read_text() == run("completion", shell).stdout
        named = None if startup is None else str(home / startup)
        changed = startup is not None and number == 0
        assert data == {"shell": shell, "script": str(path), "startupFile": named, "startupFileChanged": changed}
    if startup is not None:
        line = f"[ -f '{path}' ] && . '{path}'  # completion of kraftpy"
        assert (home / startup).read_text() == f"export A=1\n{line}\n"


def test_bash_completes_after_the_installation(run, home: Path) -> None:
    """An interactive shell, as it starts with this home, in a directory whose name has a quote in it."""
    odd = home / "it's"
    odd.mkdir()
    env = {"HOME": str(odd), "SHELL": "/bin/bash", "PATH": "/usr/bin:/bin"}
    assert CliRunner().invoke(cli, ["completion", "install"], env=env).exit_code == ExitCode.OK
    commands = f"source {home}/it\\'s/.bashrc && complete -p kraftpy"
    done = subprocess.run(["bash", "--norc", "-c", commands], capture_output=True, text=True, check=True)
    assert "_kraftpy_completion" in done.stdout


@pytest.mark.parametrize(("shell", "stated"), [("", "SHELL is not set"), ("/bin/tcsh", "SHELL names 'tcsh'")])
def test_an_unknown_shell_is_named(run, home: Path, monkeypatch: pytest.MonkeyPatch, shell: str, stated: str) -> None:
    """With the way out; nothing is written."""
    monkeypatch.setenv("SHELL", shell)
    result = run("completion", "install")
    assert result.exit_code == ExitCode.USAGE
    assert f"{stated}; name the shell: kraftpy completion install bash|zsh|fish" in result.stderr
    assert list(home.iterdir()) == []


def test_a_home_that_cannot_be_written_is_named(run, home: Path) -> None:
    """By the file that is in the way."""
    (home / ".local").write_text("")
    result = run("completion", "install", "bash")
    assert result.exit_code == ExitCode.FAILURE
    assert str(home / ".local") in result.stderr
