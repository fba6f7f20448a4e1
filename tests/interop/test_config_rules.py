"""What Kafka's controller and ours say to altered configs that only a broker can judge, or no record can hold.

Each request is sent straight to the controllers or in an Envelope, as a broker forwards it. Where one is refused, our
text begins with Kafka's, and may go on with the way out.
"""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kraftpy.model.features import SchemaSet
from kraftpy.records.batch import parse_batch
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import ConfigRecord, decode_records
from kraftpy.records.rpc import decode_response, encode_request
from tests.interop.cluster import CLUSTER_ID, Quorum
from tests.interop.fake_brokers import Controller
from tests.interop.jars import Jars
from tests.interop.logs import log_batches
from tests.interop.processes import eventually

CORDONED = "cordoned.log.dirs"
TOPIC, BROKER = 2, 4
SET, DELETE, APPEND, SUBTRACT = range(4)
PRINCIPAL = bytes.fromhex("0000 05") + b"User" + bytes.fromhex("0a") + b"ANONYMOUS" + bytes.fromhex("00 00")
LOCALHOST = bytes([127, 0, 0, 1])
BELOW, WITH = 29, 30


class Ask(NamedTuple):
    """One resource's alteration; ``forwarded`` in an Envelope, ``legacy`` by AlterConfigs."""

    value: str | None
    forwarded: bool = False
    name: str = "1"
    key: str = CORDONED
    kind: int = BROKER
    legacy: bool = False
    operation: int = SET


LIST = "ssl.cipher.suites"
HALF, REST, MORE = "a" * 16_384, "b" * 16_382, "c"
"""Together with a comma, what just fits. More cannot be sent as one value, only appended."""
AT_29 = (
    Ask("/a"), Ask(""), Ask(None), Ask("*", forwarded=True), Ask("/a", name=""), Ask("/a", legacy=True),
    Ask("/a", name="77"), Ask("/a", key="no.such.key"),
)  # fmt: skip
AT_30 = (
    Ask("/a"), Ask("*"), Ask("  "), Ask(""), Ask("/a,/b", forwarded=True), Ask("/b ,\t/a"), Ask("/a,/b,/c"),
    Ask("/a,"), Ask("*"), Ask("/b"), Ask("/a"), Ask("*", forwarded=True), Ask("*"), Ask("/b"), Ask("*,/b"), Ask(None),
    Ask("/b"), Ask("/b", name=""), Ask("/b", name="", forwarded=True), Ask("/b", name=""), Ask("/b", name="77"),
    Ask("/b", name="77", forwarded=True), Ask("/b", name="x"), Ask("/c", legacy=True),
    Ask("/c", legacy=True, forwarded=True), Ask("/c", legacy=True), Ask("", legacy=True), Ask("x", key="no.such.key"),
    Ask(HALF, key=LIST), Ask(REST, key=LIST, operation=APPEND), Ask(MORE, key=LIST, operation=APPEND),
    Ask(HALF, key=LIST, operation=SUBTRACT), Ask(MORE, key=LIST, operation=APPEND), Ask("/c", kind=TOPIC, name="t"),
)  # fmt: skip


def alteration(ask: Ask) -> tuple[Message, int]:
    if ask.legacy:
        row = rpc.AlterConfigsRequestAlterConfigsResource
        named = [rpc.AlterConfigsRequestAlterableConfig(ask.key, ask.value)]
        return rpc.AlterConfigsRequest([row(ask.kind, ask.name, named)]), 2
    operation = DELETE if ask.value is None else ask.operation
    config = rpc.IncrementalAlterConfigsRequestAlterableConfig(ask.key, operation, ask.value)
    resource = rpc.IncrementalAlterConfigsRequestAlterConfigsResource(ask.kind, ask.name, [config])
    return rpc.IncrementalAlterConfigsRequest([resource]), 1


def answer(controller: Controller, ask: Ask) -> tuple[int, str]:
    """Return the code and the text of one resource."""
    message, version = alteration(ask)
    if ask.forwarded:
        inner = encode_request("client", 9, message, version)
        envelope = controller.ask(rpc.EnvelopeRequest(inner, PRINCIPAL, LOCALHOST), 0)
        assert envelope.error_code == 0, envelope
        _, response = decode_response(message.API_KEY, version, envelope.response_data)
    else:
        response = controller.ask(message, version)
    (row,) = response.responses
    return row.error_code, row.error_message or ""


def configs_of(log_dir: Path) -> list[tuple[Any, ...]]:
    """Return the configs that a log sets, in order."""
    batches = [parse_batch(data) for _, data in sorted(log_batches(log_dir).items())]
    return [
        (record.resource_type, record.resource_name, record.name, record.value)
        for batch in batches
        for record in (() if batch.is_control else decode_records(batch.values(), SchemaSet.KAFKA))
        if isinstance(record, ConfigRecord)
    ]


@pytest.mark.timeout(300)
def test_alterations_are_refused_alike(jars: Jars, root: Path) -> None:
    """A code, the beginning of a text, or what is written differs, below and at the level of cordoned directories."""
    with ExitStack() as stack:
        quorums = [stack.enter_context(Quorum(jars, root / name, **{name: (1,)})) for name in ("kafka", "ours")]
        for quorum in quorums:
            quorum.members[1].format(release="4.2-IV1")
            quorum.members[1].start()
            quorum.wait_for_leader()
        both = [stack.enter_context(Controller(quorum.bootstrap, CLUSTER_ID)) for quorum in quorums]
        for controller, quorum in zip(both, quorums, strict=True):
            register = partial(controller.register, 1, None)
            eventually("the controller is active", lambda ask=register: ask() == 0, quorum.running)

        def differences(asked: tuple[Ask, ...]) -> list[str]:
            found = []
            for ask in asked:
                (code, text), (our_code, our_text) = (answer(controller, ask) for controller in both)
                if code != our_code or not our_text.startswith(text):
                    shown = ask._replace(value=(ask.value or "")[:20])
                    found.append(f"{shown}\n  Kafka: {code} {text[:300]}\n  ours:  {our_code} {our_text[:300]}")
            return found

        assert not (found := differences(AT_29)), "\n".join(found)
        update = rpc.UpdateFeaturesRequest(
            feature_updates=[rpc.UpdateFeaturesRequestFeatureUpdateKey("metadata.version", WITH, False, 1)]  # noqa: FBT003 - in wire order
        )
        assert [controller.ask(update, 1).error_code for controller in both] == [0, 0]
        assert not (found := differences(AT_30)), "\n".join(found)
        theirs, ours = (configs_of(quorum.members[1].log_dir) for quorum in quorums)
        assert ours == theirs
