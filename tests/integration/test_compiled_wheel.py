"""The compiled wheel: made of the form that these tests run on, installed without an index, and run elsewhere.

It is installed into new environments, which hold kraftpy alone: what it needs is in the packages of the Python that
runs the tests.
"""

from __future__ import annotations

import json
import os
import re
import site
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from shlex import join, quote
from zipfile import ZipFile

import pytest
from packaging.tags import sys_tags
from packaging.utils import parse_wheel_filename

import kraftpy
from deploy.compiled.build import CHECKOUT, FORM, SUFFIX, built_files, is_fresh
from deploy.compiled.modules import MODULES
from kraftpy.local_cluster.cluster import read_local_cluster
from kraftpy.records.metadata import TopicRecord
from kraftpy.storage.names import METADATA_DIRECTORY
from tests.compiled import REQUIRED
from tests.fakes.processes import QUICK_TIMERS, read_log, records_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not REQUIRED, reason="no compiled form is tested here: make test-compiled"),
]

COMPILED = f"compiled: yes ({len(MODULES)} modules)"
IMPORT = """
import importlib, json, sys
print(json.dumps({name: importlib.import_module(name).__file__ for name in sys.argv[1:]}))
"""


@dataclass(frozen=True)
class Wheels:
    """Both wheels of one version, in one directory."""

    directory: Path
    compiled: Path
    pure: Path


@dataclass(frozen=True)
class Environment:
    """A virtual environment."""

    root: Path

    @property
    def python(self) -> Path:
        return self.root / "bin" / "python"

    @property
    def packages(self) -> Path:
        return self.root / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"

    @property
    def pip(self) -> str:
        """The beginning of a command line that installs into it. It has no pip of its own, and makes no bytecode."""
        return f"{quote(sys.executable)} -m pip --python {quote(str(self.python))} --quiet"

    def kraftpy(self, line: str) -> str:
        return printed(f"{quote(str(self.root / 'bin' / 'kraftpy'))} {line}", self.root)


def printed(line: str, directory: Path) -> str:
    """Run a command line as a user's shell does: nothing of this run is on Python's path; return what it prints."""
    own = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "KRAFTPY_COMPILED"))}
    offline = {"PIP_NO_INDEX": "1", "PIP_NO_COMPILE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(
        line, shell=True, cwd=directory, env=own | offline, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{line}\nended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def new_environment(root: Path, installs: str) -> Environment:
    """Make an environment with one wheel in it."""
    venv.create(root, symlinks=True)
    environment = Environment(root)
    printed(f"{environment.pip} install --no-deps {installs}", root)
    # Afterwards: pip would find the kraftpy of these packages installed.
    (environment.packages / "dependencies.pth").write_text("\n".join(site.getsitepackages()) + "\n", encoding="utf-8")
    return environment


@pytest.fixture(scope="module")
def wheels(tmp_path_factory) -> Wheels:
    """The compiled one by the recipe of ``make compiled-wheel``, the pure one as a release builds it."""
    assert is_fresh(), f"{FORM} is not made of these sources, and making it takes minutes: make compiled"
    directory = tmp_path_factory.mktemp("wheels") / "kraftpy" / "dist"
    out = f"--wheel-dir {quote(str(directory))}"
    found = re.search(r"^compiled-wheel: compiled\n\t(.+ --wheel-dir dist \.)$", makefile(), re.MULTILINE)
    assert found
    recipe = found[1].replace("$(BIN)/python", quote(sys.executable)).replace("--wheel-dir dist", out)
    printed(recipe, CHECKOUT)
    (compiled,) = directory.iterdir()
    printed(f"{quote(sys.executable)} -m hatchling build -t wheel -d {quote(str(directory))}", CHECKOUT)
    (pure,) = set(directory.iterdir()) - {compiled}
    return Wheels(directory, compiled, pure)


def makefile() -> str:
    return (CHECKOUT / "Makefile").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def installed(wheels, tmp_path_factory) -> Environment:
    """An environment for which pip had both wheels to choose from."""
    root = tmp_path_factory.mktemp("environments") / "chosen"
    return new_environment(root, f"--find-links {quote(str(wheels.directory))} kraftpy=={kraftpy.__version__}")


def test_the_wheel_is_for_this_python_and_platform(wheels):
    """By its name, which pip chooses by, and by its metadata; the pure one is for all."""
    _, version, _, (tag,) = parse_wheel_filename(wheels.compiled.name)
    assert str(version) == kraftpy.__version__
    assert tag in set(sys_tags())
    this = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert tag.interpreter == this
    assert tag.abi.startswith(this)
    assert tag.platform.startswith("macosx" if sys.platform == "darwin" else sys.platform)
    assert tag.platform.endswith(os.uname().machine)
    with ZipFile(wheels.compiled) as archive:
        metadata = archive.read(f"kraftpy-{version}.dist-info/WHEEL").decode().splitlines()
    assert {"Root-Is-Purelib: false", f"Tag: {tag}"} <= set(metadata)
    assert wheels.pure.name == f"kraftpy-{version}-py3-none-any.whl"


def test_the_wheel_is_the_pure_one_and_what_was_compiled(wheels):
    """It holds the sources, too: tracebacks show them. Nothing was compiled for it once more."""
    with ZipFile(wheels.compiled) as archive, ZipFile(wheels.pure) as pure:
        added = set(archive.namelist()) - set(pure.namelist())
        assert set(pure.namelist()) <= set(archive.namelist())
        assert added == {path.as_posix() for path in built_files()}
        for name in added:
            assert archive.read(name) == (CHECKOUT / FORM / name).read_bytes(), name


def test_pip_prefers_it_to_the_pure_wheel_where_it_fits(wheels, installed, tmp_path):
    """The other Pythons of a directory with both take the pure one."""
    (metadata,) = installed.packages.glob("kraftpy-*.dist-info/WHEEL")
    assert "Root-Is-Purelib: false" in metadata.read_text(encoding="utf-8").splitlines()
    other = f"{sys.version_info.major}.{sys.version_info.minor + 1}"
    printed(
        f"{installed.pip} download --no-deps --only-binary :all: --python-version {other} --dest {quote(str(tmp_path))}"
        f" --find-links {quote(str(wheels.directory))} kraftpy", tmp_path,
    )  # fmt: skip
    assert [one.name for one in tmp_path.iterdir()] == [wheels.pure.name]


def test_what_is_compiled_is_imported_from_the_environment(installed):
    """Every module of the list, and the library that holds the code of all."""
    extensions = {".".join(path.parts).removesuffix(SUFFIX): path for path in built_files()}
    assert set(MODULES) < set(extensions)
    command = [str(installed.python), "-c", IMPORT, *extensions]
    files = json.loads(printed(join(command), installed.root))
    assert files == {name: str(installed.packages / path) for name, path in extensions.items()}
    # What is compiled may get its name from what imports it, whether or not there is such a file.
    assert [file for file in files.values() if not Path(file).is_file()] == []


def test_the_command_shows_the_compiled_form(installed):
    assert installed.kraftpy("--version").splitlines()[:3:2] == [f"kraftpy, version {kraftpy.__version__}", COMPILED]


def test_a_cluster_of_it_commits_a_write(installed, tmp_path):
    """From empty directories: a controller and a broker of the compiled form, and a topic in their log."""
    properties = " ".join(f"--property {key}={value}" for key, value in QUICK_TIMERS.items())
    cluster = tmp_path / "cluster"
    line = f"quickstart --dir {quote(str(cluster))} --controllers 1 --brokers 1 --topics 1 --once -o json {properties}"
    assert json.loads(installed.kraftpy(line))["ready"] is True
    nodes = read_local_cluster(cluster)
    for node in nodes.nodes:
        first, *_ = node.log_file.read_text(encoding="utf-8").splitlines()
        assert f"yes ({len(MODULES)} modules)" in first
    (controller,) = nodes.controllers
    written = records_of(read_log(controller.log_dirs[0] / METADATA_DIRECTORY))
    assert [record.name for record in written if isinstance(record, TopicRecord)] == ["topic-1"]


def test_it_replaces_an_installed_pure_wheel_as_documented(wheels, tmp_path):
    """Of the same version: pip keeps what is installed, unless it is asked by the command of ``docs/deploy.md``."""
    environment = new_environment(tmp_path / "pure", quote(str(wheels.pure)))
    printed(f"{environment.pip} install --no-deps {quote(str(wheels.compiled))}", tmp_path)
    assert not list(environment.packages.glob(f"kraftpy*{SUFFIX}"))
    page = (CHECKOUT / "docs" / "deploy.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^/opt/kraftpy/bin/pip (install .*dist/.*\.whl)$", page, re.MULTILINE)
    printed(f"{environment.pip} {command}", wheels.directory.parents[1])
    assert environment.kraftpy("--version").splitlines()[2] == COMPILED
