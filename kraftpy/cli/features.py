"""``kraftpy features``: which feature levels are in force, and changing them.

Source: Kafka ``FeatureCommand``; tools §3; KIP-584, KIP-1022.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kraftpy.cli.cluster_port import Read
from kraftpy.cli.dry_run import NO_VERDICTS, dry_run_option
from kraftpy.cli.errors import ArgumentError, CommandError, RequestRefusedError
from kraftpy.cli.examples import examples
from kraftpy.cli.feature_text import level_text, parse_feature_levels, parse_release
from kraftpy.cli.options import connection_options, output_option, read_options
from kraftpy.cli.output import Output, show
from kraftpy.cli.suggestions import CommandGroup
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ApiError
from kraftpy.model.feature_registry import FEATURES
from kraftpy.model.features import KRAFT_VERSION, METADATA_VERSION

if TYPE_CHECKING:
    from kraftpy.cli.cluster_port import ClusterClient
    from kraftpy.client.values import FeatureDescription, Features

Command = TypeVar("Command", bound=Callable[..., Any])
DEPRECATED = " `metadata` flag is deprecated and may be removed in a future release."


@click.group("features", cls=CommandGroup)
def features() -> None:
    """Describe and change feature levels."""


@examples(
    "kraftpy features describe -C localhost:9193",
)
@features.command("describe")
@read_options
@connection_options
@output_option
def describe(
    bootstrap: tuple[str, ...], timeout: float, output: Output, *, consistency: Consistency, min_offset: int | None
) -> None:
    """List the supported and the finalized levels of every feature."""
    from kraftpy.cli.connection import connect

    with connect(bootstrap, timeout) as cluster:
        found = cluster.describe_features(Read(consistency, min_offset))
    rows = feature_rows(found)
    show(output, rows, [_line(row) for row in rows])


def feature_rows(found: Features) -> list[dict[str, Any]]:
    """List the features, ascending by name."""
    return [_row(feature, found.freshness.offset) for feature in sorted(found.features, key=lambda each: each.name)]


def _row(feature: FeatureDescription, offset: int) -> dict[str, Any]:
    return {
        "feature": feature.name,
        "supportedMinVersion": feature.min_supported_level,
        "supportedMaxVersion": feature.max_supported_level,
        "finalizedVersionLevel": feature.finalized_level,
        "finalizedFeaturesEpoch": offset if offset >= 0 else None,
    }


def _line(row: Mapping[str, Any]) -> str:
    name, epoch = row["feature"], row["finalizedFeaturesEpoch"]

    def shown(level: int | None) -> str:
        return "-" if level is None else level_text(name, level)

    return (
        f"Feature: {name}\tSupportedMinVersion: {shown(row['supportedMinVersion'])}"
        f"\tSupportedMaxVersion: {shown(row['supportedMaxVersion'])}"
        f"\tFinalizedVersionLevel: {shown(row['finalizedVersionLevel'])}"
        f"\tEpoch: {'-' if epoch is None else epoch}"
    )


def _level_options(command: Command) -> Command:
    for option in (
        dry_run_option(in_list=True),
        click.option(
            "-f", "--feature", "levels", multiple=True, metavar="NAME=LEVEL", help="Level of a feature; repeatable."
        ),
        click.option("--metadata", metavar="RELEASE", help="Deprecated: --feature metadata.version=RELEASE."),
        click.option("-r", "--release-version", metavar="RELEASE", help="Release whose levels all features get."),
    ):
        command = option(command)
    return command


@examples(
    "kraftpy features upgrade -C localhost:9193 --release-version 4.3-IV0 --dry-run",
    "kraftpy features upgrade -C localhost:9193 -f kraft.version=1",
)
@features.command("upgrade")
@_level_options
@connection_options
@output_option
def upgrade(bootstrap: tuple[str, ...], timeout: float, output: Output, **words: Any) -> None:
    """Raise feature levels, all of them or none."""
    _change("upgrade", "UPGRADE", bootstrap, timeout, output, **words)


@examples(
    "kraftpy features downgrade -C localhost:9193 -f group.version=0 --dry-run",
)
@features.command("downgrade")
@_level_options
@click.option("--unsafe", is_flag=True, help="Allow a downgrade that can lose metadata.")
@connection_options
@output_option
def downgrade(bootstrap: tuple[str, ...], timeout: float, output: Output, *, unsafe: bool, **words: Any) -> None:
    """Lower feature levels, all of them or none."""
    kind = "UNSAFE_DOWNGRADE" if unsafe else "SAFE_DOWNGRADE"
    _change("downgrade", kind, bootstrap, timeout, output, **words)


@examples(
    "kraftpy features disable -C localhost:9193 -f eligible.leader.replicas.version --dry-run",
)
@features.command("disable")
@click.option("-f", "--feature", "names", multiple=True, metavar="NAME", help="Feature to disable; repeatable.")
@click.option("--unsafe", is_flag=True, help="Allow a downgrade that can lose metadata.")
@dry_run_option(in_list=True)
@connection_options
@output_option
def disable(
    bootstrap: tuple[str, ...], timeout: float, output: Output, *, names: tuple[str, ...], unsafe: bool, dry_run: bool
) -> None:
    """Set features to level 0."""
    from kraftpy.cli.connection import connect

    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise ArgumentError(f"Feature {repeated} was specified more than once.")
    if "" in names:
        raise ArgumentError("--feature '' names no feature")
    _check_some(names, "disable")
    kind = "UNSAFE_DOWNGRADE" if unsafe else "SAFE_DOWNGRADE"
    with connect(bootstrap, timeout) as cluster:
        _update(cluster, "disable", kind, dict.fromkeys(names, 0), output, dry_run=dry_run)


def _change(
    verb: str,
    kind: str,
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    release_version: str | None,
    metadata: str | None,
    levels: tuple[str, ...],
    dry_run: bool,
) -> None:
    from kraftpy.cli.connection import connect

    if release_version is not None and (levels or metadata is not None):
        raise ArgumentError("Can not specify `release-version` with other feature flags.")
    wanted = parse_feature_levels(levels)
    if metadata is not None:
        click.echo(DEPRECATED, err=True)
        if METADATA_VERSION in wanted:
            raise ArgumentError(f"Feature {METADATA_VERSION} was specified more than once.")
        wanted[METADATA_VERSION] = parse_release(metadata).level
    release = None if release_version is None else parse_release(release_version).level
    if release is None:
        _check_some(wanted, verb)
    with connect(bootstrap, timeout) as cluster:
        if release is not None:
            wanted = release_levels(cluster.describe_features().features, release, is_upgrade=verb == "upgrade")
        _update(cluster, verb, kind, wanted, output, dry_run=dry_run)


def release_levels(found: Sequence[FeatureDescription], release: int, *, is_upgrade: bool) -> dict[str, int]:
    """Work out what a release means for the features that this cluster knows.

    An upgrade leaves features alone whose default is 0; a downgrade those that are not above the release's default.
    """
    current = {feature.name: feature.finalized_level for feature in found if feature.max_supported_level is not None}
    levels = {METADATA_VERSION: release}
    for feature in FEATURES:
        default = feature.default_for(release)
        if feature.name == KRAFT_VERSION:
            continue  # it belongs to the quorum's own records and cannot be set like the others
        if feature.name in current and (default > 0 if is_upgrade else current[feature.name] > default):
            levels[feature.name] = default
    return levels


def _check_some(wanted: object, verb: str) -> None:
    if not wanted:
        raise ArgumentError(f"You must specify at least one feature to {verb}")


def _update(
    cluster: ClusterClient, verb: str, kind: str, wanted: Mapping[str, int], output: Output, *, dry_run: bool
) -> None:
    refused = None
    try:
        cluster.update_features(wanted, kind, validate_only=dry_run)
    except ApiError as error:
        refused = error
    problem, code = (None, None) if refused is None else (refused.message, refused.code.name)
    names = sorted(wanted)
    rows = [{"feature": name, "level": wanted[name], "error": code, "errorMessage": problem} for name in names]
    if refused is None:
        show(output, rows, [_outcome(verb, name, wanted[name], dry_run=dry_run) for name in names])
        return
    # All or none: what a reader of a table has to know fits the one line on stderr.
    show(output, rows, [])
    what = ", ".join(f"{name}{_target(verb, wanted[name])}" for name in names)
    text = f"{'Can' if dry_run else 'Could'} not {verb} {what}. {problem}"
    raise CommandError(text) if refused.code in NO_VERDICTS else RequestRefusedError(text, is_shown=True)


def _outcome(verb: str, name: str, level: int, *, dry_run: bool) -> str:
    return f"{name} {'can be' if dry_run else 'was'} {verb}d{_target(verb, level)}."


def _target(verb: str, level: int) -> str:
    return "" if verb == "disable" else f" to {level}"
