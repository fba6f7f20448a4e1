"""Our schema tables against the JSON schemas inside Kafka's own jars: record by record, version by version."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from kraftpy.records import schema
from tests.interop.jars import Jars

OURS_ALONE = {
    "ClusterIdRecord",
    "BrokerHostRecord",
    "RemoveControllerRegistrationRecord",
    "AssignBrokerIdRequest",
    "AssignBrokerIdResponse",
}
"""Records of the proposals that this project implements early; their feature levels are unknown to Kafka."""

NEWER_THAN_JARS = {"UnregisterControllerRecord", "UnregisterControllerRequest", "UnregisterControllerResponse"}
"""Messages of the Kafka after the one in the jars."""

OUR_TAGS_FROM = 1_000
"""Tagged fields from here on are ours; an older reader skips them."""

OLDER_THAN_JARS = {("RequestHeader", 0)}
"""What Kafka dropped and we still read: the start that all request headers share, to look at a request's version."""

JAR_OF = {"metadata": ("kafka-metadata", "common/metadata/"), "control": ("kafka-clients", "common/message/"),
          "rpc": ("kafka-clients", "common/message/")}  # fmt: skip


def read_schemas(jar: Path, folder: str) -> dict[str, dict[str, Any]]:
    """Return every schema of a jar by its name; Kafka's JSON has comments on lines of their own and after values."""
    found = {}
    with zipfile.ZipFile(jar) as archive:
        for name in archive.namelist():
            if name.startswith(folder) and name.endswith(".json"):
                text = re.sub(r"^\s*//.*$", "", archive.read(name).decode("utf-8"), flags=re.MULTILINE)
                message = json.loads(re.sub(r"\s//[^\"\n]*$", "", text, flags=re.MULTILINE))
                found[message["name"]] = message
    assert found, f"{jar} holds no schemas under {folder}"
    return found


def holds(versions: str | None, version: int) -> bool:
    return versions is not None and versions != "none" and version in schema.Versions.parse(versions)


def plain_default(value: str | None, kind: str) -> object:
    """Bring a default into one form: what is not said is the type's own."""
    if value is None or value == "":
        return {"bool": False, "string": "", "float64": 0.0, "bytes": b"", "uuid": None}.get(kind, 0)
    if value == "null":
        return "null"
    if kind == "bool":
        return str(value).lower() == "true"
    if kind.startswith(("int", "uint")):
        return int(str(value), 0)
    return value


def our_shape(struct: schema.Struct, version: int, *, flexible: bool, rpc: bool) -> list[tuple[object, ...]]:
    """Say what a struct of ours looks like in a version: plain fields in their order, then the tagged ones."""
    rows: list[tuple[object, ...]] = []
    for field in struct.fields_in(version):
        if field.tag is not None and field.tag >= OUR_TAGS_FROM:
            continue
        is_scalar = field.struct is None and not field.is_array
        inner = our_shape(field.struct, version, flexible=flexible, rpc=rpc) if field.struct else []
        rows.append(
            (
                field.tag if field.tag is not None and flexible else None,
                field.name,
                f"{'[]' if field.is_array else ''}{'struct' if field.struct else field.kind}",
                field.is_nullable,
                plain_default(field.default, field.kind) if is_scalar or field.default == "null" else None,
                field.is_ignorable if rpc else None,
                field.is_plain and flexible,
                inner,
            )
        )
    return _ordered(rows)


def their_shape(
    fields: Iterable[dict[str, Any]], common: dict[str, Any], version: int, *, flexible: bool, rpc: bool
) -> list[tuple[object, ...]]:
    """Say the same of Kafka's JSON."""
    rows: list[tuple[object, ...]] = []
    for field in fields:
        if not holds(field["versions"], version):
            continue
        kind = field["type"].removeprefix("[]")
        is_array = field["type"].startswith("[]")
        below = field.get("fields") or common.get(kind)
        default = field.get("default")
        is_scalar = below is None and not is_array
        rows.append(
            (
                field["tag"] if holds(field.get("taggedVersions"), version) and flexible else None,
                field["name"],
                f"{'[]' if is_array else ''}{'struct' if below else kind}",
                # Our codecs accept null in all versions of a field if in any (proto/kafka/README.md).
                field.get("nullableVersions", "none") != "none",
                plain_default(default, kind) if is_scalar or default == "null" else None,
                bool(field.get("ignorable")) if rpc else None,
                field.get("flexibleVersions") == "none" and flexible,
                their_shape(below, common, version, flexible=flexible, rpc=rpc) if below else [],
            )
        )
    return _ordered(rows)


def _ordered(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    tagged = sorted((row for row in rows if row[0] is not None), key=lambda row: int(str(row[0])))
    return [row for row in rows if row[0] is None] + tagged


def differences(ours: schema.MessageSpec, theirs: dict[str, Any], *, rpc: bool) -> list[str]:
    """Compare a message in every version that both have."""
    reported = []
    if "apiKey" in theirs and ours.api_key != theirs["apiKey"]:
        reported.append(f"{ours.name}: apiKey {ours.api_key}, Kafka {theirs['apiKey']}")
    common = {one["name"]: one["fields"] for one in theirs.get("commonStructs", [])}
    valid = schema.Versions.parse(theirs["validVersions"])
    for version in ours.version_numbers():
        if (ours.name, version) in OLDER_THAN_JARS:
            continue
        if version not in valid:
            reported.append(f"{ours.name} version {version}: Kafka has {theirs['validVersions']} only")
            continue
        flexible = holds(theirs["flexibleVersions"], version)
        if flexible != (version in ours.flexible):
            reported.append(f"{ours.name} version {version}: flexible is {version in ours.flexible}, Kafka {flexible}")
        left = our_shape(ours.root, version, flexible=flexible, rpc=rpc)
        right = their_shape(theirs["fields"], common, version, flexible=flexible, rpc=rpc)
        reported += [f"{ours.name} version {version}: ours has {row}" for row in left if row not in right]
        reported += [f"{ours.name} version {version}: Kafka has {row}" for row in right if row not in left]
        if not reported and left != right:
            reported.append(f"{ours.name} version {version}: the fields stand in another order")
    return reported


@pytest.mark.parametrize("family", schema.FAMILIES)
def test_tables_are_kafkas(jars: Jars, family: str) -> None:
    """Every message of ours has Kafka's fields, types, defaults, tags and order in each of its versions."""
    artifact, folder = JAR_OF[family]
    kafka = read_schemas(jars.jar(artifact), folder)
    reported, compared = [], 0
    for message in schema.load(family):
        if message.name in OURS_ALONE | NEWER_THAN_JARS:
            assert message.name not in kafka, f"Kafka has {message.name} now: compare it"
            continue
        if message.name not in kafka:
            reported.append(f"{message.name} is not in {artifact}")
            continue
        reported += differences(message, kafka[message.name], rpc=family == "rpc")
        compared += len(message.version_numbers())
    assert reported == []
    assert compared > 4


def test_every_metadata_record_is_known(jars: Jars) -> None:
    """No record or version that Kafka can write is missing from our table."""
    kafka = read_schemas(jars.jar("kafka-metadata"), "common/metadata/")
    ours = {message.name: message for message in schema.load("metadata")}
    assert set(kafka) - set(ours) == set()
    for name, theirs in kafka.items():
        valid = schema.Versions.parse(theirs["validVersions"])
        assert (ours[name].versions.low, ours[name].versions.high) == (valid.low, valid.high), name


def test_the_newest_versions_of_raft_are_known(jars: Jars) -> None:
    """Nothing that Kafka can say between controllers is beyond our tables."""
    kafka = read_schemas(jars.jar("kafka-clients"), "common/message/")
    raft = ("Vote", "BeginQuorumEpoch", "EndQuorumEpoch", "Fetch", "FetchSnapshot", "DescribeQuorum")
    ours = {message.name: message for message in schema.load("rpc")}
    for name in (f"{api}{kind}" for api in raft for kind in ("Request", "Response")):
        newest = schema.Versions.parse(kafka[name]["validVersions"]).high
        assert ours[name].versions.high == newest, f"{name}: Kafka has version {newest}"


def test_drift_is_seen(jars: Jars) -> None:
    """A changed tag, type, default, order or version in Kafka's schema does not go unnoticed."""
    [ours] = [message for message in schema.load("metadata") if message.name == "RegisterBrokerRecord"]
    for path, value in (
        (("fields", 0, "type"), "int64"),
        (("fields", 7, "default"), "false"),
        (("fields", 10, "tag"), 7),
        (("fields", 4, "fields", 2, "type"), "int32"),
        (("fields", 6, "nullableVersions"), "none"),
        (("flexibleVersions",), "1+"),
        (("validVersions",), "0-3"),
    ):
        theirs = read_schemas(jars.jar("kafka-metadata"), "common/metadata/")["RegisterBrokerRecord"]
        assert differences(ours, theirs, rpc=False) == []
        at: Any = theirs
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = value
        assert differences(ours, theirs, rpc=False), f"{path} = {value} went unnoticed"
