"""From sources to the compiled form: mypyc makes C of the modules, a C compiler an extension, and both are laid out.

What was built is remembered as a fingerprint of everything that it depends on: all sources (the type of a function in
one module is code in another), the list, this file, the interpreter, mypyc, and the compiler. As long as that is the
same, only sources are copied.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir
from importlib import metadata
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any, Final

from deploy.compiled.modules import MODULES

CHECKOUT: Final = Path(__file__).resolve().parents[2]
PACKAGE: Final = "kraftpy"
FORM: Final = Path("build", "compiled")
"""What goes on the path, relative to the checkout."""

WORK: Final = Path("build", "mypyc")
"""The C sources and objects."""

FINGERPRINT: Final = FORM / "fingerprint"
"""Written last, so that a build that was interrupted is none."""

SUFFIX: Final = EXTENSION_SUFFIXES[0]

CHECKS: Final = ("--config-file=pyproject.toml", "--no-warn-return-any", "--no-warn-unused-ignores")
"""How mypyc checks the types: as ``make lint`` does, but for two warnings that it gives where mypy does not."""

SLICES: Final = Path("deploy", "compiled", "slices.h")
"""Precedes :data:`SLICED`, and explains it."""

SLICED: Final = "bytes_ops.c"

OPTIMIZATION: Final = "2"
"""``-O3`` takes half as long again to compile, and gains nothing that could be measured."""

PrintProgress = Callable[[str], None]


class NoCompilerError(Exception):
    """This machine has no C compiler that makes extensions of this Python."""


def build(print_progress: PrintProgress, jobs: int) -> Path:
    """Bring the compiled form up to date; return the directory that goes on the path.

    Args:
        print_progress: takes lines for the user.
        jobs: how many compilers run at a time.

    Raises:
        NoCompilerError: there is none, or no headers of this Python.
        SystemExit: mypyc refuses a module; it has said why.
        subprocess.CalledProcessError: the compiler refuses what mypyc made.
    """
    compiler = compiler_version()
    if is_fresh():
        print_progress(f"{FORM}: {len(MODULES)} modules are compiled, nothing has changed")
        return CHECKOUT / FORM
    with chdir(CHECKOUT):
        fingerprint = _fingerprint(compiler)
        extensions = _translate()
        print_progress(f"compiling {len(MODULES)} modules with {jobs} jobs")
        shutil.rmtree(FORM, ignore_errors=True)
        shutil.copytree(PACKAGE, FORM / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
        for extension in extensions:
            _make(extension, jobs)
        FINGERPRINT.write_text(fingerprint, encoding="ascii")
    print_progress(f"{FORM}: {len(MODULES)} modules are compiled")
    return CHECKOUT / FORM


def is_fresh() -> bool:
    """Return whether the compiled form is there and is that of the present sources."""
    try:
        compiler = compiler_version()
    except NoCompilerError:
        return False
    with chdir(CHECKOUT):
        return FINGERPRINT.is_file() and FINGERPRINT.read_text(encoding="ascii") == _fingerprint(compiler)


def compiler_version() -> str:
    """Return what the C compiler says of itself.

    Raises:
        NoCompilerError: there is none, or no headers of this Python.
    """
    command = _compiler()
    header = Path(sysconfig.get_path("include"), "Python.h")
    if shutil.which(command[0]) is None:
        raise NoCompilerError(f"no C compiler: {command[0]} is not installed; kraftpy runs without, as plain Python")
    if not header.is_file():
        raise NoCompilerError(f"no {header}: this Python's headers are not installed; kraftpy runs without")
    return _run([*command, "--version"])


def built_files() -> Iterator[Path]:
    """Iterate over the extensions of the compiled form, relative to it."""
    root = CHECKOUT / FORM
    return (path.relative_to(root) for path in sorted(root.rglob(f"*{SUFFIX}")))


def _compiler() -> list[str]:
    return shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC"))


def _fingerprint(compiler: str) -> str:
    found = hashlib.sha256()
    for text in (sys.version, platform.machine(), metadata.version("mypy"), compiler, *_flags(), *MODULES):
        found.update(text.encode() + b"\0")
    own = [*Path("deploy", "compiled").glob("*.py"), SLICES]
    sources = [*Path(PACKAGE).rglob("*.py"), *own, Path("pyproject.toml")]
    for path in sorted(sources):
        found.update(str(path).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


def _flags() -> list[str]:
    return shlex.split(os.environ.get("CFLAGS", ""))


def _translate() -> list[Any]:
    """Let mypyc write the C sources; return what is to be made of them."""
    # Late: importing it takes a second, and setuptools before it decides which classes it uses.
    import setuptools  # type: ignore[import-untyped] # noqa: F401 - it has no stubs; that it is there is all
    from mypyc.build import mypycify

    sources = [str(Path(*module.split(".")).with_suffix(".py")) for module in MODULES]
    extensions: list[Any] = mypycify(
        [*CHECKS, *sources],
        opt_level=OPTIMIZATION,
        debug_level="0",
        multi_file=True,
        target_dir=str(WORK),
        group_name=PACKAGE,
    )
    return extensions


def _make(extension: Any, jobs: int) -> None:
    """Compile one extension, source by source, and put it where it is imported from."""
    target = FORM.joinpath(*extension.name.split(".")).with_name(extension.name.rpartition(".")[2] + SUFFIX)
    newest = max(Path(path).stat().st_mtime for path in (*extension.depends, *extension.sources))
    includes = [f"-I{path}" for path in (*extension.include_dirs, sysconfig.get_path("include"))]
    options = ["-fPIC", "-DNDEBUG", "-fwrapv", *includes, *extension.extra_compile_args, *_flags()]

    def compiled(source: str) -> str:
        made = (WORK / "objects" / source).with_suffix(".o")
        before = [SLICES] if Path(source).name == SLICED else []
        if not made.is_file() or made.stat().st_mtime < max([newest, *(path.stat().st_mtime for path in before)]):
            made.parent.mkdir(parents=True, exist_ok=True)
            included = [part for path in before for part in ("-include", str(path))]
            _run([*_compiler(), *options, *included, "-c", source, "-o", str(made)])
        return str(made)

    with ThreadPoolExecutor(jobs) as pool:
        objects = list(pool.map(compiled, extension.sources))
    _run([*_compiler(), "-shared", "-s", *objects, "-o", str(target)])


def _run(command: list[str]) -> str:
    """Run a compiler; what it complains of goes to stderr."""
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout  # noqa: S603 - from CC and paths
