"""Installed beside kraftpy, not in it: modules that PySpark finds by their names."""
