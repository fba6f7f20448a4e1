"""Generated codecs, one module per family of messages; made by ``python -m proto.generate``, not edited."""
