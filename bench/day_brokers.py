"""The steps of :mod:`bench.day_plan` that brokers do by themselves: heartbeats, restarts, ISRs, preferred leaders.

Brokers know partitions from the log (:mod:`bench.followed`). A controller may change a partition while its leader's
request is under way; AlterPartition of that partition is then rejected, which is no error: it is requested again as
soon as the log has the change, as brokers do.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from bench.assigned import Partition
from bench.brokers import UNFENCE_TIMEOUT_S, Broker, RegistrationRejectedError
from bench.day_plan import REJOIN_SHARES, SEED, Action, Chain, Step
from bench.day_requests import Cluster, Does, Done, done
from bench.isr import VERSION, alteration, difference
from bench.topics import TIMEOUT_MS
from bench.work import eventually
from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import Uuid
from kraftpy.records.generated import rpc

ELECT_VERSION: Final = 2
PREFERRED: Final = 0
SHUTDOWN_PAUSE_S: Final = 0.01
REGISTRATION_PAUSE_S: Final = 0.1
"""Before a request is repeated: shorter than a broker waits, as the day is shorter."""
GRANT_TIMEOUT_S: Final = 60.0
REGISTRATION_TIMEOUT_S: Final = 60.0
ATTEMPTS_MAX: Final = 20

CHANGED_MEANWHILE: Final = frozenset({
    ErrorCode.FENCED_LEADER_EPOCH, ErrorCode.INVALID_UPDATE_VERSION, ErrorCode.INVALID_REQUEST,
    ErrorCode.UNKNOWN_TOPIC_ID, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
})  # fmt: skip
"""What is answered about a partition that has changed meanwhile (INVALID_REQUEST: its leader has), or is gone."""

Key = tuple[Uuid, int]


class BrokerSteps:
    """Heartbeats, restarts, ISRs.

    Attributes:
        stale: how often a partition had to be requested again, because it had changed meanwhile.
        waited_s: how long registrations were rejected, because the session of the process before lasted.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._followed = cluster.followed
        self._out: dict[int, list[Partition]] = {}
        self.stale = 0
        self.waited_s = 0.0
        self.does: dict[Action, Does] = {
            Action.HEARTBEAT: self._heartbeat,
            Action.SHUTDOWN: self._shut_down,
            Action.RETURN: self._return,
            Action.SHRINK: self._shrink,
            Action.EXPAND: self._expand,
            Action.REJOIN: self._rejoin,
            Action.ELECT: self._elect,
        }

    async def _beat(self, broker: Broker, *, shut_down: bool = False) -> rpc.BrokerHeartbeatResponse:
        self._cluster.requests += 1
        return await broker.beat(shut_down=shut_down)

    async def _heartbeat(self, chain: Chain, step: Step) -> Done:
        del step
        answer = await self._beat(self._cluster.broker(chain.broker))
        return done("it is fenced" if answer.is_fenced else "")

    async def _shut_down(self, chain: Chain, step: Step) -> Done:
        """Request it until it is granted, as a broker does, and wait until the log has no ISR with the broker."""
        await self._cluster.gates.wait(Action.ELECT, step.serial - 1)
        broker = self._cluster.broker(chain.broker)
        # What keeps brokers unfenced may be about to send a heartbeat; it has left before this one is answered.
        broker.beats = False
        await self._beat(broker)

        async def is_granted() -> bool:
            return (await self._beat(broker, shut_down=True)).should_shut_down

        await eventually(is_granted, "the shutdown is granted", GRANT_TIMEOUT_S, SHUTDOWN_PAUSE_S)
        granted = done()
        await self._followed.until(
            lambda: all(broker.broker_id not in one.isr for one in self._hosted_by(broker.broker_id)),
            f"no ISR has broker {broker.broker_id}",
        )
        return granted

    async def _return(self, chain: Chain, step: Step) -> Done:
        """Register the next process of the broker, and send heartbeats until it is unfenced."""
        del step
        broker = self._cluster.broker(chain.broker)
        broker.incarnation += 1
        began = time.monotonic()

        async def is_registered() -> bool:
            self._cluster.requests += 1
            try:
                await broker.register(self._cluster.brokers.cluster_id)
            except RegistrationRejectedError as error:
                if error.error_code != ErrorCode.DUPLICATE_BROKER_REGISTRATION:
                    raise
                return False
            return True

        async def is_unfenced() -> bool:
            return not (await self._beat(broker)).is_fenced

        if not await is_registered():
            await eventually(is_registered, "the broker is registered", REGISTRATION_TIMEOUT_S, REGISTRATION_PAUSE_S)
            self.waited_s += time.monotonic() - began
        await eventually(is_unfenced, "the broker is unfenced", UNFENCE_TIMEOUT_S)
        broker.beats = True
        return done()

    def _hosted_by(self, broker_id: int) -> list[Partition]:
        return [one for one in self._followed.partitions if broker_id in one.replicas]

    async def _shrink(self, chain: Chain, step: Step) -> Done:
        """Remove a follower from the ISRs of partitions that all replicas are in sync of."""
        leader, follower = (self._cluster.broker(one).broker_id for one in (chain.broker, step.broker))
        able = [
            one
            for one in self._followed.partitions
            if leader == one.leader == one.replicas[0] and follower in one.isr and len(one.isr) == len(one.replicas)
        ]
        chosen = Random(f"{SEED}/{step.serial}").sample(able, min(step.count, len(able)))
        self._out[step.serial] = chosen
        return await self._alter(chain, chosen, lambda isr: [one for one in isr if one != follower])

    async def _expand(self, chain: Chain, step: Step) -> Done:
        """Add the follower to them again."""
        return await self._add(chain, self._cluster.broker(step.broker).broker_id, self._out.pop(step.serial))

    async def _rejoin(self, chain: Chain, step: Step) -> Done:
        """Add a broker that has returned to a share of this leader's ISRs; the last share is what is left."""
        await self._cluster.gates.wait(Action.RETURN, step.serial)
        leader, returned = (self._cluster.broker(one).broker_id for one in (chain.broker, step.broker))
        lacking = [one for one in self._hosted_by(returned) if one.leader == leader and returned not in one.isr]
        return await self._add(chain, returned, lacking[: -(-len(lacking) // (REJOIN_SHARES - step.count))])

    async def _add(self, chain: Chain, follower: int, chosen: Sequence[Partition]) -> Done:
        return await self._alter(chain, chosen, lambda isr: [*(one for one in isr if one != follower), follower])

    async def _alter(
        self, chain: Chain, chosen: Sequence[Partition], changed: Callable[[list[int]], list[int]]
    ) -> Done:
        """Request other ISRs; those of partitions that have changed meanwhile again, until all are changed."""
        leader = self._cluster.broker(chain.broker).broker_id
        epochs = {one.broker_id: one.epoch for one in self._cluster.brokers.by_id.values()}
        result = Done("", None)
        for _ in range(ATTEMPTS_MAX):
            wanted = {
                (one.topic_id, one.index): (copy.copy(one), isr)
                for one in chosen
                if one.leader == leader and sorted(isr := changed(one.isr)) != sorted(one.isr)
            }
            if not wanted:
                return result
            request = alteration(leader, epochs, wanted.values())
            answer = await self._cluster.ask(chain, request, VERSION, rpc.AlterPartitionResponse)
            stale, error = judged(answer, wanted)
            result = done(error)
            if error:
                return result
            self.stale += len(stale)
            await self._until_changed(wanted)
            chosen = [one for one in self._followed.partitions if (one.topic_id, one.index) in stale]
        return done(f"{len(chosen)} partitions had changed meanwhile {ATTEMPTS_MAX} times")

    async def _until_changed(self, asked: dict[Key, tuple[Partition, list[int]]]) -> None:
        await self._followed.until(
            lambda: all(self._followed.is_newer(before) for before, _ in asked.values()), "the requested ISRs"
        )

    async def _elect(self, chain: Chain, step: Step) -> Done:
        """Have preferred leaders elected, once a broker is in all its ISRs again."""
        await self._cluster.gates.wait(Action.REJOIN, step.serial)
        returned = self._cluster.broker(chain.broker).broker_id
        lacking = sum(returned not in one.isr for one in self._hosted_by(returned))
        if lacking:
            return Done(f"broker {returned} is not in {lacking} of its ISRs", None)
        request = rpc.ElectLeadersRequest(PREFERRED, None, TIMEOUT_MS)
        answer = await self._cluster.ask(chain, request, ELECT_VERSION, rpc.ElectLeadersResponse)
        codes = {row.error_code for topic in answer.replica_election_results for row in topic.partition_result}
        wrong = {answer.error_code, *codes} - {ErrorCode.NONE, ErrorCode.ELECTION_NOT_NEEDED}
        result = done(f"errors {sorted(wrong)}" if wrong else "")
        if not wrong:
            await self._followed.until(lambda: self._leads_its_own(returned), "preferred leaders")
        return result

    def _leads_its_own(self, broker_id: int) -> bool:
        return all(one.leader == broker_id for one in self._followed.partitions if one.replicas[0] == broker_id)


def judged(answer: rpc.AlterPartitionResponse, wanted: dict[Key, tuple[Partition, list[int]]]) -> tuple[set[Key], str]:
    """Return the partitions that had changed meanwhile, and what is wrong with the answer."""
    if answer.error_code:
        return set(), f"error {answer.error_code}"
    stale: set[Key] = set()
    left = set(wanted)
    for topic in answer.topics:
        for row in topic.partitions:
            key = (topic.topic_id, row.partition_index)
            if key not in left:
                return set(), f"partition {row.partition_index} was not asked about"
            left.remove(key)
            if row.error_code in CHANGED_MEANWHILE:
                stale.add(key)
                continue
            error = difference(row, *wanted[key])
            if error:
                return set(), error
    return stale, f"{len(left)} partitions are not in the answer" if left else ""
