"""The stage of a scenario: a cluster without chance, and the words that describe what it does."""

from __future__ import annotations

import importlib

from kraftpy.model.digests import StateDigest
from kraftpy.raft.ready import (
    DuplicateNodeIdRejected,
    Elected,
    ElectionLeftToOthers,
    EligibilityChanged,
    Event,
    LeaderLost,
    NoDigestMajority,
    NoElectableVoter,
    PeerRejected,
    Ready,
    RoleChanged,
    SnapshotInstalled,
    StateDigestMismatch,
    StateDigestVerified,
    Truncated,
    VoteNotCounted,
    VotersChanged,
    VotesSlow,
)
from kraftpy.records.batch import split_batches
from tests.fakes.raft_cluster import Cluster, FakeNode, FixedJitter


class World:
    """One story's cluster (made by ``add-nodes``) and what was printed since the last verb."""

    def __init__(self) -> None:
        self.cluster = Cluster((), jitter=lambda node_id: FixedJitter(node_id / 10))
        self.reported: list[str] = []
        self.kinds: list[type[Event]] = []

    def begin(self, cluster: Cluster) -> None:
        self.cluster = cluster
        cluster.on_ready = self.tell

    def run(self, command: str) -> list[str]:
        """Run ``verb args`` and return its lines: what happened, then what the verb itself prints."""
        verb, *args = command.split()
        module = importlib.import_module(f"tests.scenarios.verbs.{verb.replace('-', '_')}")
        self.reported = []
        printed = module.run(self, args)
        return [*self.reported, *printed]

    def tell(self, node: FakeNode, ready: Ready) -> None:
        for event in ready.events:
            self.kinds.append(type(event))
            self.reported.append(f"{node.id} {report_event(event)}")
        for data in ready.append:
            for batch in split_batches(data):
                what = "control" if batch.is_control else "data"
                self.reported.append(
                    f"{node.id} append [{batch.base_offset},{batch.next_offset}) epoch={batch.epoch} {what}"
                )
        if ready.high_watermark is not None:
            self.reported.append(f"{node.id} high watermark {ready.high_watermark}")


def report_event(event: Event) -> str:
    match event:
        case RoleChanged(before, after, leader, reason):
            known = "" if leader.leader_id is None else f" leader={leader.leader_id}"
            return f"{before.value} -> {after.value} epoch={leader.epoch}{known} ({reason})"
        case Elected(epoch, start, granted_by):
            return f"elected epoch={epoch} start={start} granted={granted_by}"
        case Truncated(from_offset, to_offset):
            return f"truncate {from_offset} -> {to_offset}"
        case VotersChanged(offset, voters):
            return f"voters {voters.ids} at offset {offset}"
        case SnapshotInstalled(snapshot_id):
            return f"snapshot {snapshot_id} installed"
        case LeaderLost(leader_id, epoch):
            return f"lost its leader {leader_id} of epoch {epoch}"
        case PeerRejected(node_id, reason):
            return f"and {node_id} refuse each other: {reason}"
        case DuplicateNodeIdRejected(node_id, bound, refused, by):
            counted = f"{reported(bound)} is voter {node_id} of leader {by}"
            return f"hears that directory {reported(refused)} is refused: {counted}"
        case NoElectableVoter() | ElectionLeftToOthers() | VoteNotCounted() | EligibilityChanged() | VotesSlow():
            return send_votes(event)
        case StateDigestVerified() | StateDigestMismatch() | NoDigestMajority():
            return report_state(event)


def send_votes(
    event: NoElectableVoter | ElectionLeftToOthers | VoteNotCounted | EligibilityChanged | VotesSlow,
) -> str:
    match event:
        case NoElectableVoter(ineligible, holding, silent):
            return f"cannot elect: ineligible {ineligible}, holding {holding}, silent {silent}"
        case ElectionLeftToOthers(waits_for):
            return f"leaves the election to {waits_for}"
        case VoteNotCounted(reason):
            return f"knows of no leader, and its vote does not count: {reason}"
        case EligibilityChanged(before, after, reason):
            return f"{before.value} -> {after.value} ({reason})"
        case VotesSlow(took_ms, election_timeout_ms):
            return f"needs {took_ms} ms to store a vote, with an election timeout of {election_timeout_ms} ms"


def report_state(event: StateDigestVerified | StateDigestMismatch | NoDigestMajority) -> str:
    match event:
        case StateDigestVerified(digest):
            return f"agrees on {word(digest)} at {digest.end_offset}"
        case StateDigestMismatch(replica, own, agreed, by):
            who = f"{replica.node_id} diverged at {own.end_offset}"
            return f"hears from {by} that {who}: {word(own)}, the majority has {word(agreed)}"
        case NoDigestMajority(end_offset, digests_by_node):
            words = ", ".join(f"{node_id} {text(bytes.fromhex(stated))}" for node_id, stated in digests_by_node)
            return f"hears different digests at {end_offset}: {words}"


def word(digest: StateDigest) -> str:
    """Say a digest that was made of a word."""
    return text(digest.value)


def text(value: bytes) -> str:
    return value[1:].rstrip(b"\0").decode("ascii")


def reported(directory: bytes | None) -> str:
    """Name a directory by its first byte, of which these stories' directories are made."""
    return "?" if directory is None else f"{directory[0]:#04x}"


def ids(text: str) -> list[int]:
    return [int(part) for part in text.strip("()").split(",") if part]


def options(args: list[str]) -> tuple[list[str], dict[str, str]]:
    """Split ``a b key=value`` into plain words and options."""
    plain = [arg for arg in args if "=" not in arg]
    return plain, dict(arg.split("=", 1) for arg in args if "=" in arg)
