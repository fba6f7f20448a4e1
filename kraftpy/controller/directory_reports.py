"""What a heartbeat reports of a broker's log directories: offline, saturated, cordoned.

A directory is online, saturated (full, KIP-928) or offline. A replica in one that is not online neither leads nor is in
sync. Checks in order, for each list of the heartbeat:

1. ``offline_log_dirs``, from metadata.version 17 on: the directories that are registered leave the registration. What
   is offline stays so until the broker registers again, so one that is offline never becomes saturated.
2. ``saturated_log_dirs``, from 42 on, unless it is absent: what is registered and not offline is saturated now, the
   rest is not. Below 42 the list is not looked at.
3. ``cordoned_log_dirs``, from 30 on, unless it is absent: those of them that are registered take no new replicas.

Ids that are not registered change nothing, and a list that says what is known writes nothing: heartbeats are frequent.

The log records which directories are saturated. A new active controller knows it before the first heartbeat reaches it,
so no replica joins an ISR, and none is placed, in a directory that was full under the controller before.

A replica whose directory is not known yet (UNASSIGNED) is in one of the broker's: it counts as saturated when all of
them are.

Source: KIP-858, KIP-928, KIP-1066; Kafka ``ReplicationControlManager.handleDirectoriesOffline``,
``handleDirectoriesCordoned``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from kraftpy.image.image import MetadataImage
from kraftpy.image.registrations import BrokerRegistration, log_directories
from kraftpy.model.features import CORDONED_DIRECTORIES_LEVEL, DIRECTORIES_LEVEL, SATURATED_DIRECTORIES_LEVEL
from kraftpy.model.ids import DIRECTORY_MIGRATING, DIRECTORY_UNASSIGNED, Uuid
from kraftpy.model.registrations import BrokerHeartbeat
from kraftpy.records.metadata import BrokerRegistrationChangeRecord

Directories = tuple[Uuid, ...]

_NOT_KNOWN = frozenset({DIRECTORY_UNASSIGNED, DIRECTORY_MIGRATING})


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryChanges:
    """What a heartbeat changes about a broker's directories.

    Attributes:
        after: the registration with the changes; it keeps its directories when all of them are offline, because a
            record that lists none changes nothing, and a broker without any directory stops.
        impaired: where replicas must not lead or be in sync from now on, and could before.
        usable: where replicas can lead again, and could not before.
        lost: the directories that are offline from now on.
        records: the changes of the registration.
    """

    after: BrokerRegistration
    impaired: frozenset[Uuid] = frozenset()
    usable: frozenset[Uuid] = frozenset()
    lost: frozenset[Uuid] = frozenset()
    records: tuple[BrokerRegistrationChangeRecord, ...] = ()

    def serves(self, directory: Uuid) -> bool:
        """Return whether a replica of the broker in this directory may lead and be in sync from now on."""
        return directory not in self.lost and self.after.serves_dir(directory)


def directory_changes(image: MetadataImage, request: BrokerHeartbeat, before: BrokerRegistration) -> DirectoryChanges:
    """Compare a heartbeat with the registration of its broker."""
    lost = _lost(image, request, before)
    remaining = tuple(one for one in before.log_dirs if one not in lost)
    saturated = _saturated(image, request, before, remaining)
    cordoned = _cordoned(image, request, before)
    is_known = (saturated, cordoned) == (before.saturated_log_dirs, before.cordoned_log_dirs)
    if is_known and not lost:
        return DirectoryChanges(after=before)
    after = replace(
        before,
        log_dirs=remaining or before.log_dirs,
        saturated_log_dirs=saturated,
        cordoned_log_dirs=cordoned,
    )
    served, serves = _served(before, frozenset()), _served(after, lost)
    return DirectoryChanges(
        impaired=served - serves,
        usable=serves - served,
        after=after,
        lost=lost,
        records=tuple(_records(before, after)),
    )


def _served(broker: BrokerRegistration, lost: frozenset[Uuid]) -> frozenset[Uuid]:
    """Return where replicas of a broker may lead and be in sync."""
    known = frozenset(broker.log_dirs).difference(broker.saturated_log_dirs, lost)
    return known if broker.is_saturated else known | _NOT_KNOWN


def _lost(image: MetadataImage, request: BrokerHeartbeat, broker: BrokerRegistration) -> frozenset[Uuid]:
    if image.level < DIRECTORIES_LEVEL:
        return frozenset()
    return frozenset(request.offline_log_dirs) & frozenset(broker.log_dirs)


def _saturated(
    image: MetadataImage, request: BrokerHeartbeat, broker: BrokerRegistration, remaining: Directories
) -> Directories:
    """Return the saturated directories: those that the broker reports, or that are known if it reports none."""
    known, reported = broker.saturated_log_dirs, request.saturated_log_dirs
    if reported is None or image.level < SATURATED_DIRECTORIES_LEVEL:
        reported = known
    found = _of(reported, remaining)
    return known if set(known) == set(found) else found


def _cordoned(image: MetadataImage, request: BrokerHeartbeat, broker: BrokerRegistration) -> Directories | None:
    known = broker.cordoned_log_dirs
    if request.cordoned_log_dirs is None or image.level < CORDONED_DIRECTORIES_LEVEL:
        return known
    reported = tuple(dict.fromkeys(one for one in request.cordoned_log_dirs if one in broker.log_dirs))
    return known if known is not None and set(known) == set(reported) else reported


def _of(reported: Iterable[Uuid], registered: Directories) -> Directories:
    """Return what is registered of the directories that a broker names, in the order of registrations."""
    return log_directories(set(reported) & set(registered))


def _records(before: BrokerRegistration, after: BrokerRegistration) -> Iterable[BrokerRegistrationChangeRecord]:
    def change() -> BrokerRegistrationChangeRecord:
        return BrokerRegistrationChangeRecord(broker_id=before.broker_id, broker_epoch=before.broker_epoch)

    # One record: the directory that is left when another is lost may have been full, and have space by the same report.
    # Records may be cut anywhere, and between two of them the broker would have no directory with space.
    record = change()
    if after.log_dirs != before.log_dirs:
        record.log_dirs = list(after.log_dirs)
    if after.saturated_log_dirs != before.saturated_log_dirs:
        record.saturated_log_dirs = list(after.saturated_log_dirs)
    if record != change():
        yield record
    if after.cordoned_log_dirs != before.cordoned_log_dirs:
        record = change()
        record.cordoned_log_dirs = list(after.cordoned_log_dirs or ())
        yield record
