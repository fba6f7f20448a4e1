"""What the calls came to on Kafka's controllers, how ours differed, and the page about it.

``results.json`` and docs/kafka-tools.md are written by ``make kafka-tools``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.interop.stock_tools.differences import DIFFERENCES, SAME
from tests.interop.stock_tools.normal import Answer
from tests.interop.stock_tools.script import Call

RESULTS = Path(__file__).with_name("results.json")
PAGE = Path(__file__).parents[3] / "docs" / "kafka-tools.md"

HEAD = """# Kafka's tools

The command line tools of Kafka {version}, unmodified, called as one types them: {calls} calls of {tools} tools, many
of them mistaken on purpose, on three stock brokers with Kafka's controllers, and on three with kraftpy's. Exit code and
output are compared, call by call; ids, ports, times and what is measured are replaced by names before.
A call that only reads is repeated for up to 8 seconds until it comes to the same, because a broker learns of a
decision a moment later.
`make kafka-tools` makes all calls on both and writes this page. On every landing they are made on kraftpy's
controllers, and must come to what was recorded from Kafka's (`tests/interop/test_stock_tools.py`). Do not edit it.

`{{brokers}}` and `{{controllers}}` are bootstrap servers, `{{sasl}}` those of a listener with users, `{{dir}}` a
directory with the files of [`commands.txt`](../tests/interop/stock_tools/commands.txt).

Not called: `kafka-replica-verification`, which does not end by itself; `kafka-storage`, `kafka-dump-log` and
`kafka-metadata-shell`, which read directories (other tests call them); `kafka-streams-application-reset`, and the tools
of Connect, which speak to other servers. Two calls were left out because they hang with either controllers:
`kafka-reassign-partitions --verify` and `--cancel` without `--preserve-throttles` while a broker is down.

"""


@dataclass(frozen=True, slots=True)
class Result:
    """A call, what it came to on Kafka's controllers, and how ours answered.

    Attributes:
        verdict: the name of a difference, or that it is the same.
    """

    call: Call
    theirs: Answer
    verdict: str

    def to_json(self) -> dict[str, Any]:
        value: dict[str, Any] = {"call": self.call.text, "code": self.theirs.code}
        for key, text in (("out", self.theirs.out), ("err", self.theirs.err)):
            if text:
                value[key] = text.split("\n")
        return value | ({} if self.verdict == SAME else {"difference": self.verdict})

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Result:
        out, err = ("\n".join(value.get(key, [])) for key in ("out", "err"))
        return cls(Call(value["call"]), Answer(value["code"], out, err), value.get("difference", SAME))


def load() -> tuple[str, list[Result]]:
    """Return Kafka's version and the results of the last run on both."""
    stored = json.loads(RESULTS.read_text(encoding="utf-8"))
    return stored["kafka"], [Result.from_json(value) for value in stored["calls"]]


def save(version: str, results: Sequence[Result]) -> None:
    """Keep results, and write the page."""
    stored = {"kafka": version, "calls": [result.to_json() for result in results]}
    RESULTS.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(version, results), encoding="utf-8")


def page(version: str, results: Sequence[Result]) -> str:
    """Return the page about results."""
    tools = {result.call.tool for result in results}
    head = HEAD.format(version=version, calls=len(results), tools=len(tools))
    return "".join((head, *_differences(results), *_calls(results)))


def _differences(results: Sequence[Result]) -> Iterator[str]:
    found = Counter(result.verdict for result in results)
    yield f"{found[SAME]} calls come to the same, {len(results) - found[SAME]} differ on purpose.\n\n"
    yield "| Difference | Calls | What and why |\n| --- | --- | --- |\n"
    for one in sorted(DIFFERENCES, key=lambda one: one.name):
        yield f"| `{one.name}` | {found[one.name]} | {one.reason[0].upper()}{one.reason[1:]}. |\n"


def _calls(results: Sequence[Result]) -> Iterator[str]:
    yield "\n## The calls\n\nIn this order, with Kafka's exit code.\n\n"
    yield "| Call | Exit code | On kraftpy |\n| --- | --- | --- |\n"
    for result in results:
        verdict = result.verdict if result.verdict == SAME else f"`{result.verdict}`"
        yield f"| `{result.call.text}` | {result.theirs.code} | {verdict} |\n"
