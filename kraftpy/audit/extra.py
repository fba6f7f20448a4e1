"""The optional packages of the auditor, imported late and with one clear line when they are missing.

Only ``kraftpy[spark]`` brings pyarrow, DuckDB and PySpark. A module of this room imports them inside functions, through
:func:`extra`, so that ``kraftpy --help`` and a node never load them.
"""

from __future__ import annotations

import importlib
from typing import Any

from kraftpy.model.errors import KraftError


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
