"""The value types of the metadata quorum, which every other package may use.

Purpose: positions in the log, epochs, replica keys, voter sets, error codes, feature levels and the exception tree.
Must not depend on: bytes, files, sockets, clocks, tasks. It imports nothing from kraftpy.

Reading order: ``offsets``, ``ids``, ``voters``, ``identity``, ``election``, ``registrations``, ``digests``,
``replica_status``, ``consistency``, ``resource_types``, ``config_sources``, ``acls``, ``cidr``, ``jitter``;
``errors``, ``invariant``; ``features`` and ``feature_registry``; ``decimal_text``, ``iso_time``, ``escaping``,
``log_rate_limiter``.

Invariants: every value is immutable, compares by value, and sorts the way Kafka sorts it (a position by epoch first,
then by offset).
"""
