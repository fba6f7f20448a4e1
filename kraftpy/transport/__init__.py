"""The two wire protocols: Kafka's between nodes (``kafka``) and gRPC for clients (``grpc``). They only translate.

Purpose: to convert bytes on sockets to values of the pure packages, and back.
Must not depend on: the effect of those values. This package makes no decisions, retries nothing, and keeps no state
beyond what is in flight on a connection.

Reading order: ``node_api`` (the port through which both wires reach the node), ``tls`` (PEM files), ``identity`` (the
node that a certificate names), ``authorization`` (what a caller may do), ``request_checks`` (both, and who asks for a
delegation token), ``change_kinds`` and ``administrative_changes`` (the log of who changed what), ``oauth_tokens`` (of
OAUTHBEARER), ``sasl`` (what both listeners authenticate peers with), ``client_quotas`` (who is charged for a request),
``work_meter`` (what a request took) and ``config_entries`` (where the value of a key comes from); ``kafka.framing``,
``kafka.translate``, ``kafka.connection``, ``kafka.apis``, ``kafka.listener``, ``kafka.channel``,
``kafka.controller_calls`` (a node's registrations and heartbeats); ``grpc.errors``, ``grpc.writes`` and ``grpc.reads``,
``grpc.credentials``, ``grpc.services``, ``grpc.server``; ``request_errors`` for unexpected errors; ``limits`` for how
limits are reported; ``protocol_names`` for errors about a port of another kind.

Invariants: every request that was sent has exactly one outcome; responses on a connection are sent in the order of
their requests; input from a peer can end that peer's connection and nothing else; every queue is bounded, and a full
queue stops the reads that fill it; a watcher receives each offset once and in order.

Why two protocols: decision D3 of the design, with the measurements.
"""
