"""Which of a broker's log directories take no new replicas (KIP-1066).

``cordoned.log.dirs`` names them by their paths, or all of them by ``*``. A value in the log counts for the broker that
it is set for; else the one in the broker's file does.

Source: KIP-1066; Kafka ``LogManager.updateCordonedLogDirs``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kraftpy.image.image import MetadataImage
from kraftpy.model.ids import NodeId, Uuid

CORDONED_LOG_DIRS: Final = "cordoned.log.dirs"
ALL: Final = "*"


def cordoned_directories(
    image: MetadataImage, broker_id: NodeId, configured: Sequence[str], paths: Mapping[str, Uuid]
) -> tuple[Uuid, ...]:
    """Return the ids of the cordoned directories, ascending.

    Args:
        image: the newest state.
        broker_id: this broker.
        configured: the value in the broker's file.
        paths: the ids of the broker's directories by their paths; what is no directory of the broker cordons nothing.
    """
    value = image.configs.broker(broker_id).get(CORDONED_LOG_DIRS)
    names = configured if value is None else tuple(name.strip() for name in value.split(","))
    return tuple(sorted(directory for path, directory in paths.items() if path in names or ALL in names))
