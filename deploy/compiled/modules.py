"""Which modules are compiled, and why: the only list of them.

A module belongs here when a profile of a node under load shows it. What mypyc does not understand stays Python:

*   classes of values that are dataclasses with class variables, or that other Python subclasses;
*   modules whose work is to wait (``async`` over sockets, processes and tasks): there is nothing to be won;
*   everything that runs once: command lines, configuration, rescue, the auditor.

A class that is compiled cannot be subclassed or patched by Python; a test that does so is named in
``tests/compiled.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Group:
    """Modules that are compiled for one reason.

    Attributes:
        reason: what a profile showed.
        modules: their full names.
    """

    reason: str
    modules: tuple[str, ...]


GROUPS: Final = (
    Group(
        "a batch's records are cut, framed and checked one by one, on every node",
        ("kraftpy.records.varint", "kraftpy.records.batch"),
    ),
    Group(
        "every committed record changes an image, on every node, and a million of them at a start",
        (
            "kraftpy.image.changes",
            "kraftpy.image.configs",
            "kraftpy.image.delta",
            "kraftpy.image.loader",
            "kraftpy.image.proposed",
        ),
    ),
    Group(
        "every alteration of a config is judged, and noted until it is committed",
        (
            "kraftpy.controller.configs",
            "kraftpy.controller.controller",
            "kraftpy.controller.speculation",
        ),
    ),
    Group(
        "every request is cut out of a stream of bytes, read, and answered",
        (
            "kraftpy.transport.kafka.framing",
            "kraftpy.transport.kafka.control.alter_configs",
        ),
    ),
)

MODULES: Final = tuple(sorted(module for group in GROUPS for module in group.modules))
"""All of them."""
