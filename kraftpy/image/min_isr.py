"""The ``min.insync.replicas`` of a topic, as the log has it.

A topic's own value comes before the cluster-wide one; without either it is 1. A log of Kafka's may hold a text that is
no number, because brokers judge their own values: such a value is taken for absent.

Source: Kafka ``KafkaConfigSchema.getEffectiveMinInSyncReplicas``; KIP-966.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kraftpy.image.configs import ConfigsImage

MIN_ISR: Final = "min.insync.replicas"
MIN_ISR_DEFAULT: Final = 1


def default_min_isr(configs: ConfigsImage) -> int:
    """Return the value of the topics that have none of their own."""
    return _value(configs.broker(None)) or MIN_ISR_DEFAULT


def own_min_isr(configs: ConfigsImage, topic: str) -> int | None:
    """Return a topic's own value; ``None`` when it has none."""
    return _value(configs.topic(topic))


def min_isr(configs: ConfigsImage, topic: str) -> int:
    """Return the value that applies to a topic."""
    return own_min_isr(configs, topic) or default_min_isr(configs)


def _value(configs: Mapping[str, str]) -> int | None:
    try:
        return int(configs[MIN_ISR]) if MIN_ISR in configs else None
    except ValueError:
        return None
