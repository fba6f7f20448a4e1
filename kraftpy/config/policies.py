"""The classes of policies that a file names, and how a class of Python differs from one of Java.

A value has the form ``package.module:Class``, with one colon, as entry points of Python have. A Java class has none:
it cannot run here, and a controller that started without it would allow what it forbids.

Source: Kafka ``ServerLogConfigs``; KIP-108, KIP-133.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from kraftpy.config.settings import POLICY_KEYS, Settings
from kraftpy.model.errors import ConfigError

CREATE_TOPIC, ALTER_CONFIG = POLICY_KEYS

EXPECTED: Final = "package.module:Class, a class of Python"


@dataclass(frozen=True, slots=True)
class PolicyClass:
    """A class that a file names.

    Attributes:
        key: the key that names it.
        module: to import it from.
        name: in that module; with dots for a class in a class.
        place: where the file names it, for messages: file, line, key and value.
    """

    key: str
    module: str
    name: str
    place: str

    def __str__(self) -> str:
        """Return the value of the key."""
        return f"{self.module}:{self.name}"

    def error(self, problem: str) -> ConfigError:
        """Make an error about it."""
        return ConfigError(f"{self.place}: {problem}")


@dataclass(frozen=True, slots=True)
class PolicyConfig:
    """The policies of a controller.

    Attributes:
        create_topic: asked about new topics, if given.
        alter_config: asked about altered configs, if given.
        settings: what they are configured with: all of the file, as it is written. Secrets are among it.
    """

    create_topic: PolicyClass | None = None
    alter_config: PolicyClass | None = None
    settings: Mapping[str, str] = field(default_factory=dict, repr=False)


def read_policies(settings: Settings) -> PolicyConfig:
    """Return which classes the file names; they are not looked for yet.

    Raises:
        ConfigError: a value is not of the form, such as the name of a Java class.
    """
    return PolicyConfig(
        create_topic=_class_of(settings, CREATE_TOPIC),
        alter_config=_class_of(settings, ALTER_CONFIG),
        settings={name: setting.text for name, setting in settings.given.items()},
    )


def _class_of(settings: Settings, key: str) -> PolicyClass | None:
    value = (settings.word(key) or "").strip()
    if not value:
        return None
    module, colon, name = value.partition(":")
    if not colon:
        raise settings.error(
            key,
            "that is the name of a Java class, which cannot run here. Write the rule in Python (docs/policies.md) and "
            f"name it as {EXPECTED}; or remove the key, and every valid request is allowed",
        )
    if not (_is_dotted(module) and _is_dotted(name)):
        raise settings.error(key, f"expected: {EXPECTED}")
    return PolicyClass(key, module, name, f"{settings.given[key].place(settings.source)} {key}={value}")


def _is_dotted(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))
