"""``kraftpy storage``: prepare directories, describe them, and answer questions about releases and features.

Formatting is optional (KIP-1262): a node without files makes its own, and the cluster id comes out of the log. It is
still the way to choose a cluster id, a release, feature levels or a dynamic quorum.

Source: Kafka ``StorageTool``; KIP-631, KIP-853, KIP-1022, KIP-1262.
"""

from __future__ import annotations

import os

import click

from kraftpy.cli.feature_text import dependencies, release_mapping, requirement_text
from kraftpy.cli.options import output_option
from kraftpy.cli.output import Output, show
from kraftpy.model.ids import uuid_from_random, uuid_to_text

CONFIG_OPTION = click.option("-c", "--config", required=True, metavar="FILE", help="The node's server.properties.")


@click.group()
def storage() -> None:
    """Format directories and describe them."""


@storage.command("random-uuid")
@output_option
def random_uuid(output: Output) -> None:
    """Print a fresh uuid, fit for a cluster id or a directory id."""
    text = uuid_to_text(uuid_from_random(os.urandom))
    show(output, {"uuid": text}, [text])


@storage.command("version-mapping")
@click.option("-r", "--release-version", metavar="RELEASE", help="Such as 4.3-IV0; by default what format would use.")
@output_option
def version_mapping(release_version: str | None, output: Output) -> None:
    """Show which feature levels a release stands for."""
    rows = release_mapping(release_version)
    show(output, {name: level for name, level, _ in rows}, [line for _, _, line in rows])


@storage.command("feature-dependencies")
@click.option("-f", "--feature", "features", required=True, multiple=True, metavar="NAME=LEVEL", help="Repeatable.")
@output_option
def feature_dependencies(features: tuple[str, ...], output: Output) -> None:
    """Show which other features a feature level needs."""
    found = [dependencies(text) for text in features]
    lines: list[str] = []
    for name, level, needs in found:
        shown = requirement_text(name, level)
        lines.append(f"{shown} requires:" if needs else f"{shown} has no dependencies.")
        lines += [f"    {requirement_text(*need)}" for need in needs]
    data = [{"feature": name, "level": level, "requires": dict(needs)} for name, level, needs in found]
    show(output, data, lines)
