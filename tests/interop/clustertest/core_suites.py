"""Kafka's core suites that start a cluster by ``QuorumTestHarness``: found in the test jar, not chosen by us.

A suite is a class that can be made, whose superclasses reach the harness, and that has or inherits a test. The harness
starts one controller, the class ``ControllerServer`` of ``core/``.

Source: The Java Virtual Machine Specification, chapter 4 (the class file).
"""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tests.interop.jars import Jars, NoKafkaError

HARNESS: Final = "kafka/server/QuorumTestHarness"
TESTS: Final = frozenset({"Lorg/junit/jupiter/api/Test;", "Lorg/junit/jupiter/params/ParameterizedTest;"})
FLAKY: Final = "Lorg/apache/kafka/common/test/api/Flaky;"
"""Kafka's own runner leaves such tests out."""

ABSTRACT: Final = 0x0400
UTF8: Final = 1
CLASS: Final = 7
WIDE: Final = frozenset({5, 6})
"""Constants that take two places: long and double."""
CONSTANT_BYTES: Final = {
    3: 4,
    4: 4,
    5: 8,
    6: 8,
    7: 2,
    8: 2,
    9: 4,
    10: 4,
    11: 4,
    12: 4,
    15: 3,
    16: 2,
    17: 4,
    18: 4,
    19: 2,
    20: 2,
}
"""What follows the tag of each kind of constant, but for text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassFile:
    """What a class says of itself."""

    name: str
    superclass: str
    is_abstract: bool
    has_tests: bool
    has_flaky_tests: bool


def core_suites(jars: Jars) -> list[str]:
    """Return the names of all classes with tests that the harness starts a cluster for."""
    known: dict[str, ClassFile] = {}
    for jar in sorted(jars.directory.glob("*-test.jar")):
        with zipfile.ZipFile(jar) as classes:
            for name in classes.namelist():
                if name.endswith(".class") and "$" not in name:
                    read = read_class(classes.read(name))
                    known[read.name] = read
    found = sorted(name for name, read in known.items() if not read.is_abstract and _is_suite(read, known))
    if not found:
        raise NoKafkaError(f"{jars.directory} has no suite of Kafka's core")
    return [name.replace("/", ".") for name in found]


def has_flaky_tests(jars: Jars, suite: str) -> bool:
    """Return whether a class marks a test as flaky."""
    name = suite.replace(".", "/") + ".class"
    for jar in sorted(jars.directory.glob("*-test.jar")):
        with zipfile.ZipFile(jar) as classes:
            if name in classes.namelist():
                return read_class(classes.read(name)).has_flaky_tests
    return False


def _is_suite(read: ClassFile, known: Mapping[str, ClassFile]) -> bool:
    has_tests = read.has_tests
    while read.superclass in known:
        read = known[read.superclass]
        has_tests |= read.has_tests
        if read.name == HARNESS:
            return has_tests
    return False


def read_class(content: bytes) -> ClassFile:
    """Read the constants and the names of a class file."""
    (count,) = struct.unpack_from(">H", content, 8)
    texts: dict[int, str] = {}
    names: dict[int, int] = {}
    position, index = 10, 1
    while index < count:
        tag = content[position]
        position += 1
        if tag == UTF8:
            (length,) = struct.unpack_from(">H", content, position)
            texts[index] = content[position + 2 : position + 2 + length].decode("utf-8", errors="replace")
            position += 2 + length
        else:
            if tag == CLASS:
                (names[index],) = struct.unpack_from(">H", content, position)
            position += CONSTANT_BYTES[tag]
        index += 2 if tag in WIDE else 1
    flags, this, superclass = struct.unpack_from(">HHH", content, position)
    return ClassFile(
        name=texts[names[this]],
        superclass=texts[names[superclass]] if superclass else "",
        is_abstract=bool(flags & ABSTRACT),
        has_tests=not TESTS.isdisjoint(texts.values()),
        has_flaky_tests=FLAKY in texts.values(),
    )
