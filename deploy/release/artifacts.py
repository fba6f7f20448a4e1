"""The files of a release, built in a directory of their own and moved to their place when all are there."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from deploy.release.checks import ReleaseError, commit_time, version_in

CHECKSUMS: Final = "SHA256SUMS"
SIGNATURE_NAMESPACE: Final = "kraftpy-release"
"""What a signature is for: one that was made for something else does not pass. Source: ssh-keygen(1), -Y sign."""


def make(root: Path, out: Path, report: Callable[[str], None], key: Path | None = None) -> list[Path]:
    """Make all files of a release; return their paths.

    Args:
        root: the checked-out commit.
        out: a directory that gets the files. Files of the same names are replaced; a signature of others is removed.
        report: called with a line for each step.
        key: an SSH key to sign the checksums with, or its public half where an agent has the private one.

    Raises:
        ReleaseError: a step failed, and nothing is in ``out``.
    """
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out, prefix=".release-") as name:
        files = Path(name)
        report("building the source distribution and the wheel, twice")
        built = distributions(root, files)
        report("listing what an installation contains")
        with tempfile.TemporaryDirectory() as scratch:
            python = installed(root, built[-1], Path(scratch))
            bill = files / f"kraftpy-{version_in(root)}.cdx.json"
            write_bill_of_materials(root, python, bill)
        named = [*built, bill]
        write_checksums(files, named)
        named.append(files / CHECKSUMS)
        if key is not None:
            report(f"signing {CHECKSUMS}")
            named.append(sign(files / CHECKSUMS, key))
        signature_path(out / CHECKSUMS).unlink(missing_ok=True)
        return [one.replace(out / one.name) for one in named]


def distributions(root: Path, out: Path) -> list[Path]:
    """Build the source distribution and the pure wheel; the wheel is the last one.

    They are built twice. What follows from a commit alone can be checked by anyone who has the commit.

    Raises:
        ReleaseError: the build failed, or the second one is different.
    """
    again = out / "again"
    build = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d"]
    for directory in (out, again):
        _run([*build, str(directory)], root, epoch=commit_time(root))
    built = [*out.glob("*.tar.gz"), *out.glob("*.whl")]
    for one in built:
        if one.read_bytes() != (again / one.name).read_bytes():
            raise ReleaseError(f"{one.name} has other bytes when it is built again: it depends on more than the commit")
    shutil.rmtree(again)
    return built


def installed(root: Path, wheel: Path, scratch: Path) -> Path:
    """Install a wheel with the pinned requirements into an empty environment; return its interpreter."""
    venv.create(scratch, with_pip=True)
    python = scratch / "bin" / "python"
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    _run([*pip, "install", "-r", str(root / "requirements.txt")], root)
    _run([*pip, "install", "--no-deps", str(wheel)], root)
    # What comes with every environment is no part of the release.
    _run([*pip, "uninstall", "--yes", "setuptools", "pip"], root)
    return python


def write_bill_of_materials(root: Path, python: Path, file: Path) -> None:
    """Write what an environment contains, with versions, licenses and dependencies, as CycloneDX 1.6.

    The lister reads the version of the project itself in its ``pyproject.toml`` alone, so it gets a copy that has one.
    """
    declared = (root / "pyproject.toml").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        project = Path(scratch) / "pyproject.toml"
        project.write_text(declared.replace('dynamic = ["version"]', f'version = "{version_in(root)}"'), "utf-8")
        _list_contents(root, python, project, file)


def _list_contents(root: Path, python: Path, project: Path, file: Path) -> None:
    form = ["--output-format", "JSON", "--spec-version", "1.6", "--output-reproducible", "--output-file", str(file)]
    command = [sys.executable, "-m", "cyclonedx_py", "environment", str(python), "--pyproject", str(project), *form]
    _run(command, root, epoch=commit_time(root))


def write_checksums(directory: Path, files: Sequence[Path]) -> None:
    """Write the SHA-256 of each file, in the form that ``sha256sum --check`` reads."""
    lines = [f"{hashlib.sha256(one.read_bytes()).hexdigest()}  {one.name}\n" for one in files]
    (directory / CHECKSUMS).write_text("".join(lines), encoding="ascii")


def sign(file: Path, key: Path) -> Path:
    """Sign a file with an SSH key; return the path of the signature."""
    if shutil.which("ssh-keygen") is None:
        raise ReleaseError("no ssh-keygen on the PATH, which signs: install OpenSSH's client")
    _run(["ssh-keygen", "-Y", "sign", "-q", "-f", str(key), "-n", SIGNATURE_NAMESPACE, str(file)], file.parent)
    return signature_path(file)


def signature_path(file: Path) -> Path:
    """Return where ssh-keygen writes the signature of a file."""
    return file.with_name(f"{file.name}.sig")


def _run(command: list[str], directory: Path, *, epoch: str | None = None) -> None:
    """Run a command; what it writes says that it was made at ``epoch``, if it heeds SOURCE_DATE_EPOCH."""
    done = subprocess.run(  # noqa: S603 - commands of this module, with paths
        command,
        cwd=directory,
        env=os.environ | ({"SOURCE_DATE_EPOCH": epoch} if epoch else {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ReleaseError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout.strip()}")
