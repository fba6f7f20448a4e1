"""Which modules are compiled, and why: the only list of them.

A module belongs here when a profile of a node under load shows it. What mypyc does not understand stays Python:

*   classes of values that are dataclasses with class variables, or that other Python subclasses;
*   modules whose work is to wait (``async`` over sockets, processes and tasks): there is nothing to be won;
*   everything that runs once: command lines, configuration, disaster recovery, the auditor.

What is compiled never waits (``await``, ``yield``, ``async with``) where an exception is handled, in an ``except`` or a
``finally``. A compiled coroutine has no place of its own for the exception that it handles: it is in the thread's
exception state, and stays there while others run. After a ``finally`` that awaits, mypyc 2.4 raises whatever exception
is there, although the ``try`` did not fail (``transform_try_finally_stmt_async``, made for mypyc's issue 1114).
``tests/unit/node/test_build_info.py`` sees to it.

A class that is compiled cannot be subclassed or patched by Python; a test that does so is named in
``tests/compiled.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Group:
    """Modules that are compiled for one reason.

    Attributes:
        reason: what a profile showed.
        modules: their full names.
    """

    reason: str
    modules: tuple[str, ...]


GROUPS: Final = (
    Group(
        "a batch's records are cut, framed and checked one by one, on every node",
        (
            "kraftpy.records.batch",
            "kraftpy.records.control",
            "kraftpy.records.metadata",
            "kraftpy.records.rpc",
            "kraftpy.records.varint",
        ),
    ),
    Group(
        "every committed record changes an image, on every node, and a million of them at a start",
        (
            "kraftpy.image.changes",
            "kraftpy.image.configs",
            "kraftpy.image.delta",
            "kraftpy.image.loader",
        ),
    ),
    Group(
        "every alteration of a config is judged, and noted until it is committed",
        (
            "kraftpy.controller.configs",
            "kraftpy.controller.controller",
            "kraftpy.controller.uncommitted_state",
        ),
    ),
    Group(
        "a leader alters the ISRs of a thousand partitions in one request; every node merges each change",
        (
            "kraftpy.controller.alter_partition",
            "kraftpy.controller.partition_change",
            "kraftpy.controller.topic_rules",
            "kraftpy.image.partitions",
            "kraftpy.image.topics",
            "kraftpy.transport.kafka.control.partitions",
        ),
    ),
    Group(
        "a thousand brokers send a heartbeat every two seconds",
        (
            "kraftpy.controller.directory_reports",
            "kraftpy.controller.fencing",
            "kraftpy.controller.heartbeats",
            "kraftpy.transport.kafka.control.members",
        ),
    ),
    Group(
        "every request and every fetch is cut out of a stream of bytes, read, and answered",
        (
            "kraftpy.transport.kafka.apis",
            "kraftpy.transport.kafka.channel",
            "kraftpy.transport.kafka.connection",
            "kraftpy.transport.kafka.control.alter_configs",
            "kraftpy.transport.kafka.control.calls",
            "kraftpy.transport.kafka.framing",
            "kraftpy.transport.kafka.listener",
            "kraftpy.transport.kafka.translate.common",
            "kraftpy.transport.kafka.translate.fetch",
        ),
    ),
    Group(
        "the replica takes part in every turn of the loop",
        (
            "kraftpy.raft.batch_accumulator",
            "kraftpy.raft.appending",
            "kraftpy.raft.initial_role",
            "kraftpy.raft.invariants",
            "kraftpy.raft.config",
            "kraftpy.raft.replica_state",
            "kraftpy.raft.guards.state_digests",
            "kraftpy.raft.election",
            "kraftpy.raft.epoch_history",
            "kraftpy.raft.follower_fetch",
            "kraftpy.raft.leader_discovery",
            "kraftpy.raft.leadership",
            "kraftpy.raft.digest_tracker",
            "kraftpy.raft.request_manager",
            "kraftpy.raft.log_view",
            "kraftpy.raft.voter_changes",
            "kraftpy.raft.messages",
            "kraftpy.raft.outbox",
            "kraftpy.raft.fetch_purgatory",
            "kraftpy.raft.follower_progress",
            "kraftpy.raft.vote_tally",
            "kraftpy.raft.quorum_state",
            "kraftpy.raft.ready",
            "kraftpy.raft.error_responses",
            "kraftpy.raft.replica",
            "kraftpy.raft.leader_replication",
            "kraftpy.raft.requests",
            "kraftpy.raft.responses",
            "kraftpy.raft.roles",
            "kraftpy.raft.snapshots",
            "kraftpy.raft.timers",
            "kraftpy.model.log_rate_limiter",
            "kraftpy.raft.guards.voter_eligibility",
            "kraftpy.raft.guards.duplicate_node_ids",
            "kraftpy.raft.view",
            "kraftpy.raft.pending_voter_change",
            "kraftpy.raft.voter_set_history",
        ),
    ),
    Group(
        "a turn of the loop, from requests to records and from commits to answers",
        (
            "kraftpy.runtime.application",
            "kraftpy.runtime.controller_figures",
            "kraftpy.runtime.controller_loop",
            "kraftpy.runtime.driver",
            "kraftpy.runtime.durations",
            "kraftpy.runtime.inbox",
            "kraftpy.runtime.record_appender",
            "kraftpy.runtime.state_machine",
            "kraftpy.runtime.waiters",
        ),
    ),
)

MODULES: Final = tuple(sorted(module for group in GROUPS for module in group.modules))
"""All of them."""
