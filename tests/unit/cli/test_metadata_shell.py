"""``kraftpy metadata-shell``: where its state comes from, its commands, and what a person types.

``tests/interop/test_metadata_shell.py`` compares names and texts with Kafka's shell.
"""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from kraftpy.cli import connection
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.metadata_shell import converse
from kraftpy.cli.shell_commands import ShellState, completions, glob_pattern, run_line
from kraftpy.cli.shell_tree import fixed, image_tree, java_double
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.provenance import Provenance
from kraftpy.records.batch import encode_batch
from kraftpy.records.metadata import (
    BrokerHostRecord,
    ClientQuotaRecord,
    ClientQuotaRecordEntityData,
    ClusterIdRecord,
    ConfigRecord,
    FeatureLevelRecord,
    TopicRecord,
    encode_for_level,
)

GOLDEN = Path(__file__).parents[2] / "golden" / "kafka-4.3.0"
SNAPSHOT = "00000000000000000037-0000000001.checkpoint"
RECORDS = (
    FeatureLevelRecord("metadata.version", 41),
    ClusterIdRecord("the-cluster"),
    BrokerHostRecord("h1", 1001),
    TopicRecord("b", bytes([1]) * 16),
    TopicRecord("a", bytes([2]) * 16),
    ConfigRecord(4, "1", "ssl.key.password", "secret"),
    ClientQuotaRecord([ClientQuotaRecordEntityData("user", None)], "producer_byte_rate", 1e7, remove=False),
)


def state():
    delta = MetadataDelta(EMPTY)
    delta.replay_all(list(RECORDS))
    tree = image_tree(delta.apply(Provenance(7, 1, -1, batch_aligned=True)), lambda name, _: "password" in name)
    return ShellState(fixed({"image": lambda: tree}))


def answers(line, at=None):
    return list(run_line(at or state(), line))


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("ls /image/topics", ["byId", "byName"]),
        ("ls /image/topics/byName/{a,b}", ["a:", "id", "name", "", "b:", "id", "name"]),
        ("ls /image/provenance /image/cluster/hosts", ["provenance", "", "hosts:", "h1"]),
        ("ls /image/acls/byId", []),
        ("ls /nowhere", ["ls: /nowhere: no such file or directory."]),
        ("cat /image/cluster/id /image/cluster/hosts/*", ["the-cluster", "1001"]),
        ("cat /image", ["cat: /image: Is a directory"]),
        ("cat /image/cluster/id/x", ["cat: /image/cluster/id/x: No such file or directory."]),
        ("cat image/configs/BROKER:1/*", ["[redacted]"]),
        ("cat '/image/clientQuotas/user(<default>)/producer_byte_rate'", ["1.0E7"]),
        ("find /image/cluster/hosts", ["/image/cluster/hosts", "/image/cluster/hosts/h1"]),
        ("tree /image/cluster/hosts", ["h1:", "  1001"]),
        ("tree nowhere", ["tree: nowhere: No such file or directory."]),
        ("cat /image/features/finalized_unknown", ["0"]),
        ("cat /image/features/metadataVersion", ["Optional[5.0-IV1]"]),
        ("cat /image/provenance", ["offset 7, epoch 1, time 1969-12-31T23:59:59.999Z[UTC]"]),
        ("cat /image/topics/byName/a/0 /image/topics/byName/a/x", [
            "cat: /image/topics/byName/a/0: No such file or directory.",
            "cat: /image/topics/byName/a/x: No such file or directory.",
        ]),
        ("pwd", ["/"]),
        ("man ls", ["ls [PATH...]             List directories."]),
        ("help no", ["help: there is no command no"]),
        ("tree", ["tree: 0 arguments; usage: tree PATH..."]),
        ("rm /", ["rm: command not found; `help` lists the commands"]),
        ("cat '", ["cat ': No closing quotation"]),
        ("", []),
    ],
)  # fmt: skip
def test_a_line_is_answered(line, lines):
    assert answers(line) == lines


def test_the_working_directory_changes():
    at = state()
    assert answers("cd /image/topics/../cluster/.", at) == []
    assert answers("pwd", at) == ["/image/cluster"]
    assert answers("cat id", at) == ["the-cluster"]
    assert answers("cd id", at) == ["cd: id: not a directory."]
    assert answers("cd nowhere", at) == ["cd: nowhere: no such directory."]
    assert answers("find", at)[:2] == [".", "./brokers"]
    assert answers("cd", at) == []
    assert answers("pwd", at) == ["/"]
    assert answers("cd ../..", at) == []


def test_a_long_path_leads_nowhere():
    assert answers(f"cat {'a/' * 100_000}")[0].endswith("No such file or directory.")


@pytest.mark.parametrize(
    ("part", "fits", "fails"),
    [
        ("a*", ("a", "abc", "a\nb"), ("b",)),
        ("a?", ("ab",), ("a", "abc")),
        ("{a,b}c", ("ac", "bc"), ("c", "a,bc")),
        ("a.b*", ("a.bc",), ("axbc",)),
        ("\\*", ("*",), ("a",)),
        ("a,{b}", ("a,b",), ("a",)),
    ],
)
def test_names_are_matched_by_patterns(part, fits, fails):
    pattern = glob_pattern(part)
    assert all(pattern.fullmatch(name) for name in fits)
    assert not any(pattern.fullmatch(name) for name in fails)


@pytest.mark.parametrize("part", ["a", "{a", "a.b", "a\\", "}"])
def test_what_is_no_pattern_is_a_name(part):
    assert glob_pattern(part) is None


@pytest.mark.parametrize(
    ("line", "word", "found"),
    [
        ("", "", ["cat ", "cd ", "exit ", "find ", "help ", "ls ", "man ", "pwd ", "tree "]),
        ("c", "c", ["cat ", "cd "]),
        ("ls /image/to", "/image/to", ["/image/topics/"]),
        ("cat /image/cluster/", "/image/cluster/", [
            "/image/cluster/brokers/", "/image/cluster/controllers/", "/image/cluster/hosts/", "/image/cluster/id ",
        ]),
        ("cat i", "i", ["image/"]),
        ("cat /nowhere/x", "/nowhere/x", []),
        ("cat /image/cluster/id/", "/image/cluster/id/", []),
    ],
)  # fmt: skip
def test_a_word_is_completed(line, word, found):
    assert completions(state(), line, word) == found


def test_a_person_types_until_the_end():
    """`exit` ends the shell, and so does the end of the input."""
    for last in ("exit", None):
        lines = iter(["pwd", "cd /image", "pwd", *([] if last is None else [last, "pwd"])])

        def read(lines=lines):
            try:
                return next(lines)
            except StopIteration:
                raise EOFError from None

        written = []
        converse(state(), read, written.append)
        assert written == ["/", "/image"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0.0"), (1024.0, "1024.0"), (0.001, "0.001"), (0.00025, "2.5E-4"), (1e7, "1.0E7"),
     (12345678.9, "1.23456789E7"), (-1.5e300, "-1.5E300"), (9999999.5, "9999999.5")],
)  # fmt: skip
def test_numbers_are_those_of_java(value, text):
    assert java_double(value) == text


def test_a_snapshot_and_a_directory(run, tmp_path):
    shown = run("metadata-shell", "-s", str(GOLDEN / SNAPSHOT), "ls", "/image/topics/byName")
    assert (shown.exit_code, shown.stdout) == (ExitCode.OK, "orders\n")
    shutil.copytree(
        GOLDEN, tmp_path / "__cluster_metadata-0", ignore=shutil.ignore_patterns("*.txt", "meta.properties")
    )
    (tmp_path / "meta.properties").write_text((GOLDEN / "meta.properties").read_text())
    shown = run("metadata-shell", "-d", str(tmp_path), "cat", "/image/topics/byName/orders/name", "/local/version")
    assert shown.stdout.splitlines()[0] == "orders"
    segment = tmp_path / "__cluster_metadata-0" / "00000000000000000000.log"
    data = bytearray(segment.read_bytes())
    data[-20] ^= 1
    segment.write_bytes(bytes(data))
    broken = run("metadata-shell", "-d", str(tmp_path), "ls", "/")
    assert broken.exit_code == ExitCode.INCOMPLETE
    assert broken.stderr.startswith("warning: ")


def test_a_running_cluster(run, monkeypatch):
    values = [encode_for_level(record, 41) for record in RECORDS]
    asked = []

    def get_image(*, include_secrets):
        asked.append(include_secrets)
        return SimpleNamespace(
            end_offset=8, epoch=1, records=encode_batch(values, base_offset=0, epoch=1, timestamp_ms=0)
        )

    fake = SimpleNamespace(get_image=get_image)
    monkeypatch.setattr(connection, "connect", lambda *_: contextlib.nullcontext(fake))
    for flags, shown in (((), "[redacted]"), (("--show-secrets",), "secret")):
        result = run("metadata-shell", "-C", "localhost:1", *flags, "cat", "/image/configs/BROKER:1/ssl.key.password")
        assert (result.exit_code, result.stdout) == (ExitCode.OK, f"{shown}\n"), result.stderr
    assert asked == [False, True]


@pytest.mark.parametrize(
    ("args", "code", "text"),
    [
        ((), ExitCode.USAGE, "give one of --snapshot, --directory and --bootstrap-controller"),
        (("-s", "a", "-d", "b"), ExitCode.USAGE, "give one of"),
        (("-s", "snapshot"), ExitCode.FAILURE, "the name of a snapshot is like"),
        (("-s", SNAPSHOT), ExitCode.FAILURE, "cannot be read"),
        (("-d", "nowhere"), ExitCode.FAILURE, "nowhere"),
    ],
)
def test_bad_input_is_named(run, tmp_path, monkeypatch, args, code, text):
    monkeypatch.chdir(tmp_path)
    result = run("metadata-shell", *args, "ls")
    assert result.exit_code == code
    assert text in result.stderr


def test_a_corrupt_snapshot_is_an_error(run, tmp_path):
    data = bytearray((GOLDEN / SNAPSHOT).read_bytes())
    data[200] ^= 1
    (tmp_path / SNAPSHOT).write_bytes(bytes(data))
    result = run("metadata-shell", "-s", str(tmp_path / SNAPSHOT), "ls")
    assert result.exit_code == ExitCode.FAILURE
    assert result.stderr.startswith("error: ")
