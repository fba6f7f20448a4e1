"""The APIs and versions that Kafka's controllers offer, by the schemas in its jars, are offered here."""

from __future__ import annotations

from kraftpy.records.schema import Versions
from kraftpy.transport.kafka.control.broker_apis import NEEDED, RELEASE
from tests.interop.jars import Jars
from tests.interop.test_schemas import read_schemas
from tests.unit.transport.kafka_node import FakeNode

NO_HANDLER = "Kafka's controllers offer it and have no handler: they answer UNKNOWN_SERVER_ERROR"
NO_SASL = "the listener of this test has no SASL; a listener with it offers both"
NOT_OFFERED = {
    "SaslHandshake": NO_SASL,
    "SaslAuthenticate": NO_SASL,
    "DescribeDelegationToken": NO_HANDLER,
    "DescribeUserScramCredentials": NO_HANDLER,
}
"""APIs that are not offered, with the reason."""
OLDER_NOT_OFFERED = {"Fetch": (4, 11, "they have no epoch of the last record: Kafka's controllers reject them all")}
"""Versions that are not offered, from and to, with the reason."""


def offered() -> dict[int, tuple[int, int]]:
    return {api.api_key: (api.min_version, api.max_version) for api in FakeNode().listener.apis}


def test_what_kafkas_controllers_offer_is_offered(jars: Jars) -> None:
    """An API of a controller, or a version of one, is missing, or an exception above is none any more."""
    ours, differing = offered(), {}
    assert jars.version.startswith(f"{RELEASE}."), "the release that broker_apis names"
    for message in read_schemas(jars.jar("kafka-clients"), "common/message/").values():
        if message["type"] != "request" or "controller" not in message.get("listeners", ()):
            continue
        name, versions = message["name"].removesuffix("Request"), Versions.parse(message["validVersions"])
        missing = name in NOT_OFFERED
        first, last, _ = OLDER_NOT_OFFERED.get(name, (versions.low, versions.low - 1, ""))
        expected = None if missing else (last + 1, versions.high)
        assert first == versions.low, name
        if ours.get(message["apiKey"]) != expected:
            differing[name] = (message["validVersions"], ours.get(message["apiKey"]))
    assert not differing


def test_what_brokers_need_is_offered() -> None:
    """The list by which a listener is judged when a broker registers is of APIs that exist."""
    assert set(offered()) >= NEEDED
