"""What can have configs.

Source: Kafka ``ConfigResource.Type``; the numbers are those of ConfigRecord.
"""

from __future__ import annotations

import enum


class ResourceType(enum.IntEnum):
    """The type of a config resource. A BROKER with the empty name is the default of all brokers."""

    TOPIC = 2
    BROKER = 4
    CLIENT_METRICS = 16
    GROUP = 32
