"""Helm and the strict decoder (``manifests.go``), compiled by Go from the modules that ``go.mod`` and ``go.sum`` pin.

``python -m tests.interop.helm.programs`` compiles them into the cache and prints where they are.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.fakes.kubernetes import NAMESPACE, Manifest
from tests.interop.jars import cache_directory

MODULE = Path(__file__).parent
CHART = MODULE.parents[2] / "deploy" / "helm" / "kraftpy"
SOURCES = ("go.mod", "go.sum", "manifests.go")
HELM = "helm.sh/helm/v3/cmd/helm"
RELEASE = " ".join(
    f"-X helm.sh/helm/v3/pkg/{package}.k8sVersion{part}={value}"
    for package in ("chartutil", "lint/rules")
    for part, value in (("Major", 1), ("Minor", 28))
)
"""The release of Kubernetes that Helm assumes where it speaks to none: the oldest that the chart is for."""

BUILD_TIMEOUT_S = 900
RUN_TIMEOUT_S = 60
EXAMPLES = {path.name.removesuffix("-values.yaml"): path for path in sorted((CHART / "ci").glob("*-values.yaml"))}
"""Files of values that show the parts of the chart, by name."""


class NoHelmError(Exception):
    """Helm cannot be had on this machine; the text is the reason."""


class HelmFailedError(Exception):
    """Helm, or the decoder, refused what it was given; the text is what it printed."""


@dataclass(frozen=True, slots=True)
class Helm:
    """Where the programs are."""

    directory: Path

    def call(self, *words: str | Path, home: Path) -> str:
        """Run Helm with files of its own below ``home``; return its output.

        Raises:
            HelmFailedError: it exited with an error.
        """
        own = {f"HELM_{name}_HOME": str(home / name.lower()) for name in ("CACHE", "CONFIG", "DATA")}
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), **own, "KUBECONFIG": str(home / "none")}
        return run([self.directory / "helm", *words], environment=environment)

    def template(self, values: Mapping[str, Any] | Path, *options: str, home: Path, release: str = "kraftpy") -> str:
        """Return what the chart makes of values, or of a file of values."""
        if not isinstance(values, Path):
            text, values = yaml.safe_dump(dict(values)), home / "values.yaml"
            values.write_text(text, encoding="utf-8")
        return self.call("template", release, CHART, "--values", values, *options, home=home)

    def objects(self, values: Mapping[str, Any] | Path, *options: str, home: Path) -> list[Manifest]:
        """Return the objects of a release ``kraftpy``, without those of ``helm test``."""
        return loaded(self.template(values, "--skip-tests", "--namespace", NAMESPACE, *options, home=home))

    def decode(self, documents: str) -> list[str]:
        """Decode manifests strictly; return the kind and name of each.

        Raises:
            HelmFailedError: some have an unknown field or kind, or a value of a wrong type; it names each.
        """
        return run([self.directory / "manifests"], given=documents).split()


def loaded(text: str) -> list[Manifest]:
    """Return the objects in what Helm printed."""
    return [one for one in yaml.safe_load_all(text) if one is not None]


def run(command: list[str | Path], *, given: str = "", environment: Mapping[str, str] | None = None) -> str:
    """Run a program; return its output.

    Raises:
        HelmFailedError: it exited with an error.
    """
    done = subprocess.run(
        command, input=given, env=environment, capture_output=True, text=True, check=False, timeout=RUN_TIMEOUT_S
    )
    if done.returncode != 0:
        raise HelmFailedError(f"{done.stdout}{done.stderr}")
    return done.stdout


def fetch() -> Helm:
    """Return the programs, compiling them if their pins or sources changed.

    Raises:
        NoHelmError: there is no Go, it is too old, or it could not download or compile the modules.
    """
    if shutil.which("go") is None:
        raise NoHelmError("no go on the PATH: Helm is compiled by it")
    pinned = [RELEASE.encode(), *((MODULE / name).read_bytes() for name in SOURCES)]
    pins = hashlib.sha256(b"".join(pinned)).hexdigest()[:16]
    directory = cache_directory() / f"helm-{pins}"
    if not directory.is_dir():
        compile_into(directory)
    return Helm(directory)


def compile_into(directory: Path) -> None:
    """Compile both programs into a directory, which appears with both of them or not at all."""
    directory.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory.parent) as name:
        programs = Path(name) / "programs"
        programs.mkdir()
        go("build", "-ldflags", RELEASE, "-o", f"{programs}/", HELM, ".")
        programs.rename(directory)


def go(*words: str) -> None:
    """Run Go in our module; it must neither change the pins nor fetch another Go."""
    flags = "-mod=readonly -buildvcs=false -trimpath"
    environment = {**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": flags, "GOWORK": "off"}
    try:
        done = subprocess.run(
            ["go", *words],
            cwd=MODULE,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=BUILD_TIMEOUT_S,
        )
    except subprocess.TimeoutExpired as late:
        raise NoHelmError(f"go {words[0]} did not end within {BUILD_TIMEOUT_S} s") from late
    if done.returncode != 0:
        raise NoHelmError(f"go could not compile Helm: {done.stderr.strip()[-600:]}")


if __name__ == "__main__":
    try:
        print(fetch().directory)
    except NoHelmError as error:
        sys.exit(str(error))
