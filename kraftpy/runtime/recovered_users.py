"""The SCRAM users that a node's own log names, committed or not: who is let in before the state is published.

Controllers that authenticate each other by SCRAM have no published state while there is no leader, and elect no leader
while none of them is let in. So until then the newest snapshot and the log behind it count as they are. A log without
any metadata record, which is that of a first start, leaves the records that ``storage format`` prepared.

What is not committed was written by a leader that had authorized it; it may be truncated later, and the published
state replaces it in any case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from immutables import Map

from kraftpy.image.scram import ScramCredential, ScramImage, ScramUser
from kraftpy.model.features import SchemaSet
from kraftpy.records.batch import Batch
from kraftpy.records.codec import Record
from kraftpy.records.metadata import (
    RemoveUserScramCredentialRecord,
    UserScramCredentialRecord,
    decode_record,
)
from kraftpy.storage.directory import MetadataDirectory

_KEYS: Final = (UserScramCredentialRecord.API_KEY, RemoveUserScramCredentialRecord.API_KEY)
_KEY_AT: Final = 1
"""Where a record's apiKey is in its frame, which is one byte for these."""


def recovered_users(opened: MetadataDirectory, bootstrap: Iterable[Record] | None) -> ScramImage:
    """Return the users of a node's log, or of its prepared records.

    Raises:
        CorruptLogError: a batch does not verify.
    """
    latest = opened.snapshots.latest
    start = opened.log.start_offset if latest is None else max(latest.offset, opened.log.start_offset)
    snapshot = iter(()) if latest is None else opened.snapshots.batches(latest)
    log = opened.log.iterate(start) if start < opened.log.end_offset else iter(())
    users: dict[ScramUser, ScramCredential] = {}
    is_empty = True
    for value in _values(chain(snapshot, log)):
        is_empty = False
        if len(value) > _KEY_AT and value[_KEY_AT] in _KEYS:
            _replay(users, decode_record(value, SchemaSet.KRAFTPY))
    for record in (bootstrap or ()) if is_empty else ():
        _replay(users, record)
    return ScramImage(Map(users))


def _values(batches: Iterable[Batch]) -> Iterator[bytes]:
    return (value for batch in batches if not batch.is_control for value in batch.values())


def _replay(users: dict[ScramUser, ScramCredential], record: object) -> None:
    match record:
        case UserScramCredentialRecord():
            user = ScramUser(record.mechanism, record.name)
            users[user] = ScramCredential(record.salt, record.stored_key, record.server_key, record.iterations)
        case RemoveUserScramCredentialRecord():
            users.pop(ScramUser(record.mechanism, record.name), None)
