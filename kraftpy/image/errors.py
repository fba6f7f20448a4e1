"""What can go wrong between the log and an image.

A record that cannot be replayed means that this node's state and the writer's have parted, or that the log is corrupt
in a way checksums do not see. There is no way on that keeps the promise that equal logs give equal images, so the
loader stops at it, and a controller treats it as fatal. A loss is the opposite direction: an image holds something that
the records of a metadata.version cannot say.

Texts name the kind of record and ids, never the content of a record: records carry credentials.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypeAlias

from kraftpy.model.errors import KraftError
from kraftpy.model.offsets import Offset


class ReplayError(KraftError):
    """A committed record does not fit the image it should change.

    Attributes:
        record_name: the kind of record.
        problem: one sentence: the ids involved and what is wrong with them.
        offset: where in the log, ``None`` while only the slice knows of it.
    """

    def __init__(self, record: object, problem: str, offset: Offset | None = None) -> None:
        self.record_name = record if isinstance(record, str) else type(record).__name__
        self.problem = problem
        self.offset = offset
        place = "" if offset is None else f" at offset {offset}"
        super().__init__(f"cannot replay {self.record_name}{place}: {problem}")

    def at(self, offset: Offset) -> ReplayError:
        """Return the same error with the place in the log."""
        return ReplayError(self.record_name, self.problem, offset)


class MetadataLossError(KraftError):
    """Writing the image at this metadata.version would lose what it holds."""


OnLoss: TypeAlias = Callable[[str], None]
"""Called with what cannot be represented; raises to stop, returns to continue without it."""


def raise_on_loss(level: int) -> OnLoss:
    """Make the handler that refuses every loss at a metadata.version level."""

    def refuse(what: str) -> NoReturn:
        raise MetadataLossError(
            f"Metadata has been lost because the following could not be represented in metadata.version {level}: {what}"
        )

    return refuse
