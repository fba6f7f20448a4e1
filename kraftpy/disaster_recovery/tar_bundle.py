"""Many files in one: a tar archive with a manifest in front and a digest of everything behind.

The first member is ``manifest.json``; the others are the files, in the manifest's order. After the archive's end there
is one line, :data:`TRAILER`: the SHA-256 of all bytes before it. ``tar`` reads such a file (what follows an archive's
end is ignored), and any changed, missing or added byte is found before a single one is used, in places that tar itself
does not check too. A bundle appears by a rename after its bytes are durable.

A digest finds accidents, not forgers: who can write the file can write its digest. ``digest`` is printed to be kept
elsewhere.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, TypeAlias, cast

from kraftpy.model.errors import CorruptLogError, StorageError
from kraftpy.storage.atomic_file import replace_by
from kraftpy.storage.filesystem import File, FileSystem
from kraftpy.storage.os_errors import faults_of

MANIFEST = "manifest.json"
MANIFEST_BYTES_MAX = 64 << 20
CHUNK_BYTES = 1 << 20
TRAILER = b"\nkraftpy bundle, sha256 of all before this line: "
TRAILER_BYTES = len(TRAILER) + 64 + 1


@dataclass(frozen=True, slots=True)
class Piece:
    """``size`` bytes of a file, from ``start`` on; they must not change while they are read."""

    path: str
    size: int
    start: int = 0


@dataclass(frozen=True, slots=True)
class Packed:
    """A file of a verified bundle."""

    bundle: Bundle
    name: str


@dataclass(frozen=True, slots=True)
class Joined:
    """Contents one after the other."""

    parts: tuple[bytes | Piece, ...]


Content: TypeAlias = "bytes | Piece | Packed | Joined"


def content_size(content: Content) -> int:
    """Return how many bytes a content has."""
    match content:
        case Piece():
            return content.size
        case Packed():
            return int(content.bundle.entry(content.name)["bytes"])
        case Joined():
            return sum(map(content_size, content.parts))
        case _:
            return len(content)


def chunks_of(fs: FileSystem, content: Content) -> Iterator[bytes]:
    """Yield a content's bytes.

    Raises:
        StorageError: the file cannot be read, or became shorter.
    """
    if isinstance(content, Packed):
        yield from content.bundle.chunks(content.name)
        return
    if isinstance(content, Joined):
        for part in content.parts:
            yield from chunks_of(fs, part)
        return
    if not isinstance(content, Piece):
        yield content
        return
    with faults_of("reading", content.path):
        file = fs.open(content.path)
        try:
            position = 0
            while position < content.size:
                chunk = file.pread(min(CHUNK_BYTES, content.size - position), content.start + position)
                if not chunk:
                    raise StorageError(f"{content.path} became shorter while it was read: is a node running on it?")
                yield chunk
                position += len(chunk)
        finally:
            file.close()


def digest_of(fs: FileSystem, content: Content) -> str:
    """Return the SHA-256 of a content, as hexadecimal digits."""
    found = hashlib.sha256()
    for chunk in chunks_of(fs, content):
        found.update(chunk)
    return found.hexdigest()


class _Sink(io.RawIOBase):
    """A file of the port, written from its beginning, that digests what passes."""

    def __init__(self, file: File) -> None:
        super().__init__()
        self._file = file
        self.position = 0
        self.digest = hashlib.sha256()

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.position

    def write(self, data: Any) -> int:
        piece = bytes(data)
        self._file.pwrite(piece, self.position)
        self.position += len(piece)
        self.digest.update(piece)
        return len(piece)


class _Source(io.RawIOBase):
    """A file of the port up to ``size``, read from its beginning."""

    def __init__(self, file: File, size: int) -> None:
        super().__init__()
        self._file = file
        self._size = size
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = 0) -> int:
        self._position = offset + (0, self._position, self._size)[whence]
        return self._position

    def readinto(self, buffer: Any) -> int:
        data = self._file.pread(max(0, min(len(buffer), self._size - self._position)), self._position)
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)


class _Bounded(io.BufferedReader):
    """Reads no more than there is: tarfile asks for what a member claims, and memory is made for what is asked."""

    def __init__(self, source: _Source, size: int) -> None:
        super().__init__(source, CHUNK_BYTES)
        self._size = size

    def read(self, size: int | None = -1) -> bytes:
        left = max(0, self._size - self.tell())
        return super().read(left if size is None or size < 0 else min(size, left))


class _Content(io.RawIOBase):
    """A content as tarfile wants to read it."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        super().__init__()
        self._chunks = chunks
        self._rest = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        while 0 <= len(self._rest) < size and (chunk := next(self._chunks, b"")):
            self._rest += chunk
        data, self._rest = self._rest[:size], self._rest[size:]
        return data


def write_bundle(
    fs: FileSystem, path: str, facts: Mapping[str, Any], members: Sequence[tuple[str, Content]]
) -> tuple[str, int]:
    """Write a bundle durably and atomically; an existing file at ``path`` is replaced.

    Args:
        fs: the disk.
        path: the file to write.
        facts: what the manifest contains besides the list of files; JSON.
        members: name and content of each file, in order.

    Returns:
        The digest, and the size in bytes.

    Raises:
        StorageError: a disk operation failed; ``path`` is unchanged.
    """
    files = [
        {"name": name, "bytes": content_size(content), "sha256": digest_of(fs, content)} for name, content in members
    ]
    manifest = json.dumps({**facts, "files": files}, indent=1, sort_keys=True).encode()
    return replace_by(fs, path, lambda file: _write(fs, file, [(MANIFEST, manifest), *members]))


def _write(fs: FileSystem, file: File, members: Sequence[tuple[str, Content]]) -> tuple[str, int]:
    sink = _Sink(file)
    with tarfile.open(fileobj=cast("IO[bytes]", sink), mode="w|", format=tarfile.PAX_FORMAT) as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = content_size(content)
            archive.addfile(info, cast("IO[bytes]", _Content(chunks_of(fs, content))))
    digest = sink.digest.hexdigest()
    sink.write(TRAILER + digest.encode() + b"\n")
    return digest, sink.position


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle whose bytes were verified.

    Attributes:
        facts: the manifest.
        digest: of the whole bundle.
    """

    path: str
    facts: Mapping[str, Any]
    digest: str
    _fs: FileSystem
    _size: int

    @property
    def names(self) -> tuple[str, ...]:
        """The files, in order."""
        return tuple(entry["name"] for entry in self.facts["files"])

    def entry(self, name: str) -> Mapping[str, Any]:
        """Return size and digest of a file, as the manifest has them."""
        found: Mapping[str, Any] = next(entry for entry in self.facts["files"] if entry["name"] == name)
        return found

    def read(self, name: str) -> bytes:
        """Return a whole file."""
        return b"".join(self.chunks(name))

    def chunks(self, name: str) -> Iterator[bytes]:
        """Yield a file's bytes."""
        with _archive(self._fs, self.path, self._size) as archive:
            member = archive.extractfile(name)
            if member is None:
                raise CorruptLogError(f"{self.path}: {name} is no file in it")
            while chunk := member.read(CHUNK_BYTES):
                yield chunk


def open_bundle(fs: FileSystem, path: str) -> Bundle:
    """Verify a bundle to its last byte.

    Raises:
        CorruptLogError: it was cut, altered, or is no bundle.
        StorageError: it cannot be read.
    """
    with faults_of("reading", path):
        total = fs.size(path)
        file = fs.open(path)
        try:
            trailer = file.pread(TRAILER_BYTES, max(0, total - TRAILER_BYTES))
        finally:
            file.close()
    if len(trailer) < TRAILER_BYTES or not (trailer.startswith(TRAILER) and trailer.endswith(b"\n")):
        raise CorruptLogError(f"{path} does not end as a bundle does: it was cut, or is something else")
    stated = trailer[len(TRAILER) : -1].decode("ascii", "replace")
    found = digest_of(fs, Piece(path, total - TRAILER_BYTES))
    if found != stated:
        raise CorruptLogError(
            f"{path} was altered: its bytes have the digest {found}, its last line has {stated}. Take another copy."
        )
    try:
        with _archive(fs, path, total - TRAILER_BYTES) as archive:
            member = archive.extractfile(MANIFEST)
            facts = json.loads(member.read(min(MANIFEST_BYTES_MAX, total)) if member is not None else b"")
            sizes = {info.name: info.size for info in archive.getmembers()}
            wrong = [one["name"] for one in facts["files"] if sizes.get(one["name"]) != one["bytes"]]
    except (KeyError, TypeError, ValueError, RecursionError, tarfile.TarError) as error:
        raise CorruptLogError(f"{path} is no bundle: {error}") from error
    if wrong:
        raise CorruptLogError(f"{path} contradicts its manifest about {wrong[0]}")
    return Bundle(path, facts, found, fs, total - TRAILER_BYTES)


@contextmanager
def _archive(fs: FileSystem, path: str, size: int) -> Iterator[tarfile.TarFile]:
    with faults_of("reading", path):
        file = fs.open(path)
        try:
            source = _Bounded(_Source(file, size), size)
            with tarfile.open(fileobj=source, mode="r:") as archive:
                yield archive
        finally:
            file.close()
