"""``invariant``: what must hold in production, and the error that stops a node when it does not.

Three kinds of failure have three forms (see :mod:`kraftpy.model.errors`). This module is the third: our own bugs.
Nothing catches :class:`InvariantViolation` but the composition root, which logs it and ends the process: a stopped node
beats a wrong one.
"""

from __future__ import annotations


class InvariantViolation(BaseException):
    """A fact that kraftpy's correctness rests on turned out false.

    It derives from :class:`BaseException` on purpose, so that no ``except Exception`` can swallow it.
    """


def invariant(condition: bool, message: str, *values: object) -> None:  # noqa: FBT001 - reads as a sentence
    """Stop the node unless ``condition`` holds.

    Args:
        condition: what must be true.
        message: one sentence that states the invariant, not its violation.
        values: what a reader of the log needs to see to understand the failure.

    Raises:
        InvariantViolation: when ``condition`` is false.
    """
    if not condition:
        shown = ", ".join(repr(value) for value in values)
        raise InvariantViolation(f"{message} [{shown}]" if shown else message)
