"""What SIGHUP reloads of a node's file: the keys whose effect is SIGHUP (``docs/configuration.md``).

Everything else needs a restart, and is named. A value that the metadata log decides is not changed by the file, and is
named, too. Certificates are renewed beside this (``certificates``). A file that cannot be used changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import structlog

from kraftpy.config.node_config import NodeConfig
from kraftpy.config_keys.followed import RELOADED
from kraftpy.model.errors import ConfigError
from kraftpy.node.running_settings import RunningSettings

_log = structlog.get_logger("kraftpy.node")


class ConfigReloader:
    """Reads the configuration again.

    Args:
        config: what the process started with.
        load: reads the file, with the values of the command line.
    """

    def __init__(self, config: NodeConfig, load: Callable[[], NodeConfig]) -> None:
        self._started_with = config
        self._newest = config
        self._load = load
        self._settings: RunningSettings | None = None

    def attach(self, settings: RunningSettings) -> None:
        """Let a node follow the file: the process's first one, or one that it starts again."""
        self._settings = settings
        if self._newest is not self._started_with:
            settings.follow_file(self._newest)

    def reload(self) -> None:
        """Apply what may change, and log which keys of the file wait for a restart; values are not logged."""
        try:
            if not Path(self._started_with.source).is_file():
                # A pipe would block the event loop, or has been read.
                raise ConfigError(f"{self._started_with.source}: is no regular file")
            config = self._load()
        except ConfigError as error:
            _log.error("config_not_reloaded", reason=str(error))
            return
        self._newest = config
        overridden = [] if self._settings is None else self._settings.follow_file(config)
        if overridden:
            _log.warning("config_overridden", keys=overridden)
        waiting = changed_keys(self._started_with, config)
        if waiting:
            _log.warning("config_needs_restart", keys=waiting)


def changed_keys(before: NodeConfig, after: NodeConfig) -> list[str]:
    """Return the keys whose values differ, ascending, without those that are reloaded."""
    keys = (before.values.keys() | after.values.keys()) - RELOADED
    return sorted(key for key in keys if before.values.get(key) != after.values.get(key))
