"""Examples in the help of each command: command lines that can be copied. A test parses them all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

import click

HEADING: Final = "Examples:"

Leaf = TypeVar("Leaf", bound=click.Command)


def examples(*lines: str) -> Callable[[Leaf], Leaf]:
    """Show command lines below the options in a command's help, each on a line of its own."""

    def add(command: Leaf) -> Leaf:
        command.epilog = "\n".join(("\b", HEADING, *(f"  {line}" for line in lines)))
        return command

    return add
