"""What came out of Kafka's suites, and the page about it.

``results.json`` keeps the last run of each class: method, and how often it passed, failed (by reason) and was aborted
(by reason); a method runs once for each cluster that its annotations describe. ``docs/kafka-tests.md`` is written
from it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.interop.clustertest.reasons import REASONS

ROOT = Path(__file__).resolve().parents[3]
RESULTS = Path(__file__).with_name("results.json")
PAGE = ROOT / "docs" / "kafka-tests.md"

HEAD = """# Kafka's own tests

Kafka's suites that start a cluster, unmodified, out of the test jars of Kafka {version}. The brokers are Kafka's, in
one JVM; every controller is a kraftpy process. `make kafka-tests` runs all of them and writes this page; a share of
them runs on every landing, and its results must be those of this page (`tests/interop/test_kafka_suites.py`).
Do not edit it.

* **passed**: runs that passed. A method runs once for each cluster that its annotations describe.
* **again**: of those, runs that failed at first and passed when they were run once more, without the others.
* **failed**: runs that failed twice; the reasons are below.
* **aborted**: runs that ask for what cannot be had from a process in another language; the reasons are below.

"""


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
"""Class and method to its runs."""


def load() -> tuple[str, Suites]:
    """Return Kafka's version and the results of the last full run."""
    stored = json.loads(RESULTS.read_text(encoding="utf-8"))
    suites = {
        suite: {name: Method.from_json(method) for name, method in methods.items()}
        for suite, methods in stored["suites"].items()
    }
    return stored["kafka"], suites


def save(version: str, suites: Suites) -> None:
    """Keep results, and write the page."""
    shown = {
        suite: {name: method.to_json() for name, method in sorted(methods.items())}
        for suite, methods in sorted(suites.items())
    }
    text = json.dumps({"kafka": version, "suites": shown}, indent=1, ensure_ascii=False)
    RESULTS.write_text(text + "\n", encoding="utf-8")
    PAGE.write_text(page(version, suites), encoding="utf-8")


def page(version: str, suites: Suites) -> str:
    """Return the page about results."""
    return "".join((HEAD.format(version=version), *_table(suites), *_failures(suites), *_aborts(suites)))


def _table(suites: Suites) -> Iterator[str]:
    yield "| class | passed | again | failed | aborted |\n| --- | --- | --- | --- | --- |\n"
    total: Counter[str] = Counter()
    for suite, methods in sorted(suites.items(), key=lambda item: _short(item[0])):
        row = counts(methods)
        total += row
        yield _row(f"`{_short(suite)}`", row)
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


def _failures(suites: Suites) -> Iterator[str]:
    yield "\n## Failed\n\n"
    failed = {
        f"{_short(suite)}.{name}": method.failed
        for suite, methods in suites.items()
        for name, method in methods.items()
        if method.failed
    }
    rows = [
        f"| `{key}` | {texts.total()} | {_cell(next(iter(texts)))} | {REASONS.get(key, NOT_KNOWN)} |\n"
        for key, texts in sorted(failed.items())
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
    for suite, methods in suites.items():
        for name, method in methods.items():
            runs.update(method.aborted)
            for reason in method.aborted:
                tests.setdefault(reason, set()).add(f"`{_short(suite)}.{name}`")
    for reason, count in sorted(runs.items(), key=lambda item: (-item[1], item[0])):
        names = sorted(tests[reason])
        yield f"\n### {_cell(reason)}\n\n{count} runs of {len(names)} tests: {', '.join(names)}.\n"


def _short(suite: str) -> str:
    return suite.rpartition(".")[2]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace(">", "&gt;")
