"""``kraftpy dump-log``: what stands in segments and snapshots, in the layout of ``kafka-dump-log``.

Metadata records are always decoded, because no other log is kept here: Kafka's flags that ask for it are accepted and
change nothing. Index files are not dumped, since a node rebuilds them from the log whenever it starts.

Source: Kafka ``DumpLogSegments``; tools §5.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from kraftpy.cli.dump_text import RecordPrinter, batch_json, batch_line
from kraftpy.cli.dump_walk import Ending, FoundBatch, walk
from kraftpy.cli.errors import CommandError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import COUNT, PathParam, output_option, secrets_option
from kraftpy.cli.output import Output, json_line, show
from kraftpy.cli.waiting import waiting_for
from kraftpy.model.errors import MalformedError
from kraftpy.records.batch import Batch
from kraftpy.records.checkpoints import foreign_topic
from kraftpy.records.control import SnapshotFooterRecord
from kraftpy.records.file_names import parse_snapshot_file_name
from kraftpy.records.redaction import REDACTED
from kraftpy.storage.names import (
    BOOTSTRAP_CHECKPOINT,
    METADATA_DIRECTORY,
    PARTITION_METADATA,
    segment_base_offset,
)

LINES_PER_WRITE = 1_000
INDEX_SUFFIXES = (".index", ".timeindex", ".snapshot", ".txnindex")


@dataclass(frozen=True, slots=True)
class Event:
    """One thing to print: a line of text, and the same as JSON.

    Attributes:
        kind: file, batch, record, corruption or end; ignored, where the file is none that can be printed.
        is_corruption: whether the command must end with the exit code for findings.
    """

    kind: str
    line: str
    data: dict[str, Any]
    is_corruption: bool = False


class Order:
    """What one batch says about the next: offsets follow on, epochs do not fall, a snapshot ends with its footer.

    Attributes:
        is_finished: whether nothing is missing at the end; a segment may end anywhere.
    """

    def __init__(self, path: Path) -> None:
        base = segment_base_offset(path.name)
        self._is_snapshot = base is None
        self._next_offset = base or 0
        self._epoch = 0
        self.is_finished = not self._is_snapshot

    def checked(self, found: FoundBatch) -> FoundBatch:
        """Return the batch with the fault that its place in the file adds, if any."""
        batch, fault = found.batch, found.fault
        if batch.base_offset != self._next_offset:
            fault = fault or f"batch has base offset {batch.base_offset}, expected {self._next_offset}"
        elif batch.epoch < self._epoch:
            fault = fault or f"batch at offset {batch.base_offset} has epoch {batch.epoch} after epoch {self._epoch}"
        self._next_offset, self._epoch = batch.next_offset, max(self._epoch, batch.epoch)
        if self._is_snapshot:
            self.is_finished = not found.fault and batch.is_control and has_footer(batch)
        return replace(found, fault=fault)


def has_footer(batch: Batch) -> bool:
    """Return whether a control batch ends a snapshot."""
    try:
        return any(isinstance(record, SnapshotFooterRecord) for record in batch.control_records())
    except MalformedError:
        return False


@examples(
    "kraftpy dump-log /var/lib/kraftpy/controller-1/__cluster_metadata-0/00000000000000000000.log",
    "kraftpy dump-log --batches-only 00000000000000000000.log",
)
@click.command("dump-log")
@click.argument("paths", nargs=-1, type=PathParam(), metavar="[FILE]...")
@click.option("--files", metavar="A,B", help="Files, comma-separated, as in kafka-dump-log.")
@click.option(
    "--skip-record-metadata", is_flag=True, help="Print only the content of records, not offset, batch and sizes."
)
@click.option("--batches-only", is_flag=True, help="Print batches without their records.")
@click.option("--max-bytes", type=COUNT, help="Read only batches that start below this byte position.")
@click.option("--print-data-log", is_flag=True, help="Accepted for compatibility with kafka-dump-log; always on.")
@click.option("--deep-iteration", is_flag=True, help="Accepted for compatibility with kafka-dump-log; always on.")
@click.option(
    "--cluster-metadata-decoder", is_flag=True, help="Accepted for compatibility with kafka-dump-log; always on."
)
@secrets_option
@output_option
def dump_log(
    paths: tuple[str, ...],
    files: str | None,
    *,
    skip_record_metadata: bool,
    batches_only: bool,
    max_bytes: int | None,
    show_secrets: bool,
    output: Output,
    **accepted: bool,
) -> int:
    """Print segments (.log) and snapshots (.checkpoint), live ones too; exit with 3 when a file is corrupt."""
    del accepted
    chosen = [*paths, *(name for name in (files or "").split(",") if name)]
    if not chosen:
        raise click.UsageError("Missing required argument: name at least one file.", click.get_current_context())
    ignored: list[str] = []
    corrupt = dumped = False
    printer = _Printer(output, skip_record_metadata=skip_record_metadata)
    # What is printed line by line shows itself how far it is.
    waiting = nullcontext() if output in {Output.TABLE, Output.JSONL} else waiting_for("the files are read")
    try:
        with waiting:
            for name in chosen:
                marker = None if show_secrets else REDACTED
                for event in dump_file(Path(name), batches_only=batches_only, max_bytes=max_bytes, marker=marker):
                    if event.kind == "ignored":
                        ignored.append(event.line)
                        continue
                    printer.take(event)
                    dumped, corrupt = True, corrupt or event.is_corruption
    finally:
        printer.finish()
    if not dumped:
        raise CommandError(f"{'. '.join(ignored)}. Name segments (<20 digits>.log) or snapshots (.checkpoint)")
    for line in ignored:
        click.echo(f"# {line}", err=True)
    return ExitCode.FINDINGS if corrupt else ExitCode.OK


def dump_file(
    path: Path, *, batches_only: bool = False, max_bytes: int | None = None, marker: str | None = REDACTED
) -> Iterator[Event]:
    """Read one file and say everything about it, in order; ``marker`` stands in place of secrets, ``None`` shows them.

    Raises:
        CommandError: when it cannot be read.
    """
    if not path.exists():
        raise CommandError(f"{path}: there is no such file")
    if path.is_dir():
        raise CommandError(f"{path}: is a directory; name files in it, or describe it with `kraftpy inspect {path}`")
    heading = _heading(path)
    if heading is None:
        why = ": index files are rebuilt from the log and are not dumped" if path.name.endswith(INDEX_SUFFIXES) else ""
        yield Event("ignored", f"Ignoring {path}{why}" if why else f"Ignoring unknown file {path}", {})
        return
    check_topic(path.parent)
    order = Order(path)
    try:
        with path.open("rb") as file:
            yield Event("file", f"Dumping {path}\n{heading[0]}", {"file": str(path), **heading[1]})
            records = RecordPrinter(marker)
            for found in walk(file, max_bytes):
                if isinstance(found, FoundBatch):
                    found = order.checked(found)  # noqa: PLW2901 - the same batch, with what its place adds
                    yield from _batch_events(path, found, records, batches_only=batches_only)
                else:
                    yield from _ending_events(path, found)
                    if not order.is_finished and not found.reason and max_bytes is None:
                        yield _corruption(path, found.position, "the snapshot has no footer: it was not finished")
    except OSError as error:
        raise CommandError(f"{path}: cannot be read: {error.strerror or error}") from error


def check_topic(directory: Path) -> None:
    """Refuse the directory of another topic, whose batches are none of this log.

    Raises:
        CommandError: when it is one.
    """
    directory = directory.absolute()
    text = None
    with suppress(OSError):
        text = (directory / PARTITION_METADATA).read_text(encoding="utf-8", errors="replace")
    topic = foreign_topic(directory.name, text)
    if topic is not None and directory.name != METADATA_DIRECTORY:
        raise CommandError(f"{directory} belongs to {topic}: metadata logs are in directories {METADATA_DIRECTORY}")


def _heading(path: Path) -> tuple[str, dict[str, Any]] | None:
    name = path.name
    base, snapshot = segment_base_offset(name), parse_snapshot_file_name(name)
    if name == BOOTSTRAP_CHECKPOINT:
        return "KRaft bootstrap snapshot", _file_json("bootstrap")
    if base is not None:
        return f"Log starting offset: {base}", _file_json("log", start=base)
    if snapshot is not None:
        words = f"Snapshot end offset: {snapshot.offset}, epoch: {snapshot.epoch}"
        return words, _file_json("snapshot", end=snapshot.offset, epoch=snapshot.epoch)
    if name.endswith((".log", ".checkpoint")):
        raise CommandError(f"{path}: the name is neither <20 digits>.log nor <20 digits>-<10 digits>.checkpoint")
    return None


def _file_json(
    kind: str, *, start: int | None = None, end: int | None = None, epoch: int | None = None
) -> dict[str, Any]:
    return {"fileKind": kind, "startOffset": start, "endOffset": end, "leaderEpoch": epoch}


def _batch_events(path: Path, found: FoundBatch, records: RecordPrinter, *, batches_only: bool) -> Iterator[Event]:
    yield Event("batch", batch_line(found), batch_json(found), is_corruption=bool(found.fault))
    if found.fault:
        yield _corruption(path, found.position, found.fault)
    if batches_only:
        return
    try:
        for shown in records.records(found):
            line = f"| {shown.metadata} {shown.text}"
            yield Event("record", line, shown.as_json(), is_corruption=bool(shown.fault))
    except MalformedError as error:
        yield _corruption(path, found.position, str(error))


def _corruption(path: Path, position: int, reason: str) -> Event:
    data = {"file": str(path), "position": position, "reason": reason}
    return Event("corruption", f"{path} at byte {position}: {reason}", data, is_corruption=True)


def _ending_events(path: Path, ending: Ending) -> Iterator[Event]:
    if ending.reason:
        yield _corruption(path, ending.position, ending.reason)
    line = f"Found {ending.invalid_bytes} invalid bytes at the end of {path}" if ending.invalid_bytes else ""
    data = {"validBytes": ending.position, "invalidBytes": ending.invalid_bytes, "zeroBytes": ending.zero_bytes}
    yield Event("end", line, data)


class _Printer:
    """Prints events as they come, except for one JSON value, which needs all of them."""

    def __init__(self, output: Output, *, skip_record_metadata: bool) -> None:
        self._output = output
        self._skip = skip_record_metadata
        self._files: list[dict[str, Any]] = []
        self._lines: list[str] = []

    def take(self, event: Event) -> None:
        """Print or keep one event."""
        if self._output is Output.TABLE:
            self._line(event)
        elif self._output is Output.JSONL:
            self._print(json_line({"kind": event.kind, **event.data}))
        else:
            self._keep(event)

    def _line(self, event: Event) -> None:
        if event.kind == "corruption":
            click.echo(event.line, err=True)
        elif event.kind == "record" and self._skip:
            _, _, text = event.line.partition(" headerKeys: [] ")
            self._print(f"| {text}")
        elif event.line:
            self._print(event.line)

    def _print(self, line: str) -> None:
        # Each echo is a write of its own, which would be most of the time that a long dump takes.
        self._lines.append(line)
        if len(self._lines) >= LINES_PER_WRITE:
            self._flush()

    def _flush(self) -> None:
        if self._lines:
            click.echo("\n".join(self._lines))
            self._lines.clear()

    def _keep(self, event: Event) -> None:
        if event.kind == "file":
            self._files.append({**event.data, "batches": [], "corruption": []})
        elif event.kind == "batch":
            self._files[-1]["batches"].append({**event.data, "records": []})
        elif event.kind == "record":
            self._files[-1]["batches"][-1]["records"].append(event.data)
        elif event.kind == "corruption":
            self._files[-1]["corruption"].append(event.data)
        else:
            self._files[-1].update(event.data)

    def finish(self) -> None:
        """Print what was kept."""
        self._flush()
        if self._output in {Output.JSON, Output.YAML}:
            show(self._output, self._files, ())
