"""Every command shows examples in its help, and every example is a command line that is accepted."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from kraftpy.cli import connection
from kraftpy.cli.errors import CommandError
from kraftpy.cli.examples import HEADING
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import PathParam
from kraftpy.cli.root import ALIASES, cli
from tests.unit.cli.command_tree import LEAVES, examples_of, words_of

CHARACTERS_MAX = 118


ALL = [(name, line) for name, leaf in LEAVES.items() for line in examples_of(leaf)]


@pytest.mark.parametrize("name", LEAVES)
def test_every_command_shows_examples(run, name: str) -> None:
    """The lines are whole in the help, as they are to be copied."""
    shown = run(*name.split(), "--help").stdout.splitlines()
    assert HEADING in {line.strip() for line in shown}
    for line in examples_of(LEAVES[name]):
        assert line in {each.strip() for each in shown}
        assert len(line) <= CHARACTERS_MAX


@pytest.mark.parametrize(("name", "line"), ALL, ids=[line for _, line in ALL])
def test_every_example_is_of_its_command_and_is_accepted(
    name: str, line: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The parser takes it; the files that it names are not there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(PathParam, "convert", lambda _self, value, _param, _context: value)
    program, *words = words_of(line)
    depth = len(name.split())
    path = [ALIASES.get(words[0], words[0]), *words[1:depth]]
    assert (program, " ".join(path)) == ("kraftpy", name)
    parent = click.Context(cli, info_name="kraftpy")
    with CliRunner().isolation(input="aG1hYw==\n"):
        context = LEAVES[name].make_context(name, words[depth:], parent=parent)
    assert context.command is LEAVES[name]


ONLINE = [line for name, line in ALL if any(param.name == "bootstrap" for param in LEAVES[name].params)]


class ConnectedError(CommandError):
    """The command has found nothing wrong with its options."""


@pytest.mark.parametrize("line", ONLINE)
def test_options_of_an_example_do_not_contradict_each_other(
    line: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A command checks more than its parser: it gets as far as the connection, or to a file that is not there."""

    def refuse(*_: object, **__: object) -> None:
        raise ConnectedError("connected")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(connection, "connect", refuse)
    result = CliRunner().invoke(cli, words_of(line)[1:], prog_name="kraftpy", input="aG1hYw==\n")
    assert result.exit_code == ExitCode.FAILURE, result.output
    assert any(each in result.stderr for each in ("connected", "No such file", "there is no such")), result.stderr
