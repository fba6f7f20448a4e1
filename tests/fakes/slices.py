"""Work in slices, for tests that replace what a controller decides."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from kraftpy.controller.slices import Slices

T = TypeVar("T")


def in_one_slice(do: Callable[..., T]) -> Callable[..., Slices[T]]:
    """Return what does the same as work that takes one slice."""

    @wraps(do)
    def slices(*args: object, **more: object) -> Slices[T]:
        return do(*args, **more)
        yield

    return slices
