"""Version 1 of the public API; generated from ``proto/kraftpy/v1``."""
