"""The public API on gRPC; ``proto/kraftpy/v1`` is its reference.

``backend`` is the port that the runtime implements. ``writes`` and ``reads`` translate, ``elements`` limits the number
of elements in a message before that, ``errors`` converts errors to statuses, ``identity`` returns the caller's
principal, ``unary_calls`` bounds calls in flight and their bytes, ``services`` holds one small class per service,
``server`` serves them on a port with health and reflection, ``methods`` builds handlers from
descriptors. ``proto/generate`` makes ``kraftpy.pb``.
"""
