"""log-dirs over brokers that a test scripts: text, Kafka's JSON, refusals."""

from __future__ import annotations

import contextlib
import json

import pytest

from kraftpy.cli import connection
from kraftpy.client.values import LogDirInfo, LogDirs

C = ("-C", "b5:1,b4:1,c1:1")
DIRECTORY = bytes(range(16))
FULL = LogDirInfo(
    path="/a", directory_id=DIRECTORY, state="saturated", reason="No space left", total_bytes=900, usable_bytes=40,
    reserve_bytes=0, cordoned=True,
)  # fmt: skip
GONE = LogDirInfo(
    path="/b", directory_id=None, state="offline", reason="I/O error", total_bytes=None, usable_bytes=None,
    reserve_bytes=0, cordoned=False,
)  # fmt: skip
FINE = LogDirInfo(
    path="/c", directory_id=DIRECTORY, state="online", reason="", total_bytes=900, usable_bytes=800,
    reserve_bytes=100, cordoned=False,
)  # fmt: skip
FOUND = {"b4:1": LogDirs(4, (FULL, GONE)), "b5:1": LogDirs(5, (FINE,)), "c1:1": LogDirs(1, ())}


class FakeBroker:
    def __init__(self, address):
        self.address = address

    def describe_log_dirs(self):
        return FOUND[self.address]


@pytest.fixture(autouse=True)
def _brokers(monkeypatch):
    def connect(bootstrap, *_, **__):
        (address,) = bootstrap
        return contextlib.nullcontext(FakeBroker(address))

    monkeypatch.setattr(connection, "connect", connect)


def test_every_broker_is_asked_for_its_own(run):
    """A line per directory, brokers ascending; a controller has none."""
    assert run("log-dirs", "--describe", *C).stdout.splitlines() == [
        "BROKER  STATE      USABLE  TOTAL  RESERVE  CORDONED  DIRECTORY  REASON",
        "4       saturated  40      900    0        yes       /a         No space left",
        "4       offline    -       -      0        no        /b         I/O error",
        "5       online     800     900    100      no        /c",
    ]


def test_json_is_kafkas_with_more_keys(run):
    """A script that reads kafka-log-dirs reads it, too; only an offline directory has an error there."""
    data = json.loads(run("log-dirs", "--describe", *C, "-o", "json").stdout)
    assert (data["version"], [one["broker"] for one in data["brokers"]]) == (1, [4, 5])
    full, gone = data["brokers"][0]["logDirs"]
    assert full == {
        "logDir": "/a", "error": None, "partitions": [], "directoryId": "AAECAwQFBgcICQoLDA0ODw", "state": "saturated",
        "reason": "No space left", "cordoned": True, "totalBytes": 900, "usableBytes": 40, "reserveBytes": 0,
    }  # fmt: skip
    assert (gone["error"], gone["directoryId"]) == ("KafkaStorageException", None)


def test_a_broker_list_chooses(run):
    """Kafka's text for brokers that are not there; ids only."""
    assert len(run("log-dirs", "--describe", "--broker-list", "5", *C).stdout.splitlines()) == 2
    refused = run("log-dirs", "--describe", "--broker-list", "5,9", *C)
    assert refused.exit_code == 1
    assert "do not exist from --broker-list: 9. Current existent brokers: 4,5" in refused.stderr
    assert run("log-dirs", "--describe", "--broker-list", "x", *C).exit_code == 2
    assert run("log-dirs", *C).exit_code == 2
