"""Whether a planted bug fits the code: what it replaces is there, and is called in the same way.

A plant that does not fit stops the node by a TypeError, or changes what is never called: no history then has the bug.
Found here are names that are gone, generators replaced by functions that return lists, and other parameters.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest

from tests.simulator.bugs import Bug


class RecordingPatch:
    """What a plant is given in place of pytest's: it replaces as that does, and remembers what it replaced.

    Attributes:
        replaced: the name, the original and the replacement, as they are in their module or class.
    """

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch
        self.replaced: list[tuple[str, object, object]] = []

    def setattr(self, target: object, name: str, value: object) -> None:
        """Replace an attribute.

        Raises:
            AttributeError: there is none of this name.
        """
        original = inspect.getattr_static(target, name, None)
        self._patch.setattr(target, name, value)
        self.replaced.append((f"{getattr(target, '__name__', target)}.{name}", original, value))


def misfits(bug: Bug) -> list[str]:
    """Plant a bug for a moment; return what of it does not fit."""
    with pytest.MonkeyPatch.context() as patch:
        recording = RecordingPatch(patch)
        try:
            bug.plant(cast(pytest.MonkeyPatch, recording))
        except AttributeError as error:
            return [str(error)]
    if not recording.replaced:
        return ["it replaces nothing"]
    return [f"{name}: {fault}" for name, *pair in recording.replaced for fault in _faults(*pair)]


def _faults(original: object, replacement: object) -> Iterator[str]:
    if isinstance(original, property) and isinstance(replacement, property):
        original, replacement = original.fget, replacement.fget
    if not callable(original):
        if type(original) is not type(replacement):
            yield f"{original!r} is replaced by {replacement!r}"
        return
    if not callable(replacement) or isinstance(original, staticmethod | classmethod):
        yield f"{original!r} is replaced by {replacement!r}"
        return
    if _is_generator(original) != _is_generator(replacement):
        yield "one is a generator function, the other is not"
    yield from _refused_calls(original, inspect.signature(replacement))


def _is_generator(function: Callable[..., Any]) -> bool:
    """Return whether a call gives a generator, also one that another function made."""
    returned = getattr(function, "__annotations__", {}).get("return", "")
    return inspect.isgeneratorfunction(function) or str(returned).startswith(("Slices[", "Iterator[", "Generator["))


def _refused_calls(original: Callable[..., Any], replacement: inspect.Signature) -> Iterator[str]:
    """Call with every parameter, and with those that have no default."""
    parameters = inspect.signature(original).parameters.values()
    every = [one for one in parameters if one.kind not in {one.VAR_POSITIONAL, one.VAR_KEYWORD}]
    needed = [one for one in every if one.default is one.empty]
    for given in (every, needed):
        by_name = {one.name: None for one in given if one.kind is one.KEYWORD_ONLY}
        try:
            replacement.bind(*[None for one in given if one.name not in by_name], **by_name)
        except TypeError as error:
            names = ", ".join(one.name for one in given)
            yield f"a call with ({names}) is refused: {error}"
            return
