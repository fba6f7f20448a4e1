"""Bytes to values and back: everything that stands in Kafka's files and frames.

What this room is for: record batches, control records, metadata records, snapshot files, Kafka's requests and
responses, and the small text files (properties, quorum-state, leader-epoch-checkpoint, partition.metadata). What it may
not know: files, sockets, clocks, the meaning of a record. It takes ``bytes`` and ``str`` and gives values, or the other
way round.

Reading order: ``schema`` (the notation of ``tables``), ``codec`` and ``decode_errors`` (what generated code stands on),
``generate`` with ``render``, ``render_encode`` and ``render_decode`` (how it comes about), ``generated``; then
``varint``, ``crc``, ``control``, ``batch``, ``metadata``, ``file_names``, ``snapshot``, ``state_digest``; ``rpc``;
``json_text``, ``redaction``; ``properties``, ``quorum_state``, ``checkpoints``.

Invariants of the room: what a real Kafka wrote is read and written identically; crooked input ends in a
``MalformedError`` that names message, field and offset, and in nothing else; nothing is allocated for a count or a
length before it is compared with the bytes that are left; a record that is not known is kept byte for byte.

Sources: Kafka's message and record formats; KIP-482, KIP-595, KIP-630, KIP-853, KIP-1262.
"""
