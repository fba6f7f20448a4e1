"""The jars of a real Kafka: resolved by maven from ``pom.xml`` into a cache outside the repository.

``python -m tests.interop.jars`` fetches them and prints where they are. The cache is ``KRAFTPY_INTEROP_JARS`` or
``~/.cache/kraftpy/interop``; a directory there holds the jars of one version and is complete once the last of them,
Kafka's shell, is there.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

POM = Path(__file__).with_name("pom.xml")
FETCH_TIMEOUT_S = 600
JAVA_MIN = 17
LAST = "kafka-shell"


class NoKafkaError(Exception):
    """A real Kafka cannot be had on this machine; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Jars:
    """A complete classpath.

    Attributes:
        classes: compiled classes of a test, if given.
    """

    directory: Path
    version: str
    classes: Path | None = None

    @property
    def classpath(self) -> str:
        return f"{self.directory}/*" if self.classes is None else f"{self.directory}/*:{self.classes}"

    @property
    def archive(self) -> Path:
        """Where Kafka's classes are kept as a JVM maps them (class data sharing); not there before they were kept."""
        return self.directory.parent / f"{self.directory.name}-java-{java_version()}.jsa"

    def jar(self, artifact: str) -> Path:
        """Return one of Kafka's own jars."""
        return self.directory / f"{artifact}-{self.version}.jar"


def kafka_version() -> str:
    match = re.search(r"<kafka\.version>([^<]+)</kafka\.version>", POM.read_text(encoding="utf-8"))
    assert match is not None, POM
    return match[1]


def fetch() -> Jars:
    """Return the jars, fetching them if the cache has none.

    Raises:
        NoKafkaError: java or maven is missing, or maven could not resolve the jars.
    """
    check_java()
    version = kafka_version()
    directory = cache_directory() / f"kafka-{version}"
    jars = Jars(directory, version)
    if not jars.jar(LAST).is_file():
        resolve(POM, directory, jars.jar(LAST).name, "Kafka")
    return jars


def cache_directory() -> Path:
    return Path(os.environ.get("KRAFTPY_INTEROP_JARS", "~/.cache/kraftpy/interop")).expanduser()


@cache
def java_version() -> str:
    """Return the version of the java on the PATH, or what it says instead."""
    shown = subprocess.run(["java", "-version"], capture_output=True, text=True, check=False, timeout=60).stderr
    match = re.search(r'version "([\d._]+)', shown)
    return shown.strip() if match is None else match[1]


def check_java() -> None:
    if shutil.which("java") is None:
        raise NoKafkaError(f"no java on the PATH: Kafka needs Java {JAVA_MIN} or newer")
    major = java_version().partition(".")[0]
    if not major.isdecimal() or int(major) < JAVA_MIN:
        raise NoKafkaError(f"Kafka needs Java {JAVA_MIN} or newer, and java -version says {java_version()!r}")


def resolve(pom: Path, directory: Path, last: str, whose: str) -> None:
    """Let maven copy what a pom names into a directory, in place of what is there; the jar named last is moved last.

    Raises:
        NoKafkaError: maven is missing or could not resolve the jars.
    """
    if shutil.which("mvn") is None:
        raise NoKafkaError(f"no mvn on the PATH, and {directory} is not there: {whose}'s jars cannot be resolved")
    directory.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory.parent) as scratch:
        output = Path(scratch) / "lib"
        command = ["mvn", "-q", "-B", "-f", str(pom), "dependency:copy-dependencies", f"-DoutputDirectory={output}"]
        command.append("-DincludeScope=runtime")
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=FETCH_TIMEOUT_S)
        except subprocess.TimeoutExpired as error:
            raise NoKafkaError(f"mvn did not resolve {whose}'s jars within {FETCH_TIMEOUT_S} s") from error
        if done.returncode != 0:
            first = next((line for line in done.stdout.splitlines() if "ERROR" in line), done.stdout.strip()[-300:])
            raise NoKafkaError(f"mvn could not resolve {whose}'s jars: {first}")
        directory.mkdir(exist_ok=True)
        named = sorted(output.iterdir(), key=lambda path: path.name == last)
        for path in named:
            path.replace(directory / path.name)
        for path in set(directory.iterdir()) - {directory / path.name for path in named}:
            path.unlink()


if __name__ == "__main__":
    try:
        print(fetch().directory)
    except NoKafkaError as error:
        sys.exit(str(error))
