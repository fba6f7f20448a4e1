"""A support bundle: its members, its limits, and what its manifest states."""

from __future__ import annotations

import io
import json
import tarfile

import pytest

from kraftpy.doctor import bundle
from kraftpy.doctor.bundle import MANIFEST, BundleContents, packed

MADE_MS = 1_729_857_600_123


def unpacked(data: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
        return {one.name: archive.extractfile(one).read() for one in archive.getmembers()}


def contents(**members: str) -> BundleContents:
    made = BundleContents()
    for name, text in members.items():
        made.add(name, text)
    return made


def test_members_come_after_the_manifest_that_lists_them():
    """The same contents give the same bytes."""
    made = contents(b="two", a="one")
    made.leave_out("cluster", "not named", was_asked_for=False)
    made.redacted["a"] = 1
    found = packed(made, made_ms=MADE_MS, version="9.9")
    members = unpacked(found.data)
    assert list(members) == [MANIFEST, "b", "a"]
    assert (members["b"], members["a"]) == (b"two", b"one")
    assert (
        json.loads(members[MANIFEST])
        == found.manifest
        == {
            "kraftpyVersion": "9.9",
            "madeTimestamp": MADE_MS,
            "madeTime": "2024-10-25T12:00:00.123Z",
            "members": [{"name": "b", "bytes": 3}, {"name": "a", "bytes": 3}],
            "redacted": [{"member": "a", "keyCount": 1}],
            "leftOut": [{"part": "cluster", "reason": "not named", "wasAskedFor": False}],
        }
    )
    assert packed(made, made_ms=MADE_MS, version="9.9").data == found.data


def test_a_known_secret_is_in_no_member():
    """Wherever it was found: in a log, in JSON, in the reason why something is missing."""
    made = contents(log="x pl4nted-1 y", other="no")
    made.add_json("json", {"a": ["pl4nted-1"]})
    made.leave_out("file pl4nted-1", "pl4nted-1 cannot be read")
    made.secrets = ("pl4nted-1",)
    members = unpacked(packed(made, made_ms=MADE_MS, version="1").data)
    assert not any(b"pl4nted" in data for data in members.values())
    assert json.loads(members["json"]) == {"a": ["[redacted]"]}


def test_json_stays_json():
    """Whatever is removed from it; it is left out where it is too long, because half of it is none."""
    made = BundleContents()
    made.add_json("a.json", {"text": 'x password="a b" "pl4nted-1"', "pwd": "x", "n": [1, None, True, "12"]})
    made.add_json("b.json", ['password="a b', "x", "-----BEGIN PRIVATE KEY-----"])
    made.secrets = ("pl4nted-1", "true", "12", "null")
    members = unpacked(packed(made, made_ms=MADE_MS, version="1").data)
    assert json.loads(members["a.json"]) == {
        "text": 'x password="[redacted]" "[redacted]"', "pwd": "[redacted]", "n": [1, None, True, "12"],
    }  # fmt: skip
    assert json.loads(members["b.json"]) == ['password="[redacted]"', "x", "[redacted]"]


def test_long_json_is_left_out(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bundle, "MEMBER_BYTES_MAX", 4)
    made = BundleContents()
    made.add_json("a.json", [1, 2, 3])
    found = packed(made, made_ms=MADE_MS, version="1")
    assert list(unpacked(found.data)) == [MANIFEST]
    assert "a member has at most 4" in found.manifest["leftOut"][0]["reason"]


def test_a_long_member_is_cut(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bundle, "MEMBER_BYTES_MAX", 4)
    found = packed(contents(a="123456"), made_ms=MADE_MS, version="1")
    assert unpacked(found.data)["a"] == b"1234"
    assert found.manifest["leftOut"] == [{"part": "a", "reason": "cut after 4 of 6 bytes", "wasAskedFor": True}]


@pytest.mark.parametrize(
    ("limit", "value", "text"), [("BUNDLE_BYTES_MAX", 7, "at most 7 bytes"), ("MEMBERS_MAX", 2, "at most 2 members")]
)
def test_what_does_not_fit_is_left_out(monkeypatch: pytest.MonkeyPatch, limit, value, text):
    """The members before it are kept."""
    monkeypatch.setattr(bundle, limit, value)
    found = packed(contents(a="123", b="456", c="789"), made_ms=MADE_MS, version="1")
    assert list(unpacked(found.data)) == [MANIFEST, "a", "b"]
    (left_out,) = found.manifest["leftOut"]
    assert left_out["part"] == "c"
    assert text in left_out["reason"]
