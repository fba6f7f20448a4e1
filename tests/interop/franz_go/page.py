"""What came out of franz-go's tests, and the page about clients of other authors.

``results.json`` keeps the last run; ``docs/kafka-clients.md`` is written from it, and from the pins of the clients.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.interop.franz_go.judge import RECORDS, Result, Results, version

ROOT = Path(__file__).resolve().parents[3]
RESULTS = Path(__file__).with_name("results.json")
PAGE = ROOT / "docs" / "kafka-clients.md"
REQUIREMENTS = ROOT / "requirements-interop.txt"

HEAD = """# Clients of other authors

Clients that share no code with Kafka nor with kraftpy, at a stock broker of Kafka 4.3 with three kraftpy controllers.
This page is generated: `make kafka-clients` runs the tests of franz-go and writes it. Do not edit it.

| Client | Version | What judges | Run it |
| --- | --- | --- | --- |
| librdkafka (confluent-kafka) | {librdkafka} | `tests/interop/test_clients.py` | `make interop` |
| aiokafka | {aiokafka} | `tests/interop/test_clients.py` | `make interop` |
| franz-go | {franz_go} | its own tests of `pkg/kgo`, listed below | `make kafka-clients`, which needs Go |

## librdkafka and aiokafka

Both create topics with configs, add partitions, alter and describe configs, delete records, describe the cluster and
its groups, and delete topics. librdkafka also elects leaders, deletes groups, and adds SCRAM users and access control
entries, which the broker then enforces. What Kafka's controllers refuse is refused with the same codes.

Both copy records exactly once. An idempotent producer fills a topic, a group reads it (librdkafka with the classic
protocol and with that of KIP-848), and a transactional producer writes what was read and commits the group's offsets;
some transactions are aborted. The active controller is killed by SIGKILL within a transaction, and later the producer
and the member of the group are replaced. With `read_committed` each record is there once.

`CONTROLLERS=kafka make interop` runs these tests on Kafka's controllers.

## franz-go

All tests of the package that speak to a cluster, unmodified, with {records:,} records for each pipeline: groups with
every balancer, static members, KIP-848, transactions, share groups. `make kafka-clients CONTROLLERS=kafka` runs them
on Kafka's controllers, and writes nothing.

**again** is a test that failed at first and passed when it was run once more by itself.

"""

CAUSES = {
    "TestIssueProduceBrokerTooOldFailsRecords": "for brokers of other versions",
    "TestOAuthAuth": "judges the broker alone: no listener for it here",
    "TestShareGroupOffsetsAdmin": (
        "no fault of the controllers: it fails with Kafka's, too. A broker hands new metadata to its group coordinator "
        "last, when it has made the logs of all partitions that came with it, and the test does not wait for that"
    ),
}
"""Why tests did not pass, as far as it is known."""

NOT_KNOWN = "not looked into yet"


def load() -> Results:
    """Return the results of the last full run."""
    stored = json.loads(RESULTS.read_text(encoding="utf-8"))
    return {name: Result(one["outcome"], one.get("reason", "")) for name, one in stored["tests"].items()}


def save(results: Mapping[str, Result]) -> None:
    """Keep results, and write the page."""
    tests = {
        name: {"outcome": one.outcome} | ({"reason": one.reason} if one.reason else {})
        for name, one in sorted(results.items())
    }
    text = json.dumps({"franz-go": version(), "tests": tests}, indent=1, ensure_ascii=False)
    RESULTS.write_text(text + "\n", encoding="utf-8")
    PAGE.write_text(page(results), encoding="utf-8")


def page(results: Mapping[str, Result]) -> str:
    """Return the page about results."""
    head = HEAD.format(librdkafka=pin("confluent-kafka"), aiokafka=pin("aiokafka"), franz_go=version(), records=RECORDS)
    return "".join((head, *_table(results), *_reasons(results)))


def pin(package: str) -> str:
    """Return the version of a package that the tests have."""
    match = re.search(rf"^{package}==(\S+)$", REQUIREMENTS.read_text(encoding="utf-8"), re.MULTILINE)
    if match is None:
        raise ValueError(f"{REQUIREMENTS.name} has no pin of {package}: the page shows its version")
    return match[1]


def _table(results: Mapping[str, Result]) -> Iterator[str]:
    yield "| test | result | parts |\n| --- | --- | --- |\n"
    tops = [name for name in sorted(results) if "/" not in name]
    for name in tops:
        parts = [f"`{one.partition('/')[2]}`" for one in sorted(results) if one.startswith(f"{name}/")]
        yield f"| `{name}` | {results[name].outcome} | {', '.join(parts)} |\n"
    total = Counter(results[name].outcome for name in tops)
    counted = ", ".join(f"{count} {outcome}" for outcome, count in sorted(total.items()))
    yield f"| **{len(tops)} tests** | {counted} | |\n"


def _reasons(results: Mapping[str, Result]) -> Iterator[str]:
    """Why tests did not pass at once, or not at all."""
    yield "\n## Not passed at once\n\nWhat they printed last, and why.\n\n"
    rows = [
        f"| `{name}` | {one.outcome} | {_cell(one.reason)} | {CAUSES.get(name, NOT_KNOWN)} |\n"
        for name, one in sorted(results.items())
        if one.outcome != "passed" and "/" not in name
    ]
    if not rows:
        yield "None.\n"
        return
    yield "| test | result | reason | cause |\n| --- | --- | --- | --- |\n"
    yield from rows


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace(">", "&gt;")
