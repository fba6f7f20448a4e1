"""Kafka's core suites are found by what their class files say."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import pytest

from tests.interop.clustertest.core_suites import ABSTRACT, HARNESS, ClassFile, core_suites, read_class
from tests.interop.jars import Jars, NoKafkaError

TEST = "Lorg/junit/jupiter/api/Test;"
PARAMETERIZED = "Lorg/junit/jupiter/params/ParameterizedTest;"


def class_file(name: str, superclass: str, *texts: str, flags: int = 0x0021) -> bytes:
    """Return the beginning of a class file, with a constant of two places among the others."""
    constants = [(1, struct.pack(">H", len(text.encode())) + text.encode()) for text in (name, superclass, *texts)]
    constants += [(5, bytes(8)), (7, struct.pack(">H", 1)), (7, struct.pack(">H", 2))]
    this = len(texts) + 5
    body = b"".join(bytes([tag]) + content for tag, content in constants)
    return struct.pack(">IHHH", 0xCAFEBABE, 0, 61, this + 2) + body + struct.pack(">HHH", flags, this, this + 1)


def jars_with(directory: Path, *classes: bytes) -> Jars:
    """Return jars whose only test jar has the classes."""
    with zipfile.ZipFile(directory / "some-1.0-test.jar", "w") as jar:
        jar.writestr("data.txt", "no class")
        for content in classes:
            jar.writestr(f"{read_class(content).name}.class", content)
    return Jars(directory, "1.0")


def test_a_class_file_is_read():
    """The names, whether it is abstract, and whether it has tests."""
    tested = ClassFile(name="a/B", superclass="a/C", is_abstract=False, has_tests=True, has_flaky_tests=False)
    assert read_class(class_file("a/B", "a/C", "other", TEST)) == tested
    abstract = ClassFile(name="a/B", superclass="a/C", is_abstract=True, has_tests=False, has_flaky_tests=False)
    assert read_class(class_file("a/B", "a/C", flags=ABSTRACT)) == abstract


def test_suites_reach_the_harness_and_have_tests(tmp_path):
    """Tests may be inherited; a class that cannot be made, or that has no test, is none."""
    jars = jars_with(
        tmp_path,
        class_file(HARNESS, "java/lang/Object", flags=ABSTRACT),
        class_file("a/Base", HARNESS, PARAMETERIZED, flags=ABSTRACT),
        class_file("a/Inherits", "a/Base"),
        class_file("a/Own", HARNESS, TEST),
        class_file("a/Own$Inner", HARNESS, TEST),
        class_file("a/NoTest", HARNESS),
        class_file("a/Elsewhere", "java/lang/Object", TEST),
    )
    assert core_suites(jars) == ["a.Inherits", "a.Own"]


def test_jars_without_a_suite_are_refused(tmp_path):
    """They are not those of Kafka's tests."""
    with pytest.raises(NoKafkaError, match="no suite"):
        core_suites(jars_with(tmp_path, class_file("a/Elsewhere", "java/lang/Object", TEST)))
