"""The codecs of ``kraftpy.records.generated.rpc``, a module for each message."""
