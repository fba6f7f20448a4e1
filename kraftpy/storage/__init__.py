"""The disk: the metadata log and the small files around it, blocking and honest about fsync.

What this room is for: segments, snapshots, ``quorum-state``, ``meta.properties``, recovery, locks, formatting; in
Kafka's bytes and under Kafka's names. What it may not know: asyncio, gRPC, clocks, who leads, what the records mean
(only bootstrap files and control records are looked into). Time comes in as ``now_ms``, randomness as ``draw``.

Reading order: ``names`` and ``config`` (every name, every limit); ``filesystem`` (the port; every function takes it, so
crash tests run production code on a disk that forgets), ``os_errors``, ``atomic_file``, ``durable_directory``;
``scan``, ``corruption``, ``recovery`` (what a start believes); ``index``, ``segment``, ``epochs``, ``tail_cache``,
``log`` (what a running node does), ``log_open`` (how it comes to one); ``snapshots``, ``retention``; ``quorum_state``,
``recovery_point``, ``epoch_checkpoint``, ``partition_metadata``; ``checksummed_properties``, ``replica_status``,
``quarantine`` (corruption, and what becomes of it); ``directory`` (all of these opened in order) and ``inspection``
(read without touching); ``meta_properties``, ``ensemble``, ``identity``, ``clean_shutdown``; ``bootstrap``, ``format``,
``initial_controllers``; ``locks``.

Invariants of the room:

* What was acknowledged as durable is there after a crash at any step, or the start says what is missing.
* A torn tail is cut and reported; damage in what was promised is reported and never cut: at most it is set aside,
  whole, and what is fetched in its place does not count before it is level with what was promised.
* A failed fsync is final: nothing is retried, the log refuses everything after it.
* A file with a final name is whole: small files and snapshots appear by a rename after their bytes are durable.
* A directory's own name is durable before anything in it is promised.
* Nothing but zeros stands behind the log's end; a truncation is durable before anything is appended.
* A step that removes several files removes them in an order that leaves no hole, each durably before the next.

Departures from Kafka: recovery checks that offsets follow on and epochs never fall, and refuses damage (Kafka cuts at
the first bad batch, whatever it is); segments are zero-filled ahead; a segment is synced before its successor exists;
the metadata log has an entry in ``recovery-point-offset-checkpoint``; ``.lock`` is deleted before it is unlocked.

Sources: on-disk formats, KIP-595, KIP-630, KIP-853, KIP-858, KIP-1262; Kafka ``KafkaMetadataLog``, ``LogLoader``,
``MetaPropertiesEnsemble``, ``Formatter``.
"""
