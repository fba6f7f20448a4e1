"""What does not run on the compiled form, by name and with the reason; see ``deploy/compiled``.

``make test-compiled`` runs every test on the compiled form, but for these. ``tests/unit/node/test_form.py`` sees to it
that the list does not grow old.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kraftpy.node.form import compiled_modules

REQUIRED = os.environ.get("KRAFTPY_COMPILED") == "required"

PATCHED = "it patches what is compiled: a constant is a number in the code, a method a call of a C function"
CHECKOUT = "it looks for the checkout around the package, and this package stands in build"

SKIPPED: dict[str, str] = {
    "tests/unit/controller/test_controller.py::test_too_many_uncommitted_results_are_busy": PATCHED,
    "tests/unit/runtime/test_controller_host.py::test_what_does_not_replay_is_refused_before_it_is_appended": PATCHED,
    "tests/unit/transport/test_generate.py": CHECKOUT,
    "tests/unit/bench/test_bench_command.py": CHECKOUT,
}
"""Test files, or tests of them, and why they are not run."""


def check_form() -> None:
    """Refuse to run as the compiled form what is not.

    Raises:
        pytest.UsageError: the sources would be tested in its place.
    """
    if REQUIRED and not compiled_modules():
        raise pytest.UsageError(
            "KRAFTPY_COMPILED=required, but the sources of kraftpy are imported: make test-compiled"
        )


def skip_what_cannot_run(items: list[pytest.Item], root: Path) -> None:
    """Skip the tests that the list names."""
    if not compiled_modules():
        return
    for item in items:
        file = item.path.relative_to(root).as_posix()
        reason = SKIPPED.get(file) or SKIPPED.get(f"{file}::{item.name.partition('[')[0]}")
        if reason is not None:
            item.add_marker(pytest.mark.skip(reason=f"compiled form: {reason}"))
