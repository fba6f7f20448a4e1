"""Kafka's own admin client, tools and broker against our controllers get the answers of Kafka's controllers."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.interop.cluster import RELEASE, AdminClient, Quorum, java, kraftpy
from tests.interop.jars import Jars
from tests.interop.processes import POLL_S, eventually

COMMANDS = """\
cluster
alter now client_metrics sub set interval.ms 1000
alter now client_metrics sub set match client_id=a
describe client_metrics sub
alter now client_metrics sub set interval.ms 1
alter now client_metrics sub set interval.ms x
alter now client_metrics sub set no.such.key 1
alter now client_metrics sub append interval.ms 1
alter now client_metrics - set interval.ms 1000
alter now client_metrics sub append metrics a,b
alter now client_metrics sub subtract metrics a
alter now client_metrics sub set match nonsense
alter now client_metrics sub set match client_id=(
alter now client_metrics sub set metrics a,b
describe client_metrics sub
alter now client_metrics sub delete metrics - client_metrics sub delete match -
describe client_metrics sub
describe client_metrics -
describe client_metrics unknown
alter validate client_metrics sub2 set interval.ms 1000
alter validate client_metrics sub2 set interval.ms 1
describe client_metrics sub2
alter now client_metrics one set interval.ms 1000 client_metrics two set interval.ms 7 client_metrics three set match a=
describe client_metrics one
describe client_metrics two
describe client_metrics three
alter now group g set consumer.session.timeout.ms 46000
describe group g
alter now group g set consumer.session.timeout.ms -1
alter now group g set no.such.key 1
alter now group - set consumer.session.timeout.ms 46000
describe group -
alter now broker x set log.cleaner.threads 2
alter now broker 9 set log.cleaner.threads 2
alter now broker - set log.cleaner.threads 2
alter now topic nope set retention.ms 5
alter now topic nope set retention.ms x
alter now topic nope set no.such.key x
alter now topic nope append retention.ms 1
alter now topic - set retention.ms 5
alter now topic not/a/name set retention.ms 5
describe topic nope
feature no.such.feature 1 upgrade
feature metadata.version 99 upgrade
feature group.version 1 upgrade
feature group.version 0 safe_downgrade
feature group.version 1 safe_downgrade
unregister 9
""".splitlines()

OWN_LEVELS = re.compile(r"(only supports versions 7-)\d+")
"""Which levels a node supports is its own."""

OWN_ADVICE = re.compile(r"(Illegal client matching pattern: [^ :|]+): [^|]*[^| ]")
"""After Kafka's sentence about a pattern kraftpy says what is wrong with it."""

TOOLS = "org.apache.kafka.tools"
TERMINATED = 128 + signal.SIGTERM
"""How a JVM ends that was asked to, in order or not."""
PUBLISHED_S = 10.0


@contextmanager
def asking(jars: Jars, root: Path, *, ours: bool) -> Iterator[Callable[[str], str]]:
    """Run a quorum of one; yield a function that sends it a command and returns the printed outcome."""
    with Quorum(jars, root, **{"ours" if ours else "kafka": (1,)}) as quorum:
        quorum.format_and_start()
        quorum.wait_for_leader()
        with AdminClient(jars, root, controllers=quorum.bootstrap) as admin:

            def ask(command: str) -> str:
                return OWN_ADVICE.sub(r"\1", OWN_LEVELS.sub(r"\1n", admin.reported(command)))

            eventually("the controller is registered", lambda: "nodes=1" in ask("cluster"), quorum.running)
            yield ask


def difference(command: str, theirs: Callable[[str], str], ours: Callable[[str], str]) -> str | None:
    """Send a command to both; describe how their outcomes differ.

    Kafka describes what its controller has published, which may lag a moment after what it acknowledged.
    """
    other, deadline = ours(command), time.monotonic() + PUBLISHED_S
    while (one := theirs(command)) != other and command.startswith("describe") and time.monotonic() < deadline:
        time.sleep(POLL_S)
    return None if one == other else f"{command}\n  Kafka: {one}\n  ours:  {other}"


@pytest.mark.timeout(300)
def test_the_admin_client_gets_the_answers_of_kafka(jars: Jars, root: Path) -> None:
    """A command has another outcome, code or text than with Kafka's own controller."""
    with asking(jars, root / "theirs", ours=False) as theirs, asking(jars, root / "ours", ours=True) as ours:
        assert ours("describe client_metrics nobody") == "ok"
        differing = [found for command in COMMANDS if (found := difference(command, theirs, ours))]
        assert not differing, "\n".join(differing)
        assert ours("describe client_metrics one").startswith("ok interval.ms=1000(")


@pytest.mark.timeout(300)
def test_a_kafka_broker_and_kafkas_tools_live_with_our_quorum(jars: Jars, root: Path) -> None:
    """A Kafka broker is not taken in, does not hear of a config, or a tool does not get along with our controllers."""
    with Quorum(jars, root, ours=(1, 2, 3), brokers=(4,)) as quorum:
        quorum.format_and_start()
        leader, broker = quorum.wait_for_leader(), quorum.members[4]

        def logged(text: str) -> bool:
            return text in broker.log_text()

        def tool(name: str, *args: str) -> str:
            done = java(jars, name, "--bootstrap-controller", quorum.bootstrap, *args)
            assert done.returncode == 0, done.stdout + done.stderr
            return done.stdout

        eventually("the broker runs", lambda: logged("Transitioning from RECOVERY to RUNNING"), quorum.running)
        altered = tool(
            "kafka.admin.ConfigCommand", "--entity-type", "client-metrics", "--entity-name", "sub", "--alter",
            "--add-config", "interval.ms=1234",
        )  # fmt: skip
        assert altered == "Completed updating config for client-metric sub.\n"
        eventually("the broker hears of it", lambda: logged("interval.ms -> 1234"), quorum.running)

        # Quotas and credentials that our command sets are what the broker shows, and in the same words.
        api = ("--bootstrap-controller", quorum.members[1].properties["grpc.listener"])
        for words in (
            ("--user", "alice", "--add", "producer_byte_rate=1024"),
            ("--user", "alice", "--add", "SCRAM-SHA-256=[iterations=8192,password=secret]"),
            ("--user", "alice", "--client-defaults", "--add", "request_percentage=12.5"),
        ):
            done = kraftpy("configs", "alter", *words, *api)
            assert done.returncode == 0, done.stderr
        served = broker.properties["listeners"].removeprefix("PLAINTEXT://")
        for words in (("--user", "alice"), ("--user", "alice", "--client-defaults"), ("--entity-type", "users")):

            def shown(words: tuple[str, ...] = words) -> list[str]:
                arguments = ("--bootstrap-server", served, "--describe", *words)
                theirs = java(jars, "kafka.admin.ConfigCommand", *arguments)
                ours = kraftpy("configs", "describe", *words, "--consistency", "linearizable", *api)
                return [theirs.stdout, ours.stdout]

            eventually(f"{words} are described alike", lambda: len(set(shown())) == 1 and shown()[0], quorum.running)

        # A topic's keys are described alike by Kafka's broker and our controller, to Kafka's tool and our command.
        create = ("--create", "--topic", "orders", "--config", "retention.ms=5")
        made = java(jars, f"{TOOLS}.TopicCommand", "--bootstrap-server", served, *create)
        assert made.returncode == 0, made.stdout + made.stderr
        every = ("--describe", "--all", "--entity-type", "topics", "--entity-name", "orders")

        def described() -> list[str]:
            shown = java(jars, "kafka.admin.ConfigCommand", "--bootstrap-server", served, *every).stdout
            ours = kraftpy("configs", "describe", "--all", "--topic", "orders", *api).stdout
            return [shown, tool("kafka.admin.ConfigCommand", *every), ours.replace("topics orders", "topic orders", 1)]

        eventually("orders is described alike", lambda: len(set(described())) == 1 and described()[0], quorum.running)

        features = tool(f"{TOOLS}.FeatureCommand", "describe")
        assert re.search(rf"Feature: metadata.version\s.*FinalizedVersionLevel: {RELEASE}\s", features), features
        status = tool(f"{TOOLS}.MetadataQuorumCommand", "describe", "--status")
        assert re.search(rf"^LeaderId:\s+{leader.node_id}$", status, re.MULTILINE), status
        assert re.search(r'^CurrentObservers:\s+\[\{"id": 4', status, re.MULTILINE), status

        assert broker.stop() == TERMINATED
        assert "shut down completed" in broker.log_text(), "a Kafka broker leaves our quorum in order"
        arguments = ("--bootstrap-controller", quorum.bootstrap, "--id", "4")
        gone = java(jars, f"{TOOLS}.ClusterTool", "unregister", *arguments)
        assert "Broker 4 is no longer registered." in gone.stdout, gone.stdout + gone.stderr
        again = java(jars, f"{TOOLS}.ClusterTool", "unregister", *arguments)
        assert "Broker ID 4 is not currently registered" in again.stdout + again.stderr
