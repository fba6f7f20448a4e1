"""The ``partition.metadata`` file: which topic the directory belongs to. Always the metadata topic here.

Source: on-disk formats §8.4.
"""

from __future__ import annotations

from kraftpy.model.errors import MalformedError, StorageError
from kraftpy.model.ids import METADATA_TOPIC_ID, uuid_to_text
from kraftpy.records.checkpoints import parse_partition_metadata, render_partition_metadata
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.filesystem import FileSystem, parent, read_file
from kraftpy.storage.os_errors import faults_of


def ensure_partition_metadata(fs: FileSystem, path: str) -> None:
    """Write the file when it is missing, and check it when it is not.

    Raises:
        StorageError: the directory belongs to another topic, or the file is malformed.
    """
    with faults_of("reading", path):
        content = read_file(fs, path) if fs.exists(path) else None
    if content is None:
        replace_file(fs, path, render_partition_metadata().encode("ascii"))
        return
    try:
        topic_id = parse_partition_metadata(content.decode("utf-8"))
    except (MalformedError, UnicodeDecodeError) as error:
        raise StorageError(
            f"{path} cannot be used: {error}. It is never changed, so the disk changed it, or wrote there what belongs "
            "elsewhere, such as the end of the log. Ways out: while a majority of the other voters is healthy, move "
            f"{parent(path)} away and let this node fetch everything from the leader; or, to go on with what the log "
            "holds, delete the file: it is written again."
        ) from error
    if topic_id != METADATA_TOPIC_ID:
        raise StorageError(
            f"{path} has topic id {uuid_to_text(topic_id)}, but the metadata log is {uuid_to_text(METADATA_TOPIC_ID)}"
            ": this is another topic's directory. Check metadata.log.dir."
        )
