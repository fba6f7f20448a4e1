"""The relational tables of the state and its history: every column, and which step fills it. No column is an array.

Reading fills files, batches, records and properties (``reading.columns``). The tables here are filled by two other
steps. *Planning* is a cheap pass over the few records that concern everything: transactions, feature levels, control
records. *Replay* makes the state, shard by shard. Both engines load all tables under the same names, so that the same
SQL runs on both.

In all tables, ``cluster``, ``node`` and ``file`` are as in reading. ``log_offset`` is the evidence: the record that
caused the row (in a snapshot: its offset in the file). Uuids are Kafka's 22 characters, times are milliseconds since
1970, -1 is Kafka's "none". The state of a cluster is in the tables once, as its most advanced node has it.
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
        about: the meaning of one row.
    """

    name: str
    maker: str
    about: str
    columns: Columns


_LETTERS: Final[dict[str, Kind]] = {"l": "long", "i": "int", "d": "double", "b": "bool", "s": "string"}

_TEXT: Final = """
planning states: the source of a node's state: the snapshot (file) and the offsets of the log
  start_offset:l until_offset:l is_primary:b sound_end:l
planning snapshots: a snapshot file, complete or not
  end_offset:l epoch:i has_header:b has_footer:b
planning transactions: a metadata transaction; outcome is committed, aborted or open; problem is set for a broken one
  begin_offset:l end_offset:l name outcome problem log_offset:l
planning leader_changes: an election; both lists of voters ascending, separated by commas, null without a record
  log_offset:l epoch:i timestamp_ms:l leader_id:i voters voters_in_force
planning voters: a member of the voter set in force; static voters are in no record
  voter_id:i directory_id host port:i kraft_version:i log_offset:l

replay record_problems: a record that is malformed, unknown, illegal, refused ...
  kind log_offset:l type version:i level:i problem detail
replay snapshot_differences: an entity that differs between a snapshot and the replayed log
  end_offset:l entity_kind entity in_snapshot in_log log_offset:l
replay epoch_steps: a partition that was defined again, with its epochs
  kind log_offset:l topic_id topic partition:i leader_epoch:i previous_leader_epoch:i partition_epoch:i
  previous_partition_epoch:i
replay growth: what one entity added to the log in one hour
  hour_ms:l type entity_kind entity principal record_count:l value_bytes:l
replay cluster_ids: a value of a ClusterIdRecord, with the first record that has it
  cluster_id log_offset:l
replay features: a finalized feature level
  name level:i log_offset:l
replay brokers: a registered broker
  broker_id:i broker_epoch:l incarnation_id rack fenced:b in_controlled_shutdown:b supported_features:i log_offset:l
replay broker_endpoints: a listener of a registered broker
  broker_id:i listener host port:i security_protocol:i log_offset:l
replay broker_log_dirs: a log directory of a registered broker; not online if its list no longer has it
  broker_id:i directory_id online:b cordoned:b saturated:b log_offset:l
replay broker_history: a broker that came or went; previous_epoch is that of its preceding registration
  broker_id:i event broker_epoch:l previous_epoch:l log_offset:l
replay controllers: a registered controller
  controller_id:i incarnation_id log_offset:l
replay broker_hosts: a host and the broker id assigned to it (KIP-426)
  host broker_id:i log_offset:l
replay topics: a topic
  topic_id topic partitions:i log_offset:l
replay topic_history: a topic that was created or removed
  topic_id topic event log_offset:l
replay partitions: a partition; replicas, isr, adding and removing are counts
  topic_id topic partition:i leader:i leader_epoch:i partition_epoch:i leader_recovery_state:i preferred_leader:i
  replicas:i isr:i adding:i removing:i log_offset:l
replay partition_replicas: a broker in a partition's lists; position is -1 if it is not a replica
  topic_id topic partition:i position:i broker_id:i in_replicas:b in_isr:b in_elr:b in_last_known_elr:b adding:b
  removing:b leads:b directory_id log_offset:l
replay configs: a dynamic config value; secret ones are redacted
  resource_type resource_name name value is_secret:b log_offset:l
replay quotas: a limit of a quota entity; "<default>" is the default user, client id or address
  entity user_name client_id ip name value:d log_offset:l
replay acls: an access control entry
  acl_id resource_type resource_name pattern_type principal host operation permission log_offset:l
replay scram_users: a SCRAM credential without its secrets
  user_name mechanism iterations:i log_offset:l
replay delegation_tokens: a delegation token
  token_id owner requester expiration_ms:l log_offset:l
replay producer_ids: an assigned block of producer ids; previous is the next id after the preceding block
  next_producer_id:l previous:l log_offset:l
replay entities: every entity of the state: value is JSON, secrets redacted; for diffs
  entity_kind entity value log_offset:l
"""
"""A table per paragraph: the step, the name, the meaning of a row, then the columns after ``cluster node file``.

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
