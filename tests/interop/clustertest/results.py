"""What came out of Kafka's suites, and the pages about it.

``results.json`` keeps the last run of each class: method, and how often it passed, failed (by reason) and was aborted
(by reason); a method runs once for each cluster that its annotations describe. ``docs/kafka-tests.md`` is written
from it. ``core_results.json`` and ``docs/kafka-core-tests.md`` are the same for the suites of Kafka's core.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.interop.clustertest.reasons import CORE_REASONS, REASONS

ROOT = Path(__file__).resolve().parents[3]
RESULTS = Path(__file__).with_name("results.json")
PAGE = ROOT / "docs" / "kafka-tests.md"

HEAD = """# Kafka's own tests

Kafka's suites that start a cluster, unmodified, out of the test jars of Kafka {version}. The brokers are Kafka's, in
one JVM; every controller is a kraftpy process. `make kafka-tests` runs them and writes this page, which has {run} of
{number} suites. A share runs on every landing, and its results must be those of this page
(`tests/interop/test_kafka_suites.py`). Do not edit it.

* **passed**: runs that passed. A method runs once for each cluster that its annotations describe.
* **again**: of those, runs that failed at first and passed when they were run once more, without the others.
* **failed**: runs that failed twice; the reasons are below.
* **aborted**: runs that ask for what cannot be had from a process in another language; the reasons are below.

"""
CORE_HEAD = """# Kafka's core tests

The suites of Kafka's core that start a cluster with `QuorumTestHarness`, unmodified, out of the test jar of Kafka
{version}. The brokers are Kafka's, in one JVM; the one controller is a kraftpy process. `make kafka-tests` runs them
and writes this page, which has {run} of {number} suites. The suites that choose how many controllers they have are in
[kafka-tests.md](kafka-tests.md). Do not edit this page.

* **passed**: runs that passed. A method runs once for each set of its parameters, mostly the protocols of groups.
* **again**: of those, runs that failed at first and passed when they were run once more, without the others.
* **failed**: runs that failed twice; the reasons are below.
* **aborted**: runs that ask for what cannot be had from a process in another language, or that Kafka has switched off;
  the reasons are below.

"""


@dataclass(frozen=True, slots=True)
class Kept:
    """Where the results of one kind of suites are kept, and what their page says besides them."""

    results: Path
    page: Path
    head: str
    reasons: Mapping[str, str]


CLUSTER_TESTS = Kept(RESULTS, PAGE, HEAD, REASONS)
CORE_TESTS = Kept(
    Path(__file__).with_name("core_results.json"),
    ROOT / "docs" / "kafka-core-tests.md",
    CORE_HEAD,
    CORE_REASONS,
)


@dataclass(slots=True)
class Method:
    """The runs of one method; counts by reason."""

    passed: int = 0
    again: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    aborted: Counter[str] = field(default_factory=Counter)

    @property
    def comparable(self) -> tuple[int, int, dict[str, int]]:
        """What must not change: not the texts of failures, which have ports and ids in them."""
        return self.passed, self.failed.total(), dict(self.aborted)

    def to_json(self) -> dict[str, Any]:
        full = {"passed": self.passed, "again": self.again, "failed": self.failed, "aborted": self.aborted}
        return {key: value for key, value in full.items() if value}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Method:
        counters = (Counter(value.get("failed", {})), Counter(value.get("aborted", {})))
        return cls(value.get("passed", 0), value.get("again", 0), *counters)


NOT_KNOWN = "not looked into yet"

Suites = dict[str, dict[str, Method]]
"""Class and method to its runs; a class without methods has not been run."""


def load(kept: Kept = CLUSTER_TESTS) -> tuple[str, Suites]:
    """Return Kafka's version and the results of the last run of each class."""
    stored = json.loads(kept.results.read_text(encoding="utf-8"))
    suites = {
        suite: {name: Method.from_json(method) for name, method in methods.items()}
        for suite, methods in stored["suites"].items()
    }
    return stored["kafka"], suites


def save(version: str, suites: Suites, kept: Kept = CLUSTER_TESTS) -> None:
    """Keep results, and write the page."""
    shown = {
        suite: {name: method.to_json() for name, method in sorted(methods.items())}
        for suite, methods in sorted(suites.items())
    }
    text = json.dumps({"kafka": version, "suites": shown}, indent=1, ensure_ascii=False)
    kept.results.write_text(text + "\n", encoding="utf-8")
    kept.page.write_text(page(version, suites, kept), encoding="utf-8")


def page(version: str, suites: Suites, kept: Kept = CLUSTER_TESTS) -> str:
    """Return the page about results."""
    run = {suite: methods for suite, methods in suites.items() if methods}
    return "".join(
        (
            kept.head.format(version=version, run=len(run), number=len(suites)),
            *_table(run),
            *_not_run(suites),
            *_failures(run, kept.reasons),
            *_aborts(run),
        )
    )


def _table(suites: Suites) -> Iterator[str]:
    yield "| class | passed | again | failed | aborted |\n| --- | --- | --- | --- | --- |\n"
    total: Counter[str] = Counter()
    shown = _shown(suites)
    for suite, methods in sorted(suites.items(), key=lambda item: (_short(item[0]), item[0])):
        row = counts(methods)
        total += row
        yield _row(f"`{shown[suite]}`", row)
    yield _row(f"**{len(suites)} classes**", total)


def _row(name: str, runs: Counter[str]) -> str:
    cells = (runs[key] or "" for key in ("passed", "again", "failed", "aborted"))
    return f"| {name} | {' | '.join(map(str, cells))} |\n"


def counts(methods: Mapping[str, Method]) -> Counter[str]:
    """Return the runs of a class by outcome."""
    return Counter(
        passed=sum(method.passed for method in methods.values()),
        again=sum(method.again for method in methods.values()),
        failed=sum(method.failed.total() for method in methods.values()),
        aborted=sum(method.aborted.total() for method in methods.values()),
    )


def _not_run(suites: Suites) -> Iterator[str]:
    shown = _shown(suites)
    names = sorted(f"`{shown[suite]}`" for suite, methods in suites.items() if not methods)
    if names:
        yield f"\n## Not run\n\n{', '.join(names)}.\n"


def failed_tests(suites: Suites) -> dict[str, Counter[str]]:
    """Return the tests that failed, as their pages name them, with the reasons of their runs."""
    shown = _shown(suites)
    return {
        f"{shown[suite]}.{name}": method.failed
        for suite, methods in suites.items()
        for name, method in methods.items()
        if method.failed
    }


def _failures(suites: Suites, reasons: Mapping[str, str]) -> Iterator[str]:
    yield "\n## Failed\n\n"
    rows = [
        f"| `{key}` | {texts.total()} | {_cell(next(iter(texts)))} | {reasons.get(key, NOT_KNOWN)} |\n"
        for key, texts in sorted(failed_tests(suites).items())
    ]
    if not rows:
        yield "None.\n"
        return
    yield "| test | runs | first reason | cause |\n| --- | --- | --- | --- |\n"
    yield from rows


def _aborts(suites: Suites) -> Iterator[str]:
    yield "\n## Aborted\n"
    runs: Counter[str] = Counter()
    tests: dict[str, set[str]] = {}
    shown = _shown(suites)
    for suite, methods in suites.items():
        for name, method in methods.items():
            runs.update(method.aborted)
            for reason in method.aborted:
                tests.setdefault(reason, set()).add(f"`{shown[suite]}.{name}`")
    for reason, count in sorted(runs.items(), key=lambda item: (-item[1], item[0])):
        names = sorted(tests[reason])
        yield f"\n### {_cell(reason)}\n\n{count} runs of {len(names)} tests: {', '.join(names)}.\n"


def _shown(suites: Iterable[str]) -> dict[str, str]:
    """Return how each class is shown: by its short name, or in full where two have the same."""
    times = Counter(_short(suite) for suite in suites)
    return {suite: _short(suite) if times[_short(suite)] == 1 else suite for suite in suites}


def _short(suite: str) -> str:
    return suite.rpartition(".")[2]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace(">", "&gt;")
