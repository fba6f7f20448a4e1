"""``kraftpy storage``: prepare directories, describe them, and answer questions about releases and features.

Formatting is optional (KIP-1262): a node without files makes its own, and the cluster id comes out of the log. It is
still the way to choose a cluster id, a release, feature levels or a dynamic quorum.

Source: Kafka ``StorageTool``; KIP-631, KIP-853, KIP-1022, KIP-1262.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import Any, Final

import click

from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.feature_text import dependencies, release_mapping, requirement_text
from kraftpy.cli.options import PathParam, output_option
from kraftpy.cli.output import Output, show
from kraftpy.cli.overrides import override_option, own_environment
from kraftpy.cli.suggestions import CommandGroup
from kraftpy.cli.waiting import waiting_for
from kraftpy.model.ids import uuid_from_random, uuid_to_text

SYNCS: Final = 2_000
SYNCS_MAX: Final = 1_000_000
"""A million times are 8 MB in memory."""

SECONDS: Final = 10
SECONDS_MAX: Final = 3_600

CONFIG_OPTION = click.option(
    "-c", "--config", required=True, type=PathParam(), metavar="FILE", help="server.properties of the node."
)


@click.group(cls=CommandGroup)
def storage() -> None:
    """Format directories and describe them."""


@examples(
    "kraftpy storage format -c controller.properties -t $(kraftpy storage random-uuid)",
    "kraftpy storage format -c controller.properties -t bFl2MibdR9iYsW8evj0qhw --standalone -r 4.3-IV0",
    "kraftpy storage format -c controller.properties -S 'SCRAM-SHA-256=[name=admin,password=secret]'",
)
@storage.command("format")
@CONFIG_OPTION
@override_option
@click.option(
    "-t", "--cluster-id", metavar="ID", help="Cluster id. Default: the first active controller generates one."
)
@click.option(
    "-S",
    "--add-scram",
    multiple=True,
    metavar="TEXT",
    help="SCRAM credential: SCRAM-SHA-256=[name=...,password=...]; repeatable.",
)
@click.option("-g", "--ignore-formatted", is_flag=True, help="Skip directories that are already formatted.")
@click.option(
    "-r",
    "--release-version",
    metavar="RELEASE",
    help="Release whose feature levels the cluster starts with, such as 4.3-IV0.",
)
@click.option(
    "-f", "--feature", "features", multiple=True, metavar="NAME=LEVEL", help="Feature level: NAME=LEVEL; repeatable."
)
@click.option(
    "-s", "--standalone", is_flag=True, help="Create a dynamic quorum with this controller as the only voter."
)
@click.option("-N", "--no-initial-controllers", is_flag=True, help="Join an existing dynamic quorum.")
@click.option(
    "-I",
    "--initial-controllers",
    metavar="LIST",
    help="Create a dynamic quorum with these voters: id@host:port:directoryId,...",
)
@output_option
def format_command(output: Output, **words: Any) -> None:
    """Prepare a node's directories. Only needed to choose an id, a release, features or a dynamic quorum."""
    from kraftpy.cli.storage_format import FormatWords, format_request
    from kraftpy.storage.filesystem import RealFileSystem
    from kraftpy.storage.format import format_directories

    outcome = format_directories(
        RealFileSystem(), format_request(FormatWords(environment=own_environment(), **words)), os.urandom
    )
    formatted = {directory: uuid_to_text(directory_id) for directory, directory_id in outcome.formatted.items()}
    show(output, {"formatted": formatted, "messages": list(outcome.lines)}, outcome.lines)


@examples(
    "kraftpy storage info -c controller.properties",
)
@storage.command("info")
@CONFIG_OPTION
@override_option
@output_option
def info(config: str, overrides: Mapping[str, str], output: Output) -> int:
    """Describe a node's directories; exit with 1 when they have a problem."""
    from kraftpy.cli.storage_format import log_directories, read_kraft_config
    from kraftpy.cli.storage_info import storage_info
    from kraftpy.storage.filesystem import RealFileSystem

    found = storage_info(RealFileSystem(), log_directories(read_kraft_config(config, overrides, own_environment())))
    show(output, found.as_json(), found.lines())
    return ExitCode.FAILURE if found.problems else ExitCode.OK


@examples(
    "kraftpy storage probe /var/lib/kraftpy",
    "kraftpy storage probe --seconds 60 --syncs 100000 /var/lib/kraftpy",
)
@storage.command("probe")
@click.option(
    "--syncs",
    type=click.IntRange(1, SYNCS_MAX),
    default=SYNCS,
    show_default=True,
    metavar="NUMBER",
    help=f"How many fsyncs are measured at most, up to {SYNCS_MAX}.",
)
@click.option(
    "--seconds",
    type=click.IntRange(1, SECONDS_MAX),
    default=SECONDS,
    show_default=True,
    metavar="NUMBER",
    help=f"For how long at most, up to {SECONDS_MAX}.",
)
@click.argument("directory", type=PathParam(), metavar="DIR")
@output_option
def probe(directory: str, syncs: int, seconds: int, output: Output) -> int:
    """Measure how long an fsync of 4 KiB takes in a directory; exit with 3 when the disk is slow.

    Writes to a file kraftpy.sync-probe in DIR, and removes it. A quorum needs 99 of 100 within 10 ms.
    """
    from kraftpy.storage.disk_probe import SYNC_P99_MS_MAX, DiskVerdict, measure_syncs
    from kraftpy.storage.filesystem import RealFileSystem

    with waiting_for(f"up to {syncs} fsyncs in {directory}, for up to {seconds} s"):
        times = measure_syncs(
            RealFileSystem(), directory, time.perf_counter, syncs_max=syncs, time_ms_max=seconds * 1_000
        )
    verdict = times.verdict
    data = {
        "directory": directory,
        "syncCount": times.count,
        "p50Ms": times.p50_ms,
        "p99Ms": times.p99_ms,
        "maxMs": times.max_ms,
        "p99LimitMs": SYNC_P99_MS_MAX,
        "verdict": verdict.value,
    }
    measured = (
        f"{times.count} fsyncs in {directory}: p50 {times.p50_ms} ms, p99 {times.p99_ms} ms, max {times.max_ms} ms"
    )
    judged = "at most" if verdict is DiskVerdict.OK else "more than"
    show(output, data, [measured, f"{verdict.value}: the p99 is {judged} {SYNC_P99_MS_MAX} ms"])
    return ExitCode.FINDINGS if verdict is DiskVerdict.SLOW else ExitCode.OK


@examples(
    "kraftpy storage random-uuid",
)
@storage.command("random-uuid")
@output_option
def random_uuid(output: Output) -> None:
    """Print a random uuid for a cluster id or a directory id."""
    text = uuid_to_text(uuid_from_random(os.urandom))
    show(output, {"uuid": text}, [text])


@examples(
    "kraftpy storage version-mapping",
    "kraftpy storage version-mapping -r 4.3-IV0",
)
@storage.command("version-mapping")
@click.option(
    "-r",
    "--release-version",
    metavar="RELEASE",
    help="Release, such as 4.3-IV0. Default: the release that `storage format` uses.",
)
@output_option
def version_mapping(release_version: str | None, output: Output) -> None:
    """Show the feature levels of a release."""
    rows = release_mapping(release_version)
    show(output, {"featureLevels": {name: level for name, level, _ in rows}}, [line for _, _, line in rows])


@examples(
    "kraftpy storage feature-dependencies -f transaction.version=2",
)
@storage.command("feature-dependencies")
@click.option(
    "-f",
    "--feature",
    "features",
    required=True,
    multiple=True,
    metavar="NAME=LEVEL",
    help="Level of a feature; repeatable.",
)
@output_option
def feature_dependencies(features: tuple[str, ...], output: Output) -> None:
    """Show the feature levels that a feature level depends on."""
    found = [dependencies(text) for text in features]
    lines: list[str] = []
    for name, level, needs in found:
        shown = requirement_text(name, level)
        lines.append(f"{shown} requires:" if needs else f"{shown} has no dependencies.")
        lines += [f"    {requirement_text(*need)}" for need in needs]
    data = [{"feature": name, "level": level, "requires": dict(needs)} for name, level, needs in found]
    show(output, data, lines)
