"""What holds for altered configs before their values are judged: for each key in turn, and in this order.

1. With eligible leader replicas there is one ``min.insync.replicas`` for the cluster: who is an eligible leader was
   worked out by it (KIP-966).
2. ``cordoned.log.dirs`` of a broker needs metadata.version 30, and names paths, which only the broker knows. So the
   controller takes any value from a broker that forwards its client's request, because the broker has judged it, and
   from anybody else only what takes directories away (KIP-1066).
3. A value fits a record's string.

Source: Kafka ``ConfigurationControlManager.validateAlterConfig``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from kraftpy.controller.limits import STRING_CHARACTERS_SAFE, check_string
from kraftpy.controller.topic_rules import MIN_ISR, is_elr_enabled
from kraftpy.image.configs import BROKER, ConfigResource
from kraftpy.image.image import MetadataImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.feature_registry import ELR_VERSION
from kraftpy.model.features import CORDONED_DIRECTORIES_LEVEL
from kraftpy.records.codec import STRING_BYTES_MAX

CORDONED_LOG_DIRS: Final = "cordoned.log.dirs"

_COMMA: Final = re.compile(r"\s*,\s*", re.ASCII)
_BLANKS: Final = "".join(map(chr, range(ord(" ") + 1)))
"""What Java's ``trim`` takes away."""


def check_alterations(
    image: MetadataImage,
    resource: ConfigResource,
    current: Mapping[str, str],
    changes: Mapping[str, str | None],
    *,
    judged_by_broker: bool,
) -> None:
    """Judge what is altered, before the values are.

    Args:
        image: the state before.
        resource: whose configs they are.
        current: its configs.
        changes: the altered keys and what they become; ``None`` is deleted.
        judged_by_broker: whether a broker forwards the request.

    Raises:
        ApiError: INVALID_CONFIG, for the first key that breaks a rule.
    """
    kind, name = resource
    for key, value in changes.items():
        if kind == BROKER:
            if key == MIN_ISR and is_elr_enabled(image):
                _check_min_isr(name, value)
            if key == CORDONED_LOG_DIRS:
                _check_cordoned(image.level, current.get(key), value, judged_by_broker=judged_by_broker)
        # What is short and ASCII fits a record; the calls for all others find the words for what does not.
        if value is not None and (len(value) > STRING_CHARACTERS_SAFE or not value.isascii()):
            check_value(key, value)


def check_value(key: str, value: str) -> None:
    """Refuse a value that no record can hold.

    Raises:
        ApiError: INVALID_CONFIG.
    """
    try:
        check_string(ErrorCode.INVALID_CONFIG, f"The value of config {key}", value)
    except ApiError as refused:
        if len(value) <= STRING_BYTES_MAX:
            raise
        raise ApiError(
            ErrorCode.INVALID_CONFIG,
            "The configuration value cannot be added because it exceeds the maximum value size of "
            f"{STRING_BYTES_MAX} bytes. {refused.message}",
        ) from None


def _check_min_isr(name: str, value: str | None) -> None:
    if name:
        raise ApiError(
            ErrorCode.INVALID_CONFIG,
            f"Broker-level {MIN_ISR} cannot be altered while ELR is enabled: {ELR_VERSION} is above 0. "
            "Set it for all brokers, or for a topic.",
        )
    if value is None:
        raise ApiError(
            ErrorCode.INVALID_CONFIG,
            f"Cluster-level {MIN_ISR} cannot be removed while ELR is enabled: {ELR_VERSION} is above 0. "
            "Set it to another value instead.",
        )


def _check_cordoned(level: int, before: str | None, value: str | None, *, judged_by_broker: bool) -> None:
    if level < CORDONED_DIRECTORIES_LEVEL:
        raise ApiError(
            ErrorCode.INVALID_CONFIG,
            f"The {CORDONED_LOG_DIRS} configuration value cannot be set because it requires metadata.version >= "
            f"4.3-IV0. The version in force is {level}, and {CORDONED_DIRECTORIES_LEVEL} is needed.",
        )
    if judged_by_broker or value is None or not value.strip(_BLANKS):
        return
    if not _directories(value) <= (set() if before is None else _directories(before)):
        raise ApiError(
            ErrorCode.INVALID_CONFIG,
            # The two blanks are Kafka's.
            f"When updating {CORDONED_LOG_DIRS} via controllers,  the new value must be a subset of the current "
            "configuration value. Only the broker knows its directories: ask a broker of Kafka, which passes it on, "
            "or set the key in the broker's file.",
        )


def _directories(value: str) -> set[str]:
    return set(_COMMA.split(value.strip(_BLANKS)))
