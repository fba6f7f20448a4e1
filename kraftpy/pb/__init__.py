"""The public API's messages, generated from ``proto/``; never edited by hand.

``python -m proto.generate`` writes this package, and a test compares it with the .proto files, whose
comments are the API's reference. Only the two wires use it: ``kraftpy.transport`` and ``kraftpy.client``.
"""
