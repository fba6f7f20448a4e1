"""A simulated disk with files on it."""

from __future__ import annotations

from collections.abc import Mapping

from tests.fakes.filesystem import Inode, SimulatedFileSystem


def disk_with(files: Mapping[str, bytes]) -> SimulatedFileSystem:
    """Make a disk that holds these files, durably."""
    disk = SimulatedFileSystem()
    for path, content in files.items():
        parent, _, name = path.rpartition("/")
        if not disk.is_directory(parent):
            disk.make_directory(parent)
        disk.directories[parent].names[name] = Inode(bytearray(content), content)
    return disk
