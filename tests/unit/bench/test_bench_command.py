"""``kraftpy bench``: its arguments, a checkout that is not there, and one tiny run."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import kraftpy
from bench import cluster, main, shape_rates
from bench.commit import chosen_forms, works
from bench.heat_map import HeatMap
from bench.main import Options, compared_in, kills_of, runs_of, systems_of
from bench.runs import Results, Row, measure
from bench.work import SkippedError, Variant
from kraftpy.cli import bench as command
from kraftpy.cli.root import cli


@pytest.fixture
def called(monkeypatch):
    """What the harness is called with, in place of a measurement."""
    calls = []
    monkeypatch.setattr(main, "run", lambda name, options, print_progress: calls.append((name, options)) or 0)
    return calls


def test_lists_are_read(called):
    """Comma-separated options become tuples of numbers and names."""
    line = "bench commit --peers etcd,zookeeper --in-flight 1,8 --rates 10,20.5 --runs 2 --forms lean --no-batches"
    assert CliRunner().invoke(cli, line.split(), standalone_mode=False).exit_code == 0
    ((name, options),) = called
    assert name == "commit"
    assert (options.peers, options.in_flight, options.rates) == (("etcd", "zookeeper"), (1, 8), (10.0, 20.5))
    assert (options.runs, options.forms, options.batches) == (2, ("lean",), False)


@pytest.mark.parametrize(
    "name",
    [
        *("commit", "failover", "catch-up", "load", "shapes", "topics", "isr", "broker-death", "day", "large"),
        *("brokers", "reads", "watch"),
    ],
)
def test_every_measurement_has_defaults_that_the_harness_takes(called, name):
    """Without options, all of them run kraftpy alone."""
    assert CliRunner().invoke(cli, ["bench", name], standalone_mode=False).exit_code == 0
    ((called_name, options),) = called
    assert called_name == name
    assert [system.name for system in systems_of(options)] == ["kraftpy"]


def test_both_forms_of_the_nodes_are_measured_side_by_side(called):
    """``--builds`` names the forms; each is a system of its own in the tables."""
    line = "bench commit --builds plain,compiled"
    assert CliRunner().invoke(cli, line.split(), standalone_mode=False).exit_code == 0
    ((_, options),) = called
    assert [system.name for system in systems_of(options)] == ["kraftpy", "kraftpy compiled"]


def test_other_settings_are_a_system_of_their_own(called):
    """``--with`` is measured beside each form of the nodes, and compared with that form as it is."""
    line = [
        "bench",
        "commit",
        "--builds",
        "plain,compiled",
        "--with",
        "no digests: metadata.log.state.digest.interval.ms=0",
    ]
    assert CliRunner().invoke(cli, line, standalone_mode=False).exit_code == 0
    ((_, options),) = called
    systems = systems_of(options)
    assert compared_in("commit", systems) == {
        "kraftpy, no digests": ("kraftpy",),
        "kraftpy compiled": ("kraftpy",),
        "kraftpy compiled, no digests": ("kraftpy compiled",),
    }
    assert [system.name for system in systems] == ["kraftpy", *compared_in("commit", systems)]


def test_the_workloads_of_controllers_are_compared_with_the_peers(called):
    """Every build of kraftpy is divided by every peer, and by the build that it is a variant of."""
    line = "bench topics --builds plain,compiled --peers kafka,kafka-no-linger"
    assert CliRunner().invoke(cli, line.split(), standalone_mode=False).exit_code == 0
    ((name, options),) = called
    assert compared_in(name, systems_of(options)) == {
        "kraftpy": ("kafka", "kafka-no-linger"),
        "kraftpy compiled": ("kraftpy", "kafka", "kafka-no-linger"),
    }


@pytest.mark.parametrize("name", sorted(main.BESIDE_PEERS))
def test_the_best_peer_is_looked_for_among_other_systems(name):
    """A build or a variant of kraftpy is no peer of kraftpy, and without peers nothing is compared with them."""
    peer = "etcd" if name in ("reads", "watch") else "kafka"
    options = Options(builds=("plain", "compiled"), peers=(peer,))
    assert main.peers_in(name, systems_of(options)) == (peer,)
    assert main.peers_in(name, systems_of(Options())) == ()


def test_every_peer_takes_the_writes_of_a_commit_run_and_is_compared():
    """The mixed writes are for etcd and ZooKeeper, too: kraftpy is divided by each of the four."""
    options = Options(peers=tuple(main.PEERS))
    assert compared_in("commit", systems_of(options)) == {"kraftpy": tuple(main.PEERS)}
    assert main.peers_in("failover", systems_of(options)) == ()


async def test_every_other_run_goes_backwards(tmp_path):
    """A B, B A, A B: no system always comes first."""

    class Named:
        def __init__(self, name):
            self.name = name

        def version(self):
            return "1"

        async def start(self, root):
            assert not any(root.iterdir())

        async def stop(self):
            pass

    order = []

    async def body(system, run):
        order.append(system.name)
        return ()

    await measure([Named("A"), Named("B, x / y")], 3, tmp_path, body, lambda _: None)
    assert [name[0] for name in order] == ["A", "B", "B", "A", "A", "B"]


def test_a_compiled_form_of_other_sources_is_skipped(monkeypatch):
    """A build of sources that have changed since is not measured."""
    monkeypatch.setattr(cluster, "is_fresh", lambda: False)
    with pytest.raises(SkippedError, match="make compiled"):
        cluster.KraftPy("compiled").version()


NONSENSE = [
    ("commit --peers redis", "'redis' is not one of"),
    ("commit --in-flight 0", "0 is not in the range"),
    ("commit --in-flight 1,,x", "'x' is not a valid integer"),
    ("commit --in-flight ,", "it names nothing"),
    ("commit --in-flight 1000000", "1000000 is not in the range"),
    ("commit --runs 0", "0 is not in the range"),
    ("commit --rates -1", "-1.0 is not in the range"),
    ("commit --rates inf", "inf is not in the range"),
    ("commit --seconds 0", "0.0 is not in the range"),
    ("commit --seconds nan", "'nan' is not a number"),
    ("commit --warmup -1", "-1.0 is not in the range"),
    ("commit --forms browser", "'browser' is not one of"),
    ("commit --value-bytes 9", "9 is not in the range"),
    ("commit --value-bytes 100000", "100000 is not in the range"),
    ("commit --dir {tmp}/none", "does not exist"),
    ("commit --json {tmp}/none/x.json", "{tmp}/none is no directory"),
    ("commit --json {tmp}", "is a directory"),
    ("commit --plot {tmp}/x.jpeg", "end in .png or .svg or .pdf"),
    ("commit --without-kraftpy", "name --peers"),
    ("commit --without-kraftpy --peers etcd --with off:log.level=warning", "drop one of them"),
    ("failover --kills 0", "0 is not in the range"),
    ("failover --forms lean", "'lean' is not one of"),
    ("failover --heat-map {tmp}/x.gif", "end in .png or .svg or .pdf"),
    ("failover --heat-map {tmp}/none/x.png", "{tmp}/none is no directory"),
    ("commit --heat-map {tmp}/x.png", "No such option"),
    ("catch-up --records 0", "0 is not in the range"),
    ("catch-up --value-bytes 100,200", "'100,200' is not a valid integer"),
    ("load --records 10000000", "10000000 is not in the range"),
    ("load --idle-seconds nan", "'nan' is not a number"),
    ("day --hours 25", "25.0 is not in the range"),
    ("day --hours nan", "'nan' is not a number"),
    ("day --brokers 3", "3 is not in the range"),
    ("day --speed 0", "0.0 is not in the range"),
    ("day --peers etcd", "'etcd' is not one of"),
    ("large --partitions -1", "-1 is not in the range"),
    ("large --records 10000000", "10000000 is not in the range"),
    ("large --kills x", "'x' is not a valid integer"),
    ("large --peers zookeeper", "'zookeeper' is not one of"),
    ("audit --runs 0", "0 is not in the range"),
    ("audit --only guessed", "'guessed' is not one of"),
]


VARIANTS = [
    ("metadata.log.state.digest.interval.ms=0", "expected NAME: KEY=VALUE"),
    ("off:", "expected NAME: KEY=VALUE"),
    ("a/b: metadata.log.state.digest.interval.ms=0", "expected NAME: KEY=VALUE"),
    ("off: metadata.log.state.digest.interval=0", "is not a known key"),
    ("off: metadata.log.state.digest.interval.ms=never", "is not a whole number"),
    ("off: metadata.log.state.digest.interval.ms=-1", "is too small"),
    ("off: num.io.threads=3", "no node acts on it"),
    ("off: node.id=7", "the harness chooses it"),
]


@pytest.mark.parametrize(("variant", "text"), VARIANTS)
def test_a_variant_that_would_measure_nothing_is_a_usage_error(called, variant, text, capsys):
    """A misspelt key, a value that no node takes, a key without effect: exit code 2, an error text, and no cluster."""
    with pytest.raises(SystemExit) as ended:
        cli.main(["bench", "commit", "--with", variant])
    assert ended.value.code == 2
    assert text in capsys.readouterr().err
    assert called == []


def test_two_variants_have_two_names(called, capsys):
    """Else their rows could not be distinguished."""
    one = "off: metadata.log.state.digest.interval.ms=0"
    with pytest.raises(SystemExit) as ended:
        cli.main(["bench", "commit", "--with", one, "--with", one])
    assert ended.value.code == 2
    assert "the same name: off, off" in capsys.readouterr().err
    assert called == []


@pytest.mark.parametrize(("line", "text"), NONSENSE)
def test_nonsense_is_a_usage_error(called, line, text, tmp_path, capsys):
    """A peer that is not known, a number that makes no sense, a file that cannot be: 2, a sentence, and no cluster."""
    with pytest.raises(SystemExit) as ended:
        cli.main(["bench", *line.format(tmp=tmp_path).split()])
    assert ended.value.code == 2
    assert text.format(tmp=tmp_path) in capsys.readouterr().err
    assert called == []


def test_background_writes_are_made_for_a_heat_map_alone(monkeypatch):
    """Without the option a failover is measured as it ever was."""
    asked = []

    async def measured(system, number, kills, forms, print_progress, *, has_heat_map):
        asked.append(has_heat_map)
        return ()

    monkeypatch.setattr(main, "measure_failover", measured)
    for options in (Options(), Options(plot_file=Path("x.png")), Options(heat_map_file=Path("x.png"))):
        asyncio.run(main.bodies(options, lambda _: None)["failover"](None, 1))
    assert asked == [False, False, True]


def test_a_heat_map_is_written_to_its_own_file(monkeypatch, tmp_path):
    """Beside the results file and the picture of bars; where it is, is in neither."""
    row = Row(system="kraftpy", run=1, work="kill", figures={"total p50 ms": 9.0}, heat_map=HeatMap(kills=3))
    written = []

    async def measured(*_):
        return Results([row])

    monkeypatch.setattr(main, "measure", measured)
    monkeypatch.setattr(main, "write_heat_map", lambda path, results, _: written.append((path, results.rows)) or "it")
    reported = []
    options = Options(directory=tmp_path, heat_map_file=tmp_path / "x.png", json_file=tmp_path / "x.json")
    assert main.run("failover", options, reported.append) == 0
    assert written == [(tmp_path / "x.png", [row])]
    assert "\nheat map: it" in reported
    content = json.loads((tmp_path / "x.json").read_text())
    assert content["heat_maps"][0]["kills"] == 3
    assert "x.png" not in json.dumps(content)


def test_what_is_named_twice_is_measured_once(called):
    """A list is a set of things to measure, in order."""
    line = "bench commit --peers etcd,etcd --in-flight 8,1,8"
    assert CliRunner().invoke(cli, line.split(), standalone_mode=False).exit_code == 0
    ((_, options),) = called
    assert (options.peers, options.in_flight) == (("etcd",), (8, 1))


async def test_the_nodes_of_a_variant_are_configured_so(monkeypatch, tmp_path):
    """Its settings are in every controller's file."""
    variant = Variant("off", (("metadata.log.state.digest.interval.ms", "0"),))
    under_test = cluster.KraftPy("plain", variant)

    class Never:
        def __init__(self, sandbox, environment):
            self.files = [node.config_file.read_text() for node in sandbox.controllers]

        async def start_all(self):
            raise LookupError(*self.files)

    monkeypatch.setattr(cluster, "ChildProcesses", Never)
    with pytest.raises(LookupError) as raised:
        await under_test.start(tmp_path / "cluster")
    assert len(raised.value.args) == 3
    assert all("metadata.log.state.digest.interval.ms=0\n" in file for file in raised.value.args)


def test_without_a_checkout_the_command_states_where_the_harness_is(monkeypatch, tmp_path, capsys):
    """An installed kraftpy has no benchmarks: one line with the place and the way out, and exit code 1."""
    monkeypatch.setattr(kraftpy, "__file__", str(tmp_path / "site-packages" / "kraftpy" / "__init__.py"))
    with pytest.raises(SystemExit) as ended:
        cli.main(["bench", "commit"])
    assert ended.value.code == 1
    stated = capsys.readouterr().err
    assert str(tmp_path / "site-packages") in stated
    assert "Clone the repository" in stated


def test_forms_and_peers_agree_with_the_harness():
    """The command offers the client forms and the peers that the harness has, and no others."""
    assert main.KraftPy.forms == command.ALL_FORMS
    assert main.KraftPy.probers == command.PROBERS
    assert set(command.PEERS) == set(main.PEERS)


@pytest.mark.parametrize(
    ("wanted", "ours", "kafkas", "etcds"),
    [
        ("client kafka", "client kafka", "kafka", "Go"),
        ("client", "client", "kafka", "Go"),
        ("client admin", "client admin", "kafka admin", "Go"),
        ("admin", "admin", "admin", "Go"),
        ("", "client", "kafka", "Go"),
    ],
)
def test_each_system_is_measured_with_the_forms_that_are_wanted(wanted, ours, kafkas, etcds):
    """Kafka is compared through its admin client alone, or a peer with a client of its own is left out."""
    for own, chosen in ((main.KraftPy.forms, ours), (main.PEERS["kafka"]().forms, kafkas), (("Go",), etcds)):
        assert chosen_forms(own, wanted.split()) == chosen.split()


def test_the_works_of_a_commit_run():
    """Mixed writes and each size: with each number in flight, in batches, and at each rate of the open loop."""
    todo = works((1, 64), (256,), (1000.0,), batches=True, mixed=True, seconds=1, warmup_s=0)
    assert [one.label for one in todo] == [
        "1 in flight, mixed",
        "64 in flight, mixed",
        "16 in flight, mixed, batches of 128",
        "open loop 1000/s, mixed",
        "1 in flight, 256 B",
        "64 in flight, 256 B",
        "16 in flight, 256 B, batches of 128",
        "open loop 1000/s, 256 B",
    ]


def test_kills_are_shared_out_over_the_runs():
    """50 kills in 4 runs are 13, 13, 12 and 12."""
    options = Options(kills=50, runs=4)
    assert [kills_of(options, number) for number in (1, 2, 3, 4)] == [13, 13, 12, 12]
    assert runs_of("commit", options) == 4


def test_there_is_no_run_without_a_kill():
    """Fewer kills than runs are as many runs of one kill each."""
    options = Options(kills=2, runs=5)
    assert runs_of("failover", options) == 2
    assert [kills_of(options, number) for number in (1, 2)] == [1, 1]


async def test_a_peer_that_is_not_there_is_skipped_by_name_and_reason(tmp_path):
    """A missing peer is reported, and the others are measured."""

    class Missing:
        name = "missing"

        def version(self):
            raise SkippedError("no such program on the PATH")

    stated: list[str] = []
    results: Results = await measure([Missing()], 1, tmp_path, None, stated.append)
    assert results.skipped == {"missing": "no such program on the PATH"}
    assert stated == ["skipped missing: no such program on the PATH"]


@pytest.mark.landing
def test_a_tiny_run_on_real_controllers(tmp_path):
    """Three controllers as processes, half a second of writes through every client form: figures and no errors."""
    file = tmp_path / "results.json"
    line = "--runs 1 --seconds 0.5 --warmup 0.2 --in-flight 4 --value-bytes 100 --rates 50 --no-batches"
    result = CliRunner().invoke(
        cli, ["bench", "commit", *line.split(), "--dir", str(tmp_path), "--json", str(file)], standalone_mode=False
    )
    assert result.exit_code == 0, (result.output, result.exception)
    content = json.loads(file.read_text())
    assert len(content["rows"]) == 16
    for row in content["rows"]:
        assert row["figures"]["records/s"] > 0, row
        assert row["figures"]["errors"] == 0, row
        assert len(row["usage"]) == 3, row
    assert list(Path(tmp_path).iterdir()) == [file], "the cluster's files are gone"


TINY = {
    "shapes": ("--seconds 0.3 --warmup 0.1", 20),
    "topics": ("--seconds 0.3 --warmup 0 --in-flight 2 --large-requests 0 --brokers 3", 1),
    "isr": ("--seconds 0.3 --warmup 0 --partitions 1,50", 2),
    "broker-death": ("--leaderships 100", 2),
    "brokers": ("--seconds 3 --brokers 20", 1),
    "large": ("--partitions 300 --records 1000 --kills 1", 2),
    "day": ("--hours 0.1 --brokers 4 --partitions 40 --window-minutes 2 --speed 100", 9),
    "reads": ("--seconds 0.3 --warmup 0 --in-flight 4 --forms client", 3),
}


@pytest.mark.parametrize("name", TINY)
@pytest.mark.landing
def test_a_tiny_run_of_what_controllers_do(name, tmp_path, monkeypatch):
    """Three controllers as processes, and brokers that are requests: figures for all of the work, and no errors."""
    # How fast they are in a third of a second is nothing to judge.
    monkeypatch.setattr(shape_rates, "BAND", 1e9)
    monkeypatch.setattr(shape_rates, "BANDS_OF_KINDS", dict.fromkeys(shape_rates.WORKS, 1e9))
    line, rows = TINY[name]
    file = tmp_path / "results.json"
    arguments = ["bench", name, *line.split(), "--runs", "1", "--dir", str(tmp_path), "--json", str(file)]
    result = CliRunner().invoke(cli, arguments, standalone_mode=False)
    assert result.exit_code == 0, (result.output, result.exception)
    content = json.loads(file.read_text())
    assert len(content["rows"]) == rows, result.output
    for row in content["rows"]:
        assert row["notes"] == [], row
        assert max(row["figures"].values()) > 0, row
