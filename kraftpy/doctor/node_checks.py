"""Checks of single nodes: whether controllers respond, certificates, and what nodes measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from kraftpy.doctor.facts import DoctorFacts, UnknownFactError
from kraftpy.doctor.findings import DoctorFinding, error, info, listed, warning
from kraftpy.doctor.quorum_checks import SKEW_MAX_MS
from kraftpy.storage.disk_probe import SYNC_P99_MS_MAX

DAY_MS: Final = 86_400_000

CERTIFICATE_DAYS_MIN: Final = 30
"""A certificate that expires earlier is reported: time enough to have another one issued."""

FREE_SHARE_MIN: Final = 0.1
"""Which share of a disk should be free."""

PROBE_MS: Final = "kraft_disk_probe_ms"

FREE_BYTES: Final = "kraft_log_directory_free_bytes"

WALL_CLOCK_MAX_MS: Final = 1_000
"""How far the wall clock of a node's machine may be from the node's own time."""

NODE_TIME: Final = "kraft_node_time_ms"

OF_EVERY_NODE: Final = "kraft_apply_halted"
"""A series that every node has, controller or broker: a text without it is not a node's."""


def controllers_respond(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Every registered controller responds at its gRPC address."""
    for node_id, answer in sorted(facts.controllers.known.items()):
        if answer.value is None:
            yield warning(
                f"controller {node_id}",
                f"does not respond at the gRPC address that it registered: {answer.reason}",
                "start it; if it runs, check grpc.advertised.listener and the network between it and this machine",
            )
    facts.controllers.check_whole()


def certificates(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """No listener shows a certificate that expires soon."""
    for address, expiry in sorted(facts.certificates.known.items()):
        if expiry.value is None:
            yield info(
                address, f"its certificate cannot be read: {expiry.reason}", "check it by hand (openssl s_client)"
            )
            continue
        left_ms = expiry.value * 1_000 - facts.now_ms
        way_out = "replace the file; a node loads it without a restart (docs/deploy.md)"
        if left_ms < 0:
            yield error(address, f"its certificate expired {_days(-left_ms)} ago", way_out)
        elif left_ms < CERTIFICATE_DAYS_MIN * DAY_MS:
            yield warning(address, f"its certificate expires in {_days(left_ms)}", way_out)
    facts.certificates.check_whole()


def metrics_respond(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Every metrics address that was named responds."""
    for address, found in sorted(facts.metrics.known.items()):
        if found.value is None:
            yield warning(address, f"no metrics: {found.reason}", "start the node, or name its metrics.listener")
        elif OF_EVERY_NODE not in found.value:
            yield warning(
                address, f"is no kraftpy node's metrics: it has no {OF_EVERY_NODE}", "name a node's metrics.listener"
            )


def state_halted(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """No node has stopped to apply the log."""
    for address, values in _measured(facts):
        if values[OF_EVERY_NODE]:
            offset = values.get("kraft_apply_halted_offset", -1)
            yield error(
                address,
                f"stopped applying the log before offset {offset:.0f}, whose record it cannot apply",
                "kraftpy repair show (docs/disasters.md)",
            )


def state_digests(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """No node has seen states of nodes differ."""
    name = "kraft_state_digest_mismatches_total"
    for address, count in _values(facts, name):
        if count:
            yield error(
                address,
                f"{count:.0f} offsets at which the states of nodes differed",
                "look for state_diverged in the logs (docs/disasters.md#a-nodes-state-is-wrong)",
            )
    _check_all_have(facts, name)


def unexpected_errors(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """No request has met an unexpected error since the start of a node."""
    for address, values in _measured(facts):
        # By kind of request; there is no series before the first error.
        count = sum(_by_label(values, "kraftpy_request_errors_total").values())
        if count:
            yield error(
                address,
                f"{count:.0f} unexpected errors in requests since the node's start",
                "each is a defect: report the traceback in the node's log",
            )


def offline_directories(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """No log directory of a broker has failed."""
    name = "kraft_offline_log_directory_count"
    counts = _values(facts, name)
    if not counts:
        raise UnknownFactError(f"no node that responded has {name}, which brokers have")
    for address, count in counts:
        if count:
            yield error(
                address,
                f"{count:.0f} log directories failed",
                "kraftpy log-dirs --describe has the reasons; repair the disk and restart the broker",
            )


def disk_space(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Every disk of a node has free space."""
    for address, values in _measured(facts):
        totals = _by_label(values, "kraft_log_directory_total_bytes")
        for labels, free in sorted(_by_label(values, FREE_BYTES).items()):
            total = totals.get(labels, 0)
            if total and free < total * FREE_SHARE_MIN:
                yield warning(
                    address,
                    f"{free:.0f} of {total:.0f} bytes are free at {labels}",
                    "free space, or enlarge the disk: a node that cannot write stops",
                )
    _check_all_have(facts, FREE_BYTES)


def disk_alarm(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """No controller refuses requests because its disk is full."""
    name = "kraft_metadata_disk_alarm"
    alarms = _values(facts, name)
    if not alarms:
        raise UnknownFactError(f"no node that responded has {name}, which controllers have")
    for address, is_raised in alarms:
        if is_raised:
            yield error(
                address,
                "the disk of its metadata log has too little space left: while it leads, it refuses what makes the "
                "metadata larger",
                "free space on that disk, or enlarge it; the alarm clears itself then",
            )


def disk_probe(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Every controller found the disk of its metadata log fast when it started."""
    found = [
        (address, values[f'{PROBE_MS}{{quantile="0.5"}}'], values[f'{PROBE_MS}{{quantile="0.99"}}'])
        for address, values in _measured(facts)
        if _by_label(values, PROBE_MS)
    ]
    if not found:
        raise UnknownFactError(f"no node that responded has {PROBE_MS}, which controllers have")
    for address, p50_ms, p99_ms in found:
        if p99_ms > SYNC_P99_MS_MAX:
            # A few syncs were measured: one slow one may be a hiccup, half of them are the disk.
            yield (warning if p50_ms > SYNC_P99_MS_MAX else info)(
                address,
                f"at its start an fsync took {p50_ms:.1f} ms (p50) and {p99_ms:.1f} ms (p99), more than "
                f"{SYNC_P99_MS_MAX} ms",
                "measure longer with `kraftpy storage probe DIR`; give the metadata log a faster disk, or one of its "
                "own (metadata.log.dir)",
            )


def node_clocks(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """The wall clock of each node's machine agrees with the node's own time."""
    name = "kraft_wall_clock_ahead_ms"
    for address, ahead_ms in _values(facts, name):
        if abs(ahead_ms) > WALL_CLOCK_MAX_MS:
            yield warning(
                address,
                f"the wall clock is {ahead_ms:.0f} ms ahead of the node's own time: it was set after the node's start",
                "restart the node once the clock is right",
            )
    _check_all_have(facts, name)


class _Ahead(NamedTuple):
    """By how many ms a node's time is ahead of this machine's: not known better than its answer took."""

    least: float
    most: float

    def of(self, other: _Ahead) -> float:
        """Return by how many ms it is ahead of another at least; negative behind it, 0 where that is not known."""
        return max(0.0, self.least - other.most) or min(0.0, self.most - other.least)


def node_skew(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """The times of all nodes agree: each is compared with the one in the middle."""
    read_ms = facts.metrics_read_ms
    ahead = {
        address: _Ahead(time_ms - read_ms[address][1], time_ms - read_ms[address][0])
        for address, time_ms in _values(facts, NODE_TIME)
    }
    if len(ahead) < 2:
        raise UnknownFactError(f"{len(ahead)} of the nodes that responded have {NODE_TIME}; two are compared at least")
    middle = sorted(ahead, key=lambda address: sum(ahead[address]))[(len(ahead) - 1) // 2]
    for address, one in sorted(ahead.items()):
        apart_ms = one.of(ahead[middle])
        if abs(apart_ms) > SKEW_MAX_MS:
            yield warning(
                address,
                f"its time is at least {abs(apart_ms):.0f} ms {'ahead of' if apart_ms > 0 else 'behind'} that of "
                f"{middle}",
                "synchronize the clocks of all machines with NTP, then restart each node whose time is wrong: it takes "
                "the time from its machine when it starts",
            )
    slow = [address for address, one in sorted(ahead.items()) if one.most - one.least > SKEW_MAX_MS]
    if slow:
        raise UnknownFactError(f"took longer than {SKEW_MAX_MS} ms, by which its time is not known: {listed(slow)}")
    _check_all_have(facts, NODE_TIME)


def ignored_voters(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """No file of a node lists voters that the node ignores, because the log has them."""
    name = "kraft_ignored_static_voters"
    for address, is_ignored in _values(facts, name):
        if is_ignored:
            yield info(
                address,
                "its file sets controller.quorum.voters, which is ignored: the log has the voters, and the list is not "
                "kept up to date",
                "replace it by controller.quorum.bootstrap.servers with the addresses of some controllers, and restart",
            )
    _check_all_have(facts, name)


def _days(time_ms: int) -> str:
    """Write a time in whole days."""
    days = time_ms // DAY_MS
    return "less than a day" if days < 1 else "1 day" if days == 1 else f"{days} days"


def _measured(facts: DoctorFacts) -> list[tuple[str, Mapping[str, float]]]:
    """Return the metrics of each node that responded.

    Raises:
        UnknownFactError: none was read.
    """
    found = facts.metrics.known.items()
    read = {address: one.value for address, one in found if one.value is not None and OF_EVERY_NODE in one.value}
    if not read:
        raise UnknownFactError("no metrics address responded with a node's metrics")
    return sorted(read.items())


def _values(facts: DoctorFacts, name: str) -> list[tuple[str, float]]:
    """Return a series of each node that has it."""
    return [(address, values[name]) for address, values in _measured(facts) if name in values]


def _check_all_have(facts: DoctorFacts, name: str) -> None:
    """Check that every node that responded has a metric.

    Raises:
        UnknownFactError: some have not; the text has their addresses.
    """
    without = [address for address, values in _measured(facts) if name not in values and not _by_label(values, name)]
    if without:
        raise UnknownFactError(f"no {name} at {listed(without)}")


def _by_label(values: Mapping[str, float], name: str) -> dict[str, float]:
    """Return the series of a metric that have labels, by these."""
    return {series[len(name) + 1 : -1]: value for series, value in values.items() if series.startswith(f"{name}{{")}
