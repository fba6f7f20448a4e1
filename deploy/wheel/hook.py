"""What hatchling asks while it builds a wheel: the commit goes into each, the compiled form only where it is asked for.

The commit replaces ``kraftpy.__commit__`` in the wheel's copy of ``kraftpy/__init__.py``; the checkout stays as it is.

``KRAFTPY_COMPILED=required pip wheel --no-build-isolation .`` asks for the compiled form; ``make compiled-wheel`` does
so. The wheel is for one Python version and platform then, and holds the sources, too: they are what tracebacks show.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WheelHook(BuildHookInterface[Any]):
    """Adds both to a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files to add; none for an editable install, which runs the checkout, whatever its commit is then."""
        self._scratch = tempfile.TemporaryDirectory()
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        self._add_commit(build_data)
        if os.environ.get("KRAFTPY_COMPILED") == "required":
            self._add_compiled_form(build_data)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - hatchling's
        """Remove what was made only to be copied."""
        self._scratch.cleanup()

    def _add_commit(self, build_data: dict[str, Any]) -> None:
        from deploy.wheel.commit import NAMED_IN, commit_of, with_commit

        root = Path(self.root)
        if (commit := commit_of(root)) is None:
            return
        changed = Path(self._scratch.name) / "__init__.py"
        changed.write_text(with_commit((root / NAMED_IN).read_text(encoding="utf-8"), commit), encoding="utf-8")
        build_data["force_include"][str(changed)] = NAMED_IN

    def _add_compiled_form(self, build_data: dict[str, Any]) -> None:
        from deploy.compiled.build import CHECKOUT, FORM, build, built_files

        build(self.app.display_info, os.cpu_count() or 1)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"] |= {str(CHECKOUT / FORM / path): str(path) for path in built_files()}
