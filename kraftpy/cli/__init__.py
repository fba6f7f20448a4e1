"""One command, ``kraftpy``, with groups named as Kafka's tools are.

What this room is for: to turn words on a command line into calls of the rooms below, and their answers into text or
JSON. What it may not do: decide anything. A rule that a second caller would need stands in another room.

Reading order: ``root`` (the table of commands, loaded only when they are called), ``exit_codes``, ``errors`` (which
failure ends with which code and one line), ``output`` (the one place that renders), ``options`` (flags that several
commands share); then one module per command or group. Beside them stand ``cluster_port``, ``connection`` and
``grpc_port`` (how a running cluster is asked), ``quorum_members``, ``storage_format``, ``storage_info``,
``inspect_state``, ``inspect_beside``, ``dump_walk`` and ``audit_options`` (what became too long for one module), and
what a command prints (``audit_text``, ``cluster_text``, ``dump_text``, ``feature_text``, ``inspect_text``,
``quorum_text``, ``scram_text``, ``quickstart_view``).

Invariants of the room: ``kraftpy --help`` imports neither grpc nor protobuf nor any command; a user's mistake is one
line on stderr, never a traceback; every command that prints knows ``--output table|json|jsonl``.

Source: Kafka's ``kafka-storage``, ``kafka-metadata-quorum``, ``kafka-features``, ``kafka-cluster``, ``kafka-dump-log``.
"""

from __future__ import annotations

import os


def main() -> None:
    """Run the command line of this process; it ends the process with a documented exit code."""
    # gRPC's C library writes lines of its own to stderr at each failed handshake, which any stranger may cause.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    from kraftpy.cli.root import cli

    cli(prog_name="kraftpy")
