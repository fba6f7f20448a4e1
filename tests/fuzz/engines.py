"""What makes the inputs: a seeded mutator, or atheris, which follows the coverage. Both hand them to one judge.

atheris ends its process when it is done, so each of its targets runs in a process of its own; so does each of the
mutator's, which keeps what one decoder loads or breaks away from the others.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.fuzz import corpus
from tests.fuzz.catalogue import find
from tests.fuzz.judge import Finding, Judge, timers
from tests.fuzz.mutate import MUTATED_BYTES_MAX, Mutator
from tests.fuzz.target import INPUT_BYTES_MAX, Target

SEEDED = "seeded"
ATHERIS = "atheris"
FINDINGS_MAX = 20
"""A target with this many different findings is broken, and not searched any further."""

REPORT_EVERY = 500


def has_atheris() -> bool:
    """Return whether this Python has atheris."""
    return find_spec("atheris") is not None


@dataclass(slots=True)
class Report:
    """What became of the inputs of one target."""

    target: str
    engine: str
    inputs: int = 0
    refused: int = 0
    measured: int = 0
    slowest: float = 0.0
    seconds: float = 0.0
    findings: list[dict[str, str]] = field(default_factory=list)


class Search:
    """Judges inputs, keeps the shortest of each kind of finding, and periodically writes down what it knows."""

    def __init__(self, target: Target, engine: str, reported: Path) -> None:
        self._judge = Judge(target)
        self._reported = reported
        self._started = time.monotonic()
        self._found: dict[str, Finding] = {}
        self._report = Report(target.name, engine)

    def take(self, data: bytes) -> None:
        """Judge one input."""
        judge = self._judge
        found = judge.judge(data)
        if found is not None:
            known = self._found.get(found.place)
            if known is None or len(found.data) < len(known.data):
                self._found[found.place] = found
                self.tell()
        elif judge.inputs % REPORT_EVERY == 0:
            self.tell()

    @property
    def is_broken(self) -> bool:
        """Whether there is no use in going on."""
        return len(self._found) >= FINDINGS_MAX

    def tell(self) -> None:
        """Write the report, whole: the process may be ended at any moment."""
        judge, report = self._judge, self._report
        report.inputs, report.refused, report.measured = judge.inputs, judge.refused, judge.measured
        report.slowest, report.seconds = judge.slowest, time.monotonic() - self._started
        report.findings = [
            {"place": one.place, "story": one.story, "data": one.data.hex()} for one in self._found.values()
        ]
        temporary = self._reported.with_suffix(".tmp")
        temporary.write_text(json.dumps(asdict(report)), encoding="utf-8")
        temporary.replace(self._reported)


def run_seeded(target: Target, seconds: float, seed: str, reported: Path) -> None:
    """Mutate the corpus until the time is over."""
    inputs = list(corpus.read(target).values())
    mutator, search = Mutator(inputs, target.words, seed), Search(target, SEEDED, reported)
    deadline = time.monotonic() + seconds
    with timers():
        for data in inputs:
            search.take(data)
        while time.monotonic() < deadline and not search.is_broken:
            for _ in range(50):
                search.take(mutator.next())
    search.tell()


def run_atheris(name: str, seconds: float, seed: str, reported: Path, folder: Path) -> None:
    """Let atheris look for inputs that reach new code; does not return."""
    import atheris

    with atheris.instrument_imports(include=["kraftpy", "google.protobuf", "json", "tarfile"]):
        target = find(name)
    search = Search(target, ATHERIS, reported)
    for number, data in enumerate(corpus.read(target).values()):
        if len(data) <= MUTATED_BYTES_MAX:
            (folder / str(number)).write_bytes(data)
    flags = [
        f"-max_total_time={max(1, int(seconds))}", f"-max_len={INPUT_BYTES_MAX}", f"-artifact_prefix={folder.parent}/",
        f"-seed={int.from_bytes(seed.encode()) % 2**31}", "-timeout=60", "-rss_limit_mb=4096", "-len_control=20",
        "-verbosity=0", "-print_final_stats=1",
    ]  # fmt: skip
    if target.words:  # an empty dictionary is an error to libFuzzer
        words = folder.parent / "words"
        words.write_text("".join(f'"{_escaped(word)}"\n' for word in target.words), encoding="ascii")
        flags.append(f"-dict={words}")
    atheris.Setup([sys.argv[0], *flags, str(folder)], search.take)
    with timers():
        atheris.Fuzz()


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


def run_apart(engine: str, name: str, seconds: float, seed: str) -> Report:
    """Search one target in a process of its own; a process that dies is a finding, too."""
    with tempfile.TemporaryDirectory(prefix="kraftpy-fuzz-") as folder:
        reported, inputs = Path(folder) / "report.json", Path(folder) / "inputs"
        inputs.mkdir()
        command = [
            sys.executable,
            "-m",
            "tests.fuzz.engines",
            engine,
            name,
            str(seconds),
            seed,
            str(reported),
            str(inputs),
        ]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        report = Report(name, engine)
        if reported.exists():
            report = Report(**json.loads(reported.read_text(encoding="utf-8")))
        if ended.returncode:
            left = [path.read_bytes().hex() for path in Path(folder).glob("*-*") if path.is_file()]
            tail = ended.stderr.strip()[-2000:]
            report.findings.append({"place": f"exit {ended.returncode}", "story": tail, "data": (left or [""])[0]})
        counted = re.search(r"stat::number_of_executed_units: +(\d+)", ended.stderr)
        if counted is not None:
            report.inputs = max(report.inputs, int(counted[1]))
        if not report.inputs and not report.findings:
            report.findings.append({"place": "nothing", "story": "no input was made: give it more seconds", "data": ""})
        return report


def shown(reports: Iterable[Report]) -> str:
    """Show reports as a table."""
    rows: list[tuple[Any, ...]] = [
        ("target", "engine", "inputs", "refused", "measured", "seconds", "slowest", "findings")
    ]
    rows += [
        (
            one.target, one.engine, f"{one.inputs:,}", f"{one.refused:,}", f"{one.measured:,}", f"{one.seconds:.0f}",
            f"{one.slowest:.3f}", len(one.findings),
        )
        for one in reports
    ]  # fmt: skip
    widths = [max(len(str(row[column])) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


def main(arguments: list[str]) -> None:
    """Run one engine on one target: what :func:`run_apart` starts."""
    engine, name, seconds, seed, reported, folder = arguments
    if engine == ATHERIS:
        run_atheris(name, float(seconds), seed, Path(reported), Path(folder))
    else:
        run_seeded(find(name), float(seconds), seed, Path(reported))


if __name__ == "__main__":
    main(sys.argv[1:])
