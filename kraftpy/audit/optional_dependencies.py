"""The optional packages of the auditor, imported late and with one clear line when they are missing.

Only ``kraftpy[spark]`` brings pyarrow, DuckDB and PySpark. A module of this room imports them inside functions, through
:func:`extra`, so that ``kraftpy --help`` and a node never load them.
"""

from __future__ import annotations

import gc
import importlib
import os
from typing import Any, Final

from kraftpy.model.errors import KraftError

ALGEBRA_THREADS: Final = "OPENBLAS_NUM_THREADS"
"""How many threads numpy's library for linear algebra starts when numpy is loaded."""


COLLECTED_AFTER: Final = 50_000
"""After so many more objects the garbage collector looks at the young ones; Python's own number is 700, later 2,000."""

KEPT_BYTES: Final = 16 * 1024 * 1024
"""Pieces of memory of up to this size are kept when they are freed."""


class MissingExtraError(KraftError):
    """A package of the ``spark`` extra is not installed."""


def extra(module: str) -> Any:
    """Import a module of an optional package, such as ``pyarrow.compute``.

    Raises:
        MissingExtraError: when it is not installed; the text says how to install it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingExtraError(f"this needs {package} ({error}): pip install 'kraftpy[spark]'") from error


def own_process() -> None:
    """Prepare a process that does nothing but a command of the auditor's, before numpy is loaded.

    Numpy starts threads for linear algebra, which the auditor never does: 0.08 s of CPU time, a fifth of what checking
    a million records takes. What the environment already says is left as it is. The garbage collector comes seldom,
    because what is kept here are tuples, which hold no cycles. A process of somebody else's, which only uses this
    package, is not touched.
    """
    os.environ.setdefault(ALGEBRA_THREADS, "1")
    gc.set_threshold(COLLECTED_AFTER)
    # From the first large piece of memory that is freed on, glibc keeps pieces of up to that size for what comes next,
    # where otherwise every array would be fresh memory. Nothing touches this one, so that it costs nothing.
    large = bytes(KEPT_BYTES)
    del large
