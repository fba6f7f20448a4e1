"""The digester with actions of the world in the place of its thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from kraftpy.image import MetadataImage
from kraftpy.image.digest import image_digest
from kraftpy.model.digests import StateDigest
from kraftpy.runtime.state_digest_worker import StateDigestWorker

DIGESTING_MS = 9
"""How long a digest is on its way: enough for turns to come between."""


class SimulatedDigester(StateDigestWorker):
    """Does at one moment, some turns later, what the thread would do.

    Attributes:
        leads: whether the node leads just now.
    """

    def __init__(
        self,
        *,
        schedule: Callable[[int, Callable[[], None]], None],
        leads: Callable[[], bool],
        made: Callable[[StateDigest], None],
    ) -> None:
        super().__init__(on_digest=made, on_failed=_raise)
        self._schedule = schedule
        self.leads = leads

    def _begin(self, image: MetadataImage) -> None:
        making: Future[StateDigest | None] = Future()
        self._making = making

        def make() -> None:
            making.set_result(image_digest(image))
            self._done(making, image)

        self._schedule(DIGESTING_MS, make)


def _raise(error: BaseException) -> None:
    raise error
