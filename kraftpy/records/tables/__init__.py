"""The facts that the codecs are generated from: one text table per family of messages."""
