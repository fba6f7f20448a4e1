"""What every test of an upgrade needs: the version that landed last, or a skip that says why there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.upgrade.last_landed import NoLastLandedError, ShallowCloneError, extract_last_landed, is_required


@pytest.fixture(scope="session")
def old_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory that the last landed version is imported from."""
    try:
        return extract_last_landed(tmp_path_factory.mktemp("last-landed"))
    except NoLastLandedError as error:
        if is_required() and not isinstance(error, ShallowCloneError):
            pytest.fail(f"the last landed version is required here (CI or KRAFTPY_INTEROP=required): {error}")
        pytest.skip(f"no last landed version: {error}")
