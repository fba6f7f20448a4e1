"""The settings of one ``server.properties``: typed values that still know where they were written.

Reading is in two steps. This module turns the text into values by the table of :mod:`kraftpy.config_keys`, one key
at a time, and collects what deserves a warning: unknown keys with the nearest known one, keys given twice (the last one
counts, as in Java), keys without effect. Rules over several keys are in :mod:`kraftpy.config.node_config`. Every error
names file, line, key, value and what is allowed.

A value of the environment (``environment``) replaces that of the file, and one of ``--override`` both. Messages name
the variable or the option in place of file and line.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from kraftpy.config.environment import PREFIX, variable_of
from kraftpy.config.protection import LISTENER_PREFIX, MISSING, is_dropped
from kraftpy.config.values import FILE_KEYS, Value, default_value, parse_value
from kraftpy.config_keys.node_key import NodeKey
from kraftpy.config_keys.types import ConfigType
from kraftpy.model.errors import ConfigError, MalformedError
from kraftpy.model.invariant import invariant
from kraftpy.records.properties import parse_properties_with_lines

SUGGESTION_CUTOFF = 0.75
"""How alike (0 to 1) a known key must be to be offered for an unknown one."""

SECRET_WORDS = ("password", "secret", "jaas", "credential", "ssl.keystore.key", "token.master.key")
"""A key with one of these in its name, known or not, has a value that is not shown."""

NO_OVERRIDES: Mapping[str, str] = MappingProxyType({})

POLICY_KEYS = ("create.topic.policy.class.name", "alter.config.policy.class.name")
"""What names a policy."""


OVERRIDE = "--override"
"""The option of the command line whose values replace those of the file."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One ``key=value``: the text as it was written, and where.

    Attributes:
        line: in the file; ``None`` for what is set elsewhere.
        elsewhere: the option or the environment variable, for messages.
    """

    text: str
    line: int | None
    elsewhere: str = ""

    def place(self, source: str) -> str:
        """Return where it is set, for messages: file and line, the option, or the variable."""
        return self.elsewhere if self.line is None else f"{source}:{self.line}:"


class KeysElsewhere(NamedTuple):
    """Keys whose values are not those of the file, ascending.

    Attributes:
        environment: set by environment variables.
        command_line: set by the command line, in place of both.
    """

    environment: tuple[str, ...] = ()
    command_line: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    """All values of the file, defaults filled in.

    Attributes:
        source: the file's name, for messages.
        given: what the file, the environment and ``--override`` set, by key.
        values: the typed value of every known key.
        warnings: what an operator should hear about, one sentence each.
    """

    source: str
    given: dict[str, Setting]
    values: dict[str, Value]
    warnings: tuple[str, ...]

    @property
    def keys_elsewhere(self) -> KeysElsewhere:
        """The keys whose values are not those of the file."""
        places = {name: setting.elsewhere for name, setting in sorted(self.given.items())}
        return KeysElsewhere(
            tuple(name for name, place in places.items() if place.startswith(PREFIX)),
            tuple(name for name, place in places.items() if place == OVERRIDE),
        )

    def number(self, name: str) -> int:
        """Return a whole number."""
        value = self.values[name]
        invariant(isinstance(value, int), "the key's type is a whole number", name, value)
        return int(value)  # type: ignore[arg-type] # the line above says it

    def flag(self, name: str) -> bool:
        """Return true or false."""
        return self.values[name] is True

    def items(self, name: str) -> tuple[str, ...]:
        """Return a list; empty when it is not set."""
        value = self.values[name]
        invariant(isinstance(value, tuple), "the key's type is a list", name, value)
        return value  # type: ignore[return-value] # as above

    def word(self, name: str) -> str | None:
        """Return text, or ``None`` when it is not set."""
        value = self.values[name]
        return value if isinstance(value, str) and value else None

    def is_given(self, name: str) -> bool:
        """Return whether the file sets this key, to anything but nothing."""
        return name in self.given and bool(self.given[name].text.strip())

    @property
    def unused(self) -> tuple[str, ...]:
        """Keys of the file that are accepted and that no part of a node acts on."""
        ignored = {name for name, key in FILE_KEYS.items() if not key.used}
        return tuple(name for name in self.given if is_dropped(name) or name in ignored)

    @property
    def unused_changed(self) -> tuple[str, ...]:
        """Those of :attr:`unused` that are set to something other than Kafka's default, as ``key=value``.

        A value that may be a secret is not shown.
        """
        return tuple(
            f"{name}={_shown(name, self.given[name].text.strip())}"
            for name in self.unused
            if self.is_given(name) and (name not in FILE_KEYS or self.values[name] != default_value(FILE_KEYS[name]))
        )

    @staticmethod
    def suggestion(name: str) -> str:
        """Return which known key may have been meant, in brackets; empty when none is like it."""
        return _suggestion(name)

    def error(self, name: str, problem: str) -> ConfigError:
        """Make the error about one key: file and line, key and value, what is wrong, what is allowed."""
        return _error(self.source, name, self.given.get(name), problem)


def _error(source: str, name: str, setting: Setting | None, problem: str) -> ConfigError:
    if setting is None:
        return ConfigError(f"{source}: {name} is not set: {problem}")
    return ConfigError(f"{setting.place(source)} {name}={_shown(name, setting.text)}: {problem}")


def _shown(name: str, text: str) -> str:
    """Return a value as messages show it: not if it may be a secret."""
    key = FILE_KEYS.get(name)
    is_secret = (key is not None and key.type is ConfigType.PASSWORD) or any(
        word in name.lower() for word in SECRET_WORDS
    )
    return "[hidden]" if is_secret else text


def read_settings(
    text: str,
    source: str,
    overrides: Mapping[str, str] = NO_OVERRIDES,
    environment: Mapping[str, str] = NO_OVERRIDES,
) -> Settings:
    """Turn the text of a properties file into typed settings.

    Args:
        text: the file's text.
        source: the file's name, for messages.
        overrides: key -> value; replaces what the environment and the file have for the key.
        environment: key -> value; replaces what the file has for the key.

    Raises:
        ConfigError: when the text is not a properties file, or a value is not of its key's type or range.
    """
    try:
        properties = parse_properties_with_lines(text)
    except MalformedError as error:
        raise ConfigError(f"{source}: {error}") from error
    given = {name: Setting(value, line) for name, (value, line) in properties.by_key.items()}
    given |= {name: Setting(value, None, f"{variable_of(name)}:") for name, value in environment.items()}
    given |= {name: Setting(value, None, OVERRIDE) for name, value in overrides.items()}
    repeated = [
        f"{source}:{lines[-1]}: {name} was set before, in line {lines[-2]}; the last one counts"
        for name, lines in properties.duplicates.items()
    ]
    # A policy is configured with the whole file, and may have keys of its own.
    fate = "only a policy may act on it" if any(key in given for key in POLICY_KEYS) else "it is ignored"
    unknown = [
        f"{setting.place(source)} {name} is not a known key{_suggestion(name)}; {fate}"
        for name, setting in given.items()
        if name not in FILE_KEYS and not name.startswith(LISTENER_PREFIX) and name not in MISSING
    ]
    values = {key.name: _typed(key, given.get(key.name), source) for key in FILE_KEYS.values()}
    return Settings(source, given, values, (*repeated, *unknown))


def _typed(key: NodeKey, setting: Setting | None, source: str) -> Value:
    if setting is None:
        return default_value(key)
    try:
        return parse_value(key, setting.text)
    except ValueError as error:
        raise _error(source, key.name, setting, f"it {error}; allowed: {key.allowed}") from error


def _suggestion(name: str) -> str:
    near = difflib.get_close_matches(name, FILE_KEYS, n=1, cutoff=SUGGESTION_CUTOFF)
    return f" (did you mean {near[0]}?)" if near else ""
