"""Which form of kraftpy runs, and that every process of a test runs the same."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import kraftpy
from deploy.compiled.modules import MODULES
from kraftpy.node.build_info import compiled_modules, form_text
from tests.compiled import REQUIRED, SKIPPED


def test_the_named_imports_are_the_imports() -> None:
    """Every module that counts as compiled comes from an extension; where there is none, none does."""
    for name in compiled_modules():
        assert str(importlib.import_module(name).__file__).endswith(EXTENSION_SUFFIXES[0])
    if REQUIRED:
        assert compiled_modules()


def test_children_run_the_same_form() -> None:
    """A node that a test starts must not fall back to the sources, or two forms would be mixed up."""
    shown = subprocess.run([sys.executable, "-m", "kraftpy", "--version"], capture_output=True, text=True, check=True)
    assert f"compiled: {form_text()}" in shown.stdout.splitlines()


def test_an_extension_for_this_python_counts_and_no_other(tmp_path, monkeypatch) -> None:
    """The suffix says for which Python a file is; another one's is passed over, as by the import."""
    package = tmp_path / "kraftpy"
    (package / "image").mkdir(parents=True)
    monkeypatch.setattr(kraftpy, "__file__", str(package / "__init__.py"))
    assert form_text() == "no"
    Path(package, "image", f"configs{EXTENSION_SUFFIXES[0]}").touch()
    Path(package, "image", "delta.cpython-27-x86_64-linux-gnu.so").touch()
    assert compiled_modules() == ("kraftpy.image.configs",)
    assert form_text() == "yes (1 modules)"


def test_what_is_left_out_is_there(pytestconfig) -> None:
    """Every test in the list of skipped ones exists under that name, and of a whole directory nothing is compiled."""
    for listed in SKIPPED:
        file, _, test = listed.partition("::")
        if (pytestconfig.rootpath / file).is_dir():
            assert any((pytestconfig.rootpath / file).glob("test_*.py")), listed
            assert not any(module.startswith(f"kraftpy.{Path(file).name}.") for module in MODULES), listed
            continue
        text = (pytestconfig.rootpath / file).read_text(encoding="utf-8")
        assert re.search(rf"^(async )?def {test or 'test_'}", text, re.MULTILINE), listed


WAITS = (ast.Await, ast.Yield, ast.YieldFrom, ast.AsyncFor, ast.AsyncWith)


def waits_while_handling(tree: ast.AST, *, handling: bool = False) -> Iterator[int]:
    """Yield the lines that wait in an ``except`` or a ``finally``; an ``async with`` waits in one of its own."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.AsyncWith) or (handling and isinstance(child, WAITS)):
            yield child.lineno
        if isinstance(child, ast.Try | ast.TryStar):
            for part in (*child.body, *child.orelse):
                yield from waits_while_handling(ast.Module([part], []), handling=handling)
            for last in (*child.handlers, *child.finalbody):
                yield from waits_while_handling(ast.Module([last], []), handling=True)
        else:
            is_own = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            yield from waits_while_handling(child, handling=handling and not is_own)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("try:\n  await a\nfinally:\n  b()", []),
        ("try:\n  a()\nfinally:\n  await b", [4]),
        ("try:\n  a()\nexcept E:\n  if c:\n    await b", [5]),
        ("try:\n  a()\nexcept E:\n  def f():\n    yield 1", []),
        ("async with a:\n  pass", [1]),
        ("with a:\n  await b", []),
    ],
)
def test_what_waits_while_handling_is_seen(text: str, lines: list[int]) -> None:
    """The search of the next test finds what it is there for."""
    assert list(waits_while_handling(ast.parse(text))) == lines


@pytest.mark.parametrize("module", MODULES)
def test_nothing_that_is_compiled_waits_while_handling(module: str, pytestconfig) -> None:
    """Behind such a wait a compiled coroutine raises what another frame handles; see ``deploy/compiled/modules.py``."""
    file = pytestconfig.rootpath / f"{module.replace('.', '/')}.py"
    assert not list(waits_while_handling(ast.parse(file.read_text(encoding="utf-8"))))
