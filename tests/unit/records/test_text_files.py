"""Properties, quorum-state, leader-epoch-checkpoint and partition.metadata."""

from __future__ import annotations

import pytest

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import LocalError, MalformedError
from kraftpy.model.ids import METADATA_TOPIC_ID
from kraftpy.model.voters import ReplicaKey
from kraftpy.records import checkpoints, properties, quorum_state

D = bytes.fromhex("102132435465468798a9bacbdcedfe0f")
D_TEXT = "ECEyQ1RlRoeYqbrL3O3-Dw"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a=b", {"a": "b"}),
        ("a:b\nc d\ne", {"a": "b", "c": "d", "e": ""}),
        ("  a \t = \f b c ", {"a": "b c "}),
        ("# no\n ! no\n\n \t\na=#b!", {"a": "#b!"}),
        ("a=1\\\n   2\\\r\n3\nb=4", {"a": "123", "b": "4"}),
        ("a=x\\\\\nb=y", {"a": "x\\", "b": "y"}),
        ("a\\ b\\=c\\:d=e", {"a b=c:d": "e"}),
        (r"a=\t\n\r\f\u00e9\z\"", {"a": "\t\n\r\fé" + 'z"'}),
        (r"a=\uD83D\uDE42", {"a": "🙂"}),
        ("a==b", {"a": "=b"}),
        ("=b", {"": "b"}),
        ("a=b\ra=c", {"a": "c"}),
        ("a=b\\", {"a": "b"}),
        ("a=1\\\n# not a comment", {"a": "1# not a comment"}),
        ("\\\n", {"": ""}),
        ("\\\n\n", {}),
        ("\\\n# c\nx=1", {"x": "1"}),
        ("a \\\n : b", {"a": "b"}),
        ("", {}),
        ("a = b = c", {"a": "b = c"}),
    ],
)
def test_properties_are_read_as_java_reads_them(text: str, expected: dict[str, str]) -> None:
    """A properties text was read otherwise than Java reads it."""
    assert properties.parse_properties(text) == expected


def test_a_crooked_escape_names_its_line() -> None:
    """A crooked unicode escape was read, or its line is not named."""
    with pytest.raises(MalformedError, match="line 3"):
        properties.parse_properties("a=1\n\nb=\\u12g4\n")


def test_lines_and_duplicates_are_reported() -> None:
    """The line of a property is wrong, or a repeated key went unseen."""
    found = properties.parse_properties_with_lines("# c\na=1\nb=2\\\n 3\na=4\n")
    assert found.by_key == {"a": ("4", 5), "b": ("23", 3)}
    assert found.duplicates == {"a": (2, 5)}


def test_what_is_written_is_read_back() -> None:
    """A property came back different from what was written."""
    odd = {"k y=:#!\\": "  v\t\n\r\f\\ é🙂 =:#!", "": "", "a": " "}
    text = properties.render_properties(odd, "first\nsecond")
    assert text.isascii()
    assert text.startswith("#first\n#second\n")
    assert properties.parse_properties(text) == odd


def test_properties_are_written_as_kafka_writes_them() -> None:
    """meta.properties does not look like Kafka's."""
    text = properties.render_properties({"node.id": "1", "url": "a:b c"}, "")
    assert text == "#\nnode.id=1\nurl=a\\:b c\n"


@pytest.mark.parametrize(
    ("state", "version", "voters", "text"),
    [
        (
            ElectionState(5, None, ReplicaKey(2)),
            0,
            (1, 2, 3),
            (
                '{"clusterId":"","leaderId":-1,"leaderEpoch":5,"votedId":2,"appliedOffset":0,'
                '"currentVoters":[{"voterId":1},{"voterId":2},{"voterId":3}],"data_version":0}'
            ),
        ),
        (
            ElectionState(5, None, ReplicaKey(2, D)),
            1,
            (),
            f'{{"leaderId":-1,"leaderEpoch":5,"votedId":2,"votedDirectoryId":"{D_TEXT}","data_version":1}}',
        ),
        (
            ElectionState(7, 3, None),
            1,
            (),
            '{"leaderId":3,"leaderEpoch":7,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1}',
        ),
    ],
)
def test_quorum_state_is_kafkas_text(state, version: int, voters, text: str) -> None:
    """quorum-state is not Kafka's text, or does not come back from it."""
    assert quorum_state.render_quorum_state(state, version=version, current_voters=voters) == text
    assert quorum_state.parse_quorum_state(text) == state
    assert quorum_state.parse_quorum_state(text[:-1] + ',"more":[1]}\nsecond line') == state


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        "[" * 100_000,
        '{"leaderId":1,"leaderEpoch":1,"votedId":-1,"data_version":2}',
        '{"leaderId":1,"leaderEpoch":1,"votedId":-1}',
        '{"leaderId":-2,"leaderEpoch":1,"votedId":-1,"data_version":0}',
        '{"leaderId":1,"leaderEpoch":true,"votedId":-1,"data_version":0}',
        '{"leaderId":1,"leaderEpoch":-1,"votedId":-1,"data_version":0}',
        '{"leaderId":1,"leaderEpoch":1,"votedId":-1,"data_version":1}',
        '{"leaderId":1,"leaderEpoch":1,"votedId":-1,"votedDirectoryId":"x","data_version":1}',
        '{"leaderId":1e3,"leaderEpoch":1,"votedId":-1,"data_version":0}',
    ],
)
def test_crooked_quorum_states_are_malformed(text: str) -> None:
    """A crooked quorum-state was read."""
    with pytest.raises(MalformedError, match="quorum-state"):
        quorum_state.parse_quorum_state(text)


def test_quorum_state_has_two_versions() -> None:
    """A quorum-state of an unknown version was written."""
    with pytest.raises(LocalError, match="version 2"):
        quorum_state.render_quorum_state(ElectionState(), version=2)


def test_leader_epochs_are_kafkas_text() -> None:
    """leader-epoch-checkpoint is not Kafka's text, or does not come back from it."""
    assert checkpoints.render_leader_epochs([(1, 0), (3, 42)]) == "0\n2\n1 0\n3 42\n"
    assert checkpoints.parse_leader_epochs("0\n2\n1 0\n3 42\n") == [(1, 0), (3, 42)]
    assert checkpoints.parse_leader_epochs(checkpoints.render_leader_epochs([])) == []


@pytest.mark.parametrize("text", ["", "0\n0\n", "0\r\n0\r\n", "0\r0"])
def test_no_leader_epochs_are_none(text: str) -> None:
    """What Kafka reads as no entries is malformed: an empty file, or the line ends of another system."""
    assert checkpoints.parse_leader_epochs(text) == []
    with pytest.raises(MalformedError):
        checkpoints.parse_leader_epochs(text + "\x0b0\n")


@pytest.mark.parametrize(
    "text",
    ["1\n0\n", "0\n", "0\n1\n", "0\n1\n1 0\n2 0\n", "0\n2\n2 0\n1 5\n", "0\n2\n1 5\n2 4\n", "0\n1\na b\n",
     "0\n1\n1 -1\n", "0\n1\n1\n", "0\n1\n4294967296 0\n", "0\n1\n1 9999999999999999999\n", "0\nx\n"],
)  # fmt: skip
def test_crooked_leader_epochs_are_malformed(text: str) -> None:
    """A crooked leader-epoch-checkpoint was read."""
    with pytest.raises(MalformedError, match="leader-epoch-checkpoint"):
        checkpoints.parse_leader_epochs(text)


def test_partition_metadata_is_kafkas_text() -> None:
    """partition.metadata is not Kafka's text, or does not come back from it."""
    text = "version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ"
    assert checkpoints.render_partition_metadata() == text
    assert checkpoints.parse_partition_metadata(text) == METADATA_TOPIC_ID
    for crooked in ("", "version: 1\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ", "version: 0\ntopic_id: x", "version: 0"):
        with pytest.raises(MalformedError, match=r"partition\.metadata"):
            checkpoints.parse_partition_metadata(crooked)
