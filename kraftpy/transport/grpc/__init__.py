"""The public API on gRPC; ``proto/kraftpy/v1`` is its reference.

``writes`` with ``topic_writes``, ``partition_writes``, ``account_writes``, ``acl_writes``, ``token_writes`` and
``broker_writes``, and ``reads`` with ``topic_reads``, ``reassignment_reads``, ``config_reads``, ``account_reads``,
``acl_reads``, ``host_reads`` and ``token_reads``, translate (``transport.node_api`` is the port to the node).
``listed_reads`` is the table of reads that list in pages: ``pages`` bounds a page and makes its token, ``orders`` keeps
the keys of the lists in order (``key_order``). ``elements`` limits the number of elements in a message before that,
``errors`` converts errors to statuses, ``identity`` returns the caller's principal, ``sasl_sessions`` keeps the
sessions of callers that SASL authenticated, ``permissions`` is what each read needs, ``unary_calls`` bounds calls in
flight and their bytes, ``forwarding`` sends calls to the leader and does those that others send, ``tracing`` makes
spans, ``services`` holds one small class per service, ``credentials`` makes TLS credentials, ``server`` serves the
services on a port with health and reflection, ``methods`` builds handlers from descriptors. ``proto/generate`` makes
``kraftpy.pb``.
"""
