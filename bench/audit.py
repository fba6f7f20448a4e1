"""``audit``: the auditor on a large snapshot, a long log and a fleet, and ``kafka-dump-log`` on the same files.

Each piece of work runs in a process of its own. Figures are records per second of wall time and per second of CPU time
(all processes of it together), the seconds from the start of that process until the answer (``answer s``) and until all
its processes have ended (``s in all``), and the memory of the largest process. On a machine that others use, only CPU
figures say something. Kafka's tool prints JSON for every record to /dev/null; its counterpart here is ``decoded``,
which makes the same JSON of every record; ``checked`` answers the questions that need no JSON. ``compacted`` writes a
snapshot of a cluster, so it is measured where there is one.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.audit_data import METADATA_DIRECTORY, files_below, write_fleet, write_large_fleet, write_log, write_snapshot
from bench.machine import describe
from bench.plot import write_plot
from bench.proc import TreeClock
from bench.report import as_json, tables
from bench.results_file import options_of, write_results
from bench.runs import PrintProgress, Results, Row

FLEET_RECORDS = 2_000
LARGE_FLEET_RECORDS = 100_000
GIBIBYTE = 1024**3
WARM_UP_RECORDS = 1_000
TIMEOUT_S = 3_600
DUMP_TOOL = "org.apache.kafka.tools.DumpLogSegments"
JVM = ("-Xmx1g", "-Dlog4j2.level=OFF")
ALONE, SPARK_1, SPARK_2, KAFKA = "one process", "Spark local[1]", "Spark local[2]", "kafka-dump-log"
COMPACTED = "compacted"
KAFKA_1 = f"{KAFKA}, one core"
ONE_CORE = ("taskset", "--cpu-list", "0")
SYSTEMS = {ALONE: "one", SPARK_1: "spark-1", SPARK_2: "spark-2"}
"""The names of our systems on the command line."""

WORKS: tuple[tuple[str, str, str], ...] = (
    (ALONE, "checked", "none"), (ALONE, "decoded", "none"), (ALONE, "audited", "none"),
    (SPARK_1, "checked", "local[1]"), (SPARK_2, "checked", "local[2]"),
    (SPARK_1, "decoded", "local[1]"), (SPARK_2, "decoded", "local[2]"),
    (SPARK_1, "audited", "local[1]"), (SPARK_2, "audited", "local[2]"),
    (ALONE, COMPACTED, "none"), (SPARK_1, COMPACTED, "local[1]"), (SPARK_2, COMPACTED, "local[2]"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line says. ``kafka_jars`` is a directory of Kafka's jars, such as a release's ``libs``."""

    runs: int = 3
    directory: Path = Path()
    json_file: Path | None = None
    plot_file: Path | None = None
    partitions: int = 1_000_000
    records: int = 10_000_000
    clusters: int = 200
    fleet_gib: float = 0.0
    systems: tuple[str, ...] = ()
    kafka_jars: Path | None = None
    only: tuple[str, ...] = ()


def run(options: Options, print_progress: PrintProgress) -> int:
    """Measure and report; return how many rows failed."""
    machine = describe(options.directory)
    results = Results()
    base = Path(tempfile.mkdtemp(prefix="kraftpy-bench-audit-", dir=options.directory))
    try:
        with _bytecode_in(base):
            for name, make in _inputs(options).items():
                print_progress(f"making {name}")
                directory = base / "input"
                records = make(directory)
                size = sum(file.stat().st_size for file in files_below(directory))
                print_progress(f"  {records:,} records, {size / 1e6:,.1f} MB")
                for number in range(1, options.runs + 1):
                    results.rows += [
                        _reported(row, print_progress) for row in _measured(options, name, directory, records, number)
                    ]
                shutil.rmtree(directory)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    print_progress("")
    heading = (
        f"audit, {machine['time']}, commit {machine['commit']}, {machine['cpus']} x {machine['cpu']}, "
        f"Python {machine['python']}"
    )
    print_progress(f"{heading}\n")
    print_progress(tables(results))
    if options.kafka_jars is not None:
        print_progress(f"\n{ratios(results)}")
    if options.plot_file is not None:
        print_progress(f"\nplot: {write_plot(options.plot_file, 'audit', results, heading)}")
    if options.json_file is not None:
        write_results(options.json_file, as_json("audit", options_of(options), machine, results))
        print_progress(f"\nresults: {options.json_file}")
    return sum(1 for row in results.rows if row.notes)


@contextmanager
def _bytecode_in(directory: Path) -> Iterator[None]:
    """Let processes find modules compiled, as pip leaves them, also where the environment keeps no bytecode."""
    names = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")
    before = {name: os.environ.pop(name, None) for name in names}
    os.environ["PYTHONPYCACHEPREFIX"] = str(directory / "bytecode")
    try:
        write_log(directory / "small", WARM_UP_RECORDS, 50)
        for work in ("checked", "decoded", "audited", COMPACTED):
            _ours(work, "none", directory / "small")
        yield
    finally:
        del os.environ["PYTHONPYCACHEPREFIX"]
        os.environ.update({name: value for name, value in before.items() if value is not None})


def _inputs(options: Options) -> dict[str, Callable[[Path], int]]:
    wanted: dict[str, Callable[[Path], int]] = {}
    if options.partitions:
        wanted[f"a snapshot of {options.partitions:,} partitions"] = lambda at: write_snapshot(at, options.partitions)
    if options.records:
        wanted[f"a log of {options.records:,} records"] = lambda at: write_log(
            at, options.records, max(options.records // 20, 1)
        )
    if options.clusters:
        wanted[f"{options.clusters:,} clusters of 3 nodes"] = lambda at: write_fleet(
            at, options.clusters, FLEET_RECORDS
        )
    if options.fleet_gib:
        size = int(options.fleet_gib * GIBIBYTE)
        wanted[f"clusters of 3 nodes, {options.fleet_gib:g} GiB"] = lambda at: write_large_fleet(
            at, size, LARGE_FLEET_RECORDS
        )
    return wanted


def _measured(options: Options, name: str, directory: Path, records: int, number: int) -> Iterable[Row]:
    has_one_cluster = (directory / METADATA_DIRECTORY).is_dir()
    for system, work, master in WORKS:
        is_wanted = not options.systems or SYSTEMS[system] in options.systems
        if is_wanted and (not options.only or work in options.only) and (work != COMPACTED or has_one_cluster):
            # The records of a compaction are those of its snapshot, and rates are of what is read.
            outcome = _ours(work, master, directory)
            if work == COMPACTED and not outcome.error:
                outcome.reported["records"] = records
            yield _row(system, work, name, number, outcome, records)
    if options.kafka_jars is not None:
        for system, before in ((KAFKA_1, ONE_CORE), (KAFKA, ())):
            if not before or shutil.which(before[0]) is not None:
                yield _row(system, "decoded", name, number, _kafkas(options.kafka_jars, directory, before), records)


@dataclass(slots=True)
class _Outcome:
    """A process that has ended; its times are on the monotonic clock that all processes share."""

    started: float
    ended: float
    cpu_s: float
    rss_mb: float
    reported: dict[str, Any]
    error: str = ""


def _row(system: str, work: str, name: str, number: int, outcome: _Outcome, expected: int | None) -> Row:
    row = Row(system=system, run=number, work=name, form=work)
    records = int(outcome.reported.get("records", 0))
    seconds = outcome.reported.get("seconds", outcome.ended - outcome.started)
    if outcome.error:
        row.notes.append(outcome.error)
    elif expected is not None and records != expected:
        row.notes.append(f"{records} records were counted, {expected} written")
    row.figures = {
        "records/s": records / seconds if seconds else 0.0,
        "records/CPU s": records / outcome.cpu_s if outcome.cpu_s else 0.0,
        "answer s": outcome.reported.get("answered at", outcome.ended) - outcome.started,
        "s in all": outcome.ended - outcome.started,
        "CPU s": outcome.cpu_s,
        "RSS MB": outcome.rss_mb,
    }
    return row


def ratios(results: Results) -> str:
    """Say how many times Kafka's tool's records per second of CPU each piece of work makes, by its best runs."""
    best: dict[tuple[str, str, str], float] = {}
    for row in results.rows:
        if not row.notes:
            key = (row.work, row.system, row.form)
            best[key] = max(best.get(key, 0.0), row.figures["records/CPU s"])
    lines = [
        f"{work}: {system}, {form}: {rate / kafkas:.1f} x {KAFKA}"
        for (work, system, form), rate in best.items()
        if system not in {KAFKA, KAFKA_1}
        and (kafkas := max((best.get((work, each, "decoded"), 0.0) for each in (KAFKA, KAFKA_1)), default=0.0))
    ]
    return "\n".join(lines)


def _reported(row: Row, print_progress: PrintProgress) -> Row:
    figures = ", ".join(f"{name} {value:,.1f}" for name, value in row.figures.items())
    print_progress(
        f"  run {row.run}: {row.system}, {row.form}: {figures}" + "".join(f" ({note})" for note in row.notes)
    )
    return row


def _ours(work: str, master: str, directory: Path) -> _Outcome:
    outcome = _timed([sys.executable, "-m", "bench.audit_work", work, master, str(directory)], keep=True)
    if not outcome.error:
        outcome.reported = json.loads(outcome.reported["output"].splitlines()[-1])
        if master == "none":
            outcome.rss_mb = outcome.reported["RSS MB"] or outcome.rss_mb
    return outcome


def _kafkas(jars: Path, directory: Path, before: Sequence[str]) -> _Outcome:
    files = ",".join(map(str, files_below(directory)))
    command = [*before, "java", *JVM, "-cp", f"{jars}/*", DUMP_TOOL, "--cluster-metadata-decoder", "--files", files]
    outcome = _timed(command, keep=False)
    outcome.reported["records"] = _records_of(directory)
    return outcome


def _records_of(directory: Path) -> int:
    from kraftpy.audit.reading.discovery import discover
    from kraftpy.audit.reading.first_pass import first_passes

    passes = first_passes([file for file in discover([str(directory)]) if file.has_batches], None)
    return sum(sum(each.counts.values()) for each in passes)


def _timed(command: Sequence[str], *, keep: bool) -> _Outcome:
    """Run a command; its CPU time is that of all processes it waited for, its memory that of the largest."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=output if keep else subprocess.DEVNULL, stderr=errors, start_new_session=True
        )
        # Spark's workers are not waited for by the JVM that starts them, so that its own sum lacks them.
        clock = TreeClock(process.pid)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            # It has a session of its own, so that a terminal's Ctrl-C does not reach it.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
        seen_s = clock.stop()
        process.returncode = os.waitstatus_to_exitcode(status)
        ended = time.perf_counter()
        output.seek(0)
        errors.seek(0)
        outcome = _Outcome(
            started,
            ended,
            max(usage.ru_utime + usage.ru_stime, seen_s),
            usage.ru_maxrss / 1024,
            {"output": output.read().decode()},
        )
        if process.returncode:
            outcome.error = f"ended with {process.returncode}: {errors.read().decode()[-300:]}"
        return outcome
