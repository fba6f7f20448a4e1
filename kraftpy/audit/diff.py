"""The difference between two states: entities that were created, removed or changed.

A state is its entities, each with a kind, a name and a JSON value (table ``entities``), so that a difference can be
applied: ``apply_changes(difference(a, b), a) == b``. Secrets are redacted in both; with one salt, a changed secret
shows as a changed digest.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from kraftpy.audit.engines.protocol import AsOf, Engine
from kraftpy.audit.reading.unread import Unread, relevant_to
from kraftpy.model.errors import LocalError

State: TypeAlias = dict[tuple[str, str], str]
"""(kind, name) of an entity to its value as JSON."""


@dataclass(frozen=True, slots=True)
class StateChange:
    """One entity that differs between two states.

    Attributes:
        before: its value as JSON, ``None`` if it did not exist.
        after: the same, ``None`` if it was removed.
    """

    kind: str
    entity: str
    before: str | None
    after: str | None

    @property
    def sign(self) -> str:
        """``+`` created, ``-`` removed, ``~`` changed."""
        if self.before is None:
            return "+"
        return "-" if self.after is None else "~"

    def as_json(self) -> dict[str, Any]:
        """Return the change as plain values."""
        before, after = (None if value is None else json.loads(value) for value in (self.before, self.after))
        return {"change": self.sign, "entityKind": self.kind, "entity": self.entity, "before": before, "after": after}

    def line(self) -> str:
        """Return the change in one line, field by field where the value has fields."""
        head = f"{self.sign} {self.kind} {self.entity}".rstrip()
        if self.before is None or self.after is None:
            return f"{head}: {_shown(self.before or self.after or '')}"
        before, after = json.loads(self.before), json.loads(self.after)
        if not isinstance(before, dict) or not isinstance(after, dict):
            return f"{head}: {_short(before)} -> {_short(after)}"
        fields = [name for name in {**before, **after} if before.get(name) != after.get(name)]
        return f"{head}: " + "; ".join(
            f"{name} {_short(before.get(name))} -> {_short(after.get(name))}" for name in fields
        )


def _shown(value: str) -> str:
    parsed = json.loads(value)
    if isinstance(parsed, dict):
        return ", ".join(f"{name} {_short(each)}" for name, each in parsed.items() if each not in (None, [], "", False))
    return _short(parsed)


def _short(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def difference(before: Mapping[tuple[str, str], str], after: Mapping[tuple[str, str], str]) -> list[StateChange]:
    """Return the changes from one state to the other, by kind and name."""
    keys = sorted({*before, *after})
    return [StateChange(*key, before.get(key), after.get(key)) for key in keys if before.get(key) != after.get(key)]


def apply_changes(changes: Iterable[StateChange], state: Mapping[tuple[str, str], str]) -> State:
    """Return the state after changes.

    Raises:
        LocalError: when a change does not start from the value in the state.
    """
    result = dict(state)
    for change in changes:
        key = (change.kind, change.entity)
        if result.get(key) != change.before:
            raise LocalError(f"{change.kind} {change.entity!r} is not what the change starts from")
        if change.after is None:
            del result[key]
        else:
            result[key] = change.after
    return result


def read_states(engine: Engine) -> dict[str, State]:
    """Return by cluster the state that a loaded engine has replayed."""
    states: dict[str, State] = {
        row["cluster"]: {} for row in engine.sql("SELECT DISTINCT cluster FROM states ORDER BY cluster").to_pylist()
    }
    table = engine.sql("SELECT cluster, entity_kind, entity, value FROM entities")
    columns = (table.column(name).to_pylist() for name in ("cluster", "entity_kind", "entity", "value"))
    for cluster, kind, entity, value in zip(*columns, strict=True):
        states[cluster][kind, entity] = value
    return states


def read_unread(engine: Engine, as_of: AsOf) -> list[Unread]:
    """Return what is missing, or may be missing, in the states of a loaded engine."""
    rows = engine.sql("SELECT cluster, node, file, log_offset, detail FROM unread").to_pylist()
    primaries = engine.sql("SELECT cluster, node FROM states WHERE is_primary ORDER BY cluster").to_pylist()
    unread = [Unread(**row) for row in rows]
    return [each for state in primaries for each in relevant_to(unread, state["cluster"], state["node"], as_of.offset)]


def paired(before: Mapping[str, State], after: Mapping[str, State]) -> list[tuple[str, State, State]]:
    """Pair clusters by their labels, or one with one whatever their labels are.

    Raises:
        LocalError: when there are several, and they are not the same on both sides.
    """
    if len(before) == len(after) == 1:
        ((old, first),), ((new, second),) = before.items(), after.items()
        return [(old if old == new else f"{old} -> {new}", first, second)]
    if set(before) != set(after):
        raise LocalError(
            f"clusters {sorted(before)} cannot be paired with {sorted(after)}: name one cluster on each side"
        )
    return [(cluster, before[cluster], after[cluster]) for cluster in sorted(before)]
