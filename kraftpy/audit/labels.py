"""The labels of clusters and nodes in output: a label is a text, and the id in it a number."""

from __future__ import annotations

from typing import Any, Final

NODE_ID_MAX: Final = 2**31 - 1


def cluster_field(cluster: str | None) -> dict[str, Any]:
    """Return the label of a cluster, ``None`` where nothing names one."""
    return {"cluster": cluster or None}


def label_fields(cluster: str | None, node: str | None) -> dict[str, Any]:
    """Return the labels of a cluster and a node, and the node's id, ``None`` where its label has none.

    Two directories that claim one node are labelled ``<id>@<directory>`` (``reading.discovery``).
    """
    number = (node or "").partition("@")[0]
    is_id = number.isascii() and number.isdecimal() and len(number) <= len(str(NODE_ID_MAX))
    node_id = int(number) if is_id and int(number) <= NODE_ID_MAX else None
    return {**cluster_field(cluster), "node": node, "nodeId": node_id}


def camel_case(name: str) -> str:
    """Return the name of a column as one of JSON: ``broker_id`` as ``brokerId``."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
