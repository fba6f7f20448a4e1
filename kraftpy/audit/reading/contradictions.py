"""Contradictions between a log and the other files of its metadata directory.

A log that lost its end, or all of it, has no wrong byte. The files beside it are evidence: an index file has the
segment's name and its last offsets, a snapshot's name has an offset up to which the log was committed,
``leader-epoch-checkpoint`` the start of each epoch, ``quorum-state`` the last epoch, and
``recovery-point-offset-checkpoint`` the offset up to which the log was durable. None of them may be ahead of the log:
each is written after the record that it refers to.

A live node may append while files are read. A file that is ahead of what was read counts only if the log has not grown
since it was listed.

Source: ``on-disk formats`` §8, §9, §10.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from struct import Struct
from typing import Any, BinaryIO, Final

from kraftpy.audit.reading.discovery import PROPERTIES, RECOVERY_POINTS, SIDECAR, SMALL_BYTES_MAX, KraftFile
from kraftpy.audit.reading.filesystem import base_name, open_file, parent, read_small
from kraftpy.audit.reading.rows import LOG, SNAPSHOT, FileSummary
from kraftpy.model.errors import MalformedError
from kraftpy.records.checkpoints import LEADER_EPOCH_FILE, parse_leader_epochs
from kraftpy.records.quorum_state import QUORUM_STATE_FILE, parse_quorum_state

MISSING, CUT, EPOCHS, VOTE = "log-missing", "log-cut", "epochs-differ", "vote-missing"
"""Kinds of contradiction: there is no log, the log ends too early, its epochs differ, the node's vote is missing."""

TOPIC: Final = "__cluster_metadata"
_ENTRY: Final = Struct(">ii")
_INDEX_SUFFIX: Final = ".index"


@dataclass(slots=True)
class _Home:
    """One metadata directory: its files, and the summaries of its segments."""

    files: list[KraftFile] = field(default_factory=list)
    summaries: list[FileSummary] = field(default_factory=list)

    def of(self, kind: str) -> list[KraftFile]:
        return [file for file in self.files if file.kind == kind]

    def named(self, name: str) -> KraftFile | None:
        return next((file for file in self.files if base_name(file.path) == name), None)

    @property
    def reached(self) -> int:
        """The offset after the last record of the log; a segment without records counts with the offset in its name."""
        return max(
            [*(summary.reached for summary in self.summaries), *(file.base_offset or 0 for file in self.of(LOG))]
        )

    @property
    def has_grown(self) -> bool:
        """Whether the log has grown since the files were listed."""
        return any(_size_now(file) > file.size for file in self.of(LOG))


def contradiction_rows(files: Iterable[KraftFile], summaries: Iterable[FileSummary]) -> list[tuple[Any, ...]]:
    """Return the contradictions, in the order of ``CONTRADICTION_COLUMNS``.

    Args:
        files: all that were found.
        summaries: of logs and snapshots.
    """
    homes: dict[str, _Home] = defaultdict(_Home)
    for file in files:
        homes[parent(file.path)].files.append(file)
    for summary in summaries:
        if summary.kind == LOG:
            homes[parent(summary.file)].summaries.append(summary)
    rows = []
    for directory, home in homes.items():
        if not home.of(LOG):
            rows += list(_without_log(home))
            continue
        beside = homes.get(parent(directory))
        found = [*_beyond(home, beside), *_orphans(home)]
        if not (found and home.has_grown):
            rows += found
        rows += [*_epochs(home), *_without_vote(home)]
    return rows


def _row(file: KraftFile, kind: str, offset: int | None, detail: str) -> tuple[Any, ...]:
    return (file.cluster, file.node, file.path, kind, offset, detail)


def _without_log(home: _Home) -> Iterator[tuple[Any, ...]]:
    """Yield evidence of a log where there is none."""
    reported = [file for file in home.of(SIDECAR) if base_name(file.path) != RECOVERY_POINTS]
    stated = [base_name(file.path) for file in reported]
    epochs = _leader_epochs(home)
    if epochs:
        reported.append(_of(home, LEADER_EPOCH_FILE))
        stated.append(f"{LEADER_EPOCH_FILE} ({_counted(len(epochs), 'epoch')})")
    epoch = _elected_epoch(home)
    if epoch > 0:
        reported.append(_of(home, QUORUM_STATE_FILE))
        stated.append(f"{QUORUM_STATE_FILE} (epoch {epoch})")
    if reported:
        yield _row(reported[0], MISSING, None, f"there is no segment beside {', '.join(stated)}")


def _without_vote(home: _Home) -> Iterator[tuple[Any, ...]]:
    """Yield whether a node's directory has lost its vote; one without epochs may be just a copied log."""
    epochs = home.named(LEADER_EPOCH_FILE)
    if epochs is not None and _leader_epochs(home) and home.named(QUORUM_STATE_FILE) is None:
        detail = f"there is no {QUORUM_STATE_FILE} beside the log and {LEADER_EPOCH_FILE}: this node's vote is lost"
        yield _row(epochs, VOTE, None, detail)


def _of(home: _Home, name: str) -> KraftFile:
    file = home.named(name)
    assert file is not None
    return file


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _beyond(home: _Home, beside: _Home | None) -> Iterator[tuple[Any, ...]]:
    """Yield a file that refers to an offset beyond the log. A corrupt log is left to the rules about corruption."""
    if any(_is_corrupt(summary) for summary in home.summaries):
        return
    end = home.reached
    log = max(home.of(LOG), key=lambda file: file.base_offset or 0)
    claims: list[tuple[int, KraftFile, str]] = [
        (
            file.end_offset or 0,
            file,
            f"{base_name(file.path)} has records committed up to {file.end_offset}",
        )
        for file in home.of(SNAPSHOT)
    ]
    claims += [
        (int(base_name(file.path)[:20]), file, f"{base_name(file.path)} was written at that end of the log")
        for file in home.of(SIDECAR)
        if base_name(file.path).endswith(".snapshot")
    ]
    epochs = _leader_epochs(home)
    if epochs:
        epoch, start = epochs[-1]
        claims.append((start, _of(home, LEADER_EPOCH_FILE), f"in {LEADER_EPOCH_FILE} epoch {epoch} begins at {start}"))
    for each in (home, beside):
        file = None if each is None else each.named(RECOVERY_POINTS)
        point = -1 if file is None else _recovery_point(file)
        if file is not None and point > 0:
            claims.append((point, file, f"in {RECOVERY_POINTS} everything below offset {point} was durable"))
    ahead = max((claim for claim in claims if claim[0] > end), key=lambda claim: claim[0], default=None)
    if ahead is not None:
        yield _row(ahead[1], CUT, end, f"the log ends at offset {end} ({base_name(log.path)}), but {ahead[2]}")
        return
    yield from _short_segment(home)


def _short_segment(home: _Home) -> Iterator[tuple[Any, ...]]:
    """Yield whether the last segment is shorter than its index; for the others, the next segment shows it."""
    file = max(home.of(LOG), key=lambda each: each.base_offset or 0)
    name = base_name(file.path).removesuffix(".log") + _INDEX_SUFFIX
    index = home.named(name)
    entry = None if index is None else _last_entry(index)
    if index is None or entry is None or file.base_offset is None:
        return
    offset, position = file.base_offset + entry[0], entry[1]
    summary = next((each for each in home.summaries if each.file == file.path), None)
    end = max(file.base_offset, -1 if summary is None else summary.reached)
    if position >= file.size or offset >= end:
        text = f"{name} has offset {offset} in a batch at byte {position}"
        yield _row(index, CUT, end, f"the log ends at offset {end} ({base_name(file.path)}), but {text}")


def _is_corrupt(summary: FileSummary) -> bool:
    return bool(summary.problems) and not summary.is_torn


def _orphans(home: _Home) -> Iterator[tuple[Any, ...]]:
    """Yield indexes without a segment. Below the log's start they are left by an interrupted deletion."""
    bases = {file.base_offset for file in home.of(LOG)}
    start = min(base for base in bases if base is not None)
    reported: set[int] = set()
    for file in home.of(SIDECAR):
        name = base_name(file.path)
        if not name.endswith((_INDEX_SUFFIX, ".timeindex")):
            continue
        base = int(name[:20])
        if base > start and base not in bases and base not in reported and not _exists(file, f"{name[:20]}.log"):
            reported.add(base)
            yield _row(file, MISSING, base, f"{name} has no segment, whose records began at offset {base}")


def _epochs(home: _Home) -> Iterator[tuple[Any, ...]]:
    """Yield where the epochs of batches, which no checksum covers, differ from those in the files."""
    found = _epochs_of_batches(home.summaries)
    if not found:
        return
    highest, at = max(found)
    elected = _elected_epoch(home)
    if 0 <= elected < highest:
        yield _row(
            _of(home, QUORUM_STATE_FILE), EPOCHS, at,
            f"the batch at offset {at} has epoch {highest}, but the last epoch that this node knows is "
            f"{elected} ({QUORUM_STATE_FILE})",
        )  # fmt: skip
        return
    noted = _leader_epochs(home)
    first = max(noted[0][1], found[0][1]) if noted else 0
    starts = sorted({start for _, start in (*noted, *found) if first < start < home.reached}) if noted else []
    for offset in [first, *starts] if noted and first < home.reached else []:
        one, other = _in_force(noted, offset), _in_force(found, offset)
        if one[0] != other[0] or (offset > first and one[1] != other[1]):
            yield _row(
                _of(home, LEADER_EPOCH_FILE), EPOCHS, offset,
                f"at offset {offset} the log has epoch {other[0]} from offset {other[1]} on, {LEADER_EPOCH_FILE} has "
                f"epoch {one[0]} from offset {one[1]} on",
            )  # fmt: skip
            return


def _epochs_of_batches(summaries: Sequence[FileSummary]) -> list[tuple[int, int]]:
    """Return (epoch, first offset) of a whole log, empty if its order is broken, which another rule reports."""
    ordered = sorted((summary for summary in summaries if summary.epochs), key=lambda summary: summary.first_offset)
    if any(_is_corrupt(summary) for summary in ordered) or any(
        a.reached != b.first_offset for a, b in pairwise(ordered)
    ):
        return []
    found: list[tuple[int, int]] = []
    for epoch, offset in (each for summary in ordered for each in summary.epochs):
        if not found or epoch != found[-1][0]:
            found.append((epoch, offset))
    return found


def _in_force(entries: Sequence[tuple[int, int]], offset: int) -> tuple[int, int]:
    return next(entry for entry in reversed(entries) if entry[1] <= offset)


def _leader_epochs(home: _Home) -> list[tuple[int, int]]:
    text = _text_of(home.named(LEADER_EPOCH_FILE))
    with suppress(MalformedError):  # reported by the rule about small files
        return [] if text is None else parse_leader_epochs(text)
    return []


def _elected_epoch(home: _Home) -> int:
    """Return the last epoch that a node knows, -1 if no file contains it."""
    text = _text_of(home.named(QUORUM_STATE_FILE))
    with suppress(MalformedError):
        return -1 if text is None else parse_quorum_state(text).epoch
    return -1


def _recovery_point(file: KraftFile) -> int:
    """Return the offset up to which the log was durable, -1 if unknown: Kafka's file contains other topics only."""
    for line in (_text_of(file) or "").splitlines()[2:]:
        words = line.split(" ")
        if words[:2] == [TOPIC, "0"] and len(words) == 3 and words[2].isascii() and words[2].isdigit():
            return int(words[2])
    return -1


def _text_of(file: KraftFile | None) -> str | None:
    if file is None or file.kind not in {PROPERTIES, SIDECAR}:
        return None
    with suppress(OSError, UnicodeDecodeError):
        return read_small(file.address, SMALL_BYTES_MAX).decode("utf-8")
    return None


def _size_now(file: KraftFile) -> int:
    try:
        with open_file(file.address) as opened:
            return opened.seek(0, 2)
    except OSError:
        return 0


def _exists(beside: KraftFile, name: str) -> bool:
    """Return whether a file exists now: a live node may have created a segment while files were listed."""
    try:
        read_small(f"{parent(beside.path)}/{name}{beside.options}", 1)
    except OSError:
        return False
    return True


def _last_entry(index: KraftFile) -> tuple[int, int] | None:
    """Return the last entry of an index: (offset relative to the segment's base offset, byte), ``None`` if it has none.

    The index of an active segment has zeros after its entries. Entries ascend, so the last one is found by binary
    search.
    """
    with suppress(OSError), open_file(index.address) as file:
        low, high = 0, index.size // _ENTRY.size
        while low < high:
            middle = (low + high) // 2
            if _entry_at(file, middle) == (0, 0):
                high = middle
            else:
                low = middle + 1
        return _entry_at(file, low - 1) if low else None
    return None


def _entry_at(file: BinaryIO, number: int) -> tuple[int, int]:
    file.seek(number * _ENTRY.size)
    data = file.read(_ENTRY.size)
    if len(data) < _ENTRY.size:
        return (0, 0)
    offset, position = _ENTRY.unpack(data)
    return offset, position
