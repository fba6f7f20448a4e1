"""The user's options of the data source, read and checked in one place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from kraftpy.audit.reading.arrow import Mode
from kraftpy.audit.reading.splits import GROUP_BYTES, SPLIT_BYTES
from kraftpy.audit.source.conditions import Condition, Conditions
from kraftpy.audit.source.views import RECORDS, view_names, view_schema
from kraftpy.model.errors import ConfigError

ROWS_PER_BATCH: Final = 16_384
"""Rows of one Arrow batch: many enough that its overhead does not matter, few enough to stay small with raw bytes."""

KNOWN: Final = (
    "path", "paths", "view", "mode", "pushdown", "splitBytes", "partitionBytes", "rowsPerBatch", "clusters", "nodes",
    "types", "fromOffset", "untilOffset", "fromTimestampMs", "untilTimestampMs",
)  # fmt: skip
_LISTS: Final = {"clusters": ("cluster",), "nodes": ("node",), "types": ("type",)}
_BOUNDS: Final = {
    "fromOffset": (">=", ("offset", "log_offset")),
    "untilOffset": ("<", ("offset", "log_offset")),
    "fromTimestampMs": (">=", ("timestamp_ms", "log_timestamp_ms")),
    "untilTimestampMs": ("<", ("timestamp_ms", "log_timestamp_ms")),
}
"""Options that filter rows: their comparison, and the columns of views that they apply to."""


@dataclass(frozen=True, slots=True)
class Options:
    """The data source's options.

    Attributes:
        paths: files, globs, directories, trees; local or with a scheme.
        view: which table: see ``views``.
        mode: what becomes of bytes that cannot be read.
        split_bytes: large files are cut at the batches next to multiples of this.
        group_bytes: small files are read by one task up to this many bytes.
        pushdown: whether filters from Spark are applied while reading. Off by default, because PySpark 4.3 keeps the
            filters of one query with the *table*: another query over the same DataFrame or view then gets the rows of
            the first (shown in ``tests/spark``). Use it for a DataFrame that is read by one query.
        conditions: filters from options, which do not have this problem: they apply to all queries of a DataFrame.
    """

    paths: tuple[str, ...]
    view: str = RECORDS
    mode: Mode = Mode.PERMISSIVE
    split_bytes: int = SPLIT_BYTES
    group_bytes: int = GROUP_BYTES
    rows_per_batch: int = ROWS_PER_BATCH
    pushdown: bool = False
    conditions: Conditions = ()


def parse_options(given: Mapping[str, str]) -> Options:
    """Read the options from Spark: texts under names in any case.

    Raises:
        ConfigError: when one is unknown or out of range; the text lists what is allowed.
    """
    named = {name.lower(): name for name in KNOWN}
    texts: dict[str, str] = {}
    for name, text in given.items():
        if name.lower() not in named:
            raise ConfigError(f"the kraft data source has no option {name!r}; it has {', '.join(KNOWN)}")
        texts[named[name.lower()]] = text
    view = texts.get("view", RECORDS)
    if view not in view_names():
        raise ConfigError(f"option view is {view!r}; there are: {', '.join(view_names())}")
    mode = texts.get("mode", Mode.PERMISSIVE).upper()
    if mode not in set(Mode):
        raise ConfigError(f"option mode is {mode!r}; there are: {', '.join(Mode)}")
    return Options(
        paths=_paths(texts),
        view=view,
        mode=Mode(mode),
        split_bytes=_positive(texts, "splitBytes", SPLIT_BYTES),
        group_bytes=_positive(texts, "partitionBytes", GROUP_BYTES),
        rows_per_batch=_positive(texts, "rowsPerBatch", ROWS_PER_BATCH),
        pushdown=_flag(texts, "pushdown"),
        conditions=tuple(_conditions(texts, view)),
    )


def _conditions(texts: Mapping[str, str], view: str) -> Iterator[Condition]:
    names = view_schema(view).names
    for option, text in texts.items():
        operator, columns = ("in", _LISTS[option]) if option in _LISTS else _BOUNDS.get(option, ("", ()))
        if not columns:
            continue
        column = next((name for name in columns if name in names), None)
        if column is None:
            raise ConfigError(f"option {option}: the view {view} has no column {columns[0]}")
        yield Condition(column, operator, _values(option, text))


def _values(option: str, text: str) -> tuple[str, ...] | tuple[int]:
    if option in _LISTS:
        return tuple(word.strip() for word in text.split(","))
    if not text.isascii() or not text.isdigit():
        raise ConfigError(f"option {option} is {text!r}, expected a number from 0")
    return (int(text),)


def _flag(texts: Mapping[str, str], name: str) -> bool:
    text = texts.get(name, "false").lower()
    if text not in {"true", "false"}:
        raise ConfigError(f"option {name} is {text!r}, expected true or false")
    return text == "true"


def _paths(texts: Mapping[str, str]) -> tuple[str, ...]:
    listed = json.loads(texts["paths"]) if "paths" in texts else []
    return (*([texts["path"]] if "path" in texts else []), *listed)


def _positive(texts: Mapping[str, str], name: str, default: int) -> int:
    text = texts.get(name, str(default))
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise ConfigError(f"option {name} is {text!r}, expected a number from 1")
    return int(text)
