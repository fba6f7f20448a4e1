"""From the words of ``storage format`` to one request that the storage room carries out.

Here are the rules about flags and the configuration; the rules about what a directory may contain are in
``kraftpy.storage.format``.

Source: Kafka ``StorageTool.runFormatCommand``; tools §1.1; KIP-853, KIP-1262.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from kraftpy.cli.errors import ArgumentError, CommandError
from kraftpy.cli.feature_text import parse_feature_levels, parse_release
from kraftpy.cli.scram_text import parse_scram
from kraftpy.config.node_config import NodeConfig, parse_config, read_config_text
from kraftpy.config.settings import NO_OVERRIDES, read_settings
from kraftpy.model.errors import ConfigError
from kraftpy.model.features import BY_LEVEL, DEFAULT_LEVEL, METADATA_VERSION, SCRAM_LEVEL
from kraftpy.model.ids import uuid_from_random
from kraftpy.model.voters import VoterSet
from kraftpy.storage.format import FormatRequest
from kraftpy.storage.initial_controllers import parse_initial_controllers, standalone_voters

LEGACY = (
    "The kafka configuration file appears to be for a legacy cluster. Formatting is only supported for clusters in "
    "KRaft mode."
)
NO_QUORUM_FLAG = (
    "Because controller.quorum.voters is not set on this controller, you must specify one of the following: "
    "--standalone, --initial-controllers, or --no-initial-controllers."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatWords:
    """What the user said, as it was typed."""

    config: str
    overrides: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    cluster_id: str | None = None
    add_scram: tuple[str, ...] = ()
    ignore_formatted: bool = False
    release_version: str | None = None
    features: tuple[str, ...] = field(default=())
    standalone: bool = False
    no_initial_controllers: bool = False
    initial_controllers: str | None = None


def read_kraft_config(
    path: str, overrides: Mapping[str, str] = NO_OVERRIDES, environment: Mapping[str, str] = NO_OVERRIDES
) -> NodeConfig:
    """Read a configuration for a tool that looks at its directories.

    Raises:
        CommandError: when it has no roles, with Kafka's words.
        ConfigError: when it is not one that a node would start with.
    """
    text = read_config_text(path)
    if not read_settings(text, path, overrides, environment).items("process.roles"):
        raise CommandError(f"{LEGACY} ({path} sets no process.roles.)")
    return parse_config(text, path, overrides, environment)


def log_directories(config: NodeConfig) -> tuple[str, ...]:
    """Return every directory of a node, sorted, the metadata log's among them."""
    return tuple(sorted({*config.log.log_dirs, config.log.metadata_log_dir}))


def format_request(words: FormatWords) -> FormatRequest:
    """Check the words against the configuration and turn them into a request.

    Raises:
        ArgumentError: when they contradict each other or the configuration.
        ConfigError: when the configuration is refused.
    """
    config = read_kraft_config(words.config, words.overrides, words.environment)
    if not config.has_node_id:
        raise ConfigError(
            f"{words.config}: node.id is not set, and this command writes it into the directories. A broker without it "
            "needs no `storage format`: it asks the controllers for an id when it starts (docs/kip-426.md)."
        )
    voters = _initial_voters(words, config)
    if words.cluster_id is not None and not words.cluster_id.strip():
        raise ArgumentError("--cluster-id is empty; leave it out to have the first active controller draw one")
    if words.cluster_id is not None and not is_one_line(words.cluster_id):
        raise ArgumentError(
            f"--cluster-id {words.cluster_id!r} has control characters in it, or blanks around it; "
            "`kraftpy storage random-uuid` prints a fit one"
        )
    features = parse_feature_levels(words.features)
    level = _level(words, config, features.pop(METADATA_VERSION, None))
    credentials = tuple(parse_scram(words.add_scram, os.urandom))
    if credentials and level < SCRAM_LEVEL:
        raise CommandError(f"SCRAM is only supported in metadata.version {BY_LEVEL[SCRAM_LEVEL].name} or later.")
    return FormatRequest(
        node_id=config.node_id,
        directories=log_directories(config),
        metadata_directory=config.log.metadata_log_dir,
        metadata_version=level,
        cluster_id=words.cluster_id,
        features=features,
        credentials=credentials,
        initial_voters=voters,
        ignore_formatted=words.ignore_formatted,
        allow_unstable=config.allow_unstable,
    )


def is_one_line(text: str) -> bool:
    """Return whether a text fits in a line of a log, a file and an error, and be read back from there.

    Kafka takes any cluster id, one with blanks in it, too, and an operator of such a cluster has to name it.
    """
    return text.isprintable() and text == text.strip()


def _level(words: FormatWords, config: NodeConfig, from_feature: int | None) -> int:
    if from_feature is not None:
        if words.release_version is not None:
            raise ArgumentError("Use --release-version or --feature metadata.version=..., not both.")
        return from_feature
    named = words.release_version or config.values["inter.broker.protocol.version"]
    return parse_release(str(named)).level if named else DEFAULT_LEVEL


def _initial_voters(words: FormatWords, config: NodeConfig) -> VoterSet | None:
    flags = [words.standalone, words.no_initial_controllers, words.initial_controllers is not None]
    if sum(flags) > 1:
        raise ArgumentError("Use only one of --standalone, --no-initial-controllers and --initial-controllers.")
    if config.voters and any(flags):
        raise ArgumentError(
            "controller.quorum.voters is set, so the quorum is static; --standalone, --initial-controllers and "
            "--no-initial-controllers are for a dynamic one. Take one of them away."
        )
    if words.standalone and not config.is_controller:
        raise ArgumentError("You can only use --standalone on a controller.")
    if config.is_controller and not config.voters and not any(flags):
        raise ArgumentError(NO_QUORUM_FLAG)
    if words.initial_controllers is not None:
        try:
            return parse_initial_controllers(words.initial_controllers, config.controller_listener_name)
        except ConfigError as error:
            raise ArgumentError(f"--initial-controllers: {error}") from error
    listener = config.controller_listener
    if words.standalone and listener is not None:
        directory_id = uuid_from_random(os.urandom)
        return standalone_voters(config.node_id, listener.advertised, directory_id)
    return None
