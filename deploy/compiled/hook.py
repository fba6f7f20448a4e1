"""The compiled form inside a wheel: hatchling calls this for every wheel, and it adds to one only when it is asked to.

``KRAFTPY_COMPILED=required pip wheel --no-build-isolation .`` asks; ``make compiled-wheel`` does so. The wheel is for
one Python version and platform then, and holds the sources, too: they are what tracebacks show.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledForm(BuildHookInterface[Any]):
    """Puts the extension modules into a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the form and name its files, unless this is an editable install or a plain wheel."""
        if version == "editable" or os.environ.get("KRAFTPY_COMPILED") != "required":
            return
        sys.path.insert(0, self.root)
        from deploy.compiled.build import CHECKOUT, FORM, build, built_files

        build(self.app.display_info, os.cpu_count() or 1)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"] |= {str(CHECKOUT / FORM / path): str(path) for path in built_files()}
