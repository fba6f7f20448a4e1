"""What the pages say in numbers is what the code, the tables and the records beside them say."""

from __future__ import annotations

import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from kraftpy.audit.engines.choice import LOCAL_BYTES_MAX
from kraftpy.audit.engines.spark_tables import SMALL_TABLE_BYTES
from kraftpy.audit.rules import all_rules
from kraftpy.cli.bench import bench
from kraftpy.model.log_rate_limiter import REPEAT_MS
from kraftpy.node.logs import LINES_MAX
from tests.robustness.campaign import EXPERIMENTS
from tests.simulator.bugs import BUGS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    path
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("bench/*.md"), *ROOT.glob("tests/**/*.md"))
    if "golden" not in path.parts
]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def numbers(pattern: str, *names: str) -> set[int]:
    """The numbers that a pattern finds in pages, each of which has one."""
    found = [re.findall(pattern, text_of(name)) for name in names]
    assert all(found), f"{pattern} is not said any more: {names}"
    return {int(one.replace(",", "")) for each in found for one in each}


def test_counts_are_those_of_the_code():
    assert numbers(r"\b(\d+) rules\b", "README.md", "CHANGELOG.md") == {len(all_rules())}
    assert numbers(r"\b(\d+) planted bugs", "README.md") == {len(BUGS)}
    assert numbers(r"(\d+) MiB", "docs/audit.md") == {LOCAL_BYTES_MAX >> 20}
    assert numbers(r"\((\d+) MiB of rows\)", "docs/spark.md") == {SMALL_TABLE_BYTES >> 20}
    assert numbers(r"no more than (\d+) lines of a kind", "CHANGELOG.md") == {LINES_MAX}
    assert numbers(r"lines of a kind written in (\d+) seconds", "CHANGELOG.md") == {REPEAT_MS // 1_000}


def test_what_every_landing_runs_is_what_the_makefile_names():
    assert numbers(r"([\d,]+) histories on every landing", "README.md") == numbers(r"SEEDS=(\d+)", ".ci/run")
    assert numbers(r"CI has ([\d,]+) histories", "tests/simulator/README.md") == numbers(r"SEEDS=(\d+)", ".ci/run")


def test_the_commands_that_prove_it_are_there():
    """Files of tests, experiments, targets of make."""
    stated = text_of("README.md")
    for path in re.findall(r"pytest (tests/[\w/.]+)", stated):
        assert (ROOT / path).exists(), path
    named = set(re.findall(r"--experiment ([\w-]+)", stated))
    assert len(named) > 1
    assert named <= set(EXPERIMENTS)
    targets = set(re.findall(r"^([\w-]+):", text_of("Makefile"), re.MULTILINE))
    assert set(re.findall(r"`?make ([a-z-]+)(?: [A-Z]+=|`| +#)", stated)) <= targets


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_links_to_is_there(page):
    for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert re.match(r"[a-z]+://", link) or (page.parent / link).exists(), link


WITH_PATHS = ["ARCHITECTURE.md", "CONTRIBUTING.md", "tests/README.md"]
"""Pages that name files and what is in them; below the repository, below ``kraftpy/``, or beside the page."""


@pytest.mark.parametrize("page", WITH_PATHS)
def test_the_files_that_a_page_names_are_there(page):
    """``path/file.py`` is there, and of ``path/file.py:name`` the function, method, class or constant, too."""
    named = re.findall(r"`([\w.-]+(?:/[\w.-]+)+/?|[\w-]+\.(?:py|md|toml|txt))(?::(\w+))?`", text_of(page))
    assert len(named) > 5
    for path, name in named:
        if path.startswith(".venv/"):
            continue
        places = [place / path for place in (ROOT, ROOT / "kraftpy", (ROOT / page).parent) if (place / path).exists()]
        assert places, path
        if name:
            defined = rf"^ *(?:async )?(?:def|class) {name}\b|^(?:    )?{name}\b.*="
            assert re.search(defined, places[0].read_text(encoding="utf-8"), re.MULTILINE), f"{path}:{name}"


@pytest.mark.parametrize("page", ["README.md", *WITH_PATHS])
def test_the_targets_that_a_page_names_are_there(page):
    targets = set(re.findall(r"^([\w-]+):", text_of("Makefile"), re.MULTILINE))
    assert set(re.findall(r"(?:`|^)make ([a-z-]+)", text_of(page), re.MULTILINE)) <= targets


def test_every_directory_of_tests_has_a_row():
    rows = set(re.findall(r"^\| `(\w+)` \|", text_of("tests/README.md"), re.MULTILINE))
    inside = {
        path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and not path.name.startswith(("_", "."))
    }
    marks = {
        mark.partition(":")[0]
        for mark in tomllib.loads(text_of("pyproject.toml"))["tool"]["pytest"]["ini_options"]["markers"]
    }
    assert rows == inside | marks


def test_every_page_is_in_the_index():
    """All of ``docs``, and the pages of the root that strangers are expected to look for."""
    linked = {(ROOT / "docs" / link).resolve() for link in re.findall(r"\]\(([^)#\s]+)\)", text_of("docs/README.md"))}
    assert {*ROOT.glob("docs/*.md"), *ROOT.glob("*.md")} - {ROOT / "docs" / "README.md"} <= linked


def test_every_page_is_in_the_site():
    """``make docs`` would refuse one that is missing; here it costs nothing to see."""
    shown = set(re.findall(r"^ +- [^:]+: (\S+\.md)$", text_of("mkdocs.yml"), re.MULTILINE))
    below = (path for place in ("docs", "bench", "deploy", "proto", "tests") for path in (ROOT / place).rglob("*.md"))
    pages = {path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.md"), *below)}
    assert shown == pages


def test_the_site_takes_the_versions_that_the_checks_have():
    """Both are installed in one environment, so that a package with two pins would change hands with every target."""
    pins = [
        dict(re.findall(r"^([\w.-]+)==(\S+)$", text_of(name).lower(), re.MULTILINE))
        for name in ("requirements.txt", "requirements-dev.txt", "requirements-docs.txt")
    ]
    checks = {name.replace("_", "-"): version for each in pins[:2] for name, version in each.items()}
    site = {name.replace("_", "-"): version for name, version in pins[2].items()}
    assert "mkdocs-material" in site
    assert {
        name: (version, checks[name]) for name, version in site.items() if checks.get(name, version) != version
    } == {}


def test_a_forge_runs_and_folds_what_we_do():
    """Its definition calls our command, hooks download nothing, and generated is what the lint leaves out."""
    jobs = yaml.safe_load(text_of(".github/workflows/ci.yml"))["jobs"]
    assert [job["steps"][-1]["run"].split()[-1] for job in jobs.values()] == [".ci/run"] * 2
    hooks = text_of(".pre-commit-config.yaml")
    assert re.findall(r"^ +- repo: (.*)$", hooks, re.MULTILINE) == ["local"]
    assert all(entry.startswith(".venv/bin/ruff ") for entry in re.findall(r"^ +entry: (.*)$", hooks, re.MULTILINE))
    folded = re.findall(r"^(\S+)/\*\* linguist-generated=true$", text_of(".gitattributes"), re.MULTILINE)
    assert set(folded) == set(tomllib.loads(text_of("pyproject.toml"))["tool"]["ruff"]["extend-exclude"])


SUDO = """#!/bin/sh
[ "$1" != git ] || { echo "$@"; exit; }
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
"""
"""As the real one runs a command: in an environment of its own, with its own PATH."""

RUN = """#!/bin/sh
echo "CI=$CI JAVA_HOME=$JAVA_HOME"
command -v python-of-the-job
"""


def test_the_job_that_requires_everything_runs_as_root(tmp_path):
    """Tests that need namespaces would fail there, or not find the Python and the Java that the job sets up."""
    jobs = yaml.safe_load(text_of(".github/workflows/ci.yml"))["jobs"]
    (everything,) = [step for step in jobs["all"]["steps"] if step.get("name") == "Everything"]
    programs = {"bin/sudo": SUDO, "bin/python-of-the-job": "#!/bin/sh\n", ".ci/run": RUN}
    for name, text in programs.items():
        program = tmp_path / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(text)
        program.chmod(0o755)
    environment = {
        "PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin", "JAVA_HOME": "/java-17", "GITHUB_WORKSPACE": str(tmp_path),
    }  # fmt: skip
    done = subprocess.run(
        ["bash", "-e", "-c", everything["run"]],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [
        f"git config --system --add safe.directory {tmp_path}",
        "CI=true JAVA_HOME=/java-17",
        str(tmp_path / "bin/python-of-the-job"),
    ]


DRAWN_COLUMNS = 48
"""Where the explanations beside the drawing begin."""


def test_the_drawing_has_the_layers_that_are_checked():
    """Line by line the packages of the contract, and with them everything that is in ``kraftpy``."""
    contracts = tomllib.loads(text_of("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    drawing = text_of("ARCHITECTURE.md").split("```")[1]
    names = (line[:DRAWN_COLUMNS] for line in drawing.splitlines())
    drawn = [set(re.findall(r"\w+", name)) for name in names if re.search(r"\w", name)]
    assert drawn == [set(re.findall(r"\w+", layer)) for layer in layers]
    inside = {
        path.stem for path in (ROOT / "kraftpy").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert set().union(*drawn) == inside - {"__init__"}


@pytest.mark.parametrize("page", ["README.md", "bench/README.md"])
def test_what_measures_it_can_be_called_so(page):
    """A page names no option that does not exist."""
    command = r"^kraftpy bench ([a-z-]+) ((?:.*\\\n)*.*)$"
    commands = re.findall(command, text_of(page), re.MULTILINE)
    assert commands
    for name, options in commands:
        bench.commands[name].make_context(name, shlex.split(options.replace("\\\n", " "), comments=True))
