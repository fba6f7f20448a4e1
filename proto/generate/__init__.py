"""The generators: from the schemas beside this package to the code that is committed below ``kraftpy``.

``python -m proto.generate`` writes all of it, and ``--check`` only compares, which ``make lint`` does. Nothing here is
part of the wheel.

Reading order: ``__main__`` (what is written where); ``levels`` and ``kafka_json`` (reading ``proto/kafka``); ``codecs``
with ``render``, ``render_decode`` and ``render_encode``, and ``schemas`` (Kafka's messages in Python);
``grpc_messages`` (the public API); ``api_page`` with ``api_client`` and ``api_messages``, and ``records_page`` (the
pages of both in ``docs``).
"""
