"""The checksum of batches is CRC-32C, and comes without what its package loads."""

from __future__ import annotations

import subprocess
import sys
from importlib.machinery import PathFinder

import crc32c as package
import pytest

from kraftpy.records import crc


def test_it_is_the_packages_function_and_the_published_value():
    """Another polynomial, or another function than the one that is kept by the package's authors."""
    assert crc.crc32c(b"123456789") == 0xE3069283
    data = memoryview(bytes(range(256)) * 40)
    assert crc.crc32c(data) == package.crc32c(data)
    assert crc.crc32c(data[1000:], crc.crc32c(data[:1000])) == crc.crc32c(data)


@pytest.mark.parametrize("module", ["kraftpy.records.batch", "kraftpy.storage.directory"])
def test_batches_and_logs_load_neither_metadata_nor_mail(module):
    """Every process pays for modules that nobody asked for."""
    code = (
        "import sys\n"
        f"import {module}\n"
        "print(sorted({'importlib.metadata', 'email', 'zipfile', 'argparse'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_an_unusual_package_is_imported_as_usual(monkeypatch):
    """A package in another form leaves no checksum."""
    found = PathFinder.find_spec
    monkeypatch.setattr(
        PathFinder, "find_spec", lambda name, path=None: None if name == "_crc32c" else found(name, path)
    )
    assert crc._load()(b"123456789") == 0xE3069283
