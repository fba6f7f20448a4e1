"""A commit is released only when its tag, version and changelog agree; its files can be made again and checked."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

import kraftpy
from deploy.release import __main__ as command
from deploy.release.artifacts import (
    CHECKSUMS,
    SIGNATURE_NAMESPACE,
    distributions,
    make,
    sign,
    write_bill_of_materials,
    write_checksums,
)
from deploy.release.checks import STATED_IN, ReleaseError, faults_of, git, version_in
from deploy.wheel.commit import NAMED_IN, commit_of, with_commit

CHECKOUT = Path(__file__).resolve().parents[2]
VERSION = kraftpy.__version__
IS_CLONE = (CHECKOUT / ".git").exists()

needs_ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="there is no ssh-keygen on this machine")
needs_clone = pytest.mark.skipif(not IS_CLONE, reason="these files are no clone: the time of their commit is not known")


@pytest.fixture
def repository(tmp_path):
    """A commit that is a release."""
    state(tmp_path, VERSION)
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## Unreleased\n\n## {VERSION} - 2026-11-27\n")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    git(tmp_path, "-c", "tag.gpgsign=false", "tag", f"v{VERSION}")
    return tmp_path


def state(root: Path, version: str) -> None:
    """Write the file that states a version."""
    (root / "kraftpy").mkdir(exist_ok=True)
    (root / "kraftpy" / "__init__.py").write_text(f'__version__ = "{version}"\n')


def commit(root: Path) -> None:
    author = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    git(root, "add", "--all")
    git(root, *author, "commit", "--quiet", "--message", "a change")


def test_a_tagged_commit_is_a_release(repository):
    assert list(faults_of(repository)) == []


def test_each_fault_is_named(repository):
    """A missing tag, a version that is none, a changelog without it, uncommitted files."""
    state(repository, "1.x")
    (repository / "CHANGELOG.md").write_text("# Changelog\n\n## 1.x - soon\n")
    commit(repository)
    (repository / "more.txt").write_text("")
    malformed, changed, untagged, unlisted = faults_of(repository)
    assert malformed.startswith("version '1.x' in kraftpy/__init__.py is not like 1.2.3")
    assert changed.endswith("not committed: more.txt")
    assert untagged.startswith("the commit has no tag v1.x (its tags: none)")
    assert unlisted.startswith("CHANGELOG.md has no section '## 1.x - YYYY-MM-DD'")


def test_a_version_that_is_not_stated_is_named(repository, monkeypatch, capsys):
    monkeypatch.setattr(command, "ROOT", repository)
    (repository / "kraftpy" / "__init__.py").write_text("")
    assert command.main(["--check"]) == 1
    assert capsys.readouterr().err == "no release: kraftpy/__init__.py states no __version__\n"
    (repository / "kraftpy" / "__init__.py").unlink()
    assert command.main(["--check"]) == 1
    assert "has no kraftpy/__init__.py, which states the version" in capsys.readouterr().err


def test_the_version_is_stated_once():
    """The chart's is compared by make lint, and this package's metadata are made from it."""
    assert version_in(CHECKOUT) == VERSION
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"] == {"path": STATED_IN}


def test_a_git_that_does_not_answer_costs_a_wheel_its_commit_alone(repository, monkeypatch):
    """The build failed."""

    def late(command, **_):
        raise subprocess.TimeoutExpired(command, 1)

    monkeypatch.setattr("deploy.wheel.commit.subprocess.run", late)
    assert commit_of(repository) is None


def test_a_wheel_has_the_commit_of_its_checkout(repository, tmp_path, monkeypatch):
    """By its full id, whatever tags there are; changed files are said, and an archive has none."""
    assert commit_of(repository) == git(repository, "rev-parse", "HEAD")
    state(repository, "1.x")
    assert commit_of(repository) == f"{git(repository, 'rev-parse', 'HEAD')}-dirty"
    assert commit_of(repository / "kraftpy") is None, "an archive that was unpacked in a checkout"
    archive = tmp_path / "archive"
    archive.mkdir()
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    shutil.rmtree(repository / ".git")
    assert commit_of(archive) is None
    monkeypatch.setenv("PATH", str(archive))
    assert commit_of(repository) is None, "there is no git"
    source = (CHECKOUT / NAMED_IN).read_text(encoding="utf-8")
    assert with_commit(source, "abc") == source.replace('"unknown"', '"abc"')
    with pytest.raises(ValueError, match="has no line __commit__"):
        with_commit("", "abc")


def test_files_that_only_a_clone_ignores_are_named(repository):
    """The build reads .gitignore alone, and would put them into the release."""
    (repository / ".git" / "info" / "exclude").write_text("*.secret\n")
    (repository / "a key.secret").write_text("")
    (fault,) = faults_of(repository)
    assert fault.endswith("not committed: a key.secret")
    (repository / ".gitignore").write_text("*.secret\n")
    (repository / "CHANGELOG.md").write_text(f"## {VERSION} - 2026-11-27\n")
    (fault,) = faults_of(repository)
    assert fault.endswith("not committed: CHANGELOG.md, .gitignore")


def test_files_that_are_no_clone_are_refused(tmp_path, monkeypatch, capsys):
    state(tmp_path, VERSION)
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert command.main(["--check"]) == 1
    assert "no release: git ls-files" in capsys.readouterr().err


def test_nothing_is_made_of_a_commit_that_is_no_release(repository, monkeypatch, capsys):
    (repository / "more.txt").write_text("")
    monkeypatch.setattr(command, "ROOT", repository)
    assert command.main(["--out", str(repository / "dist")]) == 1
    assert "no release: there are changes" in capsys.readouterr().err
    assert not (repository / "dist").exists()


def test_a_snapshot_is_not_signed(repository, monkeypatch, capsys):
    """A signature says that it is a release."""
    (repository / "more.txt").write_text("")
    monkeypatch.setattr(command, "ROOT", repository)
    words = ["--snapshot", "--sign-with", str(repository / "key"), "--out", str(repository / "dist")]
    assert command.main(words) == 1
    assert "no release: a snapshot is not signed" in capsys.readouterr().err
    assert not (repository / "dist").exists()


def test_a_signature_of_other_files_is_removed(repository, monkeypatch, tmp_path):
    """It does not fit the new checksums: users would suspect the files."""
    out = tmp_path / "dist"
    out.mkdir()
    (out / f"{CHECKSUMS}.sig").write_text("of the files before")

    def build(_root, directory):
        (directory / "kraftpy.whl").write_bytes(b"a wheel")
        return [directory / "kraftpy.whl"]

    monkeypatch.setattr("deploy.release.artifacts.distributions", build)
    monkeypatch.setattr("deploy.release.artifacts.installed", lambda *_: Path(sys.executable))
    monkeypatch.setattr(
        "deploy.release.artifacts.write_bill_of_materials", lambda _root, _python, file: file.write_text("{}")
    )
    made = make(repository, out, lambda _line: None)
    assert sorted(made) == sorted(out.iterdir())
    assert {one.name for one in made} == {"kraftpy.whl", f"kraftpy-{VERSION}.cdx.json", CHECKSUMS}


@needs_clone
def test_a_step_that_fails_leaves_nothing_behind(monkeypatch, capsys, tmp_path):
    def broken(_root, out):
        (out / "half.whl").write_bytes(b"half")
        raise ReleaseError("the build broke")

    monkeypatch.setattr("deploy.release.artifacts.distributions", broken)
    assert command.main(["--snapshot", "--out", str(tmp_path / "dist")]) == 1
    assert capsys.readouterr().err.endswith("no release: the build broke\n")
    assert list((tmp_path / "dist").iterdir()) == []


@needs_clone
def test_a_build_that_depends_on_more_than_the_commit_is_refused(monkeypatch, tmp_path):
    """The second build of a wheel differs."""
    builds = iter((b"one", b"other"))

    def build(command, _root, *, epoch):
        assert int(epoch) > 1_700_000_000
        directory = Path(command[-1])
        directory.mkdir(exist_ok=True)
        (directory / "kraftpy.whl").write_bytes(next(builds))

    monkeypatch.setattr("deploy.release.artifacts._run", build)
    with pytest.raises(ReleaseError, match=r"kraftpy\.whl has other bytes when it is built again"):
        distributions(CHECKOUT, tmp_path)


@needs_ssh
@needs_clone
def test_signed_checksums_pass_and_changed_files_do_not(tmp_path):
    """By the commands of docs/releases.md."""
    call(tmp_path, "ssh-keygen -q -t ed25519 -N  -f key")
    (tmp_path / "allowed_signers").write_text(f"maintainers {(tmp_path / 'key.pub').read_text()}")
    (tmp_path / "kraftpy.whl").write_bytes(b"a wheel")
    write_checksums(tmp_path, [tmp_path / "kraftpy.whl"])
    assert sign(tmp_path / CHECKSUMS, tmp_path / "key").name == f"{CHECKSUMS}.sig"
    assert checked(tmp_path) == [0, 0]
    (tmp_path / "kraftpy.whl").write_bytes(b"another wheel")
    assert checked(tmp_path) == [0, 1]
    write_checksums(tmp_path, [tmp_path / "kraftpy.whl"])
    assert checked(tmp_path)[0] != 0, "checksums that were written again are not what was signed"
    with pytest.raises(ReleaseError, match="ssh-keygen -Y sign"):
        sign(tmp_path / CHECKSUMS, tmp_path / "no-key")


def checked(directory: Path) -> list[int]:
    page = (CHECKOUT / "docs" / "releases.md").read_text(encoding="utf-8")
    commands = [line for line in page.splitlines() if line.startswith(("ssh-keygen -Y verify", "sha256sum --check"))]
    assert len(commands) == 2
    assert f"-n {SIGNATURE_NAMESPACE} " in commands[0]
    return [
        subprocess.run(["/bin/sh", "-c", line], cwd=directory, capture_output=True, check=False).returncode
        for line in commands
    ]


def call(directory: Path, line: str) -> None:
    subprocess.run(line.split(" "), cwd=directory, check=True, capture_output=True)


@needs_clone
@pytest.mark.landing
def test_the_bill_of_materials_names_what_a_node_needs(tmp_path):
    """Versions, licenses and the root's dependencies, of the environment that runs this test."""
    file = tmp_path / "kraftpy.cdx.json"
    write_bill_of_materials(CHECKOUT, Path(sys.executable), file)
    bill = json.loads(file.read_text(encoding="utf-8"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    root = bill["metadata"]["component"]
    assert (root["name"], root["version"]) == ("kraftpy", VERSION)
    found = {one["name"].lower(): one for one in bill["components"]}
    pins = (CHECKOUT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    wanted = dict(line.lower().split("==") for line in pins if "==" in line)
    assert {name: found[name]["version"] for name in wanted} == wanted
    assert found["click"]["licenses"]
    (needs,) = (one["dependsOn"] for one in bill["dependencies"] if one["ref"] == root["bom-ref"])
    assert found["grpcio"]["bom-ref"] in needs


@needs_clone
@pytest.mark.landing
def test_a_wheel_is_built_twice_to_the_same_bytes_and_works_alone(tmp_path):
    """It has every file of the package; installed without an index, its program runs a cluster outside of the checkout.

    The packages that it needs are those of the environment that runs this test. That an index gives all of them is
    shown where they are installed, too: ``tests/interop/test_three_hosts.py``, and ``test_image.py`` beside it.
    """
    *_, wheel = distributions(CHECKOUT, tmp_path / "dist")
    with zipfile.ZipFile(wheel) as archive:
        files = {name for name in archive.namelist() if name.startswith("kraftpy/")}
    assert files == package_files()
    call(tmp_path, f"{sys.executable} -m venv --without-pip empty")
    python = tmp_path / "empty" / "bin" / "python"
    call(
        tmp_path,
        f"{sys.executable} -m pip --python {python} install --quiet --no-index --no-deps {wheel}",
    )
    lend_packages(python)
    program = "import kraftpy.client; print(kraftpy.__version__, kraftpy.__commit__, kraftpy.__file__)"
    shown = in_environment(tmp_path, "python", "-c", program).split()
    assert shown[:2] == [VERSION, commit_of(CHECKOUT)]
    assert Path(shown[2]).is_relative_to(tmp_path)
    assert json.loads(in_environment(tmp_path, "kraftpy", "--version", "-o", "json"))["kraftpyVersion"] == VERSION
    words = ("quickstart", "--dir", "cluster", "--controllers", "1", "--brokers", "0", "--once", "-o", "json")
    assert json.loads(in_environment(tmp_path, "kraftpy", *words))["clusterId"]


def package_files() -> set[str]:
    """The files that an installed package has to have: those below kraftpy that git does not ignore, but for one part.

    PySpark finds the data source only beside the package; its files are there under another name.
    """
    listed = git(CHECKOUT, "ls-files", "--cached", "--others", "--exclude-standard", "kraftpy").splitlines()
    return {one for one in listed if not one.startswith("kraftpy/audit/autoload/") and (CHECKOUT / one).exists()}


def lend_packages(python: Path) -> None:
    """Let an environment find, after its own packages, those of the one that runs this test.

    A link there to the checkout is not followed: only the first environment's own links are read.
    """
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    ours = dict.fromkeys(sysconfig.get_path(name) for name in ("purelib", "platlib"))
    Path(site, "lent.pth").write_text("".join(f"{path}\n" for path in ours), encoding="utf-8")


def in_environment(directory: Path, program: str, *words: str) -> str:
    """Run a program of the environment ``empty`` without this test's variables; return what it printed."""
    done = subprocess.run(
        [directory / "empty" / "bin" / program, *words],
        cwd=directory, env={"HOME": str(directory)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
