"""The command line: one command, ``kraftpy``, with groups named as Kafka's tools are.

Purpose: to turn a command line into calls of the packages below, and their results into text or JSON.
Must not depend on: rules of its own. A decision that a second caller would need is in another package.

Reading order: ``start`` (Ctrl-C until a command begins), ``root`` (the table of commands, loaded only when they are
called), ``exit_codes``, ``errors`` (which failure ends with which code and one line), ``output`` and ``yaml_text`` (the
one place that renders), ``json_fields``, ``json_outputs`` and ``json_schema`` (the names in JSON, of each command, and
their schemas), ``times_text`` (times in text),
``suggestions`` (what a misspelt word may mean), ``options`` and ``overrides`` (options that several commands
share), ``dry_run`` (how a refused dry run ends), ``confirmation`` (what is asked before a change), ``examples`` (in the
help of each command), ``waiting`` (what a command waits for), ``termination`` (SIGTERM where it ends a command as
Ctrl-C does); then one module per command or group.

Beside the commands: ``cluster_port``, ``connection``, ``grpc_port`` and ``kafka_port`` (calls of a running cluster);
``doctor_reading``, ``node_probes`` and ``bundle_files`` (what ``doctor`` and ``support-bundle`` read);
``cluster_stop``, ``cluster_ok_to_stop``, ``quickstart_kafka``, ``quorum_members``, ``storage_format``,
``storage_info``, ``inspect_state``, ``inspect_beside``, ``dump_walk``, ``partition_file``, ``migration_file``,
``migration_survey``, ``roll_file``, ``roll_run``, ``restart_command``, ``reassignments``, ``quota_configs``,
``shell_tree``, ``shell_commands`` and ``audit_options`` (parts of longer commands); ``audit_text``, ``cluster_text``,
``doctor_text``, ``dump_text``, ``feature_text``, ``inspect_text``, ``quorum_text``, ``scram_text``, ``topic_text``,
``version_text`` and ``quickstart_view`` (what a command prints).

Invariants:

* ``kraftpy --help`` imports neither grpc nor protobuf nor any command.
* A user's mistake is one line on stderr, never a traceback.
* Every command that prints takes ``--output table|json|jsonl|yaml``, except ``metadata-shell``, which prints what
  Kafka's shell does, and ``completion``, which prints scripts.

Source: Kafka's ``kafka-storage``, ``kafka-metadata-quorum``, ``kafka-features``, ``kafka-cluster``, ``kafka-dump-log``.
"""

from __future__ import annotations

import os


def main() -> None:
    """Run the command line of this process, and exit with a documented exit code."""
    # gRPC's C library writes lines of its own to stderr at each failed handshake, which any client may cause.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    # The system's resolver: gRPC's own asks DNS even for what is in /etc/hosts, and waits for it where nothing answers.
    os.environ.setdefault("GRPC_DNS_RESOLVER", "native")
    from kraftpy.cli.start import interruptible_start

    interruptible_start()
    from kraftpy.cli.root import cli

    cli(prog_name="kraftpy")
