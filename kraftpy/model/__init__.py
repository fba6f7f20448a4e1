"""The nouns of the metadata quorum: values that every other room may use.

What this room is for: positions in the log, epochs, replica keys, voter sets, error codes, feature levels and the
exception tree. What it may not know: bytes, files, sockets, clocks, tasks. It imports nothing of kraftpy.

Reading order: ``offsets``, ``ids``, ``voters``, ``identity``, ``election``, ``registrations``, ``digests``,
``replica_status``, ``consistency``, ``resource_types``, ``jitter``; ``errors``, ``invariant``; ``features`` and
``feature_registry``; ``decimal_text``, ``log_rate_limiter``.

Invariants of the room: every value is immutable, compares by value, and sorts the way Kafka sorts it (a position by
epoch first, then by offset).
"""
