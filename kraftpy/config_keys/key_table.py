"""All rows of the table of node keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kraftpy.config_keys import broker_keys, group_keys, node_keys
from kraftpy.config_keys.node_key import NodeKey

GROUPS: Final[Mapping[str, tuple[NodeKey, ...]]] = {
    **node_keys.GROUPS,
    "Group coordinator": group_keys.GROUP_COORDINATOR,
    **broker_keys.GROUPS,
}
"""The rows by subject, as the documentation shows them."""

NODE_KEYS: Final[Mapping[str, NodeKey]] = {key.name: key for keys in GROUPS.values() for key in keys}
"""Every row by the name of its key."""

DYNAMIC_BROKER_KEYS: Final[Mapping[str, NodeKey]] = {key.name: key for key in NODE_KEYS.values() if key.is_dynamic}
"""What can be changed while a broker runs."""
