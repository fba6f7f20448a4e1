"""What one node has of its own where several share a configuration file: ``--override KEY=VALUE``, and its environment.

An option replaces a variable of the environment, and that the file's value.

Source: Kafka ``kafka-server-start.sh server.properties [--override property=value]*``.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from kraftpy.config.environment import environment_values
from kraftpy.config.settings import OVERRIDE

Command = TypeVar("Command", bound=Callable[..., Any])

OVERRIDES_MAX = 1_000
"""More options than that are taken for a mistake: a file has room for them."""


def override_option(command: Command) -> Command:
    """Add ``--override``, passed as ``overrides``: key -> value."""
    return click.option(
        OVERRIDE, "overrides", multiple=True, metavar="KEY=VALUE", callback=_overrides,
        help="A value in place of the file's; repeatable. Not for passwords: other users can see it.",
    )(command)  # fmt: skip


def own_environment() -> dict[str, str]:
    """Return the values that the environment of this process sets: key -> value.

    Raises:
        ConfigError: a variable with the prefix cannot be used.
    """
    return environment_values(os.environ)


def _overrides(_ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    if len(given) > OVERRIDES_MAX:
        raise click.BadParameter(
            f"given {len(given)} times, at most {OVERRIDES_MAX} are taken; write the values into FILE"
        )
    overrides: dict[str, str] = {}
    for item in given:
        key, equals, value = item.partition("=")
        key = key.strip()
        if not equals or not key:
            raise click.BadParameter(f"{item!r:.200} is not KEY=VALUE, such as node.id=2")
        if key in overrides:
            raise click.BadParameter(f"{key} is given twice; give it once")
        try:
            item.encode()
        except UnicodeEncodeError as error:
            raise click.BadParameter(f"the value of {key!r:.200} is not UTF-8") from error
        overrides[key] = value
    return overrides
