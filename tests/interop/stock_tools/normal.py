"""What a tool printed, without what is drawn, measured or counted in each run."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tests.interop.stock_tools.script import Call
from tests.interop.stock_tools.servant import Output

ID: Final = r"(?!A{22})[\w-]{22}"
"""An id that was drawn; the one of zeros is shown as it is."""

RULES: Final[tuple[tuple[str, str], ...]] = (
    # Stacks of exceptions, but not the exceptions.
    (r"^(\tat .*|\t\.\.\. \d+ (more|common frames omitted))\n", ""),
    (r"^ \t", "\t"),
    (rf'(TopicId: |topicId=|"directoryId": "|directory\.id=){ID}', r"\1{id}"),
    # Which controller leads, since when, and how far everyone is.
    (r"(LeaderId: +|[Ll]ocal controller |LeaderEpoch: +|HighWatermark: +|MaxFollowerLag: +|TimeMs: +)-?\d+", r"\1{n}"),
    (r"(FinalizedVersionLevel: \S+ +Epoch: )\d+", r"\1{n}"),
    (rf"^(\d+ +\t){ID}\t", r"\1{id}\t"),
    (r"^\d+ +\t(\S+) *\t\d+ +\t\d+ *\t[^\t]+\t[^\t]+\t(\w+) *\t$", r"{node}\t\1\t{n}\t{t}\t\2"),
    # The order of a hash table with ports in it.
    (r"\{plain-\d+\} \(id: \d+ rack", "{plain} (id: {broker} rack"),
    # What a broker says of a request that it denies.
    (r"processor=\d+, connectionId=\S+, session=\S+Session@\w+", "processor={n}, connectionId={id}, session={id}"),
    # Clients are counted in a JVM; the group of EndToEndLatency has the time in its name.
    (r"\badminclient-\d+", "adminclient-{n}"),
    (r"\btest-group-\d+", "test-group-{t}"),
    # Producers' ids are from the block of the broker that was asked; a batch's size depends on its times.
    (r"^\d+ +(\t\d+ +\t-?\d+ +\t-?\d+ +\t)\d+(\t)", r"{n}\1{t}\2"),
    (r"^(\S+ +\t\d+ +\t)\d+ +(\tComplete\w+ +\t)$", r"\1{n}\2"),
    (
        r"^(\d+ +\t\S+ +\t)\d+ +(\t\d+ +\t\w+ *\t\d+ +\t)(?:\d+|None) +\t(?:\d+|None) +\t",
        r"\1{n}\2{t}\t{t}\t",
    ),
    (r'"size":[1-9]\d*', '"size":{n}'),
    # What was measured.
    (r"^(\d+ records sent), .*$", r"\1, {measured}"),
    (r'("avg_throughput":)[\d.]+', r"\1{measured}"),
    (r"^(\d\t|Avg latency: |Percentiles: ).*\d$|^(Avg latency: ).* ms$", r"\1\2{measured}"),
    (r"^\d{4}-\S+ \S+, \d{4}-\S+ \S+, (\S+), \S+, (\d+), .*$", r"{t}, {t}, \1, {n}, \2, {measured}"),
    # Tokens, and times.
    (rf"(tokenId : ){ID}$", r"\1{id}"),
    (rf"^{ID} [\w+/]{{86}}==", "{id} {hmac}"),
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d\b", "{minute}"),
    (r'("timestamp":)\d+', r"\1{t}"),
)
"""Pattern, and what replaces it."""
COMPILED: Final = tuple((re.compile(pattern, re.MULTILINE), name) for pattern, name in RULES)
ORDERLESS: Final = re.compile(r"kafka-acls |kafka-groups |kafka-consumer-groups .* --list")
"""Calls that print lines in the order of a hash table that differs from one JVM to the next."""
OPERATIONS: Final = re.compile(r"(only supports operations )\[(.*)\]")
"""A list in such an order."""
UNSORTED: Final = re.compile(r"kafka-verifiable-")
"""Calls that print JSON objects whose members have the order in which a JVM lists the methods of a class."""
OBJECT: Final = re.compile(r"^\{.*\}$", re.MULTILINE)
OBSERVERS: Final = re.compile(r"(CurrentObservers: +)\[(.*)\]")
"""A list in the order in which brokers came."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The exit code of a call, and its comparable output."""

    code: str
    out: str
    err: str


class Names:
    """Replaces what one cluster calls differently from another."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self._known = known
        longest_first = sorted(known, key=len, reverse=True)
        self._pattern = re.compile("|".join(rf"(?<!\d){re.escape(each)}(?!\d)" for each in longest_first))

    def answer(self, call: Call, output: Output) -> Answer:
        """Return what can be compared."""
        printed = OBJECT.sub(_members_sorted, output.out) if UNSORTED.match(call.text) else output.out
        out, err = self._normal(printed), self._normal(output.err)
        if ORDERLESS.match(call.text):
            out, err = ("\n".join(sorted(text.split("\n"))) for text in (out, err))
        return Answer(output.code, out, err)

    def _normal(self, text: str) -> str:
        text = self._pattern.sub(lambda found: self._known[found[0]], text)
        for pattern, name in COMPILED:
            text = pattern.sub(name, text)
        text = OBSERVERS.sub(lambda found: found[1] + _sorted(r'{"id".*?}', found[2]), text)
        return OPERATIONS.sub(lambda found: found[1] + _sorted(r"\w+", found[2]), text)


def _members_sorted(found: re.Match[str]) -> str:
    return json.dumps(json.loads(found[0]), sort_keys=True, separators=(",", ":"))


def _sorted(item: str, text: str) -> str:
    return f"[{', '.join(sorted(re.findall(item, text)))}]"
