"""The public API on gRPC; ``proto/kraftpy/v1`` is its reference.

``backend`` is the port that the runtime implements. ``writes`` and ``reads`` translate, ``elements`` counts what a
message holds before that, ``errors`` refuses, ``identity`` says who calls, ``unary_calls`` bounds what calls hold,
``services`` holds one small class per service, ``server`` puts them on a port with health and reflection, ``methods``
makes handlers from descriptors, ``generate`` makes ``kraftpy.pb``.
"""
