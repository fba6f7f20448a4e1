"""Bytes to values and back: the content of Kafka's files and frames.

Here are record batches, control records, metadata records, snapshot files, Kafka's requests and responses, and the
small text files (properties, quorum-state, leader-epoch-checkpoint, partition.metadata). Files, sockets, clocks and the
meaning of a record are not: functions take ``bytes`` and ``str`` and return values, or the other way round.

Reading order: ``schema`` (what a message looks like in each version), ``codec`` and ``decode_errors`` (what generated
code calls), ``generated`` (written by proto.generate); then ``varint``, ``crc``, ``control``, ``batch``, ``metadata``,
``authors``, ``metadata_changes``, ``file_names``, ``snapshot``, ``state_digest``; ``rpc``; ``json_text``,
``redaction``; ``properties``, ``quorum_state``, ``checkpoints``.

Invariants: what a real Kafka wrote is read and written identically. Malformed input ends in a ``MalformedError`` that
names message, field and offset, and in nothing else. Nothing is allocated for a count or a length before it is compared
with the bytes that are left. A record that is not known is kept byte for byte.

Sources: Kafka's message and record formats; KIP-482, KIP-595, KIP-630, KIP-853, KIP-1262.
"""
