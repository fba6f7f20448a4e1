"""Names for what a controller draws by itself, so that two controllers can be compared.

A topic's id is random and a broker's epoch is an offset, so both controllers have others. On the way in, such an id is
replaced by a name of the same type that says which of its kind it is: the third topic, the fifth registration. On the
way out, a name is replaced by the id that the controller drew. Everything else stays as it is.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, Final

from kraftpy.model.ids import ZERO_UUID
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import (
    AccessControlEntryRecord,
    RegisterBrokerRecord,
    TopicRecord,
)

EPOCH_NAMES: Final = 2**50
"""Names of broker epochs count from here, which no offset comes near."""

TRIED: Final = b"a-tried-topic-id"
"""Names the id of a topic that would be created: an answer has one, and no log."""

FIELDS: Final = {
    "topic_id": "topics",
    "id": "entries",
    "broker_epoch": "epochs",
    "previous_broker_epoch": "epochs",
}
"""Which fields hold an id that is drawn; others are the same for both, because the judge chooses them."""


def topic_name(number: int) -> bytes:
    """Name a topic's id."""
    return b"topic-id" + number.to_bytes(8, "big")


def epoch_name(number: int) -> int:
    """Name a broker's epoch."""
    return EPOCH_NAMES + number


@cache
def _fields(cls: type[Any]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(cls))


class Names:
    """The names of one controller's ids."""

    def __init__(self) -> None:
        self._names: dict[str, dict[Any, Any]] = {"topics": {}, "entries": {}, "epochs": {}}
        self._drawn: dict[str, dict[Any, Any]] = {"topics": {}, "entries": {}, "epochs": {}}

    def learn(self, record: Any) -> None:
        """Name what a record of the log was the first to have."""
        match record:
            case TopicRecord():
                self._add("topics", record.topic_id, topic_name(len(self._names["topics"])))
            case AccessControlEntryRecord():
                number = len(self._names["entries"])
                self._add("entries", record.id, b"entry-id" + number.to_bytes(8, "big"))
            case RegisterBrokerRecord():
                self._add("epochs", record.broker_epoch, epoch_name(len(self._names["epochs"])))

    def _add(self, kind: str, drawn: Any, name: Any) -> None:
        self._names[kind][drawn] = name
        self._drawn[kind][name] = drawn

    def named(self, message: Any) -> Any:
        """Return a message of the controller with names."""
        named = _replaced(message, self._names)
        if isinstance(named, rpc.CreateTopicsResponse):
            named.topics = [
                replace(each, topic_id=TRIED) if each.topic_id not in {ZERO_UUID, *self._drawn["topics"]} else each
                for each in named.topics
            ]
        return named

    def drawn(self, message: Any) -> Any:
        """Return a message for the controller with the ids that it drew."""
        return _replaced(message, self._drawn)


def _replaced(message: Any, names: dict[str, dict[Any, Any]]) -> Any:
    changed: dict[str, Any] = {}
    for name in _fields(type(message)):
        value = getattr(message, name)
        kind = FIELDS.get(name)
        if kind is not None:
            if (known := names[kind].get(value)) is not None:
                changed[name] = known
        elif isinstance(value, list) and value and is_dataclass(value[0]):
            changed[name] = [_replaced(each, names) for each in value]
    return replace(message, **changed) if changed else message
