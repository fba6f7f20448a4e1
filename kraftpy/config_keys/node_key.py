"""One row of the table of node keys, and short constructors for its types."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from kraftpy.config_keys.rules import OneOf, Range
from kraftpy.config_keys.types import INT_MAX, LONG_MAX, ConfigKey, ConfigType, ValueRule


class ActsOn(enum.Enum):
    """Which role of a node acts on a key."""

    BOTH = "broker, controller"
    BROKER = "broker"
    CONTROLLER = "controller"
    NONE = "nothing"


class Effect(enum.Enum):
    """What makes a running node act on a changed value of a key."""

    RESTART = "restart"
    RELOAD = "SIGHUP"
    DYNAMIC = "dynamic"
    DYNAMIC_AND_RELOAD = "dynamic, SIGHUP"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeKey(ConfigKey):
    """A key of ``server.properties``, of dynamic broker configs, or of both.

    Attributes:
        doc: what the key does, in full sentences.
        acts: which role acts on the value; ``NONE`` when the key is accepted because Kafka has it.
        is_dynamic: whether it can be set in the metadata log for brokers, as in Kafka; the controller checks the value.
        is_kafkas: whether Kafka has the key.
        effect: what makes a running node of kraftpy act on a changed value: a restart, SIGHUP for one in the file, or
            nothing more for a dynamic one.
    """

    doc: str
    acts: ActsOn
    is_dynamic: bool = False
    is_kafkas: bool = True
    effect: Effect = Effect.RESTART

    @property
    def used(self) -> bool:
        """Whether any part of a node acts on the value."""
        return self.acts is not ActsOn.NONE

    @property
    def bounds(self) -> tuple[int, int]:
        """The smallest and the largest whole number of the key, both inclusive."""
        highest = INT_MAX if self.type is ConfigType.INT else LONG_MAX
        if not isinstance(self.rule, Range):
            return -highest - 1, highest
        return int(self.rule.low), highest if self.rule.high is None else int(self.rule.high)

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed words; empty when any text is allowed."""
        return self.rule.words if isinstance(self.rule, OneOf) else ()

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        match self.type:
            case ConfigType.INT | ConfigType.LONG:
                return f"whole number from {self.bounds[0]} to {self.bounds[1]}" if self._is_plain else self._rule_text
            case ConfigType.BOOLEAN:
                return "true or false"
            case ConfigType.LIST:
                return "comma-separated list" + (f": {self._rule_text}" if self.rule is not None else "")
            case ConfigType.DOUBLE:
                return f"number, {self._rule_text}" if self.rule is not None else "number"
            case _:
                return self._rule_text or ("secret text" if self.type is ConfigType.PASSWORD else "text")

    @property
    def _is_plain(self) -> bool:
        return self.rule is None or isinstance(self.rule, Range)

    @property
    def _rule_text(self) -> str:
        return "" if self.rule is None else self.rule.allowed


def integer(
    name: str,
    default: int | None,
    acts: ActsOn,
    doc: str,
    *,
    rule: ValueRule | None = None,
    is_long: bool = False,
    is_dynamic: bool = False,
    is_kafkas: bool = True,
    effect: Effect = Effect.RESTART,
) -> NodeKey:
    """Make a key of whole numbers: 32 bits, or 64 with ``is_long``."""
    kind = ConfigType.LONG if is_long else ConfigType.INT
    text = None if default is None else str(default)
    return NodeKey(
        name, kind, text, rule, doc=doc, acts=acts, is_dynamic=is_dynamic, is_kafkas=is_kafkas, effect=effect
    )


def boolean(
    name: str,
    acts: ActsOn,
    doc: str,
    *,
    default: bool,
    is_dynamic: bool = False,
    is_kafkas: bool = True,
    effect: Effect = Effect.RESTART,
) -> NodeKey:
    """Make a key that is true or false."""
    text = str(default).lower()
    kind = ConfigType.BOOLEAN
    return NodeKey(name, kind, text, doc=doc, acts=acts, is_dynamic=is_dynamic, is_kafkas=is_kafkas, effect=effect)


def double(name: str, default: float | None, acts: ActsOn, doc: str, *, rule: ValueRule | None = None) -> NodeKey:
    """Make a key of numbers with a fraction."""
    text = None if default is None else str(default)
    return NodeKey(name, ConfigType.DOUBLE, text, rule, doc=doc, acts=acts, is_dynamic=True)


def text(
    name: str,
    default: str | None,
    acts: ActsOn,
    doc: str,
    *,
    rule: ValueRule | None = None,
    is_dynamic: bool = False,
    is_kafkas: bool = True,
    effect: Effect = Effect.RESTART,
) -> NodeKey:
    """Make a key of text."""
    kind = ConfigType.STRING
    return NodeKey(
        name, kind, default, rule, doc=doc, acts=acts, is_dynamic=is_dynamic, is_kafkas=is_kafkas, effect=effect
    )


def items(
    name: str,
    default: str,
    acts: ActsOn,
    doc: str,
    *,
    rule: ValueRule | None = None,
    by_element: bool = False,
    is_dynamic: bool = False,
    is_kafkas: bool = True,
    effect: Effect = Effect.RESTART,
) -> NodeKey:
    """Make a key of a comma-separated list."""
    flags = {"is_dynamic": is_dynamic, "is_kafkas": is_kafkas}
    return NodeKey(name, ConfigType.LIST, default, rule, by_element, doc=doc, acts=acts, effect=effect, **flags)


def secret(name: str, acts: ActsOn, doc: str) -> NodeKey:
    """Make a key whose value is not shown."""
    return NodeKey(name, ConfigType.PASSWORD, None, doc=doc, acts=acts)
