"""Policies in real processes: asked on both ports, harmless whatever they do, and loaded at the start or not at all."""

from __future__ import annotations

import pytest

from kraftpy.client import values as v
from kraftpy.model.errors import ErrorCode
from kraftpy.records.generated import rpc
from tests.fakes.processes import configure, error_line, eventually, kraftpy, run_node, running
from tests.integration.policy_rules import LIMIT, MISDEEDS
from tests.interop.fake_brokers import Controller

pytestmark = pytest.mark.landing

MODULE = "tests.integration.policy_rules"
CREATE, ALTER = "create.topic.policy.class.name", "alter.config.policy.class.name"
POLICIES = {CREATE: f"{MODULE}:Topics", ALTER: f"{MODULE}:Configs", LIMIT: "3"}


async def test_policies_are_asked_on_both_ports_and_end_nothing(tmp_path) -> None:
    """A policy is passed over by a port or a dry run, ends the process, or changes what is written."""
    async with running(tmp_path, controllers=1, brokers=1, extra=POLICIES) as cluster:
        await eventually(cluster.brokers, lambda one: one == {2: False}, "the broker is unfenced")
        violation = "many has 4 partitions; 3 are allowed"
        for_ever = {"retention.ms": "-1"}
        async with cluster.client() as client:
            many = [v.NewTopic(name="many", partitions=4), v.NewTopic(name="kept", configs=for_ever)]
            for validate_only in (True, False):
                done = await client.create_topics(many, validate_only=validate_only)
                assert [(one.error, one.message) for one in done.outcomes] == [
                    (ErrorCode.POLICY_VIOLATION, violation),
                    (ErrorCode.POLICY_VIOLATION, "TOPIC kept would keep data for ever"),
                ]
            done = await client.create_topics([v.NewTopic(name=name) for name in (*MISDEEDS, "rename", "slow", "few")])
            codes = {one.name: one.error for one in done.outcomes}
        with Controller(cluster.node(1).properties["listeners"].removeprefix("CONTROLLER://"), "") as controller:
            topic = rpc.CreateTopicsRequestCreatableTopic(name="many", num_partitions=4, replication_factor=1)
            for validate_only in (True, False):
                asked = rpc.CreateTopicsRequest(topics=[topic], timeout_ms=30_000, validate_only=validate_only)
                (row,) = controller.ask(asked, 7).topics
                assert (row.error_code, row.error_message) == (ErrorCode.POLICY_VIOLATION, violation)
        violations = ("long", "surrogate")
        allowed = ("rename", "slow", "few")
        assert codes == {
            **dict.fromkeys(MISDEEDS, ErrorCode.UNKNOWN_SERVER_ERROR),
            **dict.fromkeys(violations, ErrorCode.POLICY_VIOLATION),
            **dict.fromkeys(allowed, ErrorCode.NONE),
        }
        endpoint = cluster.node(1).grpc_endpoint
        refused = kraftpy(
            "configs", "alter", "--entity-type", "topics", "--entity-name", "few", "--add", "retention.ms=-1",
            "-C", endpoint,
        )  # fmt: skip
        assert (refused.returncode, "TOPIC few would keep data for ever" in refused.stderr) == (1, True), refused.stderr
        assert kraftpy("topics", "list", "-C", endpoint).stdout.split() == sorted(allowed)
        assert cluster.is_running(1)
        log = cluster.log_of(1)
        for event in ("policy_loaded", "policy_failed", "policy_slow"):
            assert event in log
        assert "renamed" not in log
        assert await cluster.terminate(1) == 0


async def test_what_cannot_be_a_policy_refuses_the_start(tmp_path) -> None:
    """A controller runs without the policy that its file asks for, or does not say which line asks for it."""
    async with running(tmp_path, controllers=1, start=False) as cluster:
        node = cluster.node(1)
        for key, value, text in (
            (CREATE, "com.acme.NamingPolicy", "that is the name of a Java class, which cannot run here"),
            (ALTER, "no_such_module:Policy", "ModuleNotFoundError: No module named 'no_such_module'"),
            (CREATE, f"{MODULE}:Exits", "SystemExit: "),
        ):
            configure(node, **{CREATE.replace(".", "__"): "", key.replace(".", "__"): value})
            refused = run_node(node)
            assert refused.returncode != 0
            stated = error_line(refused)
            assert f"{key}={value}: " in stated
            assert text in stated
        assert not list(cluster.data(1).rglob("*.log")), "nothing is opened before"
