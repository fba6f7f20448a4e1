"""A small file system of its own for one directory, and its last byte taken: what a full disk really does."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

BALLAST = "ballast"
PIECE_BYTES = 1 << 12


@contextmanager
def small_disk(directory: Path, mib: int, *, keeps: bool = True) -> Iterator[str]:
    """Mount a small file system; the block is given why that cannot be done, or nothing.

    Args:
        directory: where; it is made.
        mib: its size.
        keeps: whether what is on it in the end is copied to the directory beside it that ends in ``-as-it-was``.
    """
    directory.mkdir(parents=True)
    if os.geteuid() != 0:
        yield "only root may mount a file system"
        return
    command = ["mount", "-t", "tmpfs", "-o", f"size={mib}m", "tmpfs", str(directory)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        yield f"`{' '.join(command[:3])}` is not allowed here: {done.stderr.strip()}"
        return
    try:
        yield ""
    finally:
        if keeps:
            kept = directory.with_name(f"{directory.name}-as-it-was")
            shutil.copytree(directory, kept, ignore=shutil.ignore_patterns(BALLAST))
        subprocess.run(["umount", "--lazy", str(directory)], check=True)


@contextmanager
def filled(directory: Path) -> Iterator[Callable[[], None]]:
    """Take every byte that is free on a directory's file system until the block ends.

    The block is given what takes those that became free meanwhile.
    """
    ballast = directory / BALLAST
    with ballast.open("wb", buffering=0) as file:

        def fill() -> None:
            with suppress(OSError):
                while True:
                    file.write(bytes(PIECE_BYTES))

        fill()
        try:
            yield fill
        finally:
            ballast.unlink()
