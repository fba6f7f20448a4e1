"""Generated codecs, one module per table; ``kraftpy.records.generate`` makes them, nobody edits them."""
