"""The mark of a replica that was removed on purpose: durable, and never ignored."""

from __future__ import annotations

import random

import pytest

from kraftpy.model.errors import StorageError
from kraftpy.node.startup import boot_state
from kraftpy.storage.filesystem import read_file
from kraftpy.storage.removed_voter import RemovedVoterMark
from tests.unit.storage.logs import DIRECTORY, disk
from tests.unit.storage.test_directory import open_directory, write

PATH = f"{DIRECTORY}/kraftpy.removed"
ID = bytes(range(16))


def test_it_is_there_after_a_crash_and_gone_after_one():
    fs = disk()
    directory = open_directory(fs)
    assert directory.removed.directory_id is None
    directory.removed.write(ID)
    fs.crash(random.Random(0))
    assert read_file(fs, PATH) == b"version=0\ndirectory.id=AAECAwQFBgcICQoLDA0ODw\n"
    again = open_directory(fs)
    assert boot_state(again).removed == again.removed.directory_id == ID
    again.removed.remove()
    again.removed.remove()
    fs.crash(random.Random(1))
    assert boot_state(open_directory(fs)).removed is None


@pytest.mark.parametrize("content", [b"", b"version=1\ndirectory.id=AAECAwQFBgcICQoLDA0ODw\n", b"version=0\n", b"\xff"])
def test_one_that_cannot_be_understood_stops_the_start(content):
    fs = disk()
    open_directory(fs).close()
    write(fs, PATH, content)
    with pytest.raises(StorageError, match=r"kraftpy\.removed cannot be used.*removed from the voters on purpose"):
        RemovedVoterMark.open(fs, DIRECTORY)
