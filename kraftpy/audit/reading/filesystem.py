"""Local and remote files behind three functions: list, size, open.

A path with a scheme (``s3://``, ``hdfs://``, ``gs://``, ``file://`` ...) goes through pyarrow's file systems, whose
files are read by ranges; any other path is a local one and needs no pyarrow.

Hadoop's file systems (``hdfs://``, ``viewfs://``) are Hadoop's own client in a JVM of this process, loaded by pyarrow.
One connection serves all files of an address: pyarrow closes a file system with the last reference to it, and its files
with it.
"""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from kraftpy.audit.optional_dependencies import extra
from kraftpy.model.errors import KraftError

_WANTED: Final = "name segments, checkpoints, metadata directories or trees of them"
_OPTIONS: Final = re.compile(r"\?\w+=[^?]*$")
_HADOOP: Final = ("hdfs", "viewfs")
_HADOOP_WAY_OUT: Final = (
    "Hadoop's client must be where this process and every Spark worker runs: the directory of libhdfs.so in "
    "ARROW_LIBHDFS_DIR (or HADOOP_HOME), its jars and its configuration in CLASSPATH (`hadoop classpath --glob`), "
    "Java in JAVA_HOME"
)


class InputError(KraftError):
    """A path cannot be read or holds nothing to read; the text names it and the way out."""


class Listed(NamedTuple):
    """A file that was found.

    Attributes:
        path: where it is; followed by ``options`` it can be opened.
        size: bytes, when it was listed.
        is_named: whether the caller named this file or its directory, and not one above.
        options: the options of its file system, such as ``?region=eu-west-1``.
    """

    path: str
    size: int
    is_named: bool
    options: str = ""


def is_remote(path: str) -> bool:
    """Return whether a path goes through pyarrow's file systems."""
    return "://" in path


def list_files(path: str) -> list[Listed]:
    """List the files of a path, a directory or a glob; directories with everything below them.

    Raises:
        InputError: when there is nothing, or it may not be read.
    """
    try:
        found = sorted(_list_remote(path) if is_remote(path) else _list_local(path))
    except FileNotFoundError as error:
        raise InputError(f"{path} is not there: {_WANTED}") from error
    except OSError as error:
        raise InputError(f"{path} cannot be listed: {error.strerror or error}") from error
    if not found:
        what = "matches no file" if glob.has_magic(path) else "is an empty directory"
        raise InputError(f"{path} {what}: {_WANTED}")
    return found


def open_file(path: str) -> BinaryIO:
    """Open a file for reading at any position.

    Raises:
        InputError: when its file system cannot be reached.
        OSError: as the file system reports it.
    """
    if not is_remote(path):
        return Path(path).open("rb")
    system, inner, _, _ = _resolve(path)
    if _is_hadoop(path) and not _is_there(system, inner):
        # Asked first: if the file does not exist, opening it makes Hadoop's client print Java's whole stack.
        raise FileNotFoundError(2, "no such file or directory", path)
    opened: BinaryIO = system.open_input_file(inner)
    return opened


def read_small(path: str, limit: int) -> bytes:
    """Read up to ``limit`` bytes of a file.

    Raises:
        OSError: as the file system reports it.
    """
    with open_file(path) as file:
        return file.read(limit)


def absolute(paths: Sequence[str]) -> list[str]:
    """Return paths that are valid in another process, which may have another working directory."""
    return [path if is_remote(path) else os.path.abspath(path) for path in paths]  # noqa: PTH100 - keeps globs as they are


def base_name(path: str) -> str:
    """Return the last component of a path or URI."""
    return path.rstrip("/").rpartition("/")[2]


def parent(path: str) -> str:
    """Return the directory of a path or URI."""
    head = path.rstrip("/").rpartition("/")[0]
    return head or ("/" if path.startswith("/") else ".")


def _list_local(path: str) -> Iterator[Listed]:
    if glob.has_magic(path) and not os.path.lexists(path):
        for match in glob.iglob(path, recursive=True):  # noqa: PTH207 - Path.glob takes no absolute pattern
            yield from _list_local(glob.escape(match) if glob.has_magic(match) else match)
        return
    if not Path(path).is_dir():
        yield Listed(path, Path(path).stat().st_size, is_named=True)
        return
    for directory, _, names in os.walk(path, onerror=_raise):
        for name in names:
            each = Path(directory, name)
            try:
                yield Listed(str(each), each.stat().st_size, Path(directory) == Path(path))
            except FileNotFoundError:  # a live node deletes and renames; what is gone is not listed
                continue


def _raise(error: OSError) -> None:
    raise error


def _list_remote(uri: str) -> Iterator[Listed]:
    fs = extra("pyarrow.fs")
    pattern = ""
    address, options = _without_options(uri)
    if glob.has_magic(address):
        fixed = address[: min(address.find(sign) for sign in "*?[" if sign in address)]
        uri, pattern = fixed.rpartition("/")[0] + options, address
    system, inner, prefix, suffix = _resolve(uri)
    info = system.get_file_info(inner)
    if info.type == fs.FileType.NotFound:
        if _is_hadoop(uri):
            _raise_why_not(system, inner, uri)
        raise FileNotFoundError(2, "no such file or directory", uri)
    is_file = info.type == fs.FileType.File
    for each in [info] if is_file else system.get_file_info(fs.FileSelector(inner, recursive=True)):
        if each.type != fs.FileType.File:
            continue
        if pattern and not _matches(f"{prefix}{each.path}", pattern):
            continue
        is_named = bool(pattern) or is_file or parent(each.path) == inner.rstrip("/")
        yield Listed(f"{prefix}{each.path}", each.size, is_named, suffix)


def _without_options(uri: str) -> tuple[str, str]:
    """Return a URI without the options of its file system (``?region=...``, which is no glob), and the options."""
    found = _OPTIONS.search(uri)
    return (uri, "") if found is None else (uri[: found.start()], found[0])


def _matches(path: str, pattern: str) -> bool:
    """Return whether a path, or a directory above it, matches a glob; ``*`` does not cross a slash."""
    parts, wanted = path.split("/"), pattern.rstrip("/").split("/")
    return len(parts) >= len(wanted) and all(
        fnmatch.fnmatchcase(part, sign) for part, sign in zip(parts, wanted, strict=False)
    )


def _resolve(uri: str) -> tuple[Any, str, str, str]:
    """Return the file system, its own path, and what precedes and follows that path in the URI."""
    pa, fs = extra("pyarrow"), extra("pyarrow.fs")
    try:
        system, inner = _hadoop(uri) if _is_hadoop(uri) else fs.FileSystem.from_uri(uri)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise InputError(f"{uri} is no address that pyarrow's file systems know: {error}") from error
    address, options = _without_options(uri)
    path = inner.rstrip("/")
    whole = address.rstrip("/") if path else address.removesuffix("/")
    if not whole.endswith(path):
        raise InputError(f"{uri} is not written plainly: its path reads {inner}; name it without escapes")
    return system, inner, whole.removesuffix(path), options


def _is_hadoop(uri: str) -> bool:
    return uri.partition("://")[0] in _HADOOP


def _hadoop(uri: str) -> tuple[Any, str]:
    address, options = _without_options(uri)
    scheme, _, rest = address.partition("://")
    host, _, path = rest.partition("/")
    if "@" in host:
        user, _, host = host.rpartition("@")
        raise InputError(f"{uri} names a user where pyarrow does not look: {scheme}://{host}/{path}?user={user}")
    return _connected(f"{scheme}://{host}/{options}"), "/" + path.rstrip("/")


@cache
def _connected(address: str) -> Any:
    """Return the one connection to a Hadoop file system; all that were named are kept."""
    fs = extra("pyarrow.fs")
    try:
        system, _ = fs.FileSystem.from_uri(address)
    except OSError as error:
        stated = str(error).partition("\n")[0]
        raise InputError(f"{address}: no connection to this file system ({stated}). {_HADOOP_WAY_OUT}") from error
    return system


def _is_there(system: Any, path: str) -> bool:
    return bool(system.get_file_info(path).type != extra("pyarrow.fs").FileType.NotFound)


def _raise_why_not(system: Any, path: str, uri: str) -> None:
    """Raise the actual reason for a failure: Hadoop's client calls everything that it cannot reach "not found"."""
    if not _is_there(system, "/"):
        raise InputError(
            f"{uri}: the file system does not answer, or shows nothing to this user: Hadoop's client logged why. "
            f"Name the name node's address, or ?user=NAME. {_HADOOP_WAY_OUT}"
        )
    system.get_file_info(extra("pyarrow.fs").FileSelector(path))
