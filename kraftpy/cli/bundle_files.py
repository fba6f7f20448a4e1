"""What a support bundle has from this machine: configuration files, small files and listings of log directories, logs.

Nothing is changed, no lock is taken, and neither the metadata log nor a snapshot is opened.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from kraftpy.config.endpoints import WILDCARD_HOSTS, parse_address
from kraftpy.config.node_config import read_config_text
from kraftpy.doctor.bundle import BundleContents
from kraftpy.doctor.redaction import after_cut_block, redacted_file
from kraftpy.model.errors import ConfigError, MalformedError
from kraftpy.records.properties import parse_properties
from kraftpy.storage.names import META_PROPERTIES, METADATA_DIRECTORY, QUORUM_STATE, REPLICA_STATUS

LOG_BYTES_MAX: Final = 1 << 20
"""How much of the end of a log file is read."""

LISTED_FILES_MAX: Final = 10_000
"""How many files and directories of one log directory are looked at."""

SMALL_FILE_BYTES_MAX: Final = 64 << 10

SMALL_FILES: Final = (
    META_PROPERTIES,
    f"{METADATA_DIRECTORY}/{QUORUM_STATE}",
    f"{METADATA_DIRECTORY}/{REPLICA_STATUS}",
)
"""The files of a log directory whose content is read, as far as they exist; none has records."""

DEFAULT_LOG_DIRS: Final = "/tmp/kafka-logs"  # noqa: S108 - Kafka's default of log.dir
METRICS_KEY: Final = "metrics.listener"


@dataclass(frozen=True, slots=True)
class NamedNode:
    """A node whose file was named: where its members go, its directories, and its metrics address if it has one."""

    member: str
    log_dirs: tuple[str, ...]
    metrics: str | None


def add_node(contents: BundleContents, path: str, number: int) -> NamedNode | None:
    """Add the configuration file of a node without its secrets; ``None`` when it cannot be read as one.

    What a file that may not be shown has as secrets is removed from the other members all the same.
    """
    member = f"nodes/{number}"
    try:
        text = read_config_text(path)
        shown = redacted_file(text)
    except ConfigError as error:
        contents.leave_out(path, str(error))
        return None
    except MalformedError:
        # The error quotes the line, which may have a secret.
        contents.leave_out(path, "is no properties file; kraftpy config check names the line")
        return None
    name = f"{member}/server.properties"
    if shown.text is None:
        contents.leave_out(path, shown.problem)
    else:
        contents.add(name, f"# {path}\n{shown.text}")
        contents.redacted[name] = shown.keys
    contents.secrets = (*contents.secrets, *shown.secrets)
    given = parse_properties(text)
    return NamedNode(member, _log_dirs(given), _metrics_address(given))


def add_directories(contents: BundleContents, node: NamedNode) -> None:
    """Add listings and small files of the log directories of a node."""
    listings = []
    for number, directory in enumerate(node.log_dirs, 1):
        try:
            is_there = stat.S_ISDIR(Path(directory).stat().st_mode)
        except (FileNotFoundError, NotADirectoryError):
            is_there = False
        except OSError as error:
            contents.leave_out(directory, f"cannot be read: {error.strerror}")
            continue
        if not is_there:
            contents.leave_out(directory, "there is no such directory on this machine")
            continue
        files = list(_listed(contents, directory))
        listings.append({"directory": directory, "member": f"{node.member}/{number}", "files": files})
        for name in SMALL_FILES:
            _add_small_file(contents, f"{node.member}/{number}/{Path(name).name}", Path(directory, name))
    contents.add_json(f"{node.member}/files.json", listings)


def add_log(contents: BundleContents, path: str, number: int) -> None:
    """Add the end of a log file, from the beginning of a line on."""
    try:
        with _regular_file(path) as file:
            size = os.fstat(file.fileno()).st_size
            start = max(0, size - LOG_BYTES_MAX)
            file.seek(start)
            data = file.read(size - start)  # a running node appends
    except OSError as error:
        contents.leave_out(path, f"cannot be read: {error.strerror}")
        return
    # Half a line, or half a private key, could have half a secret, which no pattern finds.
    whole = data.partition(b"\n")[2] if start else data
    begins = f"# {path}, the end of {size} bytes\n" if start else f"# {path}\n"
    contents.add(f"logs/{number}.txt", f"{begins}{after_cut_block(_text(whole))}")


def _add_small_file(contents: BundleContents, member: str, path: Path) -> None:
    try:
        with _regular_file(path) as file:
            data = file.read(SMALL_FILE_BYTES_MAX + 1)
    except FileNotFoundError:
        return
    except OSError as error:
        contents.leave_out(str(path), f"cannot be read: {error.strerror}")
        return
    if len(data) > SMALL_FILE_BYTES_MAX:
        contents.leave_out(str(path), f"is longer than {SMALL_FILE_BYTES_MAX} bytes, as no such file is")
        return
    contents.add(member, _text(data))


def _regular_file(path: str | Path) -> BinaryIO:
    """Open a file that is neither a symbolic link nor anything else whose reading may wait or have an effect.

    Raises:
        OSError: it cannot be opened, or is no such file.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(errno.ELOOP, "it is a symbolic link; name the file itself") from error
        raise
    file = os.fdopen(descriptor, "rb")
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "it is no regular file")
    return file


def _listed(contents: BundleContents, directory: str) -> Iterator[dict[str, Any]]:
    """Yield name, size and time of each file, the names relative to the directory."""
    count = 0

    def leave_out(failure: OSError) -> None:
        contents.leave_out(str(failure.filename), f"cannot be listed: {failure.strerror}")

    for folder, folders, names in os.walk(directory, onerror=leave_out):
        folders.sort()
        for name in sorted((*folders, *names)):
            if count == LISTED_FILES_MAX:
                contents.leave_out(
                    directory, f"has more than {LISTED_FILES_MAX} files and directories; the others are not listed"
                )
                return
            count += 1
            path = Path(folder, name)
            try:
                found = path.lstat()
            except FileNotFoundError:
                continue  # a running node removes files
            except OSError as failure:
                leave_out(failure)
                continue
            if not stat.S_ISDIR(found.st_mode):
                yield {
                    "name": str(path.relative_to(directory)),
                    "bytes": found.st_size,
                    "modifiedMs": found.st_mtime_ns // 1_000_000,
                    "mode": stat.filemode(found.st_mode),
                }


def _log_dirs(given: Mapping[str, str]) -> tuple[str, ...]:
    """Return the directories that a file names; it need not be a file with which a node starts."""
    named = given.get("log.dirs") or given.get("log.dir") or DEFAULT_LOG_DIRS
    directories = [*named.split(","), given.get("metadata.log.dir", "")]
    return tuple(dict.fromkeys(one.strip() for one in directories if one.strip()))


def _metrics_address(given: Mapping[str, str]) -> str | None:
    try:
        host, port = parse_address(given.get(METRICS_KEY, ""))
    except ValueError:
        return None
    host = "localhost" if not host or host in WILDCARD_HOSTS else host
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")
