"""Small JSON documents that one command writes and another reads: a plan, the state at a cluster's shutdown.

A document contains its kind and its format. A reader gets the whole document, or an error with the file, the position
in it and the way out: the operator keeps the file, so it may be any file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from kraftpy.model.errors import LocalError


def read_document(content: bytes, *, place: str, kind: str, version: int, keys: Iterable[str]) -> dict[str, Any]:
    """Read a document of one kind.

    Args:
        content: the file's.
        place: the file's name, for errors.
        kind: what it must say under ``kind``.
        version: what it must say under ``format``.
        keys: what else must be there.

    Raises:
        LocalError: it is something else; the way out is left to the caller, who knows who writes it.
    """
    try:
        found: Any = json.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise LocalError(f"{place} is no {kind}: it is not UTF-8 at byte {error.start}") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise LocalError(f"{place} is no {kind}: at {where} it is not JSON ({error.msg})") from error
    except (ValueError, RecursionError) as error:
        raise LocalError(f"{place} is no {kind}: a number or a nesting in it is too large to read") from error
    if not isinstance(found, dict):
        raise LocalError(f"{place} is no {kind}: it holds no JSON object")
    stated = (found.get("kind"), found.get("format"))
    if stated != (kind, version):
        raise LocalError(
            f"{place} is no {kind} of format {version}: it has kind {stated[0]!r:.60}, format {stated[1]!r:.60}"
        )
    for key in keys:
        if key not in found:
            raise LocalError(f"{place} is no {kind}: it has no {key!r}")
    return found
