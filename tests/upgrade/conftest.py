"""What every test of an upgrade needs: the version that landed last, or a skip that says why there is none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.upgrade.last_landed import (
    OUTPUT_MODULE,
    PACKAGE,
    SCHEMAS,
    NoLastLandedError,
    ShallowCloneError,
    extract_last_landed,
    is_required,
)


@pytest.fixture(scope="session")
def old_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory that the last landed version is imported from."""
    return _landed(tmp_path_factory, PACKAGE)


@pytest.fixture(scope="session")
def old_format(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, Path]:
    """The last landed version's version of its JSON, and the directory of the schemas."""
    module = (_landed(tmp_path_factory, OUTPUT_MODULE) / OUTPUT_MODULE).read_text(encoding="utf-8")
    (version,) = re.findall(r"^FORMAT_VERSION: Final = (\d+)$", module, re.MULTILINE)
    return int(version), _landed(tmp_path_factory, SCHEMAS) / SCHEMAS


def _landed(tmp_path_factory: pytest.TempPathFactory, part: str) -> Path:
    try:
        return extract_last_landed(tmp_path_factory.mktemp("last-landed"), part=part)
    except NoLastLandedError as error:
        if is_required() and not isinstance(error, ShallowCloneError):
            pytest.fail(f"the last landed version is required here (CI or KRAFTPY_INTEROP=required): {error}")
        pytest.skip(f"no last landed version: {error}")
