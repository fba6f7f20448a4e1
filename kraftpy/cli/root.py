"""The root command: a table of lazily loaded commands, and the one place where failures become exit codes.

A command's module is imported when the command is called, never for ``kraftpy --help``: the short texts shown there
are in the table. That keeps the help instant although some commands need grpc, and keeps one broken module from
breaking the others.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from kraftpy.cli.errors import report
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import OUTPUT_CHOICE
from kraftpy.cli.output import Output
from kraftpy.cli.start import command_begins
from kraftpy.cli.suggestions import CommandGroup, as_in_etcd

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


@dataclass(frozen=True, slots=True)
class LazyCommand:
    """Where a command is defined, and its line in the list of commands."""

    section: str
    target: str
    text: str

    def load(self) -> click.Command:
        """Import the module and return the command."""
        module, _, attribute = self.target.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command), self.target
        return command


RUN, OFFLINE, ONLINE = "Run a node", "Inspect files", "Use a running cluster"
RESCUE = "Recover from disasters"
MEASURE = "Measure a checkout"
SHELL = "Use the command line"

COMMANDS: dict[str, LazyCommand] = {
    "quickstart": LazyCommand(RUN, "kraftpy.cli.quickstart:quickstart", "Start a small cluster on this machine."),
    "server": LazyCommand(RUN, "kraftpy.cli.run:server", "Run a node with the roles its configuration names."),
    "controller": LazyCommand(RUN, "kraftpy.cli.run:controller", "Run a controller."),
    "broker": LazyCommand(RUN, "kraftpy.cli.run:broker", "Run a broker."),
    "storage": LazyCommand(OFFLINE, "kraftpy.cli.storage:storage", "Format directories and describe them."),
    "config": LazyCommand(
        OFFLINE, "kraftpy.cli.config_files:config", "Write and check the configuration files of nodes."
    ),
    "inspect": LazyCommand(OFFLINE, "kraftpy.cli.inspect_dir:inspect_dir", "Describe a metadata directory offline."),
    "dump-log": LazyCommand(OFFLINE, "kraftpy.cli.dump_log:dump_log", "Print segments and snapshots."),
    "audit": LazyCommand(OFFLINE, "kraftpy.cli.audit:audit", "Check logs and snapshots by rules."),
    "diff": LazyCommand(OFFLINE, "kraftpy.cli.diff:diff", "Show the difference of two states."),
    "compact": LazyCommand(OFFLINE, "kraftpy.cli.compact:compact", "Write a snapshot of a log's state."),
    "history": LazyCommand(OFFLINE, "kraftpy.cli.history:history", "Show the history of a topic, broker or config."),
    "metadata-quorum": LazyCommand(ONLINE, "kraftpy.cli.metadata_quorum:metadata_quorum", "Describe the quorum."),
    "features": LazyCommand(ONLINE, "kraftpy.cli.features:features", "Describe and change feature levels."),
    "cluster": LazyCommand(
        ONLINE, "kraftpy.cli.cluster:cluster", "Describe, stop and start a cluster; unregister nodes."
    ),
    "doctor": LazyCommand(ONLINE, "kraftpy.cli.doctor:doctor", "Check a running cluster by named checks."),
    "support-bundle": LazyCommand(
        ONLINE, "kraftpy.cli.support_bundle:support_bundle", "Write what support needs to one file, without secrets."
    ),
    "configs": LazyCommand(ONLINE, "kraftpy.cli.configs:configs", "Describe and alter dynamic configuration."),
    "topics": LazyCommand(ONLINE, "kraftpy.cli.topics:topics", "Create, delete, alter, describe and list topics."),
    "leader-election": LazyCommand(
        ONLINE, "kraftpy.cli.leader_election:leader_election", "Elect leaders of partitions."
    ),
    "reassign-partitions": LazyCommand(
        ONLINE, "kraftpy.cli.reassign_partitions:reassign_partitions", "Move replicas of partitions."
    ),
    "reassign": LazyCommand(
        ONLINE, "kraftpy.cli.reassign:reassign", "Plan, apply, follow and cancel reassignments of partitions."
    ),
    "acls": LazyCommand(ONLINE, "kraftpy.cli.acls:acls", "Add, remove and list access control entries."),
    "broker-ids": LazyCommand(ONLINE, "kraftpy.cli.broker_ids:broker_ids", "List and change broker ids of hosts."),
    "delegation-tokens": LazyCommand(
        ONLINE, "kraftpy.cli.delegation_tokens:delegation_tokens", "Create, renew, expire and list delegation tokens."
    ),
    "metadata-shell": LazyCommand(
        OFFLINE, "kraftpy.cli.metadata_shell:metadata_shell", "Walk through a state as through a file system."
    ),
    "log-dirs": LazyCommand(ONLINE, "kraftpy.cli.log_dirs:log_dirs", "Describe the log directories of brokers."),
    "watch": LazyCommand(ONLINE, "kraftpy.cli.watch:watch", "Print committed records as a stream."),
    "observe": LazyCommand(ONLINE, "kraftpy.cli.observe:observe", "Copy the log of a quorum, also of Kafka's."),
    "migrate": LazyCommand(
        ONLINE, "kraftpy.cli.migrate:migrate", "Replace the controllers of a running cluster, also Kafka's."
    ),
    "roll": LazyCommand(ONLINE, "kraftpy.cli.roll:roll", "Restart the nodes of a cluster one at a time."),
    "recover": LazyCommand(RESCUE, "kraftpy.cli.recover:recover", "Start again after a majority was lost."),
    "backup": LazyCommand(RESCUE, "kraftpy.cli.backup:backup_command", "Write a node's metadata log to one file."),
    "restore": LazyCommand(RESCUE, "kraftpy.cli.backup:restore_command", "Start a cluster from a backup."),
    "repair": LazyCommand(RESCUE, "kraftpy.cli.repair:repair", "Replace a record that cannot be replayed."),
    "bench": LazyCommand(MEASURE, "kraftpy.cli.bench:bench", "Measure this checkout, and other systems."),
    "completion": LazyCommand(SHELL, "kraftpy.cli.completion:completion", "Complete commands in bash, zsh and fish."),
}
ALIASES = {"quorum": "metadata-quorum"}

EXIT_CODE_TEXT = "\b\nExit codes:\n" + "\n".join(f"  {code:>3}  {code.meaning}" for code in ExitCode)


class Root(CommandGroup):
    """The group of all commands; see the module's text."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the table, in its order."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command, under its name or its alias."""
        del ctx
        lazy = COMMANDS.get(ALIASES.get(cmd_name, cmd_name))
        if lazy is None:
            return None
        command = lazy.load()
        command_begins()
        return command

    def names_beside(self) -> Iterable[str]:
        """Return the aliases."""
        return ALIASES

    def meant_by(self, words: Sequence[str]) -> Sequence[str]:
        """Return what etcdctl's commands are here."""
        return as_in_etcd(words)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer the names of the table, and the aliases, without importing what they name."""
        from click.shell_completion import CompletionItem

        names = {**COMMANDS, **{alias: COMMANDS[name] for alias, name in ALIASES.items()}}
        found = [CompletionItem(name, help=lazy.text) for name, lazy in names.items() if name.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table, section by section, without importing what it names."""
        del ctx
        for section in (RUN, OFFLINE, ONLINE, RESCUE, MEASURE, SHELL):
            with formatter.section(section):
                formatter.write_dl([(name, lazy.text) for name, lazy in COMMANDS.items() if lazy.section == section])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; click would exit with 1 when a reader leaves its pipe, and print a blank line for Ctrl-C."""
        try:
            return super().invoke(ctx)
        except (BrokenPipeError, KeyboardInterrupt) as error:
            return report(error)

    # click has two overloads, which differ in what they return; here it is one thing.
    def main(  # type: ignore[override] # as said
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> Any:
        """Run a command line and exit with a code of :class:`ExitCode`."""
        extra["standalone_mode"] = False
        try:
            code = super().main(args, prog_name, **extra)
        except BaseException as error:
            # What is no error of the user's world (a bug, an exit) goes on as it came.
            ending = report(error)
            if ending is None:
                raise
            code = ending
        sys.exit(int(code) if isinstance(code, int) else int(ExitCode.OK))


def _show_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's contract
    if not value or ctx.resilient_parsing:
        return
    from kraftpy.cli.output import show
    from kraftpy.cli.version_text import version_json, version_lines

    data = version_json()
    show(Output(ctx.params.get("output") or Output.TABLE), data, version_lines(data))
    ctx.exit()


@click.group(cls=Root, epilog=EXIT_CODE_TEXT, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, expose_value=False, callback=_show_version,
    help="Show the version, whether modules are compiled, and the metadata.versions that are known.",
)  # fmt: skip
@click.option(
    "-o", "--output", type=OUTPUT_CHOICE, is_eager=True,
    help="Output format of all commands, and of --version; each command takes it, too.",
)  # fmt: skip
@click.pass_context
def cli(ctx: click.Context, output: str | None) -> None:
    """kraftpy: a replicated metadata log, compatible with Kafka's KRaft."""
    ctx.obj = None if output is None else Output(output)
