"""A flipped bit in the vote, or in who a directory is, is met: both files have a checksum where Kafka does not look."""

from __future__ import annotations

import json

import pytest
from crc32c import crc32c

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import MalformedError, StorageError
from kraftpy.model.ids import uuid_from_text
from kraftpy.model.voters import ReplicaKey
from kraftpy.records.properties import parse_properties
from kraftpy.records.quorum_state import render_quorum_state
from kraftpy.storage.meta_properties import MetaProperties, read_meta_properties, write_meta_properties
from kraftpy.storage.quorum_state import QuorumStateFile, read_quorum_state
from tests.fakes.filesystem import SimulatedFileSystem

PATH = "/d/quorum-state"
META = "/d/meta.properties"
STATE = ElectionState(epoch=5, voted_key=ReplicaKey(3, uuid_from_text("xtzWWN4bTjitpL3kfd9s5g")))
IDENTITY = MetaProperties(node_id=1, cluster_id="R0TiWti_RPCqlNlvGxftKA", directory_id=STATE.voted_key.directory_id)


def disk() -> SimulatedFileSystem:
    fs = SimulatedFileSystem()
    fs.make_directory("/d")
    return fs


def voted() -> SimulatedFileSystem:
    fs = disk()
    QuorumStateFile(fs, PATH).write(STATE, version=1)
    return fs


def identified() -> SimulatedFileSystem:
    fs = disk()
    write_meta_properties(fs, "/d", IDENTITY)
    return fs


def put(fs: SimulatedFileSystem, path: str, content: bytes) -> None:
    file = fs.open(path, write=True, create=True)
    file.pwrite(content, 0)


def content(fs: SimulatedFileSystem, path: str) -> bytes:
    return fs.open(path).pread(fs.size(path), 0)


def test_the_vote_comes_back_and_its_first_line_is_kafkas():
    """The first line is what Kafka writes there, to the byte."""
    fs = voted()
    assert read_quorum_state(fs, PATH) == STATE
    first, second, rest = content(fs, PATH).decode().split("\n")
    assert first == render_quorum_state(STATE, version=1)
    assert json.loads(first)["votedId"] == STATE.voted_key.node_id
    assert second.startswith("crc32c=")
    assert rest == ""


def test_any_flipped_bit_in_the_vote_is_met():
    """No bit of the file can flip without a word, in the vote, the epoch, the checksum or between them."""
    size = voted().size(PATH)
    for position in range(size):
        for bit in range(8):
            fs = voted()
            fs.flip_bit(PATH, position, bit)
            with pytest.raises(StorageError, match="cannot be used"):
                read_quorum_state(fs, PATH)


def test_a_vote_that_kafka_wrote_is_believed():
    """Kafka writes no second line."""
    fs = disk()
    put(fs, PATH, render_quorum_state(STATE, version=1).encode())
    assert read_quorum_state(fs, PATH) == STATE


def test_the_identity_comes_back_and_reads_as_java_properties():
    """The checksum is a comment."""
    fs = identified()
    assert read_meta_properties(fs, "/d") == IDENTITY
    assert content(fs, META).startswith(b"#crc32c=")
    assert parse_properties(content(fs, META).decode())["cluster.id"] == IDENTITY.cluster_id


def test_any_flipped_bit_in_the_identity_is_met():
    """No bit of the file can flip without a word, in the ids, the checksum or its name."""
    for position in range(identified().size(META)):
        for bit in range(8):
            fs = identified()
            fs.flip_bit(META, position, bit)
            with pytest.raises(MalformedError):
                read_meta_properties(fs, "/d")


@pytest.mark.parametrize("text", [b"version=2\nnode.id=1\n", b"#\n#Sat Nov 21\nversion=1\nnode.id=1\ncluster.id=x\n"])
def test_an_identity_without_a_checksum_is_believed(text):
    """Kafka wrote it, or a person."""
    fs = disk()
    put(fs, META, text)
    found = read_meta_properties(fs, "/d")
    assert found is not None
    assert found.node_id == 1


@pytest.mark.parametrize("size", range(1, len(content(identified(), META)) - len(b"#crc32c=first line\n") + 1))
@pytest.mark.parametrize("other", [b"0\n1\n0 42\n", b"version=0\nlife.id=\n"])
def test_the_beginning_of_another_file_in_its_place_is_met(size, other):
    """The first line, which states the checksum, may be gone with the rest."""
    fs = identified()
    whole = content(fs, META)
    put(fs, META, (other * len(whole))[:size] + whole[size:])
    with pytest.raises(MalformedError, match="it is corrupt"):
        read_meta_properties(fs, "/d")


@pytest.mark.parametrize(
    "other",
    [b"0\n1\n0 42\n", b"version=0\nlife.id=\nset.aside=2026-11-21T17-09-05Z\n", b'{"leaderId":1,"data_version":1}\n'],
)
def test_another_file_in_its_place_is_met(other):
    """It is not taken for one of version 0, in which every field is optional."""
    fs = disk()
    put(fs, META, other)
    with pytest.raises(MalformedError, match="names no node, directory or cluster"):
        read_meta_properties(fs, "/d")


@pytest.mark.parametrize("text", [b"", b"#\n", b"version=0\n", b"cluster.id=x\nmore=y\n"])
def test_an_identity_of_version_0_may_have_few_fields(text):
    """As Kafka has it."""
    fs = disk()
    put(fs, META, text)
    assert read_meta_properties(fs, "/d") is not None


def test_an_identity_of_before_the_last_line_is_believed():
    """Files that state a checksum in the first line alone have been written."""
    fs = identified()
    lines = content(fs, META).splitlines(keepends=True)
    rest = b"".join(lines[1:-1])
    put(fs, META, b"#crc32c=%08x\n" % crc32c(rest) + rest)
    assert read_meta_properties(fs, "/d") == IDENTITY


def test_an_identity_that_was_changed_states_how_to_keep_it():
    """The error explains how to edit the file on purpose."""
    fs = identified()
    put(fs, META, content(fs, META).replace(b"node.id=1", b"node.id=2"))
    with pytest.raises(MalformedError, match="If it was changed on purpose, remove the lines with #crc32c="):
        read_meta_properties(fs, "/d")


def test_an_identity_of_zeros_is_no_empty_one():
    """A file that was never written whole is not taken for one that says nothing."""
    fs = disk()
    put(fs, META, bytes(58))
    with pytest.raises(MalformedError, match="NUL"):
        read_meta_properties(fs, "/d")
