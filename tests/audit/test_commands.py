"""``kraftpy audit``, ``diff`` and ``history`` on files."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from struct import pack_into, unpack_from
from typing import IO

import pyarrow.parquet
import pytest
from click.testing import CliRunner
from crc32c import crc32c

from kraftpy.audit.diff import StateChange, apply_changes, difference, read_states
from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.rules import all_rules
from kraftpy.cli.root import cli
from kraftpy.cli.times_text import local_text
from kraftpy.model.errors import LocalError
from kraftpy.records import metadata as m
from kraftpy.records.checkpoints import render_partition_metadata
from tests.audit.mutations import MUTATIONS, flipped, sidecar_files
from tests.audit.worlds import CLUSTER_ID, LOGS, World, broker, healthy, leader_change, partition
from tests.fakes.processes import complaints
from tests.fakes.zones import HALF_HOUR_EAST, HALF_HOUR_WEST, local_zone

GOLDEN = Path(__file__).parent.parent / "golden" / "kafka-4.3.0"
SECRET = "hunter2"


def run(*args: object):
    """Run a command line; a traceback is a failure of the test."""
    result = CliRunner().invoke(cli, [str(arg) for arg in args], prog_name="kraftpy")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


@pytest.fixture(scope="module")
def clean(tmp_path_factory) -> Path:
    directory = tmp_path_factory.mktemp("clean")
    healthy(900).write(directory / "cluster=east")
    return directory


@pytest.fixture(scope="module")
def broken(tmp_path_factory) -> Path:
    """A cluster with an error, a warning (a secret) and an info, and one that is well."""
    directory = tmp_path_factory.mktemp("broken")
    world = healthy(901)
    for name in ("a_stranger_is_in_sync", "a_password_is_a_config", "an_acl_names_no_topic"):
        next(each for each in MUTATIONS if each.name == name).apply(world)
    world.append(m.ConfigRecord(4, "4", "listener.name.external.ssl.keystore.password", SECRET + SECRET))
    world.append(m.ConfigRecord(2, "orders", "<b>&", "<script>"))
    world.write(directory / "cluster=<i>west")
    healthy(902).write(directory / "cluster=east")
    return directory


def test_a_clean_cluster_ends_with_0(clean) -> None:
    """A healthy cluster does not end with the exit code for success."""
    result = run("audit", clean)
    assert result.exit_code == 0, result.output
    assert f"0 errors, 0 warnings, 0 info; {len(all_rules())} rules, 9 files, " in result.output
    (log,) = (clean / "cluster=east" / "node=1").rglob("*.log")
    assert "1 rule, 1 file, " in run("audit", log, "--rules", "epoch-back").output


@pytest.mark.parametrize("command", ["audit {0}", "diff {0} {0}", "history topic orders {0}", "compact {0} --out {1}"])
def test_a_command_starts_no_threads_for_algebra_unless_configured_to(clean, tmp_path, monkeypatch, command) -> None:
    """Every command paid for the start of threads that nothing here uses."""
    (node,) = (clean / "cluster=east").glob("node=1")
    line = command.format(node, tmp_path / "made").split()
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
    run(*line)
    assert os.environ["OPENBLAS_NUM_THREADS"] == "3"
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    run(*line)
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"


def test_corruption_comes_before_what_follows_from_it(tmp_path) -> None:
    """Hundreds of lines of consequences hide the one line about the cause."""
    world = healthy(907)
    world.append(*(m.ConfigRecord(2, f"never-{number}", "retention.ms", "1") for number in range(7)))
    world.append(*(m.RemoveTopicRecord(bytes([number]) * 16) for number in range(40, 47)))
    for node in world.nodes.values():
        (snapshot_id,) = node.snapshots
        node.snapshots = {snapshot_id: flipped(node.snapshots[snapshot_id], 70)}
    world.write(tmp_path / "cluster=x")
    lines = run("audit", tmp_path).output.splitlines()
    heads = [line.split(":")[0] for line in lines if line.startswith(("ERROR", "WARNING"))]
    assert heads[0] == "ERROR batch-checksum"
    folded = [line for line in lines if "more where there is corruption, which may be why" in line]
    refused = [line for line in lines if "is not there" in line or "never-" in line]
    assert len(folded) >= 1, lines
    assert len(refused) <= 6


def test_formatted_and_never_started_is_not_well(tmp_path) -> None:
    """Nothing was judged, and the audit says 0 errors."""
    world = healthy(908)
    world.write(tmp_path / "cluster=x")
    other = healthy(909)
    for node in other.nodes.values():
        node.segments, node.snapshots = {}, {}
    other.write(tmp_path / "cluster=y")
    result = run("audit", tmp_path)
    assert result.exit_code == 3
    assert "there is neither a log nor a snapshot" in result.output


def kafka_3_0() -> World:
    """A cluster of Kafka 3.0 to 3.2, whose log states no metadata.version and whose brokers name no features."""
    world = World(905)
    world.control(leader_change(1, 1, 2, 3))
    for node in (4, 5, 6):
        record = broker(node, world.next_offset, features=[], log_dirs=[])
        world.append(record, m.UnfenceBrokerRecord(node, world.next_offset), level=1)
    topic = partition(LOGS, 0, (4, 5), directories=[])
    world.append(m.TopicRecord("logs", LOGS), topic, level=1)
    for node in world.nodes.values():
        node.properties |= {"version": "1"}
    return world


def test_a_cluster_from_before_metadata_version_is_well(tmp_path) -> None:
    """Logs of Kafka 3.0 to 3.2 are called corrupt, and cannot be compacted."""
    kafka_3_0().write(tmp_path / "cluster=old")
    result = run("audit", tmp_path)
    assert (result.exit_code, "0 errors, 0 warnings" in result.output) == (0, True), result.output
    done = run("compact", tmp_path, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.stderr
    (made,) = (tmp_path / "out").iterdir()
    assert run("diff", tmp_path / "cluster=old", made).output == "no difference\n"


def test_epochs_that_kafka_reads_are_read(tmp_path) -> None:
    """An empty leader-epoch-checkpoint has no entries, and a file may have the line ends of another system."""
    world = healthy(906)
    world.nodes[2].beside = {"leader-epoch-checkpoint": b""}
    world.nodes[3].beside = {
        name: data.replace(b"\n", b"\r\n") for name, data in sidecar_files(world.nodes[3]).items() if name[0].isalpha()
    }
    world.nodes[3].raw_properties = "".join(f"{key}={value}\r\n" for key, value in world.nodes[3].properties.items())
    world.write(tmp_path / "cluster=x")
    result = run("audit", tmp_path)
    assert (result.exit_code, "0 errors, 0 warnings, 0 info" in result.output) == (0, True), result.output


@pytest.mark.parametrize("by", ["name", "partition.metadata"])
def test_the_directory_of_another_topic_is_recognised(clean, tmp_path, by) -> None:
    """Each of its batches is called malformed."""
    home = tmp_path / ("__consumer_offsets-32" if by == "name" else "orders-0")
    home.mkdir()
    (log,) = (clean / "cluster=east" / "node=1").rglob("*.log")
    shutil.copy(log, home / log.name)
    if by != "name":
        (home / "partition.metadata").write_text(render_partition_metadata(LOGS))
    topic = (
        "topic __consumer_offsets, partition 32" if by == "name" else "topic orders, partition 0 (partition.metadata"
    )
    for command in (("audit", home), ("inspect", home), ("dump-log", home / log.name), ("audit", home / log.name)):
        result = run(*command)
        assert (result.exit_code, result.stdout) == (1, ""), command
        assert f"belongs to {topic}" in result.stderr
    shutil.copytree(clean / "cluster=east", tmp_path / "cluster=east")
    assert "9 files" in run("audit", tmp_path).output


def test_findings_end_with_3_and_name_the_fix(broken) -> None:
    """A broken cluster does not end with 3, or its findings lack place, message or fix."""
    result = run("audit", broken)
    assert result.exit_code == 3
    assert "ERROR isr-not-replica" in result.output
    assert re.search(r"cluster <i>west, node 1, 0{20}\.log, offset 53: logs-0: broker 6 is in the ISR", result.output)
    assert "-> Reassign the partition" in result.output
    assert "1 error, 1 warning, 1 info" in result.output


def test_info_alone_is_no_finding(broken) -> None:
    """Info makes an audit fail."""
    result = run("audit", broken, "--rules", "acl-orphan")
    assert "INFO acl-orphan" in result.output
    assert result.exit_code == 0


def test_rules_are_chosen_and_left_out(broken) -> None:
    """``--rules`` asks other rules than it names."""
    assert run("audit", broken, "--rules", "secret-in-clear").exit_code == 3
    assert run("audit", broken, "--rules", "error,-isr-not-replica").exit_code == 0
    unknown = run("audit", broken, "--rules", "nonsense")
    assert unknown.exit_code == 2
    assert "there is no rule nonsense; there are: acl-orphan" in unknown.stderr
    assert run("audit", "--list-rules", "--rules", "error,nope").exit_code == 2
    near = run("audit", broken, "--rules", "errr,-acl-orphans,error").stderr
    assert "there is no rule errr (did you mean error?), -acl-orphans (did you mean -acl-orphan?); there are: " in near


def test_json_has_everything(broken) -> None:
    """The JSON of an audit lacks a part."""
    data = json.loads(run("audit", broken, "-o", "json").stdout)
    assert data["findingCounts"] == {"isr-not-replica": 1, "secret-in-clear": 1, "acl-orphan": 1}
    first = data["findings"][0]
    assert (first["rule"], first["severity"], first["offset"], first["node"]) == ("isr-not-replica", "error", 53, "1")
    assert first["evidence"] == {"topic": "logs", "partition": 0, "brokerId": 6}
    assert [state["cluster"] for state in data["states"]] == ["<i>west", "east"]
    assert data["growth"]["recordCount"] == 58 + 53


def test_json_lines_and_parquet_have_the_same_findings(broken, tmp_path) -> None:
    """An output form lacks a finding."""
    lines = [json.loads(line) for line in run("audit", broken, "-o", "jsonl").stdout.splitlines()]
    out = tmp_path / "findings.parquet"
    assert run("audit", broken, "-o", "parquet", "--out", out).exit_code == 3
    rows = pyarrow.parquet.read_table(out).to_pylist()
    assert [{**row, "evidence": json.loads(row["evidence"])} for row in rows] == lines
    assert len(lines) == 3


def test_the_limit_bounds_what_is_shown_and_not_what_is_counted(tmp_path) -> None:
    """``--limit`` changes the count, or does not bound the rows."""
    world = healthy(903)
    world.append(*(m.ConfigRecord(2, f"never-{number}", "retention.ms", "1") for number in range(7)))
    world.write(tmp_path / "cluster=x")
    data = json.loads(run("audit", tmp_path, "-o", "json", "--limit", 2).stdout)
    assert data["findingCounts"] == {"config-orphan": 7}
    assert len(data["findings"]) == 2
    assert "... and 5 more" in run("audit", tmp_path, "--limit", 2).output


@pytest.mark.landing
def test_secrets_are_in_no_output(broken, tmp_path) -> None:
    """A secret is printed somewhere."""
    report, out = tmp_path / "report.html", tmp_path / "findings.parquet"
    texts = [
        run("audit", broken, "--growth", "--report", report).output,
        run("audit", broken, "-o", "json").output,
        run("audit", broken, "-o", "jsonl").output,
        run("diff", f"{broken}/cluster=<i>west@53", f"{broken}/cluster=<i>west").output,
        run("history", "broker", 4, broken).output,
        run("history", "config", "broker:4", broken, "-o", "json").output,
        report.read_text(encoding="utf-8"),
    ]
    run("audit", broken, "-o", "parquet", "--out", out)
    texts += [str(row) for row in pyarrow.parquet.read_table(out).to_pylist()]
    assert "listener.name.external.ssl.keystore.password" in texts[4]
    assert re.search(r"\[redacted [0-9a-f]{8}\] -> \[redacted [0-9a-f]{8}\]", texts[4])
    for text in texts:
        assert SECRET not in text


class _Tags(HTMLParser):
    """Checks that tags open and close in order, and collects what would be loaded from elsewhere."""

    VOID = frozenset({"meta", "br", "line", "rect", "circle", "polyline"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.foreign: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag, attrs) -> None:
        self.seen.add(tag)
        self.foreign += [value for name, value in attrs if name in {"src", "href"}]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag


def test_the_report_is_one_sound_page(broken, tmp_path) -> None:
    """The report is no sound HTML, loads something, runs something, or lacks findings or plots."""
    path = tmp_path / "report.html"
    run("audit", broken, "--report", path)
    text = path.read_text(encoding="utf-8")
    tags = _Tags()
    tags.feed(text)
    assert not tags.open
    assert not tags.foreign
    assert "script" not in tags.seen
    assert "url(" not in text
    assert text.index("isr-not-replica") < text.index("secret-in-clear") < text.index("Growth by record type")
    assert "&lt;i&gt;west" in text
    assert "<i>west" not in text
    for plot in ("Leaders and replicas by broker", "Lag and agreement of nodes", "Epochs and elections"):
        assert text.count(f"<h3>{plot}") == 2
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]


def test_a_state_of_the_past_is_judged(broken) -> None:
    """``--as-of`` judges another state than that before the offset."""
    west = f"{broken}/cluster=<i>west"
    assert run("audit", west, "--as-of", 53).exit_code == 0
    assert run("audit", west, "--as-of", 54, "--rules", "isr-not-replica").exit_code == 3
    assert run("audit", west, "--as-of", "never").exit_code == 2


@pytest.mark.landing
def test_a_state_of_a_time_is_judged(broken, tmp_path) -> None:
    """``--as-of`` with a time counts records that came later."""
    west = f"{broken}/cluster=<i>west"
    steps = json.loads(run("history", "topic", "logs", west, "-o", "json").stdout)
    last = steps[-1]["createTimestamp"]
    times = [_iso(last - 1), _iso(last)]
    assert [run("audit", west, "--as-of", each, "--rules", "isr-not-replica").exit_code for each in times] == [0, 3]
    with local_zone(HALF_HOUR_EAST):
        assert f", written by {local_text(last)}" in run("audit", west, "--as-of", times[1]).stdout
    assert json.loads(run("audit", west, "--as-of", times[1], "-o", "json").stdout)["untilTimestamp"] == last
    page = tmp_path / "report.html"
    for words, is_reported in ((("--as-of", times[1]), True), ((), False)):
        run("audit", west, *words, "--report", page)
        assert (f"<span>written by <b>{times[1][:19]}Z</b></span>" in page.read_text(encoding="utf-8")) is is_reported


def _iso(timestamp_ms: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(timestamp_ms / 1000, UTC).isoformat()


def test_a_state_beyond_the_end_is_an_error_that_names_the_end(clean) -> None:
    """The state at the log's end passes for that of an offset which the log does not have yet."""
    text = "cluster east, node 1: the log can be read up to offset 53 and no further, asked for was 999"
    for words in (
        ("diff", f"{clean}@999", clean),
        ("diff", clean, f"{clean}@999"),
        ("diff", f"{clean}@999", f"{clean}@999"),
        ("audit", clean, "--as-of", 999),
        ("history", "broker", 4, clean, "--as-of", 999),
    ):
        result = run(*words)
        assert (result.exit_code, result.stdout) == (1, "")
        assert text in result.stderr
    assert run("diff", f"{clean}@53", clean).exit_code == 0
    assert run("audit", clean, "--as-of", 53).exit_code == 0


def test_a_cluster_that_has_nothing_sound_hides_no_other(tmp_path, broken) -> None:
    """An empty log beside an empty or cut snapshot ends the audit of all clusters."""
    shutil.copytree(broken / "cluster=east", tmp_path / "cluster=east")
    for cluster, data in (("empty", b""), ("cut", b"\0" * 40)):
        home = tmp_path / f"cluster={cluster}" / "node=1" / "__cluster_metadata-0"
        home.mkdir(parents=True)
        (home / "00000000000000000000.log").touch()
        (home / "00000000000000000009-0000000001.checkpoint").write_bytes(data)
    result = run("audit", tmp_path, "-o", "json")
    data = json.loads(result.stdout)
    found = {(each["cluster"], each["rule"]) for each in data["findings"]}
    assert result.exit_code == 3
    assert {cluster for cluster, _ in found} == {"empty", "cut"}
    assert ("empty", "snapshot-incomplete") in found
    assert {state["cluster"]: state["endOffset"] for state in data["states"]} == {"east": 53, "empty": 0, "cut": 0}
    assert "no longer in its files" in run("diff", f"{tmp_path}/cluster=cut@3", tmp_path / "cluster=east").stderr


@pytest.mark.parametrize("time_ms", [-(2**63), -62_135_596_800_001, 2**63 - 1])
def test_a_time_that_no_calendar_has_is_reported_as_a_number(tmp_path, time_ms) -> None:
    """One batch of a log says a time before year 1 or after year 9999, or one whose hour begins before all times."""
    healthy(903).write(tmp_path / "cluster=east")
    path = min(tmp_path.glob("*/node=1/*/*.log"))
    data = bytearray(path.read_bytes())
    pack_into(">qq", data, 27, time_ms, time_ms)
    pack_into(">I", data, 17, crc32c(bytes(data[21 : unpack_from(">i", data, 8)[0] + 12])))
    path.write_bytes(data)
    report = tmp_path / "report.html"
    result = run("audit", tmp_path, "--growth", "--report", report)
    assert re.search(r"^-?\d{14,19} ms +\d+ +\d+$", result.output, re.MULTILINE), result.output
    assert re.search(r"-?\d{14,19} ms UTC", report.read_text(encoding="utf-8"))


def test_what_cannot_be_written_is_reported_before_the_work(clean, tmp_path, monkeypatch) -> None:
    """An audit runs for long and then fails to write what it was asked for, or leaves a file behind."""
    monkeypatch.setattr(LocalEngine, "load", lambda *_: pytest.fail("the work was begun"))
    for option in (("--report", "/nope/x.html"), ("-o", "parquet", "--out", "/nope/x.parquet")):
        result = run("audit", clean, *option)
        assert (result.exit_code, result.stderr) == (
            1, f"error: {option[-1]}: cannot be written: No such file or directory\n"
        )  # fmt: skip
    assert run("audit", clean, "--report", tmp_path).exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_parquet_to_a_reader_that_left_is_no_failure(broken) -> None:
    """A closed pipe is reported as a file that cannot be written."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as gone:
        done = piped(broken, gone)
    assert (done.returncode, complaints(done)) == (141, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_parquet_on_a_full_standard_output_names_it(broken) -> None:
    """The error contains None in place of the file."""
    with Path("/dev/full").open("wb") as full:
        done = piped(broken, full)
    assert (done.returncode, complaints(done)) == (
        1, "error: standard output: cannot be written: No space left on device\n"
    )  # fmt: skip


def piped(broken: Path, stdout: IO[bytes]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kraftpy", "audit", str(broken), "-o", "parquet"]
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)


def test_a_master_of_no_kind_that_spark_knows_is_one_line(clean) -> None:
    """Java is started for it, and prints a trace."""
    result = run("audit", clean, "--master", "foo")
    assert (result.exit_code, result.stderr) == (
        1, "error: foo is no master of Spark: name local[*], spark://host:7077, yarn or k8s://...\n"
    )  # fmt: skip


def test_what_cannot_be_read_is_one_line() -> None:
    """A missing path ends in a traceback, or in another code."""
    result = run("audit", "/nonexistent")
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert run("audit").exit_code == 2


@pytest.mark.parametrize(
    "command",
    [
        ("audit",), ("diff", GOLDEN), ("history", "topic", "t"), ("compact", "--out", "out"), ("dump-log",),
        ("inspect",), ("restore", "--dir", "out"), ("recover", "apply", "--digest", "x"),
    ],
)  # fmt: skip
def test_a_file_that_is_missing_is_no_mistake_of_the_command_line(command: tuple[object, ...], tmp_path) -> None:
    """Commands end with different codes when what they are to read is not there, or take an empty name for all."""
    gone = tmp_path / "gone"
    result = run(*command, gone)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert str(gone) in result.stderr
    assert run(*command, "").exit_code == 2


@pytest.mark.parametrize("command", [("audit",), ("compact", "--out", "out")])
def test_a_master_is_nothing_to_one_process(command: tuple[object, ...], tmp_path, monkeypatch) -> None:
    """A Spark master is named, and the audit silently runs in one process."""
    monkeypatch.chdir(tmp_path)
    for options in (("--master", "local[2]", "--engine", "local"), ("--engine", "local", "--master", "local[2]")):
        result = run(*command, GOLDEN, *options)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "'--master': --engine local asks no Spark" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_is_after_a_path_is_a_point(tmp_path, clean) -> None:
    """A mistyped offset is reported as a missing file, or a path with an @ in its name is rejected."""
    result = run("diff", f"{clean}@abc", clean)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{clean}@abc: 'abc' is neither an offset nor a time such as 2026-11-21T14:00:00Z" in result.stderr
    assert run("diff", f"{tmp_path}/gone@abc", clean).exit_code == 1
    named = tmp_path / "data@abc"
    named.symlink_to(clean)
    assert run("diff", named, clean).exit_code == 0


def test_a_snapshot_of_what_is_not_there_yet_is_refused(tmp_path) -> None:
    """The refusal does not say whose log ends where, or up to where there is something to compact."""
    result = run("compact", GOLDEN, "--at", 999, "--out", tmp_path)
    assert (result.exit_code, result.stdout) == (1, "")
    file = GOLDEN / "00000000000000000000.log"
    assert f"node 1: the log can be read up to offset 52 and no further ({file} ends there)" in result.stderr
    assert "asked for was 999: --at 52 takes that much" in result.stderr
    assert list(tmp_path.iterdir()) == []
    beyond = run("compact", GOLDEN, "--at", 2**64, "--out", tmp_path)
    assert (beyond.exit_code, f"'{2**64}' is not a whole number" in beyond.stderr) == (2, True), beyond.stderr
    assert run("compact", GOLDEN, "--at", 52, "--out", tmp_path).exit_code == 0


def test_a_missing_extra_is_one_clear_line(tmp_path, clean) -> None:
    """Without DuckDB the command ends in a traceback or does not say what to install."""
    code = "import sys; sys.modules['duckdb'] = None; from kraftpy.cli import main; sys.argv.insert(1, 'audit'); main()"
    result = subprocess.run([sys.executable, "-c", code, str(clean)], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "pip install 'kraftpy[spark]'" in complaints(result)
    assert complaints(result).count("\n") == 1


def test_history_and_compact_need_no_extra(tmp_path, clean) -> None:
    """A command that is said to run on a plain installation needs more, or says something else there."""
    absent = ["numpy", "pandas", "pyarrow", "duckdb", "pyspark", "py4j"]
    code = f"import sys; sys.modules.update(dict.fromkeys({absent})); from kraftpy.cli import main; main()"

    def plainly(*args: object) -> str:
        words = [str(arg) for arg in args]
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
        assert (done.returncode, complaints(done)) == (0, "")
        return done.stdout

    for words in (("topic", "gone"), ("broker", 4), ("config", "broker:4")):
        assert plainly("history", *words, clean) == run("history", *words, clean).stdout
    run("compact", clean, "--out", tmp_path / "with")
    plainly("compact", clean, "--out", tmp_path / "without")
    (here,), (there,) = ((tmp_path / name).iterdir() for name in ("with", "without"))
    assert (here.name, here.read_bytes()) == (there.name, there.read_bytes())


def test_help_imports_nothing_large() -> None:
    """``kraftpy --help`` or ``kraftpy audit --help`` loads pyarrow, DuckDB or Spark."""
    code = (
        "import sys; from kraftpy.cli.root import cli\n"
        "try: cli(['audit', '--help'])\n"
        "except SystemExit: pass\n"
        "print([name for name in ('pyarrow', 'duckdb', 'pyspark', 'pandas') if name in sys.modules], file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stderr.strip() == "[]"


# diff


def states(path: object, as_of: AsOf | None = None):
    engine = LocalEngine(KraftReplay(b"salt"))
    engine.load([str(path)], as_of or AsOf())
    try:
        return read_states(engine)
    finally:
        engine.close()


def test_a_difference_applied_gives_the_other_state(clean) -> None:
    """apply(diff(A, B), A) is not B, for some pair of points of a log."""
    points = [None, AsOf(offset=9), AsOf(offset=21), AsOf(offset=33), AsOf(offset=48)]
    found = [states(clean, point)["east"] for point in points]
    for before in found:
        for after in found:
            changes = difference(before, after)
            assert apply_changes(changes, before) == after
            assert bool(changes) == (before != after)
    assert len({len(state) for state in found}) > 3


def test_a_difference_is_not_applied_to_another_state() -> None:
    """A change is applied to a state that it does not start from."""
    with pytest.raises(LocalError, match="not what the change starts from"):
        apply_changes([StateChange("topic", "a", None, "1")], {("topic", "a"): "2"})


def test_kafkas_snapshot_and_log_do_not_differ() -> None:
    """The log of a real Kafka differs from its snapshot at the snapshot's end."""
    result = run("diff", f"{GOLDEN}@37", GOLDEN / "00000000000000000037-0000000001.checkpoint")
    assert (result.exit_code, result.output) == (0, "no difference\n")


def test_differences_end_with_3() -> None:
    """States that differ end with 0, or a change is not shown field by field."""
    result = run("diff", f"{GOLDEN}@40", GOLDEN)
    assert result.exit_code == 3
    assert "- topic gone" in result.output
    assert "~ broker 1: fenced false -> true; in_controlled_shutdown false -> true" in result.output
    assert "+ quota user=bob:producer_byte_rate: 1024.0" in result.output


def test_clusters_that_cannot_be_paired_are_named(clean, broken) -> None:
    """Several clusters are compared with others without a word."""
    result = run("diff", clean, broken)
    assert result.exit_code == 1
    assert "cannot be paired" in result.stderr


# history


def test_a_topics_history_has_its_partitions_and_configs() -> None:
    """The life of a topic lacks a record, or shows one of another topic."""
    steps = json.loads(run("history", "topic", "gone", GOLDEN, "-o", "json").stdout)
    assert [(step["offset"], step["type"]) for step in steps] == [
        (37, "TOPIC_RECORD"),
        (38, "PARTITION_RECORD"),
        (39, "PARTITION_CHANGE_RECORD"),
        (42, "REMOVE_TOPIC_RECORD"),
    ]
    assert [change["change"] for change in steps[-1]["changes"]] == ["-", "-"]


@pytest.mark.parametrize("zone", [HALF_HOUR_EAST, HALF_HOUR_WEST])
def test_text_has_local_times_and_json_has_utc(zone) -> None:
    """A time has no zone, or that of another place, or `--as-of` does not take what `history` printed."""
    words = ("history", "topic", "gone", GOLDEN)
    steps = json.loads(run(*words, "-o", "json").stdout)
    with local_zone(zone):
        printed = [line for line in run(*words).stdout.splitlines() if "  epoch " in line]
        assert [line.partition("  epoch ")[0] for line in printed] == [
            local_text(step["createTimestamp"]) for step in steps
        ]
        assert json.loads(run(*words, "-o", "json").stdout) == steps
    assert steps[0]["createTime"].endswith("Z")
    before_last = printed[-2].partition("  epoch ")[0]
    assert len(json.loads(run(*words, "--as-of", before_last, "-o", "json").stdout)) == 3
    hours = json.loads(run("audit", GOLDEN, "-o", "json").stdout)["growth"]["byHour"]
    with local_zone(zone):
        hour = local_text(hours[0]["hourTimestamp"])
        assert f"\n{hour}  " in run("audit", GOLDEN, "--growth").stdout


def test_a_removed_topic_takes_its_configs_along(clean) -> None:
    """The removal of a topic does not show the end of its configs."""
    output = run("history", "topic", "gone", clean).output
    assert "- config topic:gone:retention.ms: 1" in output


def test_an_unknown_topic_has_no_history(clean) -> None:
    """A name that no record has ends in silence, or a crooked name in a traceback."""
    assert "no record touches topic never" in run("history", "topic", "never", clean).output
    for words, text in (
        (("broker", "abc"), "broker 'abc' is no broker id: ids are numbers"),
        (("broker", "²"), "is no broker id"),
        (("topic", ""), "topic '' is no topic: the name is empty"),
        (("config", "orders"), "config 'orders' is not TYPE:NAME with a type of"),
        (("config", "nonsense:orders"), "is not TYPE:NAME"),
    ):
        result = run("history", *words, clean)
        assert (result.exit_code, result.stdout) == (2, "")
        assert text in result.stderr


def test_directories_of_one_log_under_two_cluster_ids_are_found_without_labels(tmp_path) -> None:
    """A directory that another cluster's id was written into silently counts as a cluster of its own."""
    world = healthy(904)
    next(each for each in MUTATIONS if each.rule == "cluster-id-files-differ").apply(world)
    world.write(tmp_path / "labelled")
    for node in (1, 2, 3):
        (tmp_path / "labelled" / f"node={node}").rename(tmp_path / f"controller-{node}")
    data = json.loads(run("audit", tmp_path, "-o", "json").stdout)
    assert {state["cluster"] for state in data["states"]} == {"another", CLUSTER_ID}
    found = [each for each in data["findings"] if each["rule"] == "cluster-id-files-differ"]
    assert [(each["node"], each["offset"]) for each in found] == [("2", 0)]
    assert f"has another, that of another node with the same log has {CLUSTER_ID}" in found[0]["message"]
