"""Checks of the quorum: its leader, its voters and its observers, as the leader sees them.

Times are compared on the leader's clock: its own row has the present time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from kraftpy.client.values import ReplicaInfo
from kraftpy.config.endpoints import is_loopback
from kraftpy.doctor.facts import DoctorFacts, UnknownFactError
from kraftpy.doctor.findings import DoctorFinding, error, info, listed, warning
from kraftpy.model.features import KRAFT_VERSION
from kraftpy.model.ids import ZERO_UUID, NodeId, Uuid, uuid_to_text
from kraftpy.quorum_tools.ok_to_stop import LAG_MAX, SILENT_MS, why_not_counted

RECONFIGURATION: Final = 1
"""The kraft.version from which on voters have directory ids in the log. Source: KIP-853."""

SKEW_MAX_MS: Final = 1_000
"""More than NTP leaves between two clocks."""


def leader(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """A leader answers, is a voter, and has committed a record of its epoch."""
    if facts.no_leader is not None:
        yield error(
            "quorum",
            f"no leader answers: {facts.no_leader}",
            "start the controllers that are stopped: a majority elects a leader by itself; if all run, the gRPC "
            "address that the leader advertises may be wrong or unreachable from here (grpc.advertised.listener); if a "
            "majority is lost, see docs/disasters.md",
        )
        return
    quorum = facts.quorum.known
    if quorum.leader_id not in _ids(quorum.voters):
        yield warning(
            f"controller {quorum.leader_id}",
            f"leads epoch {quorum.leader_epoch} and is not among the voters {_ids(quorum.voters)}",
            "run the command again: a leader that was removed from the voters resigns",
        )
    if quorum.high_watermark is None:
        yield warning(
            f"controller {quorum.leader_id}",
            f"has committed no record in its epoch {quorum.leader_epoch}",
            "run the command again; if it persists, the voters do not reach this leader",
        )


def majority(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """A majority of the voters fetches and is caught up."""
    voters, leads = facts.quorum.known.voters, facts.leader
    missing = [f"{one.key.node_id} {why}" for one in voters if (why := why_not_counted(one, leads)) is not None]
    needed, counted = len(voters) // 2 + 1, len(voters) - len(missing)
    if counted < needed:
        yield error(
            "quorum",
            f"{counted} of {len(voters)} voters fetch and are caught up, {needed} are needed: {listed(missing)}",
            "start the voters that are stopped, and look at the logs of those that are not caught up",
        )


def voters_fetch(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Every voter fetches from the leader."""
    leads = facts.leader
    for voter in facts.quorum.known.voters:
        silent = _silence(voter, leads)
        if silent is not None:
            yield warning(
                f"controller {voter.key.node_id}",
                f"voter {silent}",
                f"start it, or look in its log why it does not reach the leader; if it is lost for good: "
                f"{replacing_a_voter(facts)}",
            )


def voters_lag(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Every voter that fetches is caught up."""
    yield from _lagging(facts, facts.quorum.known.voters, "controller")


def observers_fetch(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Every observer that is no broker still fetches; of brokers see ``member_checks``."""
    leads, cluster = facts.leader, facts.cluster.known
    brokers = {one.broker_id for one in cluster.brokers}
    registered = {one.controller_id for one in cluster.controllers}
    for observer in facts.quorum.known.observers:
        silent = _silence(observer, leads)
        if silent is None or observer.key.node_id in brokers:
            continue
        place = f"node {observer.key.node_id}"
        if observer.key.node_id in registered:
            way_out = "start it, or look in its log why it does not reach the leader"
            yield warning(place, f"observer {silent}", way_out)
        else:
            yield info(place, f"observer {silent}", "nothing, if it was stopped: the leader forgets it after 5 minutes")


def observers_lag(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Every observer that fetches is caught up."""
    yield from _lagging(facts, facts.quorum.known.observers, "node")


def voter_count(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """The number of voters is odd and more than one."""
    count = len(facts.quorum.known.voters)
    if count == 1:
        yield warning(
            "quorum", "1 voter: its failure stops the cluster", "add two controllers (docs/deploy.md): 3 tolerate one"
        )
    elif count and count % 2 == 0:
        yield warning(
            "quorum",
            f"{count} voters tolerate the failure of {count // 2 - 1}, as {count - 1} do",
            "add a voter or remove one: 3, or 5",
        )


def voter_hosts(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """No host has a majority of the voters."""
    quorum = facts.quorum.known
    voters = len(quorum.voters)
    by_host: dict[str, list[NodeId]] = defaultdict(list)
    for voter in quorum.voters:
        for host in facts.hosts_of(voter):
            by_host[host].append(voter.key.node_id)
    for host, ids in sorted(by_host.items()):
        if voters < 2 or len(ids) <= voters // 2:
            continue
        report = info if is_loopback(host) else warning
        yield report(
            f"host {host}",
            f"has {len(ids)} of {voters} voters ({listed(ids)}): when it fails, the quorum has no majority",
            "run each voter on a host of its own",
        )


def directory_ids(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """No directory id is that of two replicas, and no node id that of two directories."""
    quorum = facts.quorum.known
    replicas = (*quorum.voters, *quorum.observers)
    nodes: dict[Uuid, set[NodeId]] = defaultdict(set)
    for replica in replicas:
        directory_id = replica.key.directory_id
        if directory_id is not None and directory_id != ZERO_UUID:
            nodes[directory_id].add(replica.key.node_id)
    for directory_id, ids in sorted(nodes.items()):
        if len(ids) > 1:
            yield error(
                f"directory {uuid_to_text(directory_id)}",
                f"is that of the nodes {listed(sorted(ids))}: one is a copy of the other's disk",
                "stop the node with the copy, empty its metadata directory and start it: it replicates again",
            )
    for node_id, times in sorted(Counter(replica.key.node_id for replica in replicas).items()):
        if times > 1:
            shown = [_directory(one) for one in replicas if one.key.node_id == node_id]
            yield warning(
                f"node {node_id}",
                f"is listed with {times} directories: {listed(shown)}",
                f"if its disk was replaced: {_replacing_a_directory(facts)}; "
                "if two processes run with this id, stop one",
            )


def voter_directories(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Where kraft.version has them, every voter has a directory id."""
    level = _kraft_version(facts)
    if level < RECONFIGURATION:
        return
    for voter in facts.quorum.known.voters:
        if voter.key.directory_id in {None, ZERO_UUID}:
            yield warning(
                f"controller {voter.key.node_id}",
                f"voter without a directory id at {KRAFT_VERSION} {level}",
                "start it; if it is lost: kraftpy metadata-quorum remove-controller",
            )


def clock_skew(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """The leader's clock agrees with that of this machine."""
    before_ms, after_ms = facts.quorum_read_ms
    now_ms, leader_id = facts.leader.last_fetch_ms, facts.quorum.known.leader_id
    if now_ms is None:
        return
    ahead_ms = now_ms - after_ms if now_ms > after_ms else min(0, now_ms - before_ms)
    if abs(ahead_ms) > SKEW_MAX_MS:
        direction = "ahead of" if ahead_ms > 0 else "behind"
        yield warning(
            f"controller {leader_id}",
            f"its clock is {abs(ahead_ms)} ms {direction} that of this machine",
            "synchronize both with NTP; a node takes a corrected clock over when it is restarted",
        )


def replacing_a_voter(facts: DoctorFacts) -> str:
    """Say what to do about a voter that is lost, which depends on whether voters can be removed."""
    match _can_remove_voters(facts):
        case None:
            return f"kraftpy metadata-quorum remove-controller, or at {KRAFT_VERSION} 0, {_SAME_ID}"
        case True:
            return "kraftpy metadata-quorum remove-controller"
    return f"{_SAME_ID} ({KRAFT_VERSION} 0 cannot remove a voter)"


def _replacing_a_directory(facts: DoctorFacts) -> str:
    removal = "kraftpy metadata-quorum remove-controller for the old directory, then add-controller"
    match _can_remove_voters(facts):
        case None:
            return f"{removal}, or at {KRAFT_VERSION} 0, nothing: the leader forgets the old one"
        case True:
            return removal
    return f"nothing at {KRAFT_VERSION} 0: the leader forgets the old directory"


_SAME_ID: Final = "start a new one with the same node.id, address and an empty directory"


def _can_remove_voters(facts: DoctorFacts) -> bool | None:
    try:
        return _kraft_version(facts) >= RECONFIGURATION
    except UnknownFactError:
        return None


def _kraft_version(facts: DoctorFacts) -> int:
    """Return the finalized kraft.version.

    Raises:
        UnknownFactError: it was not read.
    """
    levels = {one.name: one.finalized_level for one in facts.features.known.features}
    return levels.get(KRAFT_VERSION, 0)


def _ids(replicas: Sequence[ReplicaInfo]) -> list[NodeId]:
    return [replica.key.node_id for replica in replicas]


def _silence(replica: ReplicaInfo, leads: ReplicaInfo) -> str | None:
    """Return in words that a replica does not fetch; ``None`` when it does."""
    if replica.last_fetch_ms is None:
        return "has not fetched from this leader"
    silent_ms = (leads.last_fetch_ms or 0) - replica.last_fetch_ms
    return f"fetched last {silent_ms} ms ago" if silent_ms > SILENT_MS else None


def _lagging(facts: DoctorFacts, replicas: Sequence[ReplicaInfo], kind: str) -> Iterator[DoctorFinding]:
    leads = facts.leader
    for replica in replicas:
        if _silence(replica, leads) is not None or replica.log_end_offset is None or leads.log_end_offset is None:
            continue
        lag = leads.log_end_offset - replica.log_end_offset
        if lag > LAG_MAX:
            yield warning(
                f"{kind} {replica.key.node_id}",
                f"lacks {lag} records of the leader's log (limit: {LAG_MAX})",
                "wait if it has just started; else look at its disk and at the network between them",
            )


def _directory(replica: ReplicaInfo) -> str:
    directory_id = replica.key.directory_id
    return "unknown" if directory_id is None else uuid_to_text(directory_id)
