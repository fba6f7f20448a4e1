"""What an image could not take in: records, and tagged fields of known records, that this software does not know.

A reader passes over them; it must not write a snapshot, because that would drop them for every later reader of it. So
the image counts them by kind, and saying such an image in records is a loss.

Source: DESIGN D6.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from immutables import Map

from kraftpy.image.changes import Changes, Entities, Handlers
from kraftpy.image.errors import OnLoss
from kraftpy.records.codec import Tags
from kraftpy.records.metadata import Record, UnknownRecord

NO_TAG = -1


class UnknownKind(NamedTuple):
    """A record's key and version, or the tag of an unknown field in a known record (its version is not kept then)."""

    api_key: int
    version: int
    tag: int = NO_TAG

    def __str__(self) -> str:
        return (
            f"apiKey {self.api_key} version {self.version}"
            if self.tag == NO_TAG
            else f"apiKey {self.api_key} tag {self.tag}"
        )


@dataclass(frozen=True, slots=True)
class UnknownImage:
    """How many records of each unknown kind the log held."""

    counts: Map[UnknownKind, int] = Map()

    @property
    def count(self) -> int:
        """How many there were in all."""
        return sum(self.counts.values())

    def records(self, level: int, on_loss: OnLoss) -> Iterator[Record]:  # noqa: ARG002 - no level can say it
        """Report the loss; there is nothing to say."""
        if self.counts:
            kinds = ", ".join(f"{kind} ({self.counts[kind]})" for kind in sorted(self.counts))
            on_loss(f"records this software does not know: {kinds}")
        return iter(())


class UnknownDelta:
    """Unknown records passing by."""

    __slots__ = ("_counts", "base")
    ENTITIES: ClassVar[Entities] = {}

    def __init__(self, base: UnknownImage) -> None:
        self.base = base
        self._counts = Changes(base.counts)

    @classmethod
    def between(cls, old: UnknownImage, new: UnknownImage) -> UnknownDelta:
        """Express ``new`` as a delta over ``old``."""
        delta = cls(old)
        delta._counts = Changes.between(old.counts, new.counts)
        return delta

    @property
    def changes(self) -> dict[UnknownKind, int | None]:
        """Kind to its new count."""
        return self._counts.changed

    def handlers(self) -> Handlers:
        """Say which records this slice takes."""
        return {UnknownRecord: self.replay_unknown}

    def replay_unknown(self, record: UnknownRecord) -> None:
        """Count a record of an unknown kind."""
        self._add(UnknownKind(record.api_key, record.version))

    def replay_tags(self, api_key: int, tags: Tags) -> None:
        """Count the unknown tagged fields of a record of a known kind, or of a struct in it."""
        for tag, _ in tags:
            self._add(UnknownKind(api_key, -1, tag))

    def _add(self, kind: UnknownKind) -> None:
        self._counts.put(kind, (self._counts.get(kind) or 0) + 1)

    def apply(self) -> UnknownImage:
        """Return the next image."""
        return UnknownImage(self._counts.apply())
