"""Trogdor, the program with which Kafka's system tests load a cluster: its jars, and one task run by one agent.

``tasks.py`` has all of it; it may depend on the processes and jars of ``tests.interop`` alone.
"""
