"""Finds the ids of an access control entry, so that creating one does not walk over all.

Soft state of the active controller: built from the image at the first use, then updated with each appended record.
"""

from __future__ import annotations

from kraftpy.image.acls import AccessControlEntry, AclsImage
from kraftpy.model.ids import Uuid
from kraftpy.records.codec import Record
from kraftpy.records.metadata import AccessControlEntryRecord, RemoveAccessControlEntryRecord


class AclIndex:
    """Entry to its ids. A log that other software wrote may have an entry under several."""

    def __init__(self) -> None:
        self._ids: dict[AccessControlEntry, set[Uuid]] | None = None

    def ids(self, acls: AclsImage) -> dict[AccessControlEntry, set[Uuid]]:
        """Return the ids of each entry of the newest image."""
        if self._ids is None:
            self._ids = {}
            for acl_id, entry in acls.entries.items():
                self._ids.setdefault(entry, set()).add(acl_id)
        return self._ids

    def observe(self, record: Record, acls: AclsImage) -> None:
        """Follow a record that is about to be replayed on this image."""
        if self._ids is None:
            return
        if isinstance(record, AccessControlEntryRecord):
            self._ids.setdefault(entry_of(record), set()).add(record.id)
        elif isinstance(record, RemoveAccessControlEntryRecord):
            # Its entry may have been created by an earlier record of the same append, which the image does not have.
            self._ids = None if record.id not in acls.entries else self._without(record.id, acls.entries[record.id])

    def _without(self, acl_id: Uuid, entry: AccessControlEntry) -> dict[AccessControlEntry, set[Uuid]] | None:
        assert self._ids is not None
        ids = self._ids.get(entry, set())
        ids.discard(acl_id)
        if not ids:
            self._ids.pop(entry, None)
        return self._ids


def entry_of(record: AccessControlEntryRecord) -> AccessControlEntry:
    """Return the entry that a record creates."""
    return AccessControlEntry(
        resource_type=record.resource_type,
        resource_name=record.resource_name,
        pattern_type=record.pattern_type,
        principal=record.principal,
        host=record.host,
        operation=record.operation,
        permission_type=record.permission_type,
    )
