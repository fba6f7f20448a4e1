"""Messages and events in a few words, the same in every run."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum

from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.model.voters import ReplicaKey, VoterSet

HIDDEN = frozenset({"cluster_id", "leader_endpoints", "endpoints"})


def describe_message(message: object) -> str:
    """Name a message, or an event, and its fields that say something."""
    parts = [
        f"{field.name}={_short(getattr(message, field.name))}"
        for field in fields(message)
        if field.name not in HIDDEN and getattr(message, field.name) not in (None, (), b"", 0, False)
    ]
    return " ".join([type(message).__name__, *parts])


def _short(value: object) -> str:
    if isinstance(value, bytes):
        return f"{len(value)}B"
    if isinstance(value, ReplicaKey):
        return str(value.node_id)
    if isinstance(value, LeaderAndEpoch):
        return f"{value.leader_id}/{value.epoch}"
    if isinstance(value, OffsetAndEpoch):
        return f"{value.offset}@{value.epoch}"
    if isinstance(value, VoterSet):
        return str(list(value.ids))
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, tuple):
        return "[" + ",".join(_short(each) for each in value) + "]"
    return str(value)
