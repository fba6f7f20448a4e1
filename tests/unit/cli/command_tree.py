"""All commands as the root command has them, and the command lines that their helps show."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import click

from kraftpy.cli.examples import HEADING
from kraftpy.cli.root import cli

NEVER_FOR_THE_PARSER = ("|", "<", ">")


def leaves(command: click.Command = cli, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Each command that is no group, and its path."""
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        child = command.get_command(context, name)
        assert child is not None
        yield from leaves(child, (*path, name))


LEAVES = {" ".join(path): leaf for path, leaf in leaves()}

ONLINE = [name for name, leaf in LEAVES.items() if any("--tls-ca" in param.opts for param in leaf.params)]
"""The commands that connect to a cluster: each protects its connections."""


def examples_of(leaf: click.Command) -> list[str]:
    """The lines below the heading."""
    _, _, below = (leaf.epilog or "").partition(HEADING + "\n")
    return [line.strip() for line in below.splitlines()]


def words_of(line: str) -> list[str]:
    """The words that the shell hands over: without redirections, and with something in place of a substitution."""
    if line.startswith("source <("):
        line = line[len("source <(") : -1]
    words = shlex.split(line.replace("$(kraftpy storage random-uuid)", "bFl2MibdR9iYsW8evj0qhw"))
    end = next((at for at, word in enumerate(words) if word in NEVER_FOR_THE_PARSER), len(words))
    return words[:end]
