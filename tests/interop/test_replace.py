"""AlterConfigs over Kafka's protocol, which Kafka's own admin client of today does not send any more."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from bench.work import eventually as until
from bench.writer import Caller
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from tests.interop.cluster import Quorum
from tests.interop.jars import Jars
from tests.interop.processes import eventually

Resource = rpc.AlterConfigsRequestAlterConfigsResource
Config = rpc.AlterConfigsRequestAlterableConfig
BROKER, METRICS, NONSENSE = 4, 16, 99
NOT_CONTROLLER = 41

DEFAULTS = [Config("log.cleaner.threads", "2"), Config("min.insync.replicas", "1")]
"""Kafka sets the second one itself, and with it in the state refuses to be without it."""

OWN_WORDS = re.compile(": 'seven' is none")
"""We say which name is no number."""

ASKED = [
    [Resource(METRICS, "one", [Config("interval.ms", "1000"), Config("metrics", "a,b")])],
    [Resource(METRICS, "one", [Config("metrics", "c")]), Resource(BROKER, "", DEFAULTS)],
    [Resource(METRICS, "one", [Config("interval.ms", "x")]), Resource(METRICS, "two", [Config("metrics", "d")])],
    [Resource(METRICS, "", [Config("metrics", "d")])],
    [Resource(METRICS, "two", [Config("nope", "d")])],
    [Resource(METRICS, "two", [Config("metrics", None)])],
    [Resource(BROKER, "77", [Config("log.cleaner.threads", "2")])],
    [Resource(BROKER, "seven", [Config("log.cleaner.threads", "2")])],
    [Resource(METRICS, "one", []), Resource(METRICS, "one", [])],
    [Resource(METRICS, "one", [])],
    [Resource(METRICS, "two", [Config("metrics", "d"), Config("metrics", "e")])],
]
"""What is asked of both, in turn."""


def reported(quorum: Quorum) -> list[object]:
    """Ask all of it in every version; return what was answered, and what the controller has published after each."""
    host, _, port = quorum.bootstrap.rpartition(":")
    caller = Caller((host, int(port)))
    return asyncio.run(_ask_all(caller))


async def _ask_all(caller: Caller) -> list[object]:
    found: list[object] = []
    for version in (0, 1, 2):
        for resources in ASKED:
            for validate_only in (True, False):
                answer = await caller.ask(rpc.AlterConfigsRequest(resources, validate_only), version)
                found.append((version, resources, validate_only, _rows(answer)))
        # A write later than all of these is published last, so what is described then is their outcome.
        marker = f"v{version}"
        await caller.ask(rpc.AlterConfigsRequest([Resource(METRICS, marker, [Config("metrics", "m")])]), 2)
        await published(caller, marker)
        found.append([await _described(caller, name) for name in ("one", "two", marker)])
    caller.close()
    return found


async def published(caller: Caller, name: str) -> None:
    """Wait until a resource is described."""

    async def there() -> bool:
        return bool(await _described(caller, name))

    await until(there, f"{name} is published", 30.0)


def _rows(answer: Message) -> list[tuple[int, str, int, str | None]]:
    assert isinstance(answer, rpc.AlterConfigsResponse)
    return sorted(
        (
            one.resource_type,
            one.resource_name,
            one.error_code,
            one.error_message and OWN_WORDS.sub(".", one.error_message),
        )
        for one in answer.responses
    )


async def _described(caller: Caller, name: str) -> list[tuple[str, str | None]]:
    """Return what a client-metrics resource is set to."""
    asked = rpc.DescribeConfigsRequestDescribeConfigsResource(METRICS, name, None)
    answer = await caller.ask(rpc.DescribeConfigsRequest([asked]), 4)
    assert isinstance(answer, rpc.DescribeConfigsResponse)
    dynamic = 7
    return sorted((one.name, one.value) for one in answer.results[0].configs if one.config_source == dynamic)


@pytest.mark.timeout(300)
def test_replaced_configs_are_what_kafka_makes_of_them(jars: Jars, root: Path) -> None:
    """A replacement is answered with another code or text, or leaves other configs, than by Kafka's own controller."""
    with Quorum(jars, root / "theirs", kafka=(1,)) as theirs, Quorum(jars, root / "ours", ours=(1,)) as ours:
        answers = [_answers(quorum) for quorum in (theirs, ours)]
    differing = [f"Kafka: {one}\nours:  {other}" for one, other in zip(*answers, strict=True) if one != other]
    assert not differing, "\n".join(differing)
    assert [("metrics", "e")] in answers[0][-1]


def _answers(quorum: Quorum) -> list[object]:
    quorum.format_and_start()
    quorum.wait_for_leader()
    eventually("the controller is active", lambda: _is_active(quorum), quorum.running)
    return reported(quorum)


def _is_active(quorum: Quorum) -> bool:
    host, _, port = quorum.bootstrap.rpartition(":")

    async def ask() -> bool:
        caller = Caller((host, int(port)))
        answer = await caller.ask(rpc.AlterConfigsRequest([Resource(METRICS, "zero", [])]), 2)
        caller.close()
        return _rows(answer)[0][2] != NOT_CONTROLLER

    try:
        return asyncio.run(ask())
    except OSError:
        return False
