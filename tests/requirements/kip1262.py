"""The requirements of KIP-1262 as sentences, with the code that meets each, and the table made of them.

``docs/kip-1262.md`` holds the table; ``test_kip1262_coverage.py`` checks that it is this one and that every requirement
has its tests. After a change, ``pytest tests/requirements/test_kip1262_coverage.py --rewrite`` writes it again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

NAME = re.compile(r"test_k1262_(\d\d)_\w+")


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement.

    Attributes:
        sentence: what has to be so.
        places: ``module:name`` of the code that sees to it.
    """

    sentence: str
    places: tuple[str, ...]


def _of(sentence: str, *places: str) -> Requirement:
    return Requirement(sentence, tuple(f"kraftpy.{place}" for place in places))


REQUIREMENTS: dict[int, Requirement] = {
    1: _of(
        "ClusterIdRecord has apiKey 29, version 0 and one field, a string: the id of an old cluster survives whatever "
        "it is made of.",
        "records.metadata:ClusterIdRecord",
        "storage.meta_properties:render_meta_properties",
    ),
    2: _of(
        "The record has a metadata.version of its own (40, 5.0-IV0); below it nothing writes the record and nothing "
        "accepts it.",
        "model.features:CLUSTER_ID_LEVEL",
        "records.metadata:encode_for_level",
        "image.delta:MetadataDelta.replay",
    ),
    3: _of(
        "Below the level the log has no cluster id, from the level on exactly one value; a second value is fatal to "
        "the replay, the same value again is not.",
        "image.cluster_id:ClusterIdDelta.replay_cluster_id",
        "image.image:check_cluster_id",
    ),
    4: _of(
        "All three ways to write a metadata.version write the cluster id with it: format, the first leader's bootstrap "
        "and the upgrade.",
        "storage.bootstrap:bootstrap_records",
        "controller.activation:activation_records",
        "controller.features:update_features",
    ),
    5: _of(
        "The upgrade across the level commits FeatureLevelRecord and ClusterIdRecord in one batch, with the id that "
        "this node's files hold.",
        "controller.features:update_features",
    ),
    6: _of(
        "The bootstrap write is a metadata transaction where the level has those, one atomic batch where not.",
        "controller.activation:activation_records",
    ),
    7: _of(
        "The first active controller draws a random uuid when its files hold no id, and takes theirs when they do.",
        "controller.activation:activation_records",
    ),
    8: _of(
        "`storage format` with --cluster-id writes a V2 file with it; without, a V2 file without it where the level "
        "has the record; without, at a lower level, it fails.",
        "storage.format:format_directories",
        "cli.storage_format:format_request",
    ),
    9: _of(
        "Formatted with an id at the level or above, bootstrap.checkpoint holds the ClusterIdRecord; formatted "
        "without, the record is made at activation.",
        "storage.bootstrap:bootstrap_records",
        "controller.activation:activation_records",
    ),
    10: _of(
        "A node starts unformatted: the default level and a generated ClusterIdRecord, in a static quorum, so "
        "controller.quorum.voters has to be set.",
        "node.startup:open_node",
        "controller.activation:activation_records",
        "config.node_config:parse_config",
    ),
    11: _of(
        "SCRAM credentials, other levels and a dynamic quorum still take a format; an unformatted start never has "
        "them.",
        "storage.format:format_directories",
        "node.startup:open_node",
    ),
    12: _of(
        "A broker or an observer controller without meta.properties writes V2 files with node.id and a fresh "
        "directory.id, and no cluster.id, whether the format was skipped or the disk lost.",
        "storage.identity:ensure_formatted",
        "node.startup:open_node",
    ),
    13: _of(
        "A voter of a static quorum without meta.properties does the same, says so in a warning, and refuses instead "
        "when metadata.auto.format.voter is false.",
        "node.startup:open_node",
    ),
    14: _of(
        "A V1 file is validated as before (cluster.id and node.id mandatory); a missing directory.id is added.",
        "storage.ensemble:MetaPropertiesEnsemble.verify",
        "storage.identity:ensure_formatted",
    ),
    15: _of(
        "A V2 file without cluster.id is legal and completed later; one with cluster.id is accepted and given to raft.",
        "storage.ensemble:MetaPropertiesEnsemble.verify",
        "node.startup:open_node",
    ),
    16: _of(
        "The id is set in memory only when every meta.properties holds it durably; a crash at any step between leaves "
        "a node that sees it or discovers it again.",
        "runtime.cluster_id:ClusterIdPublisher.on_metadata_update",
        "storage.identity:ClusterIdStore.persist",
    ),
    17: _of(
        "A publisher discovers the id and is the only writer of it, in files and in memory; when the files had it, it "
        "writes nothing.",
        "runtime.cluster_id:ClusterIdPublisher",
        "storage.identity:ClusterIdStore",
    ),
    18: _of(
        "Every log directory gets the id; one that cannot be written goes offline, and if it is the metadata directory "
        "the process stops.",
        "storage.identity:ClusterIdStore.persist",
        "node.cluster_identity:ClusterIdentity",
    ),
    19: _of(
        "Readers wait until the id is known; only the raft replica and the controller work with an unset one.",
        "runtime.cluster_id:ClusterIdPublisher.wait",
        "broker.lifecycle:BrokerLifecycle.cluster_id_known",
        "raft.replica:Replica.set_cluster_id",
    ),
    20: _of(
        "Raft refuses a request of another cluster with INCONSISTENT_CLUSTER_ID and changes nothing; it accepts one "
        "without an id from a sender that may not know it (not from a leader, nor from a candidate that lags), and a "
        "replica whose own id is unset accepts any.",
        "raft.requests:handle_request",
    ),
    21: _of(
        "A node that holds id X never learns Y: pointed at the wrong cluster it fetches nothing, keeps X, and a broker "
        "ends when its registration time is over.",
        "raft.requests:handle_request",
        "runtime.cluster_id:ClusterIdPublisher.on_metadata_update",
        "broker.lifecycle:BrokerLifecycle.tick",
    ),
    22: _of(
        "A node without an id adopts the one of the cluster it is pointed at and says so in a warning; "
        "cluster.id.expected refuses any other and writes nothing.",
        "runtime.cluster_id:ClusterIdPublisher.on_metadata_update",
        "node.cluster_identity:ClusterIdentity",
    ),
    23: _of(
        "All members of a quorum end with the same id; first voters with different ids cannot elect each other.",
        "raft.requests:handle_request",
        "runtime.cluster_id:ClusterIdPublisher",
    ),
    24: _of(
        "A broker's registration carries the cluster id, and a broker that has not discovered it waits before it "
        "registers.",
        "broker.lifecycle:BrokerLifecycle.cluster_id_known",
        "controller.registration:register_broker",
    ),
    25: _of(
        "A snapshot holds the ClusterIdRecord directly behind metadata.version; to write it at a lower level is a "
        "loss.",
        "image.writer:image_records",
        "image.cluster_id:ClusterIdImage.records",
    ),
    26: _of(
        "A downgrade below the level is refused, the unsafe kind too.",
        "controller.features:update_features",
    ),
    27: _of(
        "A controller whose files have no cluster.id at a level without the record does not start, and the text names "
        "the file and the way out.",
        "storage.ensemble:MetaPropertiesEnsemble.check_cluster_id_can_be_known",
        "controller.activation:activation_records",
    ),
    28: _of(
        "While the cluster is below the level, brokers have to be formatted with the cluster id: one without does not "
        "register and ends with a text that says why.",
        "broker.lifecycle:BrokerLifecycle.tick",
    ),
    29: _of(
        "The id is set once, by the first leader, and never changes: not by restarts, elections or upgrades.",
        "controller.activation:activation_records",
        "raft.replica:Replica.set_cluster_id",
        "image.cluster_id:ClusterIdDelta.replay_cluster_id",
    ),
    33: _of(
        "A node that lost its disk gets a new directory.id at its next start.",
        "storage.identity:ensure_formatted",
    ),
}
"""By number. 30, 31 and 32 are alternatives that the proposal rejected."""

BEGIN, END = "<!-- table -->", "<!-- end of table -->"


def requirement_of(test_name: str) -> int | None:
    """Return the number of the requirement that a test's name carries."""
    match = NAME.fullmatch(test_name)
    return None if match is None else int(match[1])


def render_table(tests: Mapping[int, Sequence[str]]) -> str:
    """Return the table in Markdown: number, sentence, code, tests."""
    rows = ["| Id | Requirement | Where | Tests |", "| --- | --- | --- | --- |"]
    for number, requirement in REQUIREMENTS.items():
        places = "<br>".join(f"`{place.removeprefix('kraftpy.')}`" for place in requirement.places)
        names = "<br>".join(f"`{name.removeprefix('test_k1262_')}`" for name in tests.get(number, ()))
        rows.append(f"| K1262-{number} | {requirement.sentence} | {places} | {names} |")
    return "\n".join(rows)
