"""Records as JSON for a watcher of the log: each under the metadata.version in force at its offset.

The meaning of an apiKey depends on the level, and the level changes in the log itself. So the schema is state that
follows the records, and never the newest image's once the log contains a level.

Secret values are not shown, unless a watcher requests them.
"""

from __future__ import annotations

import binascii
import json
from collections.abc import AsyncIterator
from typing import Any, ClassVar, Final

from kraftpy.model.errors import MalformedError
from kraftpy.model.features import METADATA_VERSION, SchemaSet
from kraftpy.records.authors import Author, BatchAuthors
from kraftpy.records.batch import Batch
from kraftpy.records.codec import read_uvarint
from kraftpy.records.metadata import FeatureLevelRecord, decode_record
from kraftpy.records.redaction import redacted_value, shown_json
from kraftpy.transport.grpc.reads import HIDDEN
from kraftpy.transport.grpc.services.conversions import (
    SHARED_BATCH_BYTES_MAX,
    Converted,
    WatchWork,
    cost_of,
    pieces,
)

JSON_MESSAGE_BYTES_MAX: Final = 4 * 1024 * 1024
"""How much JSON one message carries, besides the records themselves; a record that takes more is only named."""

UNREADABLE: Final = "UNREADABLE"
"""The type that is shown for a record that breaks its own schema."""


class RecordTexts:
    """Shows the records of consecutive batches as JSON.

    Attributes:
        schema: in force behind the last record shown.
    """

    FIELD: ClassVar = "json"
    KEEPS_RECORDS: ClassVar = True

    def __init__(
        self,
        schema: SchemaSet,
        bytes_max: int = JSON_MESSAGE_BYTES_MAX,
        *,
        hides: bool = True,
        work: WatchWork | None = None,
    ) -> None:
        self.schema = schema
        self._hides = hides
        self._bytes_max = bytes_max
        self._work = work or WatchWork()

    def of_snapshot(self) -> RecordTexts:
        """Return what begins with a snapshot, which sets the metadata.version of its records by itself."""
        return RecordTexts(SchemaSet.KAFKA, self._bytes_max, hides=self._hides, work=self._work)

    @staticmethod
    def size(text: Any) -> int:
        """Return how many bytes of a message it takes: it is ASCII."""
        return len(text)

    async def of(self, batch: Batch) -> AsyncIterator[str]:
        """Show a batch, some records at a time: a large one would block the loop long enough to cause an election."""
        if batch.is_control:
            return
        if batch.size > SHARED_BATCH_BYTES_MAX:
            async for text in self._texts(batch):
                yield text
            return
        key = "json", self._hides, self._bytes_max, self.schema, batch.data
        made = await self._work.converted(key, lambda: self._make(batch))
        self.schema = made.state
        for text in made.items:
            yield text

    async def _make(self, batch: Batch) -> Converted:
        texts = [text async for text in self._texts(batch)]
        return Converted(texts, self.schema, batch.size + sum(map(len, texts)))

    async def _texts(self, batch: Batch) -> AsyncIterator[str]:
        authors = BatchAuthors()
        for _, piece in pieces(batch.values()):
            await self._work.turns.take(cost_of(*piece))
            for text in [self._text(value, authors.of(value)) for value in piece]:
                yield text

    def _text(self, value: bytes, author: Author | None = None) -> str:
        try:
            record = decode_record(value, self.schema)
        except MalformedError as error:
            # It is in the log and committed: the watcher is to receive it, and what follows it.
            shown = value if not self._hides else redacted_value(value)
            return self._bounded(
                {"type": UNREADABLE, "version": None, "data": {"error": str(error), "bytes": _base64(shown)}}
            )
        if isinstance(record, FeatureLevelRecord) and record.name == METADATA_VERSION:
            self.schema = SchemaSet.for_level(record.feature_level)
        fields = shown_json(record, _version(value), HIDDEN if self._hides else None)
        return self._bounded(fields if author is None else {**fields, "author": author.as_json()})

    def _bounded(self, shown: dict[str, Any]) -> str:
        text = _compact(shown)
        if len(text) > self._bytes_max:
            return _compact({**shown, "data": None, "leftOut": len(text)})
        return text


def _base64(value: bytes) -> str:
    return binascii.b2a_base64(value, newline=False).decode("ascii")


def _compact(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"))


def _version(value: bytes) -> int:
    """Read the third number of a record's frame."""
    at = version = 0
    for _ in range(3):
        version, at = read_uvarint(value, at)
    return version
