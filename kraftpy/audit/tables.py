"""The relational tables of the state and its history: every column, who fills it, and nothing that is an array.

Reading fills files, batches, records and properties (``reading.columns``); the tables here are filled by two others.
*Planning* is a cheap pass over the few records that concern everything: transactions, feature levels, control records.
*Replay* makes the state, shard by shard. Both engines load all of them under the same names, so that one SQL text asks
either.

What holds everywhere: ``cluster``, ``node`` and ``file`` are as reading says. ``log_offset`` is the witness: the record
that made the row what it is (in a snapshot: its offset in the file). Uuids are Kafka's 22 characters, times are
milliseconds since 1970, -1 is Kafka's "none". State stands in the tables once for each cluster, as its most advanced
node has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from kraftpy.audit.reading.columns import Column, Columns, Kind

Row: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """One table.

    Attributes:
        maker: which step fills it: ``planning`` or ``replay``.
        about: what one row stands for.
    """

    name: str
    maker: str
    about: str
    columns: Columns


_LETTERS: Final[dict[str, Kind]] = {"l": "long", "i": "int", "d": "double", "b": "bool", "s": "string"}

_TEXT: Final = """
planning states: how a node's state comes about: from which snapshot (file), over which offsets of the log
  start_offset:l until_offset:l is_primary:b sound_end:l
planning snapshots: a snapshot file, whole or not
  end_offset:l epoch:i has_header:b has_footer:b
planning transactions: a metadata transaction; outcome is committed, aborted or open; problem names a broken bracket
  begin_offset:l end_offset:l name outcome problem log_offset:l
planning leader_changes: an election; both lists of voters ascending, apart by commas, null where no record names them
  log_offset:l epoch:i timestamp_ms:l leader_id:i voters voters_in_force
planning voters: a member of the voter set in force; static voters stand in no record
  voter_id:i directory_id host port:i kraft_version:i log_offset:l

replay record_problems: a record that cannot be what it claims: malformed, unknown, illegal, refused ...
  kind log_offset:l type version:i level:i problem detail
replay snapshot_differences: an entity of which a snapshot and the replayed log say different things
  end_offset:l entity_kind entity in_snapshot in_log log_offset:l
replay epoch_steps: a partition whose epochs are stated again
  kind log_offset:l topic_id topic partition:i leader_epoch:i previous_leader_epoch:i partition_epoch:i
  previous_partition_epoch:i
replay growth: what one entity added to the log in one hour
  hour_ms:l type entity_kind entity principal record_count:l value_bytes:l
replay cluster_ids: a value that a ClusterIdRecord gave, with the first record that did
  cluster_id log_offset:l
replay features: a finalized feature level
  name level:i log_offset:l
replay brokers: a registered broker
  broker_id:i broker_epoch:l incarnation_id rack fenced:b in_controlled_shutdown:b supported_features:i log_offset:l
replay broker_endpoints: a listener of a registered broker
  broker_id:i listener host port:i security_protocol:i log_offset:l
replay broker_log_dirs: a log directory of a registered broker; one that its list has dropped since is not online
  broker_id:i directory_id online:b cordoned:b saturated:b log_offset:l
replay broker_history: a broker that came or went; previous_epoch is that of its registration before
  broker_id:i event broker_epoch:l previous_epoch:l log_offset:l
replay controllers: a registered controller
  controller_id:i incarnation_id log_offset:l
replay broker_hosts: a host and the broker id that it is to have (KIP-426)
  host broker_id:i log_offset:l
replay topics: a topic
  topic_id topic partitions:i log_offset:l
replay topic_history: a topic that came or went
  topic_id topic event log_offset:l
replay partitions: a partition; replicas, isr, adding and removing are counts
  topic_id topic partition:i leader:i leader_epoch:i partition_epoch:i leader_recovery_state:i preferred_leader:i
  replicas:i isr:i adding:i removing:i log_offset:l
replay partition_replicas: a broker that a partition names; position is -1 when it is not one of the replicas
  topic_id topic partition:i position:i broker_id:i in_replicas:b in_isr:b in_elr:b in_last_known_elr:b adding:b
  removing:b leads:b directory_id log_offset:l
replay configs: a dynamic config value; secret ones are redacted
  resource_type resource_name name value is_secret:b log_offset:l
replay quotas: a limit of a quota entity; "<default>" stands for the default user, client id or address
  entity user_name client_id ip name value:d log_offset:l
replay acls: an access control entry
  acl_id resource_type resource_name pattern_type principal host operation permission log_offset:l
replay scram_users: a SCRAM credential without its secrets
  user_name mechanism iterations:i log_offset:l
replay delegation_tokens: a delegation token
  token_id owner requester expiration_ms:l log_offset:l
replay producer_ids: a block of producer ids given out; previous is what the block before it left
  next_producer_id:l previous:l log_offset:l
replay entities: every entity of the state, whole: value is JSON, secrets redacted; for diffs
  entity_kind entity value log_offset:l
"""
"""A table per entry: maker, name, what a row is, then its columns after ``cluster node file``.

``:l`` is a 64-bit integer, ``:i`` a 32-bit one, ``:d`` a float, ``:b`` a boolean; the rest is text.
"""


def _parse(text: str) -> dict[str, Table]:
    tables: dict[str, Table] = {}
    for line in text.replace("\n  ", " | ").splitlines():
        if not line.strip():
            continue
        head, *rest = line.split(" | ")
        maker_and_name, _, about = head.partition(": ")
        maker, name = maker_and_name.split()
        words = f"cluster node file {' '.join(rest)}".split()
        tables[name] = Table(name, maker, about, tuple(_column(word) for word in words))
    return tables


def _column(word: str) -> Column:
    name, _, letter = word.partition(":")
    return Column(name, _LETTERS[letter or "s"], "", nullable=True)


TABLES: Final[dict[str, Table]] = _parse(_TEXT)
"""Every table that planning and replay fill, by its name."""
