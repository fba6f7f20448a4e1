"""Request errors that are not survived: what a node goes on after is what a search looks for."""

from __future__ import annotations

from typing import NoReturn

from kraftpy.transport.request_errors import RequestErrors


class NoRequestErrors(RequestErrors):
    """Raises the error that it is to note, so that a simulation or a fuzz target ends with it as if uncaught."""

    def note(self, request: str, error: Exception) -> NoReturn:
        """Raise it."""
        raise error
