"""A broker's life: register, catch up, be unfenced, serve, leave in order.

====================================  =====================================  ========================================
state                                 entered                                left
====================================  =====================================  ========================================
NOT_RUNNING                           made                                   ``start``
STARTING                              started                                a heartbeat's answer says "caught up"
RECOVERY                              the log is published up to here        an answer says "not fenced"
RUNNING                               unfenced                               ``begin_controlled_shutdown``
PENDING_CONTROLLED_SHUTDOWN           from RUNNING only                      an answer says "shut down"
SHUTTING_DOWN                         the end                                never
====================================  =====================================  ========================================

One call is in flight at most. When something asks to be reported at once while a call is out, the next one follows its
answer without delay; after a failure nothing follows without delay. A running broker takes no notice of being fenced:
it goes on heartbeating, does not want it, and is unfenced when it has caught up.

When the controller does not know this broker's epoch any more (it was unregistered, or its registration was lost with a
log), the broker registers again under the same incarnation, and gives up if that does not succeed in the time that the
first registration had. A second process with the same id thus ends one of the two.

Source: Kafka ``BrokerLifecycleManager``; KIP-631; KIP-858; KIP-1262; broker reference B1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from kraftpy.broker.backoff import Backoff
from kraftpy.broker.calls import Call, CallSchedule
from kraftpy.broker.cordoning import cordoned_directories
from kraftpy.broker.log_dirs import LogDirectories, UntoldFailures
from kraftpy.broker.outputs import BrokerState, GiveUp, Output, SendHeartbeat, SendRegistration, StateChanged
from kraftpy.image.image import MetadataImage
from kraftpy.model.errors import ErrorCode
from kraftpy.model.features import (
    BROKER_HOSTS_LEVEL,
    CORDONED_DIRECTORIES_LEVEL,
    DIRECTORIES_LEVEL,
    SATURATED_DIRECTORIES_LEVEL,
)
from kraftpy.model.ids import NodeId, Uuid, uuid_to_text
from kraftpy.model.invariant import invariant
from kraftpy.model.jitter import Jitter
from kraftpy.model.offsets import NO_OFFSET, Offset
from kraftpy.model.registrations import (
    BrokerHeartbeat,
    BrokerHeartbeatResponse,
    Listener,
    RegisterBroker,
    RegisterBrokerResponse,
    SupportedFeature,
)

STARTING_HEARTBEAT_INTERVAL_MS: Final = 10
"""How soon a starting broker asks again whether it has caught up."""

FIRST_SHUTDOWN_INTERVAL_MS: Final = 50
"""How soon a leaving broker asks again after its first answer: leaders move fast, if they move."""

NO_EPOCH: Final = -1

Outputs = tuple[Output, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LifecycleConfig:
    """Who the broker is, and its timers (Kafka's keys and defaults).

    Attributes:
        host: what the broker's id is remembered by (KIP-426).
        previous_broker_epoch: from the clean-shutdown file, -1 without one.
        log_dirs: the ids of the directories that were online or full at the start.
        saturated_log_dirs: those of them that were full.
        paths: the ids by the directories' paths.
        cordoned_log_dirs: the value of ``cordoned.log.dirs`` in the broker's file: paths, or ``*`` for all.
    """

    broker_id: NodeId
    incarnation_id: Uuid
    listeners: tuple[Listener, ...]
    features: tuple[SupportedFeature, ...]
    rack: str | None = None
    host: str | None = None
    log_dirs: tuple[Uuid, ...] = ()
    saturated_log_dirs: tuple[Uuid, ...] = ()
    paths: Mapping[str, Uuid] = field(default_factory=dict)
    cordoned_log_dirs: tuple[str, ...] = ()
    previous_broker_epoch: int = NO_EPOCH
    session_timeout_ms: int = 9_000
    heartbeat_interval_ms: int = 2_000
    initial_registration_timeout_ms: int = 60_000
    log_dir_failure_timeout_ms: int = 30_000

    @property
    def call_timeout_ms(self) -> int:
        """How long a call may take: half a session, so that another one fits before its end."""
        return self.session_timeout_ms // 2


class BrokerLifecycle:
    """The machine. Every step returns what is to be done now, in order.

    Attributes:
        state: where the broker is.
        broker_epoch: what the controller gave it, -1 before.
        directories: the log directories and their states.
        cordoned: the log directories that take no new replicas, as the log and the configuration say.
    """

    def __init__(self, *, config: LifecycleConfig, jitter: Jitter) -> None:
        self._config = config
        self._calls = CallSchedule(backoff=Backoff(longest_ms=config.session_timeout_ms), jitter=jitter)
        self._untold = UntoldFailures(timeout_ms=config.log_dir_failure_timeout_ms)
        self._cluster_id: str | None = None
        self._published: Offset = NO_OFFSET
        self._level: int | None = None
        self.cordoned: tuple[Uuid, ...] = ()
        self._ready_to_unfence = False
        self._registered = False
        self._registration_deadline_ms = 0
        self._named_dirs: tuple[Uuid, ...] = ()
        self._last_refusal = ""
        self._shutdown_answers = 0
        self.state = BrokerState.NOT_RUNNING
        self.broker_epoch = NO_EPOCH
        self.directories = LogDirectories.of(config.log_dirs, saturated=config.saturated_log_dirs)

    @property
    def is_over(self) -> bool:
        """Whether nothing more is going to happen."""
        return self.state is BrokerState.SHUTTING_DOWN

    def start(self, now_ms: int) -> Outputs:
        """Begin: register as soon as the cluster id is known."""
        invariant(self.state is BrokerState.NOT_RUNNING, "a broker starts once", self.state)
        self._registration_deadline_ms = now_ms + self._config.initial_registration_timeout_ms
        self._calls.next_ms = now_ms
        return (*self._move(BrokerState.STARTING), *self._proceed(now_ms))

    def tick(self, now_ms: int) -> Outputs:
        """Do what is due."""
        return self._proceed(now_ms)

    def cluster_id_known(self, now_ms: int, cluster_id: str) -> Outputs:
        """Learn the cluster's id, from meta.properties or from the log."""
        invariant(self._cluster_id in {None, cluster_id}, "the cluster id never changes", self._cluster_id, cluster_id)
        self._cluster_id = cluster_id
        return self._proceed(now_ms)

    def metadata_published(self, now_ms: int, offset: Offset, image: MetadataImage) -> Outputs:
        """Note that every publisher of this node has seen the log up to and including ``offset``.

        A registration that was made before the log could name directories, or hosts, is made again once it can.
        """
        self._published = max(self._published, offset)
        own = image.cluster.brokers.get(self._config.broker_id)
        if self._registered and own is not None and own.broker_epoch == self.broker_epoch:
            lacks_dirs = not own.log_dirs and bool(self.directories.working)
            if image.level >= DIRECTORIES_LEVEL and lacks_dirs:
                self._register_again(now_ms, at_once=True)
        if self._registered and self._level is not None and self._level < BROKER_HOSTS_LEVEL <= image.level:
            # From now on a registration is remembered by the host (KIP-426).
            self._register_again(now_ms, at_once=True)
        return (*self._follow_directories(now_ms, image), *self._proceed(now_ms))

    def _follow_directories(self, now_ms: int, image: MetadataImage) -> Outputs:
        """Take from the log which directories are cordoned, and whether it can express a saturated one."""
        config = self._config
        before = self._reported_cordoned() or (), self._reported_saturated() or ()
        self._level = image.level
        self.cordoned = cordoned_directories(image, config.broker_id, config.cordoned_log_dirs, config.paths)
        if before != (self._reported_cordoned() or (), self._reported_saturated() or ()):
            self._calls.hurry(now_ms)
        if image.level >= SATURATED_DIRECTORIES_LEVEL:
            return ()
        return tuple(
            output for directory in self.directories.saturated for output in self.log_dir_failed(now_ms, directory)
        )

    def ready_to_unfence(self, now_ms: int) -> Outputs:
        """From now on do not want to be fenced, and say so at once."""
        self._ready_to_unfence = True
        self._calls.hurry(now_ms)
        return self._proceed(now_ms)

    def leader_changed(self, now_ms: int) -> Outputs:
        """Call the new leader soon, however long the pauses were that its predecessor caused."""
        self._calls.leader_changed(now_ms)
        return self._proceed(now_ms)

    def begin_controlled_shutdown(self, now_ms: int) -> Outputs:
        """Leave in order if the broker serves, at once if it does not."""
        if self.state is not BrokerState.RUNNING:
            return self.close()
        self._shutdown_answers = 0
        moved = self._move(BrokerState.PENDING_CONTROLLED_SHUTDOWN)
        self._calls.hurry(now_ms)
        return (*moved, *self._proceed(now_ms))

    def close(self) -> Outputs:
        """Stop now."""
        return () if self.is_over else self._move(BrokerState.SHUTTING_DOWN)

    def log_dir_failed(self, now_ms: int, directory: Uuid) -> Outputs:
        """Record a failed directory, and report it to the controller at once."""
        if self.is_over or directory in self.directories.offline:
            return ()
        self.directories = self.directories.with_failed(directory)
        if not self.directories.working:
            return self._give_up("no log directory is left that works")
        self._untold.add(directory, now_ms)
        self._calls.hurry(now_ms)
        return self._proceed(now_ms)

    def log_dir_saturated(self, now_ms: int, directory: Uuid) -> Outputs:
        """Record a full directory, and report it at once; a broker lives on even if all are full.

        Where the log cannot express it, below metadata.version 42, the directory fails instead, as in Kafka.
        """
        if self.is_over or directory not in self.directories.online:
            return ()
        if self._level is not None and self._level < SATURATED_DIRECTORIES_LEVEL:
            return self.log_dir_failed(now_ms, directory)
        self.directories = self.directories.with_saturated(directory)
        self._calls.hurry(now_ms)
        return self._proceed(now_ms)

    def log_dir_has_space(self, now_ms: int, directory: Uuid) -> Outputs:
        """Record that a saturated directory is online again, and report it at once."""
        if self.is_over or directory not in self.directories.saturated:
            return ()
        self.directories = self.directories.with_space(directory)
        self._calls.hurry(now_ms)
        return self._proceed(now_ms)

    def registration_succeeded(self, now_ms: int, response: RegisterBrokerResponse) -> Outputs:
        """Take the broker epoch, and heartbeat at once."""
        self._calls.answered(Call.REGISTRATION)
        if self.is_over:
            return ()
        self._registered, self.broker_epoch = True, response.broker_epoch
        self._last_refusal = ""
        self._calls.after_success(now_ms, 0)
        return self._proceed(now_ms)

    def registration_failed(self, now_ms: int, code: ErrorCode, message: str) -> Outputs:
        """Wait, then try again until the time is up."""
        self._calls.answered(Call.REGISTRATION)
        if self.is_over:
            return ()
        self._last_refusal = f"{code.name}: {message}"
        self._calls.after_failure(now_ms)
        return self._proceed(now_ms)

    def heartbeat_succeeded(self, now_ms: int, response: BrokerHeartbeatResponse) -> Outputs:
        """Move on to where the controller sees this broker."""
        self._calls.answered(Call.HEARTBEAT)
        if self.is_over:
            return ()
        self._untold.reported(self._named_dirs)
        moved = self._follow(response)
        self._calls.after_success(now_ms, self._interval_ms())
        return (*moved, *self._proceed(now_ms))

    def heartbeat_failed(self, now_ms: int, code: ErrorCode, message: str) -> Outputs:
        """Wait, then try again; register again when the controller no longer knows the epoch."""
        self._calls.answered(Call.HEARTBEAT)
        if self.is_over:
            return ()
        if code is ErrorCode.STALE_BROKER_EPOCH and self._registered:
            self._last_refusal = f"{code.name}: {message}"
            self._register_again(now_ms, at_once=False)
        self._calls.after_failure(now_ms)
        return self._proceed(now_ms)

    def next_deadline_ms(self) -> int | None:
        """Say when the next ``tick`` has work (ms); ``None`` while only answers and events matter."""
        if self.is_over or self.state is BrokerState.NOT_RUNNING:
            return None
        deadlines = [self._untold.next_deadline_ms()]
        if not self._registered:
            deadlines.append(self._registration_deadline_ms)
        if self._calls.is_idle and (self._registered or self._cluster_id is not None):
            deadlines.append(self._calls.next_ms)
        return min((one for one in deadlines if one is not None), default=None)

    def _move(self, after: BrokerState) -> Outputs:
        before, self.state = self.state, after
        return (StateChanged(before, after),)

    def _follow(self, response: BrokerHeartbeatResponse) -> Outputs:
        moved: Outputs = ()
        if self.state is BrokerState.STARTING and response.is_caught_up:
            moved = self._move(BrokerState.RECOVERY)
        if self.state is BrokerState.RECOVERY and not response.is_fenced:
            moved += self._move(BrokerState.RUNNING)
        elif self.state is BrokerState.PENDING_CONTROLLED_SHUTDOWN:
            self._shutdown_answers += 1
            if response.should_shut_down:
                moved = self._move(BrokerState.SHUTTING_DOWN)
        return moved

    def _interval_ms(self) -> int:
        if self.state is BrokerState.STARTING:
            return STARTING_HEARTBEAT_INTERVAL_MS
        if self.state is BrokerState.PENDING_CONTROLLED_SHUTDOWN and self._shutdown_answers <= 1:
            return FIRST_SHUTDOWN_INTERVAL_MS
        return self._config.heartbeat_interval_ms

    def _proceed(self, now_ms: int) -> Outputs:
        """Give up what is overdue, else send what is due."""
        if self.is_over or self.state is BrokerState.NOT_RUNNING:
            return ()
        overdue = self._untold.overdue(now_ms)
        if overdue:
            dirs = ", ".join(uuid_to_text(one) for one in overdue)
            return self._give_up(f"couldn't communicate offline log dir {dirs} to the controller quorum in time")
        if not self._registered and now_ms >= self._registration_deadline_ms:
            return self._give_up(self._why_not_registered())
        if not self._calls.is_idle or now_ms < self._calls.next_ms:
            return ()
        if not self._registered and self._cluster_id is None:
            return ()
        return (self._heartbeat(),) if self._registered else (self._registration(),)

    def _give_up(self, reason: str) -> Outputs:
        return (GiveUp(f"Broker {self._config.broker_id} is shutting down: {reason}."), *self.close())

    def _why_not_registered(self) -> str:
        within = f"within {self._config.initial_registration_timeout_ms} ms"
        if self._cluster_id is None:
            return (
                f"the cluster id was not discovered {within}. Check that the quorum can be reached and belongs to the "
                "cluster this node is meant for"
            )
        refusal = f"; the last refusal was {self._last_refusal}" if self._last_refusal else ""
        return f"it was unable to register with the controller quorum {within}{refusal}"

    def _registration(self) -> SendRegistration:
        config = self._config
        self._calls.sent(Call.REGISTRATION)
        request = RegisterBroker(
            broker_id=config.broker_id,
            cluster_id=self._cluster_id,
            incarnation_id=config.incarnation_id,
            listeners=config.listeners,
            features=config.features,
            rack=config.rack,
            log_dirs=self.directories.working,
            saturated_log_dirs=self.directories.saturated or None,
            host=config.host,
            previous_broker_epoch=config.previous_broker_epoch if self.broker_epoch == NO_EPOCH else self.broker_epoch,
        )
        return SendRegistration(request, config.call_timeout_ms)

    def _heartbeat(self) -> SendHeartbeat:
        self._calls.sent(Call.HEARTBEAT)
        self._named_dirs = self.directories.offline
        request = BrokerHeartbeat(
            broker_id=self._config.broker_id,
            broker_epoch=self.broker_epoch,
            metadata_offset=self._published,
            want_fence=not self._ready_to_unfence,
            want_shutdown=self.state is BrokerState.PENDING_CONTROLLED_SHUTDOWN,
            offline_log_dirs=self._named_dirs,
            cordoned_log_dirs=self._reported_cordoned(),
            saturated_log_dirs=self._reported_saturated(),
        )
        return SendHeartbeat(request, self._config.call_timeout_ms)

    def _reported_cordoned(self) -> tuple[Uuid, ...] | None:
        """Return the list for a heartbeat; ``None`` while no record could contain it, or the level is not known yet."""
        level = self._level
        return None if level is None or level < CORDONED_DIRECTORIES_LEVEL else self.cordoned

    def _reported_saturated(self) -> tuple[Uuid, ...] | None:
        """Return the list for a heartbeat; ``None`` as for cordoned ones."""
        level = self._level
        return None if level is None or level < SATURATED_DIRECTORIES_LEVEL else self.directories.saturated

    def _register_again(self, now_ms: int, *, at_once: bool) -> None:
        self._registered = False
        self._registration_deadline_ms = now_ms + self._config.initial_registration_timeout_ms
        if at_once:
            self._calls.hurry(now_ms)
