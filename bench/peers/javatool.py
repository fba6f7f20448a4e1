"""Load tools in Java: compiled with what they share when they are first needed, and when a source is newer."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from bench.peers.ensemble import build, cache_directory, is_newer
from bench.work import SkippedError

SHARED: Final = Path(__file__).parent / "javaload" / "Measurement.java"


def java_tool(source: Path, class_path: str) -> Path:
    """Compile a tool of one source file; return the directory of its classes.

    Raises:
        SkippedError: there is no Java or no compiler, or it fails.
    """
    if shutil.which("java") is None or shutil.which("javac") is None:
        raise SkippedError("no java and javac on the PATH (its load tool is compiled when it is first needed)")
    classes = cache_directory(source.parent.name)
    if not is_newer(classes / f"{source.stem}.class", [source, SHARED]):
        build(
            ["javac", "-cp", class_path, "-d", str(classes), str(SHARED), str(source)], source.parent, "its load tool"
        )
    return classes
