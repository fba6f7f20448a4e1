"""What SIGHUP reloads of a node's configuration: the level of its logs. Everything else needs a restart, and is named.

Certificates are renewed beside this (``certificates``). A file that cannot be used changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog

from kraftpy.config.node_config import NodeConfig
from kraftpy.model.errors import ConfigError
from kraftpy.node.logs import set_log_level

_log = structlog.get_logger("kraftpy.node")

RELOADED: Final = frozenset({"log.level"})
"""The keys that take effect without a restart."""


class ConfigReloader:
    """Reads the configuration again.

    Args:
        config: what the process started with.
        load: reads the file, with the values of the command line.
    """

    def __init__(self, config: NodeConfig, load: Callable[[], NodeConfig]) -> None:
        self._started_with = config
        self._load = load
        self._level = config.log_level

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
        if config.log_level != self._level:
            before, self._level = self._level, config.log_level
            set_log_level(config.log_level)
            # At a level that is written whatever the new one is.
            _log.error("log_level_changed", before=before, after=config.log_level)
        waiting = changed_keys(self._started_with, config)
        if waiting:
            _log.warning("config_needs_restart", keys=waiting)


def changed_keys(before: NodeConfig, after: NodeConfig) -> list[str]:
    """Return the keys whose values differ, ascending, without those that are reloaded."""
    keys = (before.values.keys() | after.values.keys()) - RELOADED
    return sorted(key for key in keys if before.values.get(key) != after.values.get(key))
