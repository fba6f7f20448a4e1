"""Which form of kraftpy this process runs: plain Python, or with modules that were compiled from the same sources.

Python imports an extension module that fits this interpreter, even if its source is in the same directory; so the
module files show which form is in use. Nothing else distinguishes the forms.
"""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

import kraftpy

UNKNOWN_COMMIT: Final = "unknown"
"""``kraftpy.__commit__`` of what is no wheel, or was not built in a checkout."""


def compiled_modules() -> tuple[str, ...]:
    """Return the full names of the modules of kraftpy that Python imports as machine code, sorted."""
    package = Path(kraftpy.__file__).parent
    return tuple(
        sorted(
            ".".join((*path.relative_to(package.parent).parent.parts, path.name.removesuffix(suffix)))
            for suffix in EXTENSION_SUFFIXES
            for path in package.rglob(f"*{suffix}")
            if "." not in path.name.removesuffix(suffix)
        )
    )


def form_text() -> str:
    """Say it in a word or two: ``no``, or ``yes (12 modules)``."""
    count = len(compiled_modules())
    return f"yes ({count} modules)" if count else "no"
