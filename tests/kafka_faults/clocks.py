"""Wall clocks of single processes, set while they run: libfaketime before each, where the machine has it.

Only what a process asks of its wall clock changes; the monotonic clocks go on, as they do on a machine whose clock is
set. It is the same for Python and for a JVM.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

LIBRARY = "faketime/libfaketimeMT.so.1"
PLACES = ("/usr/lib/*", "/usr/lib*", "/usr/local/lib*")
"""Where systems have it, as patterns; on Debian it is the package ``libfaketime``."""

SETTINGS = {
    "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    # With libfaketime's own correction, the timed waits of a JVM return at once.
    "FAKETIME_FORCE_MONOTONIC_FIX": "0",
    "FAKETIME_CACHE_DURATION": "1",
}

SEEN_S = 1.0
"""After so long a process sees that its clock was set."""


def library() -> str | None:
    """Return the path of libfaketime; ``None`` where there is none."""
    found = (str(path) for place in PLACES for path in sorted(Path("/").glob(f"{place[1:]}/{LIBRARY}")))
    return next(found, None)


class Clocks:
    """The wall clocks of some nodes; all of them are right in the beginning.

    Attributes:
        why_not: why none can be set; empty where they can.
    """

    def __init__(self, directory: Path, nodes: Iterable[int]) -> None:
        self._directory = directory
        self._nodes = tuple(nodes)
        self._library = library()
        self.why_not = "" if self._library else f"there is no {LIBRARY} (Debian's package libfaketime)"
        if self._library:
            directory.mkdir(parents=True, exist_ok=True)
            self.set_right()

    def environment(self, node: int) -> Mapping[str, str]:
        """Return what the environment of a node's process needs; nothing where clocks cannot be set."""
        if self._library is None:
            return {}
        return {"LD_PRELOAD": self._library, "FAKETIME_TIMESTAMP_FILE": str(self._file(node)), **SETTINGS}

    def set(self, node: int, seconds: int) -> None:
        """Set a node's clock ahead of the right time by some seconds; behind it, if less than 0."""
        file = self._file(node)
        new = file.with_suffix(".new")
        new.write_text(f"{seconds:+d}\n", encoding="ascii")
        # The process may be reading it.
        new.replace(file)

    def set_right(self) -> None:
        """Let all show the right time again."""
        if self._library is not None:
            for node in self._nodes:
                self.set(node, 0)

    def _file(self, node: int) -> Path:
        return self._directory / f"{node}.clock"
