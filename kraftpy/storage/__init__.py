"""Store the metadata log and the small files next to it; blocking calls with explicit fsync.

Purpose: segments, snapshots, ``quorum-state``, ``meta.properties``, recovery, locks and formatting, in Kafka's file
formats and under Kafka's file names. Must not depend on: asyncio, gRPC, clocks, the leader, or the meaning of records
(only bootstrap files and control records are decoded). Time is passed in as ``now_ms``, randomness as ``draw``.

Reading order: ``names`` and ``config`` (every name, every limit); ``filesystem`` (the port; every function takes it, so
crash tests run production code on a simulated disk that loses unsynced data), ``os_errors``, ``atomic_file``,
``durable_directory``; ``scan``, ``corruption``, ``recovery`` (which bytes a start accepts); ``index``, ``segment``,
``epochs``, ``tail_cache``, ``log`` (the open log of a running node), ``log_open`` (how it is opened); ``snapshots``,
``retention``; ``quorum_state``, ``recovery_point``, ``epoch_checkpoint``, ``partition_metadata``;
``checksummed_properties``, ``replica_status``, ``quarantine`` (how corruption is handled); ``directory`` (all of these
opened in order) and ``inspection`` (read without touching); ``meta_properties``, ``ensemble``, ``identity``,
``clean_shutdown``, ``reserve``, ``disk_probe``; ``bootstrap``, ``format``, ``initial_controllers``; ``locks``.

Invariants:

* Data acknowledged as durable is present after a crash at any step, or the start reports what is missing.
* A torn tail is truncated and reported. Corruption of acknowledged data is reported and never truncated: at most the
  whole log is quarantined, and the replica that re-replicates it is not counted until it has reached the acknowledged
  offset again.
* A failed fsync is final: nothing is retried, and the log rejects every later operation.
* A file with a final name is complete: small files and snapshots appear by a rename after their bytes are durable.
* A directory's own name is durable before anything in it is acknowledged.
* Only zeros follow the log's end; a truncation is durable before anything is appended.
* A step that removes several files removes them in an order that leaves no gap, each durably before the next.

Departures from Kafka: recovery checks that offsets are contiguous and epochs never decrease, and rejects corruption
(Kafka truncates at the first bad batch, whatever the cause); segments are zero-filled in advance; a segment is synced
before its successor exists; the metadata log has an entry in ``recovery-point-offset-checkpoint``; ``.lock`` is deleted
before it is unlocked.

Sources: on-disk formats, KIP-595, KIP-630, KIP-853, KIP-858, KIP-1262; Kafka ``KafkaMetadataLog``, ``LogLoader``,
``MetaPropertiesEnsemble``, ``Formatter``.
"""
