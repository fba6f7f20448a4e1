"""``kraftpy completion``: completion of commands, options and values in bash, zsh and fish.

A shell asks the command itself for what may follow, so completion is that of the installed version. The scripts are
click's. ``install`` keeps one in the user's directory for data, and lets the shell read it at its start: fish does by
itself; bash and zsh by a line in their startup file, which is added once.

Source: click §Shell completion; the XDG base directory specification.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
from click.shell_completion import get_completion_class

from kraftpy.cli.errors import ArgumentError
from kraftpy.cli.examples import examples
from kraftpy.cli.options import output_option
from kraftpy.cli.output import Output, show
from kraftpy.cli.suggestions import CommandGroup, WordChoice

SHELLS: Final = ("bash", "zsh", "fish")
PROGRAM: Final = "kraftpy"
VARIABLE: Final = "_KRAFTPY_COMPLETE"
"""What click looks for in its environment."""

COMPINIT: Final = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }\n"
"""zsh has no completion before this."""


@dataclass(frozen=True, slots=True)
class Installation:
    """Where the completion of a shell is kept.

    Attributes:
        script: its file.
        startup_file: the file that names it; ``None`` where the shell finds the script by itself.
    """

    script: Path
    startup_file: Path | None

    @property
    def line(self) -> str:
        """The line of the startup file."""
        path = str(self.script).replace("'", "'\\''")
        return f"[ -f '{path}' ] && . '{path}'  # completion of {PROGRAM}"


def script_of(shell: str) -> str:
    """Return the script of a shell."""
    from kraftpy.cli.root import cli

    kind = get_completion_class(shell)
    assert kind is not None, shell
    completion = kind(cli, {}, PROGRAM, VARIABLE)
    # Not its source(), which runs bash to ask for its version.
    script = completion.source_template % completion.source_vars()
    return (COMPINIT + script if shell == "zsh" else script).strip() + "\n"


def installation(shell: str) -> Installation:
    """Return where the completion of a shell belongs for this user."""
    home = Path.home()
    if shell == "fish":
        config = _base("XDG_CONFIG_HOME", home / ".config")
        return Installation(config / "fish" / "completions" / f"{PROGRAM}.fish", None)
    data = _base("XDG_DATA_HOME", home / ".local" / "share")
    startup = home / ".bashrc" if shell == "bash" else Path(os.environ.get("ZDOTDIR") or home) / ".zshrc"
    return Installation(data / PROGRAM / f"completion.{shell}", startup)


def _base(variable: str, default: Path) -> Path:
    """Return a base directory; a relative path in its variable is to be ignored."""
    named = Path(os.environ.get(variable, ""))
    return named if named.is_absolute() else default


@click.group("completion", cls=CommandGroup)
def completion() -> None:
    """Complete commands, options and values in bash, zsh and fish."""


@examples("kraftpy completion bash", "source <(kraftpy completion bash)")
@completion.command("bash")
def bash() -> None:
    """Print the script for bash, version 4.4 or newer."""
    click.echo(script_of("bash"), nl=False)


@examples("kraftpy completion zsh", "source <(kraftpy completion zsh)")
@completion.command("zsh")
def zsh() -> None:
    """Print the script for zsh."""
    click.echo(script_of("zsh"), nl=False)


@examples("kraftpy completion fish", "kraftpy completion fish | source")
@completion.command("fish")
def fish() -> None:
    """Print the script for fish."""
    click.echo(script_of("fish"), nl=False)


@examples("kraftpy completion install", "kraftpy completion install zsh")
@completion.command("install")
@click.argument("shell", type=WordChoice(SHELLS), required=False)
@output_option
def install(shell: str | None, output: Output) -> None:
    """Install completion for this user; without a shell, for that of the environment variable SHELL.

    Writes the script to a file and, for bash and zsh, a line that reads it into the shell's startup file, once.
    """
    chosen = shell or _login_shell()
    place = installation(chosen)
    place.script.parent.mkdir(parents=True, exist_ok=True)
    place.script.write_text(script_of(chosen), encoding="utf-8")
    is_added = place.startup_file is not None and _add_line(place.startup_file, place.line)
    data = {
        "shell": chosen,
        "script": str(place.script),
        "startupFile": None if place.startup_file is None else str(place.startup_file),
        "startupFileChanged": is_added,
    }
    lines = [f"The completion for {chosen} is in {place.script}"]
    if place.startup_file is not None:
        lines.append(f"{place.startup_file} {'now reads' if is_added else 'reads'} it")
    show(output, data, [*lines, f"New shells complete {PROGRAM}; in this one: source {place.script}"])


def _login_shell() -> str:
    name = Path(os.environ.get("SHELL", "")).name
    if name not in SHELLS:
        which = f"SHELL names {name!r}" if name else "SHELL is not set"
        raise ArgumentError(f"{which}; name the shell: kraftpy completion install {'|'.join(SHELLS)}")
    return name


def _add_line(path: Path, line: str) -> bool:
    """Add a line to a file unless it is there; return whether it was added."""
    text = path.read_text(encoding="utf-8", errors="surrogateescape") if path.exists() else ""
    if line in text.splitlines():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(("" if not text or text.endswith("\n") else "\n") + line + "\n")
    return True
