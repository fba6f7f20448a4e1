"""Access control entries, each under an id of its own.

The id is what a removal names, so that removing never has to compare entries.

Source: Kafka ``AclsImage``, ``AclControlManager.replay``; KIP-801.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from immutables import Map

from kraftpy.image.changes import Changes, Entities, Handlers
from kraftpy.image.errors import OnLoss, ReplayError
from kraftpy.model.ids import Uuid, uuid_to_text
from kraftpy.records.codec import Record
from kraftpy.records.metadata import AccessControlEntryRecord, RemoveAccessControlEntryRecord


@dataclass(frozen=True, slots=True)
class AccessControlEntry:
    """Who may do what to which resources, from where. Numbers are those of the record."""

    resource_type: int
    resource_name: str
    pattern_type: int
    principal: str
    host: str
    operation: int
    permission_type: int


@dataclass(frozen=True, slots=True)
class AclsImage:
    """Entries by id."""

    entries: Map[Uuid, AccessControlEntry] = Map()

    def records(self, level: int, on_loss: OnLoss) -> Iterator[Record]:  # noqa: ARG002 - every level can say it
        """Say this slice in records, by id."""
        for acl_id in sorted(self.entries):
            entry = self.entries[acl_id]
            yield AccessControlEntryRecord(
                id=acl_id,
                resource_type=entry.resource_type,
                resource_name=entry.resource_name,
                pattern_type=entry.pattern_type,
                principal=entry.principal,
                host=entry.host,
                operation=entry.operation,
                permission_type=entry.permission_type,
            )


class AclsDelta:
    """Changes to the entries."""

    __slots__ = ("_entries", "base")
    ENTITIES: ClassVar[Entities] = {
        AccessControlEntryRecord: ("ACL", ("id",)),
        RemoveAccessControlEntryRecord: ("ACL", ("id",)),
    }

    def __init__(self, base: AclsImage) -> None:
        self.base = base
        self._entries = Changes(base.entries)

    @classmethod
    def between(cls, old: AclsImage, new: AclsImage) -> AclsDelta:
        """Express ``new`` as a delta over ``old``."""
        delta = cls(old)
        delta._entries = Changes.between(old.entries, new.entries)
        return delta

    @property
    def changes(self) -> dict[Uuid, AccessControlEntry | None]:
        """Id to the new entry, ``None`` when it was removed; in the order of the log."""
        return self._entries.changed

    def handlers(self) -> Handlers:
        """Say which records this slice takes."""
        return {AccessControlEntryRecord: self.replay_entry, RemoveAccessControlEntryRecord: self.replay_removal}

    def replay_entry(self, record: AccessControlEntryRecord) -> None:
        """Add an entry.

        Raises:
            ReplayError: when its id is taken.
        """
        if self._entries.get(record.id) is not None:
            raise ReplayError(record, f"an entry with the id {uuid_to_text(record.id)} exists")
        entry = AccessControlEntry(
            resource_type=record.resource_type,
            resource_name=record.resource_name,
            pattern_type=record.pattern_type,
            principal=record.principal,
            host=record.host,
            operation=record.operation,
            permission_type=record.permission_type,
        )
        self._entries.put(record.id, entry)

    def replay_removal(self, record: RemoveAccessControlEntryRecord) -> None:
        """Remove an entry.

        Raises:
            ReplayError: when no entry has the id.
        """
        if self._entries.get(record.id) is None:
            raise ReplayError(record, f"there is no entry with the id {uuid_to_text(record.id)}")
        self._entries.remove(record.id)

    def apply(self) -> AclsImage:
        """Return the next image."""
        return AclsImage(self._entries.apply())
