"""The optional packages of the auditor, imported late, with one clear line if they are missing.

Only ``kraftpy[spark]`` installs pyarrow, DuckDB and PySpark. The modules of this package import them inside functions,
through :func:`extra`, so that ``kraftpy --help`` and a node never load them.
"""

from __future__ import annotations

import gc
import importlib
import os
from typing import Any, Final

from kraftpy.model.errors import KraftError

ALGEBRA_THREADS: Final = "OPENBLAS_NUM_THREADS"
"""The number of threads that numpy's linear algebra library starts when numpy is loaded."""


COLLECTED_AFTER: Final = 50_000
"""The garbage collector examines young objects after this many allocations; Python's default is 700, later 2,000."""

KEPT_BYTES: Final = 16 * 1024 * 1024
"""Freed memory blocks of up to this size are kept for reuse."""


class MissingExtraError(KraftError):
    """A package of the ``spark`` extra is not installed."""


def extra(module: str) -> Any:
    """Import a module of an optional package, such as ``pyarrow.compute``.

    Raises:
        MissingExtraError: when it is not installed; the text contains the command to install it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingExtraError(f"this needs {package} ({error}): pip install 'kraftpy[spark]'") from error


def own_process() -> None:
    """Prepare a process that runs only a command of the auditor, before numpy is loaded.

    Numpy starts threads for linear algebra, which the auditor never uses: 0.08 s of CPU time, a fifth of what checking
    a million records takes. A value in the environment is kept. The garbage collector runs rarely, because most objects
    here are tuples without cycles. A process that only imports this package is not changed.
    """
    os.environ.setdefault(ALGEBRA_THREADS, "1")
    gc.set_threshold(COLLECTED_AFTER)
    # After the first large block is freed, glibc keeps blocks of up to that size for reuse, where otherwise every array
    # would be fresh memory. This block is never written, so it costs nothing.
    large = bytes(KEPT_BYTES)
    del large
