"""Checks of what is registered: brokers and controllers, their racks and their log directories."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from kraftpy.client.uuids import Uuid
from kraftpy.client.values import BrokerInfo
from kraftpy.doctor.facts import DoctorFacts, UnknownFactError
from kraftpy.doctor.findings import DoctorFinding, error, info, listed, warning
from kraftpy.doctor.quorum_checks import replacing_a_voter
from kraftpy.model.features import CONTROLLER_REGISTRATION_LEVEL, METADATA_VERSION, UNREGISTER_CONTROLLER_LEVEL
from kraftpy.model.ids import NodeId, uuid_to_text
from kraftpy.quorum_tools.ok_to_stop import SILENT_MS

GHOST_MS: Final = 60_000
"""A registered node that has not fetched for this time is a ghost: its session ended long ago."""


def cluster_id(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """The cluster id is known."""
    if facts.cluster.known.cluster_id is None:
        yield warning(
            "cluster",
            "has no cluster id yet",
            "run the command again: the first active controller writes one (docs/kip-1262.md)",
        )


def ghost_controllers(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Every registered controller is a voter, or was heard of lately."""
    voters = {one.key.node_id for one in facts.quorum.known.voters}
    for controller in facts.cluster.known.controllers:
        age_ms = facts.fetch_age_ms(controller.controller_id)
        if controller.controller_id in voters or (age_ms is not None and age_ms <= GHOST_MS):
            continue
        can_unregister = _level(facts) >= UNREGISTER_CONTROLLER_LEVEL
        yield warning(
            f"controller {controller.controller_id}",
            f"is registered, is no voter, and {_heard(age_ms)}",
            f"start it; if it is gone for good: kraftpy cluster unregister-controller --id {controller.controller_id}"
            if can_unregister
            else "start it; it can be unregistered from metadata.version 4.4-IV2 on",
        )


def unregistered_voters(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Every voter has registered, where metadata.version has registrations of controllers."""
    if _level(facts) < CONTROLLER_REGISTRATION_LEVEL:
        return
    registered = {one.controller_id for one in facts.cluster.known.controllers}
    for voter in facts.quorum.known.voters:
        if voter.key.node_id not in registered:
            yield warning(
                f"controller {voter.key.node_id}",
                "is a voter and has never registered",
                f"start it; if there is no such controller any more: {replacing_a_voter(facts)}",
            )


def fenced_brokers(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """No broker is fenced that is still heard of, and none is in controlled shutdown."""
    for broker in facts.cluster.known.brokers:
        place = f"broker {broker.broker_id}"
        if broker.in_controlled_shutdown:
            yield info(place, "is in controlled shutdown", "nothing, if it is being stopped")
        elif broker.fenced and not _is_silent(facts, broker.broker_id):
            yield warning(
                place,
                "is fenced: it leads no partition and is in no ISR",
                "look in its log why it sends no heartbeats, or does not catch up (caught up, log directories)",
            )


def ghost_brokers(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Every registered broker fetches the metadata log."""
    for broker in facts.cluster.known.brokers:
        age_ms = facts.fetch_age_ms(broker.broker_id)
        if broker.in_controlled_shutdown or (age_ms is not None and age_ms <= SILENT_MS):
            continue
        if age_ms is None and not broker.fenced:
            # A new leader knows no fetch yet, and fences a broker whose heartbeats do not come.
            yield info(
                f"broker {broker.broker_id}",
                f"is not fenced, and {_heard(age_ms)}",
                "nothing, if the leader has just changed: run the command again",
            )
            continue
        yield warning(
            f"broker {broker.broker_id}",
            f"is registered{' and fenced' if broker.fenced else ''}, and {_heard(age_ms)}",
            f"start it; if it is gone for good, move its replicas and run: kraftpy cluster unregister --id "
            f"{broker.broker_id}",
        )


def broker_racks(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """All brokers have a rack, or none has."""
    brokers = facts.cluster.known.brokers
    without = [broker.broker_id for broker in brokers if broker.rack is None]
    if without and len(without) < len(brokers):
        yield warning(
            "brokers",
            f"{len(without)} of {len(brokers)} brokers have no rack: {listed(without)}",
            "set broker.rack on all: brokers without one are placed as if they were in one rack (KIP-36)",
        )


def full_directories(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """No log directory is full."""
    for broker in facts.cluster.known.brokers:
        if broker.saturated_log_dirs:
            yield error(
                f"broker {broker.broker_id}",
                f"{len(broker.saturated_log_dirs)} of {len(broker.log_dirs)} log directories are full: "
                f"{_shown(broker.saturated_log_dirs)}",
                "free space there, or move replicas away (docs/kip-928.md); kraftpy log-dirs --describe has the sizes",
            )


def broker_directories(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """No log directory is that of two brokers, and each unfenced broker has one online."""
    brokers_of: dict[Uuid, list[NodeId]] = defaultdict(list)
    reports = any(broker.log_dirs for broker in facts.cluster.known.brokers)
    for broker in facts.cluster.known.brokers:
        for directory_id in broker.log_dirs:
            brokers_of[directory_id].append(broker.broker_id)
        if reports and not broker.log_dirs and not broker.fenced:
            yield error(
                f"broker {broker.broker_id}",
                "has no log directory online",
                "look in its log why its directories failed, and restart it",
            )
    for directory_id, ids in sorted(brokers_of.items()):
        if len(ids) > 1:
            yield error(
                f"directory {uuid_to_text(directory_id)}",
                f"is registered by the brokers {listed(ids)}: one has a copy of the other's disk",
                "stop the broker with the copy and give it an empty directory",
            )


def _level(facts: DoctorFacts) -> int:
    """Return the finalized metadata.version.

    Raises:
        UnknownFactError: it was not read.
    """
    levels = {one.name: one.finalized_level for one in facts.features.known.features}
    return levels.get(METADATA_VERSION, 0)


def _is_silent(facts: DoctorFacts, node_id: NodeId) -> bool:
    """Return whether the leader has not heard of a node lately; False where no leader answered."""
    try:
        age_ms = facts.fetch_age_ms(node_id)
    except UnknownFactError:
        return False
    return age_ms is None or age_ms > SILENT_MS


def _heard(age_ms: int | None) -> str:
    return "has not fetched from this leader" if age_ms is None else f"fetched last {age_ms} ms ago"


def _shown(directory_ids: tuple[Uuid, ...]) -> str:
    return listed(map(uuid_to_text, directory_ids))


def racks_of(brokers: tuple[BrokerInfo, ...]) -> dict[NodeId, str]:
    """Return the racks of brokers that have one."""
    return {broker.broker_id: broker.rack for broker in brokers if broker.rack is not None}
