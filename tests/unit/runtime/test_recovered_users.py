"""Who is let in before the state is published: the users of the log, or those that formatting prepared."""

from __future__ import annotations

from kraftpy.image.scram import ScramUser
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records.batch import encode_batch
from kraftpy.records.metadata import (
    NoOpRecord,
    RemoveUserScramCredentialRecord,
    UserScramCredentialRecord,
    encode_record,
)
from kraftpy.runtime.recovered_users import recovered_users
from tests.unit.runtime.parts import opened, written
from tests.unit.storage.logs import T0


def user(name, key=b"k"):
    return UserScramCredentialRecord(
        name=name, mechanism=1, salt=b"s", stored_key=key, server_key=b"v", iterations=4096
    )


def gone(name):
    return RemoveUserScramCredentialRecord(name=name, mechanism=1)


def append(directory, *records):
    values = [encode_record(record, record.MAX_VERSION) for record in records]
    base = directory.log.end_offset
    directory.log.append([encode_batch(values, base_offset=base, epoch=1, timestamp_ms=T0)], T0)


def keys(image):
    return {name.name: credential.stored_key for name, credential in image.credentials.items()}


def test_an_empty_log_leaves_the_prepared_users():
    directory = opened()
    assert keys(recovered_users(directory, [user("node")])) == {"node": b"k"}
    assert keys(recovered_users(directory, None)) == {}


def test_a_log_with_any_record_replaces_the_prepared_users():
    """A user that was removed since, or has another password, does not come back with the file of the first start."""
    directory = opened()
    append(directory, NoOpRecord())
    assert keys(recovered_users(directory, [user("node")])) == {}
    append(directory, user("node", b"new"), user("alice"))
    append(directory, gone("alice"), gone("unknown"))
    found = recovered_users(directory, [user("node"), user("alice")])
    assert keys(found) == {"node": b"new"}
    assert found.credentials[ScramUser(1, "node")].iterations == 4096


def test_the_newest_snapshot_and_the_log_behind_it_count():
    directory = opened()
    append(directory, user("old"), user("kept"))
    frozen = user("kept", b"frozen")
    writer = written(directory, OffsetAndEpoch(1, 2), [[encode_record(frozen, frozen.MAX_VERSION)]])
    writer.sync()
    writer.freeze()
    assert keys(recovered_users(directory, [])) == {"kept": b"frozen"}
    append(directory, user("added"))
    assert keys(recovered_users(directory, [])) == {"kept": b"frozen", "added": b"k"}
