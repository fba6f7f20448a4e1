"""Compute digests of the state outside the loop.

A digest takes as long as a snapshot, so it is computed in a thread, from an immutable image, and the thread pauses
after each group of records. One is computed at a time: an image that arrives meanwhile is skipped, and the next one is
compared instead. (Which nodes skip which offset does not matter: they compare the offsets that they have in common.)

The image of the newest digest is kept until a majority has agreed with it, so that differences can be reported.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from kraftpy.image import MetadataImage
from kraftpy.image.digest import image_digest
from kraftpy.model.digests import StateDigest
from kraftpy.model.errors import LocalError
from kraftpy.runtime.snapshotter import GROUP_PAUSE_S


class StateDigestWorker:
    """Makes digests, and keeps the image of the newest one.

    Args:
        on_digest: called on the loop with each digest.
        on_failed: called on the loop with an unexpected error.

    Attributes:
        count: how many digests were made.
        skipped: how many images were passed over, because another one was being digested.
    """

    def __init__(self, *, on_digest: Callable[[StateDigest], None], on_failed: Callable[[BaseException], None]) -> None:
        self._on_digest = on_digest
        self._on_failed = on_failed
        self._stopping = threading.Event()
        self._making: asyncio.Future[StateDigest | None] | None = None
        self._suspect: tuple[StateDigest, MetadataImage] | None = None
        self.count = 0
        self.skipped = 0

    def checkpoint(self, image: MetadataImage) -> None:
        """Begin to make the digest of an image, unless another one is being made."""
        if self._making is not None:
            self.skipped += 1
        elif not self._stopping.is_set():
            self._begin(image)

    def _begin(self, image: MetadataImage) -> None:
        loop = asyncio.get_running_loop()
        self._making = loop.run_in_executor(None, image_digest, image, self._yield_to_others)
        self._making.add_done_callback(lambda future: self._done(future, image))

    def _yield_to_others(self) -> None:
        if self._stopping.wait(GROUP_PAUSE_S):
            raise LocalError("the node stops")

    def _done(self, future: asyncio.Future[StateDigest | None], image: MetadataImage) -> None:
        self._making = None
        if self._stopping.is_set() or future.cancelled():
            # The result is ignored; retrieving the exception avoids asyncio's "exception was never retrieved" message.
            if not future.cancelled():
                future.exception()
            return
        try:
            digest = future.result()
        except BaseException as error:  # noqa: BLE001 - a callback's exception would only be logged: it is passed on
            self._on_failed(error)
            return
        if digest is not None:
            self._suspect = (digest, image)
            self.count += 1
            self._on_digest(digest)

    def agreed(self, digest: StateDigest) -> None:
        """Let go of an image that a majority agrees with."""
        if self._suspect is not None and self._suspect[0].end_offset <= digest.end_offset:
            self._suspect = None

    def image_of(self, digest: StateDigest) -> MetadataImage | None:
        """Return the image that a digest was made of, if it is still there."""
        return self._suspect[1] if self._suspect is not None and self._suspect[0] == digest else None

    def close(self) -> None:
        """Make no more; one that is being made stops at its next group (see :meth:`finish`)."""
        self._stopping.set()

    async def finish(self) -> None:
        """Wait for the thread, if it works."""
        if self._making is not None:
            await asyncio.wait([self._making])
