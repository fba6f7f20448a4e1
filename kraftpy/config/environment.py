"""Environment variables as values of a node's configuration, named by the rules of Kafka's container image.

After the prefix a key is in upper case: ``_`` is a dot, ``__`` an underscore and ``___`` a hyphen. The prefix is one of
its own: variables named after a Kubernetes Service ``kraftpy`` begin with ``KRAFTPY_``, and none of these is a key.

Source: Kafka ``docker/README``, ``KafkaDockerWrapper``; KIP-975 §Environment Variables.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from kraftpy.model.errors import ConfigError

PREFIX: Final = "KRAFTPY_CONF_"

VARIABLES_MAX: Final = 1_000
"""More variables than that are taken for a mistake: a file has room for them."""

_KEY: Final = re.compile("[A-Z0-9]+(_{1,3}[A-Z0-9]+)*")
_MEANINGS: Final = {"_": ".", "__": "_", "___": "-"}
_SPELLINGS: Final = {meaning: spelling for spelling, meaning in _MEANINGS.items()}


def variable_of(key: str) -> str:
    """Return the name of the variable that sets a key."""
    return PREFIX + "".join(_SPELLINGS.get(letter, letter) for letter in key).upper()


def environment_values(environment: Mapping[str, str]) -> dict[str, str]:
    """Return what the environment sets: key -> value. Whether there is such a key is not checked here.

    Raises:
        ConfigError: a name with the prefix is that of no key, a value is not UTF-8, or there are too many.
    """
    given = {name: value for name, value in environment.items() if name.startswith(PREFIX)}
    if len(given) > VARIABLES_MAX:
        raise ConfigError(
            f"{len(given)} environment variables begin with {PREFIX}, at most {VARIABLES_MAX} are taken; write the "
            "values into the configuration file"
        )
    values: dict[str, str] = {}
    for name, value in sorted(given.items()):
        spelled = name.removeprefix(PREFIX)
        if _KEY.fullmatch(spelled) is None:
            raise ConfigError(
                f"environment variable {name!r:.200}: after {PREFIX} comes a key in upper case, with _ for a dot, __ "
                f"for an underscore and ___ for a hyphen, such as {variable_of('node.id')}; rename it, or unset it"
            )
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise ConfigError(f"environment variable {name}: its value is not UTF-8") from error
        key = re.sub("_{1,3}", lambda found: _MEANINGS[found[0]], spelled).lower()
        values[key] = value
    return values
