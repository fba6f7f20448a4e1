"""``kraftpy metadata-shell``: walk through a state as through a file system, as Kafka's metadata shell does.

The state is that of a snapshot, of a directory up to the end of its log, or of a running cluster. It is read once, so
it does not change while it is looked at.

Source: KIP-631 §Metadata shell; Kafka ``MetadataShell``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import click

import kraftpy
from kraftpy.cli.errors import CommandError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import TIMEOUT_SECONDS, PathParam, optional_connection_options
from kraftpy.cli.shell_commands import ShellState, completions, run_line, run_words
from kraftpy.cli.shell_tree import LeafNode, fixed, image_tree
from kraftpy.cli.waiting import waiting_for
from kraftpy.image.image import MetadataImage
from kraftpy.image.loader import MetadataLoader
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records.file_names import parse_snapshot_file_name
from kraftpy.records.redaction import is_secret
from kraftpy.records.snapshot import read_snapshot

PROMPT: Final = ">> "
NO_TIME: Final = -1
"""The timestamp of a state from a running cluster: its image has none."""


@examples(
    "kraftpy metadata-shell -d /var/lib/kraftpy/controller-1",
    "kraftpy metadata-shell -s 00000000000000000012-0000000003.checkpoint ls /image/topics/byName",
    "kraftpy metadata-shell -C localhost:9193 find /image/cluster",
)
@click.command("metadata-shell", context_settings={"ignore_unknown_options": True})
@click.option("--snapshot", "-s", type=PathParam(path_type=Path), help="A snapshot file: NNN-NNN.checkpoint.")
@click.option("--directory", "-d", type=PathParam(path_type=Path), help="A log directory, or its __cluster_metadata-0.")
@click.option("--show-secrets", is_flag=True, help="Show passwords, SCRAM credentials and delegation tokens.")
@click.argument("command", nargs=-1)
@optional_connection_options(TIMEOUT_SECONDS)
def metadata_shell(
    bootstrap: tuple[str, ...] | None,
    timeout: float,
    *,
    snapshot: Path | None,
    directory: Path | None,
    show_secrets: bool,
    command: tuple[str, ...],
) -> int:
    """Walk through a state as through a file system.

    With a command it runs that one, otherwise a shell, where `help` lists the commands.
    """
    complaints: Sequence[str] = ()
    if snapshot is not None and directory is None:
        with waiting_for(f"{snapshot} is read"):
            image = _of_snapshot(snapshot)
    elif directory is not None and snapshot is None:
        with waiting_for(f"the log in {directory} is read and replayed"):
            image, complaints = _of_directory(directory)
    elif bootstrap is not None and snapshot is None:
        image = _of_cluster(bootstrap, timeout, show_secrets=show_secrets)
    else:
        raise click.UsageError("give one of --snapshot, --directory and --bootstrap-controller")
    for complaint in complaints:
        click.echo(f"warning: {complaint}", err=True)
    tree = image_tree(image, None if show_secrets else is_secret)
    local = fixed({"version": lambda: LeafNode(kraftpy.__version__)})
    state = ShellState(fixed({"image": lambda: tree, "local": lambda: local}))
    if command:
        for line in run_words(state, command):
            click.echo(line)
    else:
        converse(state, _reader(state), click.echo)
    return ExitCode.INCOMPLETE if complaints else ExitCode.OK


def converse(state: ShellState, read: Callable[[], str], write: Callable[[str], None]) -> None:
    """Run the lines that a person types, until the end."""
    while not state.is_over:
        try:
            line = read()
        except EOFError:
            return
        for answer in run_line(state, line):
            write(answer)


def _reader(state: ShellState) -> Callable[[], str]:
    """Return what reads a line; with completion and a history where a person types it."""
    if not sys.stdin.isatty():
        return input
    # Late, and not everywhere: the module changes how ``input`` reads.
    import readline

    found: list[str] = []

    def complete(word: str, number: int) -> str | None:
        if number == 0:
            found[:] = completions(state, readline.get_line_buffer()[: readline.get_endidx()], word)
        return found[number] if number < len(found) else None

    readline.set_completer_delims(" \t\n")
    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
    return lambda: input(PROMPT)


def _of_snapshot(path: Path) -> MetadataImage:
    """Load a snapshot file.

    Raises:
        CommandError: it is none.
        KraftError: it is corrupt.
    """
    snapshot_id = parse_snapshot_file_name(path.name)
    if snapshot_id is None:
        raise CommandError(f"{path}: the name of a snapshot is like 00000000000000000012-0000000003.checkpoint")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CommandError(f"{path}: cannot be read: {error.strerror or error}") from error
    contents = read_snapshot(data)
    loader = MetadataLoader()
    loader.load_snapshot(snapshot_id, contents.batches, contents.header.last_contained_log_timestamp)
    return loader.image


def _of_directory(path: Path) -> tuple[MetadataImage, Sequence[str]]:
    """Load what a directory holds as far as it is sound; return why it may not be all."""
    from kraftpy.cli.inspect_dir import inspect

    found = inspect(path)
    return found.state.image, [str(problem) for problem in (*found.corruption, *found.state.findings)]


def _of_cluster(bootstrap: Iterable[str], timeout: float, *, show_secrets: bool) -> MetadataImage:
    """Ask a node for its state."""
    from kraftpy.cli.connection import connect
    from kraftpy.records.batch import split_batches

    with connect(tuple(bootstrap), timeout) as cluster:
        found = cluster.get_image(include_secrets=show_secrets)
    loader = MetadataLoader()
    loader.load_snapshot(OffsetAndEpoch(found.end_offset, found.epoch), split_batches(found.records), NO_TIME)
    return loader.image
