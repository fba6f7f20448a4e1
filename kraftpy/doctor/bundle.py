"""A support bundle: named texts of bounded size in one archive, with a manifest of what is in it and what is not.

Source: ``etcd``'s and CockroachDB's ``debug zip``.
"""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kraftpy.doctor.redaction import scrubbed, scrubbed_json
from kraftpy.model.iso_time import time_fields

MANIFEST: Final = "manifest.json"
MEMBER_BYTES_MAX: Final = 8 << 20
"""A longer member is cut, or left out if it is JSON, and the manifest states it."""

BUNDLE_BYTES_MAX: Final = 64 << 20
"""All members together, uncompressed; one that does not fit is left out."""

MEMBERS_MAX: Final = 2_000
"""More members than the files of a whole cluster make."""

FILE_MODE: Final = 0o600
COMPRESSION: Final = 6


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What is not in the bundle, and why; ``was_asked_for`` is False where the operator did not name it."""

    what: str
    reason: str
    was_asked_for: bool = True

    def as_json(self, secrets: Iterable[str]) -> dict[str, Any]:
        """Return it as plain values, without these secrets."""
        return {
            "part": scrubbed(self.what, secrets),
            "reason": scrubbed(self.reason, secrets),
            "wasAskedFor": self.was_asked_for,
        }


@dataclass(slots=True)
class BundleContents:
    """Members on their way into a bundle.

    Attributes:
        secrets: values that no member may contain.
        redacted: by member, how many keys have a value that was redacted.
        json_members: the members that are JSON.
    """

    secrets: tuple[str, ...] = ()
    members: dict[str, str] = field(default_factory=dict)
    redacted: dict[str, int] = field(default_factory=dict)
    json_members: set[str] = field(default_factory=set)
    left_out: list[LeftOut] = field(default_factory=list)

    def add(self, name: str, text: str) -> None:
        """Add a text."""
        self.members[name] = text

    def add_json(self, name: str, data: Any) -> None:
        """Add a value as JSON."""
        self.add(name, json.dumps(data, default=str))
        self.json_members.add(name)

    def scrubbed(self, name: str) -> bytes:
        """Return a member without secrets; one that is JSON stays JSON."""
        text = self.members[name]
        if name in self.json_members:
            data = scrubbed_json(json.loads(text), self.secrets)
            return (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")
        return scrubbed(text, self.secrets).encode("utf-8", "backslashreplace")

    def leave_out(self, what: str, reason: str, *, was_asked_for: bool = True) -> None:
        """State what is missing."""
        self.left_out.append(LeftOut(what, reason, was_asked_for))


@dataclass(frozen=True, slots=True)
class SupportBundle:
    """The bytes of the archive, and its manifest."""

    data: bytes
    manifest: Mapping[str, Any]


def packed(contents: BundleContents, *, made_ms: int, version: str) -> SupportBundle:
    """Put the members into one archive: the manifest first, then all that fit, in their order.

    Every member is scrubbed of the secrets that are known.
    """
    left_out = list(contents.left_out)
    fitting: list[tuple[str, bytes]] = []
    used = 0
    for name in contents.members:
        data = contents.scrubbed(name)
        if len(data) > MEMBER_BYTES_MAX and name in contents.json_members:
            left_out.append(LeftOut(name, f"has {len(data)} bytes; a member has at most {MEMBER_BYTES_MAX}"))
            continue
        if len(data) > MEMBER_BYTES_MAX:
            left_out.append(LeftOut(name, f"cut after {MEMBER_BYTES_MAX} of {len(data)} bytes"))
            data = data[:MEMBER_BYTES_MAX]
        if used + len(data) > BUNDLE_BYTES_MAX or len(fitting) >= MEMBERS_MAX:
            limit = f"{BUNDLE_BYTES_MAX} bytes" if len(fitting) < MEMBERS_MAX else f"{MEMBERS_MAX} members"
            left_out.append(LeftOut(name, f"{len(data)} bytes do not fit: a bundle has at most {limit}"))
            continue
        used += len(data)
        fitting.append((name, data))
    manifest = {
        "kraftpyVersion": version,
        **time_fields("made", made_ms),
        "members": [{"name": name, "bytes": len(data)} for name, data in fitting],
        "redacted": [
            {"member": name, "keyCount": keys} for name, keys in contents.redacted.items() if name in contents.members
        ],
        "leftOut": [one.as_json(contents.secrets) for one in left_out],
    }
    first = json.dumps(manifest, indent=2, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
    return SupportBundle(_archive([(MANIFEST, first), *fitting], made_ms), manifest)


def _archive(members: Iterable[tuple[str, bytes]], made_ms: int) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, data in members:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(data), made_ms // 1_000, FILE_MODE
            archive.addfile(entry, io.BytesIO(data))
    return gzip.compress(buffer.getvalue(), COMPRESSION, mtime=made_ms // 1_000)
