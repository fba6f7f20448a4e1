"""Rows of a view as Arrow batches: what a task of the data source does with its split group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, Final

from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.arrow import Choice, Mode, check_mode, record_batches
from kraftpy.audit.reading.batch_rows import batch_rows
from kraftpy.audit.reading.columns import CORRUPT
from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.reading.entries import decode
from kraftpy.audit.reading.file_tables import file_rows
from kraftpy.audit.reading.properties import property_rows
from kraftpy.audit.reading.reader import Found, read
from kraftpy.audit.reading.rows import Entry
from kraftpy.audit.reading.scan import ScannedRange
from kraftpy.audit.reading.splits import InputSplit, SplitGroup
from kraftpy.audit.source.conditions import Conditions, all_hold, all_may_hold, conditions_mask, row_test
from kraftpy.audit.source.options import Options
from kraftpy.audit.source.views import BATCHES, FILES, PROPERTIES, RECORDS, TypedView, typed_views, view_schema
from kraftpy.model.errors import MalformedError
from kraftpy.records.batch import BatchHeader
from kraftpy.records.metadata import METADATA_RECORDS
from kraftpy.records.schema import snake_case

_TYPE_OF: Final = {
    record.API_KEY: snake_case(record.NAME).upper() for record in METADATA_RECORDS if record.API_KEY < 29
}
"""Names of the types that an api key alone identifies."""

Rows = Iterator[tuple[Any, ...]]


def wanted_files(files: Sequence[KraftFile], conditions: Conditions) -> list[KraftFile]:
    """Return the files that may hold a row that fulfils the conditions."""
    return [
        file
        for file in files
        if all_hold(conditions, {"cluster": file.cluster, "node": file.node, "file": file.path, "kind": file.kind})
    ]


def arrow_batches(group: SplitGroup, options: Options, conditions: Conditions, names: Sequence[str]) -> Iterator[Any]:
    """Yield the rows of a group that fulfil the conditions, in these columns.

    Raises:
        CorruptError: in mode FAILFAST.
    """
    if options.view == RECORDS:
        yield from _in_batches(_records(group, options, conditions, names), options.rows_per_batch)
        return
    pa = extra("pyarrow")
    full = view_schema(options.view)
    indexes = [full.get_field_index(name) for name in names]
    schema = pa.schema([full.field(index) for index in indexes])
    test = row_test(conditions, full.names)
    rows: list[tuple[Any, ...]] = []
    for found in _produced(group, options, conditions):
        rows += filter(test, found) if test is not None else found
        if len(rows) >= options.rows_per_batch:
            yield _columns(schema, indexes, rows)
            rows = []
    if rows:
        yield _columns(schema, indexes, rows)


def _columns(schema: Any, indexes: Sequence[int], rows: list[tuple[Any, ...]]) -> Any:
    pa = extra("pyarrow")
    columns = list(zip(*rows, strict=True))
    return pa.RecordBatch.from_arrays(
        [pa.array(columns[index], type=field.type) for index, field in zip(indexes, schema, strict=True)], schema=schema
    )


def _produced(group: SplitGroup, options: Options, conditions: Conditions) -> Iterator[Rows]:
    """Yield the rows of one batch, or of one file, at a time."""
    if options.view in {FILES, PROPERTIES}:
        make = file_rows if options.view == FILES else property_rows
        yield iter(make([split.file for split in group]))
        return
    choice = _choice(conditions)
    for split in group:
        for found in read(split):
            if options.view == BATCHES:
                yield _batch_rows(split, found, options.mode)
            else:
                yield _typed_rows(typed_views()[options.view], split, found, options.mode, choice)


def _records(group: SplitGroup, options: Options, conditions: Conditions, names: Sequence[str]) -> Iterator[Any]:
    """Yield the rows of the view of records that fulfil the conditions."""
    pa = extra("pyarrow")
    schema = pa.schema([view_schema(RECORDS).field(name) for name in names])
    choice = _choice(conditions)
    for split in group:
        for batch in record_batches(split, options.rows_per_batch, options.mode, choice):
            wanted = conditions_mask(conditions, batch)
            kept = batch if wanted is None else batch.filter(wanted)
            if kept.num_rows:
                yield pa.RecordBatch.from_arrays([kept.column(name) for name in names], schema=schema)


def _in_batches(batches: Iterable[Any], rows_per_batch: int) -> Iterator[Any]:
    """Combine small batches until they have about ``rows_per_batch`` rows."""
    pa = extra("pyarrow")
    kept: list[Any] = []
    rows = 0
    for batch in batches:
        if kept and rows + batch.num_rows > rows_per_batch:
            yield from pa.Table.from_batches(kept).combine_chunks().to_batches()
            kept, rows = [], 0
        kept.append(batch)
        rows += batch.num_rows
    if kept:
        yield from pa.Table.from_batches(kept).combine_chunks().to_batches()


def _choice(conditions: Conditions) -> Choice:
    """Return which records need to be decoded at all."""
    known = {"offset", "log_offset", "timestamp_ms", "log_timestamp_ms", "epoch", "log_epoch", "control"}
    wants = partial(_batch_wanted, conditions=conditions) if any(each.column in known for each in conditions) else None
    return Choice(wants, _type_skips(conditions))


def _batch_wanted(batch: BatchHeader, conditions: Conditions) -> bool:
    offsets = (batch.base_offset, batch.last_offset)
    times = (batch.base_timestamp_ms, batch.base_timestamp_ms)
    ranges = {
        "offset": offsets, "log_offset": offsets, "timestamp_ms": times, "log_timestamp_ms": times,
        "epoch": (batch.epoch, batch.epoch), "log_epoch": (batch.epoch, batch.epoch),
    }  # fmt: skip
    return all_may_hold(conditions, ranges) and all_hold(conditions, {"control": batch.is_control})


def _type_skips(conditions: Conditions) -> frozenset[int]:
    """Return the api keys whose records no condition on the type accepts, so that they need not be decoded."""
    on_type = [each for each in conditions if each.column == "type"]
    if not on_type or all(each.holds(CORRUPT) for each in on_type):
        return frozenset()
    return frozenset(key for key, name in _TYPE_OF.items() if not all(each.holds(name) for each in on_type))


def _batch_rows(split: InputSplit, found: Found, mode: Mode) -> Rows:
    for row in batch_rows(split, found):
        *_, position, _size = row[:6]
        problem, detail = row[-2:]
        if check_mode(mode, split.file.path, position, None if problem is None else f"{problem}: {detail}"):
            yield row


def _typed_rows(view: TypedView, split: InputSplit, found: Found, mode: Mode, choice: Choice) -> Rows:
    if isinstance(found, ScannedRange):
        if choice.batch(found):
            yield from _problem_rows(view, split, found, mode)
        return
    np = extra("numpy")
    frames = choice.frames(found)
    chosen = np.flatnonzero(frames.api_keys == view.api_key)
    batches = np.searchsorted(np.cumsum(frames.counts), chosen, side="right").tolist()
    # Batches that break a rule come between the records of the others.
    placed: list[tuple[int, Any]] = [
        *zip(batches, frames.entries(split, chosen), strict=True),
        *frames.problems.items(),
    ]
    for index, each in sorted(placed, key=itemgetter(0)):
        if isinstance(each, ScannedRange):
            yield from _problem_rows(view, split, each, mode)
        else:
            yield from _record_row(view, split, each, int(frames.run.positions[index]), mode)


def _problem_rows(view: TypedView, split: InputSplit, found: ScannedRange, mode: Mode) -> Rows:
    """Yield the row of a range with a problem; a valid control batch has none."""
    if found.problem is None:
        return
    problem = f"{found.problem}: {found.detail}"
    if check_mode(mode, split.file.path, found.position, problem):
        offset = None if found.batch is None else found.batch.base_offset
        yield (*_place(split), offset, None, None, None, *(None,) * len(view.fields), problem)


def _record_row(view: TypedView, split: InputSplit, entry: Entry, position: int, mode: Mode) -> Rows:
    """Yield the row of a record of the view's type."""
    at = (*_place(split), entry.offset, entry.epoch, entry.timestamp_ms, entry.version)
    try:
        record = decode(entry.raw)
    except MalformedError as error:
        if check_mode(mode, split.file.path, position, f"record at offset {entry.offset}: {error}"):
            yield (*at, *(None,) * len(view.fields), str(error))
        return
    if getattr(record, "NAME", None) != view.record:
        return
    values = ((getattr(record, name), make) for name, make in view.extractors())
    yield (*at, *(value if make is None or value is None else make(value) for value, make in values), None)


def _place(split: InputSplit) -> tuple[str, str, str, str]:
    file = split.file
    return (file.cluster, file.node, file.path, file.kind)
