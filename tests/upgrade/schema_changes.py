"""What of a new JSON schema breaks readers of an old one: the promise of docs/json.md, within one format version.

A name may be added, and so may an object of another kind, where a command has several (a line of another kind, the body
of a refused dry run). None is removed (or renamed, which is the same here), given another type, or made nullable.
The keywords are those that ``kraftpy/cli/json_schema.py`` writes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeAlias

Schema: TypeAlias = "dict[str, Any]"

FIXED = ("pattern", "const")
"""Keywords whose value is part of the type: a uuid and a time are strings with a pattern."""

KNOWN = {
    "$schema", "title", "description", "type", "properties", "required", "additionalProperties", "items", "oneOf",
    "anyOf", *FIXED,
}  # fmt: skip


def breaking_changes(old: Schema, new: Schema, place: str = "$") -> list[str]:
    """What a reader of ``old`` cannot do with ``new``; each fault begins with its place."""
    return list(_changes(old, new, place))


def _changes(old: Schema, new: Schema, place: str) -> Iterator[str]:
    unknown = (old.keys() | new.keys()) - KNOWN
    assert not unknown, f"{place}: compare {sorted(unknown)} too"
    before, after = _forms(old), _forms(new)
    if _is_nullable(after) and not _is_nullable(before):
        yield f"{place}: became nullable"
    kept = [one for one in after if one.get("type") != "null"]
    for form in before:
        if form.get("type") != "null":
            # Which form of the new ones is this one? That which differs least.
            yield from min((list(_form_changes(form, one, place)) for one in kept), key=len)


def _forms(schema: Schema) -> list[Schema]:
    """A schema as its alternatives, each with one type at most: ``["integer", "null"]`` are two."""
    for word in ("oneOf", "anyOf"):
        if word in schema:
            return [form for one in schema[word] for form in _forms(one)]
    types = schema.get("type")
    return [{**schema, "type": one} for one in types] if isinstance(types, list) else [schema]


def _is_nullable(forms: list[Schema]) -> bool:
    """Whether null is among the values: a schema without a type has every value."""
    return any(one.get("type") == "null" or not one.keys() - {"description"} for one in forms)


def _form_changes(old: Schema, new: Schema, place: str) -> Iterator[str]:
    for word in ("type", *FIXED):
        if word in old and old[word] != new.get(word):
            now = json.dumps(new[word]) if word in new else "gone"
            yield f"{place}: {word} was {json.dumps(old[word])}, is {now}"
            return
    names = new.get("properties", {})
    for name, value in old.get("properties", {}).items():
        if name not in names:
            yield f"{place}.{name}: removed"
            continue
        if name in old.get("required", ()) and name not in new.get("required", ()):
            yield f"{place}.{name}: may be left out"
        yield from _changes(value, names[name], f"{place}.{name}")
    for word, step in (("items", "[]"), ("additionalProperties", "{}")):
        if isinstance(old.get(word), dict):
            yield from _inner_changes(old[word], new.get(word), f"{place}{step}")


def _inner_changes(old: Schema, new: object, place: str) -> Iterator[str]:
    if isinstance(new, dict):
        yield from _changes(old, new, place)
    else:
        yield f"{place}: no type is named any more"
