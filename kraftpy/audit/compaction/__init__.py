"""Compaction: one node's log and snapshots to one new snapshot that Kafka loads.

Purpose: write the state before an offset, replayed by the auditor's own code, in Kafka's order with header and footer,
under Kafka's name. It must not depend on the service's image. It rejects, each with a reason and a way out: a corrupt
log before that offset, records that replay cannot apply (also unknown ones, because a snapshot without them would lose
them), an offset inside a batch or a transaction, and an existing file.

Reading order: ``target`` (the node, the offset, and the checks), ``entities`` (values of the state as records, and
their order), ``replayed`` (records of a snapshot from those of the log), ``writing`` (the file, durable or absent),
``run`` (the steps, in one process), ``in_spark`` (the same in tasks of Spark).

The end of a node's log may be beyond what a majority has: no file contains what is committed. To compact a stopped
quorum's log, name an offset that a majority's logs have, or give all nodes' directories and run ``kraftpy audit``
first.

Source: ``on-disk formats`` §7; KIP-630; KIP-853.
"""
