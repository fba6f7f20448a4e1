"""Where the value of a config key comes from.

Source: Kafka ``DescribeConfigsResponse.ConfigSource``; the names and the numbers are its own.
"""

from __future__ import annotations

import enum


class ConfigSource(enum.IntEnum):
    """A place that may have a value for a key. STATIC is the file of the node that answers."""

    UNKNOWN = 0
    DYNAMIC_TOPIC_CONFIG = 1
    DYNAMIC_BROKER_CONFIG = 2
    DYNAMIC_DEFAULT_BROKER_CONFIG = 3
    STATIC_BROKER_CONFIG = 4
    DEFAULT_CONFIG = 5
    DYNAMIC_CLIENT_METRICS_CONFIG = 7
    DYNAMIC_GROUP_CONFIG = 8
