"""Requests that are whole and mean harm: fields drawn from what has broken programs, so that they get past the codecs.

Mutated bytes seldom get there: a length does not match, an id is not known. So a message is made of its schema first,
at random, and then its fields are replaced, by name, by values that fit together often enough to be believed, and by
values at the ends of what their types can hold. Everything is drawn from one generator, seeded by the input's bytes.
"""

from __future__ import annotations

import random
from dataclasses import fields
from typing import Any, Final

from kraftpy.controller.config_schema import CLIENT_METRICS_SELECTORS, KEYS

GROWING: Final = ("\u0390", "\ufb03", "\u1e9e", "\u0130", "\u0149")
"""Letters that take more bytes in another case; the first two three times as many in upper case."""

EXPRESSIONS: Final = (
    "a", ".*", "x{4294967296}", "x{65535}{65535}", "x{" + "9" * 900 + "}", "x{9,1}", "(" * 64 + ")" * 64, "(" * 3_000,
    "(" * 3_000 + ")" * 3_000, "(a*)*" * 100, "((a+)+)+$", "(?P<a>x)(?P=a)\\1", "(?(1)a|b)", "\\1", "(?<=a+)b",
    "(?i)[a-\U0010ffff]", "[a-\U0010ffff]" * 100, "[", "[[a]]", "(?z)",
    "\\", "\\N{x}", "\\777", "*", "a**", "(?#", "(?P<", "(?i", "\0",
)  # fmt: skip
"""What a parser of regular expressions may choke on: repeat counts, nesting, references, ranges, half an expression."""

NUMBERS: Final = (
    "0", "-0", "+1", "-1", "1_0", " 1 ", "1e3", "0x10", "٣", "9" * 19, "9" * 20, "9" * 5_000, "-" + "9" * 5_000, "nan",
    "inf", "1e400", "2147483647", "2147483648", "-2147483649", "9223372036854775807", "9223372036854775808",
)  # fmt: skip

TEXTS: Final = (
    "", "a", ".", "..", "\0", "\n", "a" * 249, "a" * 250, "a" * 255, "a" * 256, "a" * 8_191, "a" * 8_192, "a" * 32_766,
    "a" * 32_767, "é" * 16_383, *(letter * 5_400 for letter in GROWING), *(letter * 80 for letter in GROWING),
    GROWING[0] * 16_383, "[" * 3_000, "{" * 3_000, '{"a":' * 3_000, "a," * 10_000, "a=b", "__cluster_metadata",
    "orders", "CONTROLLER", "controller", "GRPC", "PLAINTEXT", "metadata.version", "kraft.version", "group.version",
    "eligible.leader.replicas.version", "transaction.version", "1", "7", "-1",
)  # fmt: skip

INT_ENDS: Final = {
    "int8": (-(2**7), 2**7 - 1),
    "int16": (-(2**15), 2**15 - 1),
    "uint16": (0, 2**16 - 1),
    "int32": (-(2**31), 2**31 - 1),
    "int64": (-(2**63), 2**63 - 1),
}
NODES: Final = (2, 3, 2, 3, 7, 1, 0, -1, -2, 4)
IDS: Final = ("node_id", "voter_id", "replica_id", "candidate_id", "leader_id", "broker_id", "controller_id")
NAMES: Final = tuple(key for keys in KEYS.values() for key in keys)


def directory_of(node_id: int) -> bytes:
    """The directory of each known node."""
    return bytes([node_id % 256]) * 16


class Hostile:
    """Draws values; one for each input, so that a message speaks of one node and one epoch for the most part."""

    def __init__(
        self, rng: random.Random, cluster_id: str, *, broker_epoch: int | None = None, topic_id: bytes | None = None
    ) -> None:
        self.rng = rng
        self.cluster_id = cluster_id
        self.broker_epoch = broker_epoch
        self.topic_id = topic_id
        self.node = rng.choice(NODES)
        self.epoch = rng.choice((1, 1, 1, 1, 0, 2, 3))

    def text(self) -> str:
        """A text of any kind."""
        return self.rng.choice(self.rng.choice((TEXTS, TEXTS, NUMBERS, EXPRESSIONS, NAMES)))

    def setting(self) -> tuple[int, str, str, str | None]:
        """Type and name of a resource, a key that it may have, and a value that its rules have to look at."""
        rng = self.rng
        kind = rng.choice((2, 4, 16, 16, 32, 0, 8, 127))
        name = rng.choice(("orders", "", "1", "7", "m", "g", self.text()))
        known = KEYS.get(kind, {})
        key = rng.choice(tuple(known)) if known and rng.random() < 0.9 else self.text()
        if kind == 16 and rng.random() < 0.5:
            key, selector = "match", rng.choice(sorted(CLIENT_METRICS_SELECTORS))
            return kind, "m", key, f"{selector}={rng.choice(EXPRESSIONS)}"
        return kind, name, key, rng.choice((None, self.text(), rng.choice(NUMBERS)))

    def soften(self, message: Any) -> Any:
        """Replace fields of a message of Kafka's wire, and of all nested messages."""
        for name in (field.name for field in fields(message)):
            value = getattr(message, name)
            if isinstance(value, list):
                few = value[: self.rng.choice((1, 2, len(value)))]
                setattr(message, name, [self._item(one) for one in few])
            elif hasattr(value, "__dataclass_fields__"):
                self.soften(value)
            elif name != "unknown_tags":
                setattr(message, name, self.field(name, value))
        if hasattr(message, "configs"):
            self._settings(message)
        return message

    def _item(self, item: Any) -> Any:
        if hasattr(item, "__dataclass_fields__"):
            return self.soften(item)
        if not isinstance(item, int) or self.rng.random() < 0.2:
            return item
        return self.rng.choice((self.node, 3)) if self.rng.random() < 0.8 else self.rng.choice(NODES)

    def _settings(self, resource: Any) -> None:
        if not hasattr(resource, "resource_type"):
            # A topic to be created: its name is the resource's.
            for config in resource.configs:
                config.name, config.value = self.rng.choice(tuple(KEYS[2])), self.rng.choice((None, *NUMBERS))
            return
        kind, name, _, _ = self.setting()
        resource.resource_type, resource.resource_name = kind, name
        for config in resource.configs:
            if hasattr(config, "name"):
                resource.resource_type, resource.resource_name, config.name, config.value = self.setting()

    def field(self, name: str, value: Any) -> Any:
        """A value for a field of this name; sometimes the present one."""
        rng = self.rng
        if isinstance(value, bool) or value is None or rng.random() < 0.1:
            return value
        if name.endswith(("directory_id", "log_dirs")):
            return directory_of(self.node)
        if name == "topic_id" and self.topic_id is not None and rng.random() < 0.8:
            return self.topic_id
        if isinstance(value, str):
            return self._text_field(name)
        return self._number_field(name, value) if isinstance(value, int) else value

    def _text_field(self, name: str) -> str:
        rng = self.rng
        if name == "cluster_id":
            return rng.choice((self.cluster_id, self.cluster_id, self.cluster_id, self.text()))
        if name == "topic" and rng.random() < 0.8:
            return "orders"
        if name == "name" and self.topic_id is not None and rng.random() < 0.5:
            return "orders"
        if name == "name":
            return rng.choice(("CONTROLLER", "metadata.version", rng.choice(GROWING) * 5_500, self.text()))
        return self.text()

    def _number_field(self, name: str, value: int) -> int:
        rng = self.rng
        if name.endswith(IDS):
            return self.node if rng.random() < 0.8 else rng.choice(NODES)
        if name == "broker_epoch" and self.broker_epoch is not None and rng.random() < 0.8:
            return self.broker_epoch
        if name.endswith("epoch"):
            return self.epoch if rng.random() < 0.8 else value
        if name.endswith("min_supported_version"):
            return rng.choice((0, 0, 0, value))
        if name.endswith("max_supported_version"):
            return rng.choice((1, 1, 1, 40, value))
        return rng.choice((value, 0, 1, 2, 3, -1))

    def fill(self, message: Any) -> Any:
        """Fill a message of protobuf with values of the same kinds."""
        rng = self.rng
        for field in message.DESCRIPTOR.fields:
            if rng.random() < 0.15:
                continue
            count = rng.choice((0, 1, 1, 2)) if field.is_repeated else 1
            for _ in range(count):
                self._fill_field(message, field)
        if message.DESCRIPTOR.name == "AlteredResource" or hasattr(message, "alterations"):
            for one in message.alterations:
                message.resource.type, message.resource.name, one.name, value = self.setting()
                if value is not None:
                    one.value = value
        return message

    def _fill_field(self, message: Any, field: Any) -> None:
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            getattr(message, field.name)[self.rng.choice(tuple(KEYS[2]))] = self.text()
            return
        if field.message_type is not None:
            target = getattr(message, field.name)
            self.fill(target.add() if field.is_repeated else target)
            return
        value = self._scalar(field)
        if field.is_repeated:
            getattr(message, field.name).append(value)
        else:
            setattr(message, field.name, value)

    def _scalar(self, field: Any) -> Any:
        rng = self.rng
        kind = field.cpp_type
        if kind == field.CPPTYPE_STRING:
            if field.type == field.TYPE_BYTES:
                return rng.choice((directory_of(self.node), b"", bytes(16), b"x" * 15))
            return self.field(field.name, self.text())
        if kind == field.CPPTYPE_BOOL:
            return rng.random() < 0.5
        if kind == field.CPPTYPE_ENUM:
            return rng.choice((0, 1, 2, 3, 4, 16, 32, 99))
        low, high = (-(2**31), 2**31 - 1) if kind == field.CPPTYPE_INT32 else (-(2**63), 2**63 - 1)
        if kind in {field.CPPTYPE_UINT32, field.CPPTYPE_UINT64}:
            low, high = 0, 2**32 - 1
        return max(low, self.field(field.name, rng.choice((low, high, max(low, -1), 0, 1))))
