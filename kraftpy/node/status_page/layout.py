"""What the page shows where: facts and tables, each by its place in the JSON of a state.

The page has these places in attributes of its elements, where its script finds them: there is no second list.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from kraftpy.node.status_page.texts import Form

UNKNOWN: Final = "unknown"
NONE: Final = "none"


class ShownValue(NamedTuple):
    """A value: where it is in the JSON, what it is called, how it is written, and the text for null."""

    path: str
    label: str
    form: Form = Form.TEXT
    absent: str = UNKNOWN


class ShownFacts(NamedTuple):
    """A section of single values."""

    title: str
    values: tuple[ShownValue, ...]


class ShownTable(NamedTuple):
    """A section with a table; the first column names the row.

    Attributes:
        rows: the path of the list, or of an object with ``rows`` and ``total``.
        empty: what is there instead of a table without rows.
        note: a sentence below it.
    """

    title: str
    rows: str
    columns: tuple[ShownValue, ...]
    empty: str
    note: str = ""


Section: TypeAlias = ShownFacts | ShownTable

V, F = ShownValue, Form

SECTIONS: Final[tuple[Section, ...]] = (
    ShownFacts("Quorum", (
        V("quorum.leaderId", "Leader", F.ID),
        V("quorum.leaderEndpoint", "Leader's endpoint"),
        V("quorum.leaderEpoch", "Leader epoch", F.COUNT),
        V("quorum.highWatermark", "High watermark", F.COUNT),
        V("quorum.logEndOffset", "Log end offset of this node", F.COUNT),
        V("quorum.lastAppliedOffset", "Last applied offset of this node", F.COUNT),
        V("quorum.logStartOffset", "Log start offset of this node", F.COUNT),
        V("quorum.metadataVersionLevel", "metadata.version", F.COUNT),
        V("quorum.kraftVersion", "kraft.version", F.COUNT),
    )),
    ShownFacts("This node", (
        V("node.nodeId", "Node id", F.ID),
        V("node.roles", "Roles", F.LIST),
        V("node.raftRole", "Role in the quorum", F.WORD),
        V("node.brokerState", "State of the broker", F.WORD, "no broker"),
        V("node.notReadyBecause", "Not ready because", F.TEXT, "ready"),
        V("node.kraftpyVersion", "Version"),
    )),
    ShownTable("Voters and observers", "replicas", (
        V("nodeId", "Node", F.ID),
        V("replicaKind", "Kind", F.WORD),
        V("isLeader", "Leads", F.YES_NO),
        V("voteCounts", "Vote counts", F.YES_NO),
        V("logEndOffset", "Log end offset", F.COUNT),
        V("lag", "Lag in offsets", F.COUNT),
        V("lagMs", "Lag in time", F.DURATION),
        V("lastFetchAgeMs", "Last fetch ago", F.DURATION),
        V("endpoint", "Endpoint"),
        V("directoryId", "Directory id"),
    ), "No voter is known.", "Only the leader knows how far other replicas are, and which observers there are. Whether "
       "a vote counts, each node knows of itself."),
    ShownFacts("Partitions", (
        V("partitions.topicCount", "Topics", F.COUNT),
        V("partitions.partitionCount", "Partitions", F.COUNT),
        V("partitions.offlineCount", "Without a leader", F.COUNT),
        V("partitions.underMinIsrCount", "Below min.insync.replicas", F.COUNT),
        V("partitions.underReplicatedCount", "Under-replicated", F.COUNT),
    )),
    ShownTable("Partitions that need attention", "partitions.listed", (
        V("topic", "Topic"),
        V("partition", "Partition", F.ID),
        V("trouble", "What is wrong", F.WORD),
        V("leaderId", "Leader", F.ID, NONE),
        V("isr", "ISR", F.LIST),
        V("replicas", "Replicas", F.LIST),
        V("minIsr", "min.insync.replicas", F.COUNT),
    ), "No partition needs attention."),
    ShownFacts("Brokers", (
        V("brokers.listed.total", "Registered", F.COUNT),
        V("brokers.activeCount", "Active", F.COUNT),
        V("brokers.controlledShutdownCount", "In controlled shutdown", F.COUNT),
        V("brokers.fencedCount", "Fenced", F.COUNT),
    )),
    ShownTable("Registered brokers", "brokers.listed", (
        V("brokerId", "Broker", F.ID),
        V("brokerState", "State", F.WORD),
        V("lastHeartbeatAgeMs", "Last heartbeat ago", F.DURATION),
        V("rack", "Rack", F.TEXT, NONE),
        V("endpoint", "Endpoint", F.TEXT, NONE),
        V("brokerEpoch", "Broker epoch", F.COUNT),
    ), "No broker is registered.", "Heartbeats go to the active controller; no other node knows of them."),
    ShownTable("Recent elections", "elections", (
        V("knownTimestamp", "Time", F.TIME),
        V("leaderEpoch", "Leader epoch", F.COUNT),
        V("leaderId", "Leader", F.ID),
        V("durationMs", "Took", F.DURATION, "no candidate"),
        V("reason", "How this node learned of it"),
    ), "None since this node started.", "As this node saw them since it started. The time that an election took is "
       "known where this node was a candidate."),
    ShownTable("Recent administrative changes", "changes", (
        V("madeTimestamp", "Time", F.TIME),
        V("principal", "Principal"),
        V("request", "Request"),
        V("about", "About"),
        V("outcome", "Outcome"),
        V("offset", "Offset", F.COUNT, NONE),
        V("client", "Client"),
    ), "None since this node started.", "Those that this node decided as the active controller since it started; ask "
       "the leader for the newest."),
    ShownFacts("Disk", (
        V("disk.logBytes", "Metadata log", F.BYTES),
        V("disk.snapshotEndOffset", "End of the newest snapshot", F.COUNT, NONE),
        V("disk.snapshotTimestamp", "Last snapshot made", F.TIME, "none since this node started"),
        V("disk.snapshotBytes", "Its size", F.BYTES),
        V("disk.bytesSinceSnapshot", "Log since a snapshot", F.BYTES),
    )),
    ShownTable("Directories", "disk.directories", (
        V("directory", "Directory"),
        V("freeBytes", "Free", F.BYTES),
        V("totalBytes", "Size of the disk", F.BYTES),
        V("directoryState", "State", F.WORD, "-"),
    ), "No directory is known."),
)  # fmt: skip
