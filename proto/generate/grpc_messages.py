"""The generator of ``kraftpy/pb``: from the .proto files to Python messages.

protoc derives Python imports from the paths of the .proto files (``kraftpy.v1``); the generated package lives in
``kraftpy.pb.v1``, so imports are rewritten. Descriptors keep their own names, which is what reflection shows. No
service stubs are generated: :mod:`kraftpy.transport.grpc.methods` reads them off the descriptors. Needs grpcio-tools,
which is a development dependency.
"""

from __future__ import annotations

import importlib.resources
import re
import tempfile
from pathlib import Path

PROTO = Path(__file__).resolve().parents[1]
PB = PROTO.parent / "kraftpy" / "pb"

VERSION_PACKAGE = '"""Version 1 of the public API; generated from ``proto/kraftpy/v1``."""\n'


def generate(out: Path) -> None:
    """Write the generated modules and their type stubs below ``out``.

    Raises:
        RuntimeError: when protoc refuses the files; its messages are on stderr.
    """
    from grpc_tools import protoc  # type: ignore[import-untyped] # nor are there stubs

    sources = sorted(str(path.relative_to(PROTO)) for path in PROTO.rglob("*.proto"))
    well_known = str(importlib.resources.files("grpc_tools") / "_proto")
    with tempfile.TemporaryDirectory() as scratch:
        status = protoc.main([
            "protoc", f"-I{PROTO}", f"-I{well_known}", f"--python_out={scratch}", f"--pyi_out={scratch}", *sources,
        ])  # fmt: skip
        if status != 0:
            raise RuntimeError(f"protoc ended with status {status} for {', '.join(sources)} in {PROTO}")
        target = out / "v1"
        target.mkdir(parents=True, exist_ok=True)
        for path in sorted((Path(scratch) / "kraftpy" / "v1").iterdir()):
            (target / path.name).write_text(_rewrite_imports(path.read_text(encoding="utf-8")), encoding="utf-8")
        (target / "__init__.py").write_text(VERSION_PACKAGE, encoding="utf-8")


def _rewrite_imports(text: str) -> str:
    return re.sub(r"^(from|import) kraftpy\.v1\b", r"\1 kraftpy.pb.v1", text, flags=re.MULTILINE)


def differences() -> list[str]:
    """Name every file of ``kraftpy/pb/v1`` that is not what the .proto files give now."""
    with tempfile.TemporaryDirectory() as scratch:
        generate(Path(scratch))
        fresh = _contents(Path(scratch) / "v1")
    committed = _contents(PB / "v1")
    return sorted(name for name in fresh.keys() | committed.keys() if fresh.get(name) != committed.get(name))


def _contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.py*") if path.is_file()}
