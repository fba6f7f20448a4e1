"""Broker ids by host: which id a broker gets that lost its disks, and the mappings that this is decided by.

A broker without an id in its configuration and on its disks asks for one before it registers. In this order:

a. the id that a broker on the same host registered with last, unless that id is in use;
b. if ``broker.id.recovery.missing.enable`` is set: the only id in replica assignments whose broker is not registered;
   with several of them the request is refused, because the data of the others would be replicated for nothing;
c. a new id above ``reserved.broker.max.id``, if ``broker.id.generation.enable`` is set.

An id is in use if its broker was heard within the session timeout, fenced or not, or if it is reserved for another
process. A broker whose session has not ended and that was not heard since the process asked first may be the very one
that was replaced. Where the answer depends on it the process is refused with BROKER_NOT_AVAILABLE, and asks again until
that broker is heard or its session has ended.

The mapping is written with the registration. The other hosts that the same id was registered from are removed by the
same records, so a running broker never has two (the garbage rule of the KIP, without a period).

The checks of a request for an id, in order:

1. UNSUPPORTED_VERSION: the metadata.version is below 41.
2. INVALID_REQUEST: the host is none. A process that has registered already gets its id.
3. THROTTLING_QUOTA_EXCEEDED (a :class:`BusyError`): too many processes wait for an id.
4. BROKER_NOT_AVAILABLE: this controller has been active for less than a session.
5. BROKER_NOT_AVAILABLE: another process on the host has an id, and has not registered yet.
6. BROKER_NOT_AVAILABLE: the broker of an id that the process might get may still run.
7. INVALID_REGISTRATION: several ids are missing, in step b.
8. INVALID_REGISTRATION: new ids are switched off.
9. INVALID_REGISTRATION: there is no id above those in use.

The checks of a change of a mapping, in order:

10. UNSUPPORTED_VERSION: as 1.
11. INVALID_REQUEST: as 2.
12. RESOURCE_NOT_FOUND: there is no mapping to remove.
13. INVALID_REQUEST: the number is no id.
14. INVALID_REQUEST: the id is a controller's.
15. INVALID_REQUEST: the broker of the id runs on another host.
16. POLICY_VIOLATION: there are :data:`HOSTS_MAX` hosts.

Source: KIP-426; the reference's K426-1 to K426-35.
"""

from __future__ import annotations

from typing import Final

from kraftpy.controller.broker_id_requests import (
    AlterBrokerHost,
    AlterBrokerHostResponse,
    AssignBrokerId,
    AssignBrokerIdResponse,
    BrokerIdSource,
)
from kraftpy.controller.broker_id_reservations import Reservation
from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.result import ControllerResult
from kraftpy.image.image import MetadataImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.features import BROKER_HOSTS_LEVEL
from kraftpy.model.ids import NO_NODE, NODE_ID_MAX, NodeId, Uuid
from kraftpy.records.metadata import BrokerHostRecord

HOST_BYTES_MAX: Final = 255
"""How long the key of a mapping may be, in UTF-8: a domain name has at most 253 characters."""

HOSTS_MAX: Final = 100_000
"""How many hosts may have a broker id by request; registrations add one for each broker id at most."""

IDS_SHOWN_MAX: Final = 10
"""How many ids an error lists."""


def assign_broker_id(view: DecisionContext, request: AssignBrokerId) -> ControllerResult:
    """Choose an id for a broker's process, and reserve it.

    Raises:
        ApiError: BROKER_NOT_AVAILABLE to ask again; INVALID_REGISTRATION when an operator has to decide;
            UNSUPPORTED_VERSION below metadata.version 41; INVALID_REQUEST for a host that no record holds.
        BusyError: too many processes wait for an id.
    """
    _check_level(view.image)
    _check_host(request.host)
    known = _registered_id(view.image, request.incarnation_id)
    if known is not None:
        # The answer was lost, and the process went on with an earlier one.
        return ControllerResult((), AssignBrokerIdResponse(broker_id=known, source=BrokerIdSource.HOST))
    note = view.reservations.peek if request.validate_only else view.reservations.asked
    reservation = note(request.host, request.incarnation_id, view.now_ms)
    if view.now_ms < view.reservations.assigns_from_ms:
        raise _ask_again("this controller became active a moment ago, and the one before may have assigned ids")
    broker_id, source = _chosen(view, reservation)
    if not request.validate_only:
        view.reservations.assign(reservation, broker_id, source, view.now_ms)
    return ControllerResult((), AssignBrokerIdResponse(broker_id=broker_id, source=source))


def _chosen(view: DecisionContext, reservation: Reservation) -> tuple[NodeId, BrokerIdSource]:
    """Return the id for a process, and where it comes from."""
    own = reservation.broker_id
    stored = view.image.broker_hosts.ids.get(reservation.host)
    if own != NO_NODE and not _is_in_use(view, own, reservation):
        # What it was given last time is reserved for it still.
        return own, reservation.source
    if view.config.broker_id_recovery:
        if view.reservations.other_on_host(reservation.host, reservation.incarnation_id, view.now_ms):
            raise _ask_again(f"another process on host {reservation.host} has an id and is about to register")
        if stored is not None and not _is_in_use(view, stored, reservation):
            return stored, BrokerIdSource.HOST
        if view.config.missing_broker_id_recovery:
            missing = _missing_ids(view, reservation)
            if len(missing) > 1:
                raise _ambiguous(reservation.host, missing)
            if missing:
                return missing[0], BrokerIdSource.MISSING
    return _new_id(view, reservation.host), BrokerIdSource.GENERATED


def _is_in_use(view: DecisionContext, broker_id: NodeId, reservation: Reservation) -> bool:
    """Return whether a running broker has an id, or may get it.

    Raises:
        ApiError: BROKER_NOT_AVAILABLE while that is not known.
    """
    holder = view.reservations.holder(broker_id, view.now_ms)
    if holder is not None and holder.incarnation_id != reservation.incarnation_id:
        return True
    if broker_id not in view.image.cluster.brokers or not view.heartbeats.has_valid_session(broker_id, view.now_ms):
        return False
    if view.heartbeats[broker_id].last_contact_ms <= reservation.first_asked_ms:
        raise _ask_again(f"broker {broker_id} may still be running: its session has not ended")
    return True


def _missing_ids(view: DecisionContext, reservation: Reservation) -> list[NodeId]:
    """Return the ids that partitions are assigned to and no running broker has, ascending (K426-18)."""
    return [each for each in view.replicas.broker_ids(view.image) if not _is_in_use(view, each, reservation)]


def _new_id(view: DecisionContext, host: str) -> NodeId:
    """Return an id above every other one that the log knows."""
    if not view.config.broker_id_generation:
        raise ApiError(
            ErrorCode.INVALID_REGISTRATION,
            f"Host {host} has no broker id, and broker.id.generation.enable is false. Set node.id in the broker's "
            "configuration, or map the host to an id with `kraftpy broker-ids set`.",
        )
    image = view.image
    known = {
        view.config.reserved_broker_id_max,
        view.reservations.highest,
        *image.cluster.brokers,
        *image.cluster.controllers,
        *image.broker_hosts.ids.values(),
        *view.quorum.voter_ids,
        *view.replicas.broker_ids(image),
    }
    highest: NodeId = max(known)
    if highest >= NODE_ID_MAX:
        raise ApiError(
            ErrorCode.INVALID_REGISTRATION,
            f"No broker id can be generated: node id {highest} exists, and ids end at {NODE_ID_MAX}. Set node.id in "
            "the broker's configuration.",
        )
    return highest + 1


def _ask_again(reason: str) -> ApiError:
    return ApiError(ErrorCode.BROKER_NOT_AVAILABLE, f"No broker id can be assigned yet: {reason}. Ask again.")


def _ambiguous(host: str, missing: list[NodeId]) -> ApiError:
    shown = ", ".join(map(str, missing[:IDS_SHOWN_MAX]))
    more = f" and {len(missing) - IDS_SHOWN_MAX} more" if len(missing) > IDS_SHOWN_MAX else ""
    return ApiError(
        ErrorCode.INVALID_REGISTRATION,
        f"The broker on host {host} may be any of the brokers {shown}{more}, which have replicas and are not running. "
        "Start those that still have their disks, and start this one again when only its own id is missing; or set "
        "node.id in its configuration; or map the host to an id with `kraftpy broker-ids set`.",
    )


def _registered_id(image: MetadataImage, incarnation_id: Uuid) -> NodeId | None:
    """Return the id that a process has registered with."""
    for broker_id, broker in image.cluster.brokers.items():
        if broker.incarnation_id == incarnation_id:
            return broker_id
    return None


def check_not_reserved(view: DecisionContext, broker_id: NodeId, incarnation_id: Uuid) -> None:
    """Refuse the registration of an id that another process was given.

    Raises:
        ApiError: DUPLICATE_BROKER_REGISTRATION.
    """
    holder = view.reservations.holder(broker_id, view.now_ms)
    if holder is not None and holder.incarnation_id != incarnation_id:
        raise ApiError(
            ErrorCode.DUPLICATE_BROKER_REGISTRATION,
            f"Broker id {broker_id} is assigned to a broker on host {holder.host} that is about to register.",
        )


def check_registered_host(host: str | None) -> None:
    """Refuse a host that a registration cannot map to its id.

    Raises:
        ApiError: INVALID_REGISTRATION.
    """
    if host is not None and not _is_host(host):
        raise ApiError(ErrorCode.INVALID_REGISTRATION, _no_host(host))


def host_records(view: DecisionContext, broker_id: NodeId, host: str | None) -> list[BrokerHostRecord]:
    """Return what a registration changes about the mappings: its host gets the id, other hosts lose it (K426-22)."""
    if host is None or view.image.level < BROKER_HOSTS_LEVEL or not view.config.broker_id_recovery:
        return []
    ids = view.image.broker_hosts.ids
    garbage = sorted(other for other, each in ids.items() if each == broker_id and other != host)
    records = [BrokerHostRecord(host=other, broker_id=NO_NODE) for other in garbage]
    if ids.get(host) != broker_id:
        records.append(BrokerHostRecord(host=host, broker_id=broker_id))
    return records


def alter_broker_host(view: DecisionContext, request: AlterBrokerHost) -> ControllerResult:
    """Set or remove the id of a host (K426-17).

    Raises:
        ApiError: UNSUPPORTED_VERSION below metadata.version 41; INVALID_REQUEST for a host that no record holds, an id
            that is no broker's, or the id of a broker that runs on another host; RESOURCE_NOT_FOUND when there is
            nothing to remove; POLICY_VIOLATION when there are too many hosts.
    """
    _check_level(view.image)
    _check_host(request.host)
    before = view.image.broker_hosts.ids.get(request.host)
    if request.broker_id is None:
        if before is None:
            raise ApiError(ErrorCode.RESOURCE_NOT_FOUND, f"Host {request.host} has no broker id")
        record = BrokerHostRecord(host=request.host, broker_id=NO_NODE)
        return ControllerResult((record,), AlterBrokerHostResponse())
    _check_mapping(view, request.host, request.broker_id)
    if before == request.broker_id:
        return ControllerResult((), AlterBrokerHostResponse())
    record = BrokerHostRecord(host=request.host, broker_id=request.broker_id)
    return ControllerResult((record,), AlterBrokerHostResponse())


def _check_mapping(view: DecisionContext, host: str, broker_id: NodeId) -> None:
    """Refuse an id that a broker on this host could not register with."""
    if not 0 <= broker_id <= NODE_ID_MAX:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"{broker_id} is no broker id: they go from 0 to {NODE_ID_MAX}")
    if broker_id in view.quorum.voter_ids:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"Node id {broker_id} is a controller's")
    ids = view.image.broker_hosts.ids
    elsewhere = sorted(other for other, each in ids.items() if each == broker_id and other != host)
    is_running = broker_id in view.image.cluster.brokers and view.heartbeats.has_valid_session(broker_id, view.now_ms)
    if elsewhere and is_running:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"Broker {broker_id} is running, on host {elsewhere[0]}")
    if host not in ids and len(ids) >= HOSTS_MAX:
        raise ApiError(ErrorCode.POLICY_VIOLATION, f"{len(ids)} hosts have a broker id, at most {HOSTS_MAX} may")


def _check_level(image: MetadataImage) -> None:
    if image.level < BROKER_HOSTS_LEVEL:
        raise ApiError(
            ErrorCode.UNSUPPORTED_VERSION,
            f"The current metadata.version {image.level} has no broker ids by host; {BROKER_HOSTS_LEVEL} is needed. "
            "Set node.id in the broker's configuration.",
        )


def _check_host(host: str) -> None:
    """Refuse a host that no mapping can have as its key.

    Raises:
        ApiError: INVALID_REQUEST.
    """
    if not _is_host(host):
        raise ApiError(ErrorCode.INVALID_REQUEST, _no_host(host))


def _is_host(host: str) -> bool:
    try:
        size = len(host.encode())
    except UnicodeEncodeError:
        return False
    return 0 < size <= HOST_BYTES_MAX and host.isprintable() and host == host.strip()


def _no_host(host: str) -> str:
    return (
        f"{host!r:.100} is no name of a host: it takes 1 to {HOST_BYTES_MAX} bytes of printable text, and no spaces at "
        "its ends"
    )
