"""Compaction: one node's log and snapshots to one new snapshot that Kafka loads.

What it is for: the state before an offset, replayed by the auditor's own code, written in Kafka's order with header and
footer, under Kafka's name. What it may not know: the service's image. What it refuses, each with a reason and a way
out: a damaged log before that offset, records that replay cannot take (unknown ones among them: a snapshot without
them would lose them), an offset inside a batch or a transaction, a file that is there already.

Reading order: ``target`` (whose state, up to where, and what stands against it), ``entities`` (values of the state as
records, and their order), ``writing`` (the file, durable or absent), ``run`` (one process or Spark).

The log's end on one node may lie beyond what a majority has: nothing in the files says what is committed. Whoever
compacts a stopped quorum's log should name an offset that a majority's logs have, or give all nodes' directories and
look at ``kraftpy audit`` first.

Source: ``on-disk formats`` §7; KIP-630; KIP-853.
"""
