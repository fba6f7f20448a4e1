"""The two wires: Kafka's protocol between nodes (``kafka``), gRPC for everybody else (``grpc``). They only translate.

What this room is for: bytes on sockets to values of the pure rooms, and back. What it may not know: what the values
lead to. It decides nothing, repeats nothing and keeps nothing but what is under way on a connection.

Reading order: ``identity`` (nodes are who they are); ``kafka.framing``, ``kafka.translate``, ``kafka.connection``,
``kafka.apis``, ``kafka.listener``, ``kafka.channel``; ``grpc.backend`` (the port to the node), ``grpc.errors``,
``grpc.writes`` and ``grpc.reads``, ``grpc.services``, ``grpc.server``; ``request_errors`` for what
nobody expected; ``limits`` for what is told of limits.

Invariants of the room: every request sent has exactly one fate; answers on a connection leave in the order of their
requests; what a peer sends can end its own connection and nothing else; every queue is bounded, and a full one stops
the reading that fills it; a watcher gets each offset once and in order.

Why two: D3 of the design, with the measurements.
"""
