"""The generated codecs: fresh, exact, complete."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

import kraftpy.records
from kraftpy.model.errors import LocalError, MalformedError
from kraftpy.records.codec import LazyCodecs
from kraftpy.records.generated import metadata as m
from kraftpy.records.generated import rpc as r
from kraftpy.records.schema import FAMILIES, load
from proto.generate.codecs import render
from tests.unit.records.instances import PlainEncoder, codec_of, every_version, instance, normal_form

CASES = 12


@pytest.mark.parametrize("family", FAMILIES)
def test_generated_modules_are_fresh(family: str) -> None:
    """The committed module is not what the table gives: run python -m proto.generate."""
    directory = Path(kraftpy.records.__file__).parent / "generated"
    rendered = render(family)
    assert {name: (directory / name).read_text(encoding="utf-8") for name in rendered} == rendered
    separate = {str(path.relative_to(directory)) for path in directory.glob(f"{family}_codecs/*.py")}
    assert separate == rendered.keys() - {f"{family}.py"}, "nothing is left over"


def test_codecs_of_a_message_are_imported_when_they_are_asked_for() -> None:
    """Every codec can be had, one message's import brings no other's, and what is not there is no codec."""
    codecs = LazyCodecs(r.CODECS._modules)
    assert codecs[r.VoteRequest, 1] is r.CODECS[r.VoteRequest, 1]
    assert {message for message, _ in codecs._loaded} == {r.VoteRequest}
    codecs.load(r.FetchRequest, r.FetchResponse)
    assert {message for message, _ in codecs._loaded} == {r.VoteRequest, r.FetchRequest, r.FetchResponse}
    assert (codecs.get((r.VoteRequest, 99)), codecs.get((m.TopicRecord, 0)), (r.VoteRequest, 2) in codecs) == (
        None,
        None,
        True,
    )
    wanted = {
        (message, version) for message in r.MESSAGES for version in range(message.MIN_VERSION, message.MAX_VERSION + 1)
    }
    assert set(codecs) == set(dict(codecs)) == wanted
    assert len(codecs) == len(wanted)


def test_a_node_imports_the_codecs_that_it_needs() -> None:
    """A node's start imports no codecs that it does not use; and no election waits for an import."""
    reported = subprocess.run(
        [sys.executable, "-c", WHAT_A_NODE_IMPORTS], capture_output=True, text=True, check=True, timeout=60
    ).stdout.split()
    assert "describe_configs_response" not in reported
    assert {"vote_request", "begin_quorum_epoch_response", "end_quorum_epoch_request", "fetch_response"} <= set(
        reported
    )


WHAT_A_NODE_IMPORTS = """
import sys
import kraftpy.node.node
from kraftpy.transport.kafka.channel import PeerNetwork

PeerNetwork(print, "test")
print(*(name.rsplit(".", 1)[1] for name in sys.modules if ".rpc_codecs." in name))
"""


@pytest.mark.parametrize(("family", "schema", "version"), every_version())
def test_messages_go_to_bytes_and_back(family, schema, version) -> None:
    """A message came back different from its bytes, or its bytes are not what the plain encoder writes."""
    decode, encode = codec_of(family, schema, version)
    plain = PlainEncoder(schema, version)
    for seed in range(CASES):
        message = instance(family, schema, version, random.Random(f"{schema.name} {version} {seed}"))
        data = encode(message, b"")
        assert data == plain.message(schema.root, message), f"seed {seed}"
        again = decode(b"?!" + data, 2)
        if schema.is_header:
            again, end = again
            assert end == len(data) + 2
        assert normal_form(again) == normal_form(message), f"seed {seed}"


@pytest.mark.parametrize(("family", "schema", "version"), every_version())
def test_a_cut_message_is_malformed(family, schema, version) -> None:
    """A message that lost its last bytes, or got one too many, was not refused with its name."""
    decode, encode = codec_of(family, schema, version)
    message = instance(family, schema, version, random.Random(7))
    data = encode(message, b"")
    for end in {*range(min(len(data), 60)), *range(0, len(data), max(1, len(data) // 40))}:
        with pytest.raises(MalformedError, match=schema.name):
            decode(data[:end], 0)
    if not schema.is_header:
        with pytest.raises(MalformedError, match=schema.name):
            decode(data + b"\0", 0)


@pytest.mark.parametrize(("family", "schema", "version"), every_version())
def test_crooked_bytes_end_in_malformed_error_only(family, schema, version) -> None:
    """Crooked bytes ended in something else than a MalformedError."""
    decode, encode = codec_of(family, schema, version)
    rng = random.Random(f"{schema.name} {version}")
    valid = encode(instance(family, schema, version, rng), b"")
    for number in range(60):
        data = bytearray(valid if number % 3 else rng.randbytes(rng.choice((1, 10, 100))))
        for _ in range(rng.choice((1, 1, 3))):
            if data:
                data[rng.randrange(len(data))] = rng.choice((0, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        try:
            decode(bytes(data), 0)
        except MalformedError:
            continue


def test_every_field_has_its_default() -> None:
    """A message without arguments does not have the schema's defaults."""
    assert m.PartitionRecord() == m.PartitionRecord(-1, bytes(16), [], [], [], [], -1, 0, -1, -1, [], None, None, ())
    assert m.RegisterBrokerRecord().fenced is True
    assert m.PartitionChangeRecord().leader == -2
    assert r.FetchRequestFetchPartition().high_watermark == 2**63 - 1
    assert r.FetchResponsePartitionData().records is None
    assert m.PartitionRecord().replicas is not m.PartitionRecord().replicas


@pytest.mark.parametrize(
    ("message", "version", "place"),
    [
        (m.TopicRecord("x", b"short"), 0, "topic_id"),
        (m.TopicRecord(None, bytes(16)), 0, "name"),
        (m.TopicRecord("x" * 32768, bytes(16)), 0, "name"),
        (m.TopicRecord("\ud800", bytes(16)), 0, "name"),
        (m.PartitionRecord(replicas=None), 0, "replicas"),
        (m.PartitionRecord(replicas=[2**31]), 0, "replicas"),
        (m.PartitionRecord(directories=[b"x"]), 1, "directories"),
        (m.PartitionRecord(directories=[bytes(16)]), 0, "directories"),
        (m.PartitionRecord(eligible_leader_replicas=[1]), 1, "eligible_leader_replicas"),
        (m.FeatureLevelRecord("f", 2**15), 0, "feature_level"),
        (m.UserScramCredentialRecord("u", 1, None), 0, "salt"),
        (m.UserScramCredentialRecord("u", 1, "text"), 0, "salt"),
        (m.RegisterBrokerRecord(cordoned_log_dirs=[]), 3, "cordoned_log_dirs"),
        (m.RegisterBrokerRecord(end_points=[m.RegisterBrokerRecordBrokerEndpoint(port=-1)]), 3, "port"),
    ],
)
def test_what_does_not_fit_is_refused_by_field(message, version: int, place: str) -> None:
    """A value that its field or its version cannot carry was written, or refused without naming the field."""
    with pytest.raises(LocalError, match=place):
        m.CODECS[type(message), version][1](message, b"")


def test_ignorable_fields_are_dropped_in_silence() -> None:
    """A field that old versions may ignore was refused by one."""
    request = r.FetchRequest(rack_id="r1", session_id=7, max_bytes=5)
    again = r.CODECS[r.FetchRequest, 4][0](r.CODECS[r.FetchRequest, 4][1](request, b""), 0)
    assert (again.rack_id, again.session_id, again.max_bytes) == ("", 0, 5)


def test_unknown_tags_in_an_old_version_are_refused() -> None:
    """A version without tagged sections dropped unknown tagged fields."""
    with pytest.raises(LocalError, match="unknown_tags"):
        r.CODECS[r.FetchRequest, 4][1](r.FetchRequest(unknown_tags=((9, b""),)), b"")


def test_an_unknown_tag_cannot_repeat_a_known_one() -> None:
    """One tag was written twice."""
    record = m.BrokerRegistrationChangeRecord(1, 2, fenced=1, unknown_tags=((0, b"\1"),))
    with pytest.raises(LocalError, match="twice"):
        m.CODECS[type(record), 0][1](record, b"")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("00000001" + "0000000000000002" + "02" + "0001ff" + "0001ff", "follows tag"),
        ("00000001" + "0000000000000002" + "01" + "00" + "02ff00", "does not fill"),
        ("00000001" + "0000000000000002" + "01" + "00" + "7fff", "claims 127 bytes"),
        ("00000001" + "0000000000000002" + "ffffffffff01", "longer than 5"),
        ("00000001" + "0000000000000002" + "ffffffff1f", "32 bits"),
        ("00000001" + "0000000000000002" + "ffffff7f", "more than"),
    ],
)
def test_crooked_tagged_sections_are_malformed(body: str, why: str) -> None:
    """A tagged section that breaks a rule was read, or refused for another reason."""
    with pytest.raises(MalformedError, match=why):
        m.CODECS[m.BrokerRegistrationChangeRecord, 1][0](bytes.fromhex(body), 0)


def test_errors_name_message_field_and_offset() -> None:
    """A decoding error does not say where it happened."""
    data = m.CODECS[m.PartitionRecord, 0][1](m.PartitionRecord(1, bytes(16), [1, 2], [1, 2]), b"")
    with pytest.raises(MalformedError, match=r"PartitionRecord\.Isr at offset 30: the data ends after 32 bytes"):
        m.CODECS[m.PartitionRecord, 0][0](data[:32], 0)
    with pytest.raises(MalformedError, match=r"PartitionRecord\.Isr at offset 30: it is null"):
        m.CODECS[m.PartitionRecord, 0][0](data[:29] + b"\0" + data[30:], 0)
    with pytest.raises(MalformedError, match=r"TopicRecord\.Name runs 2 bytes over the end"):
        m.CODECS[m.TopicRecord, 0][0](b"\4a", 0)


def test_tables_have_one_block_per_message() -> None:
    """Each message is in exactly one table, and no table lost one."""
    names = [message.name for family in FAMILIES for message in load(family)]
    assert len(names) == len(set(names)) == 30 + 5 + 85
