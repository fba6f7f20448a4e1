"""Where Java and Kafka's jars are on this machine: named by an option, by the environment, or fetched by Maven.

What is missing is an error that names it and the ways out.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kraftpy.local_cluster.kafka_broker import RELEASE_MIN, release_of, version_of
from kraftpy.local_cluster.kafka_download import KAFKA_VERSION, fetch_jars
from kraftpy.model.errors import ConfigError

JAVA_MIN: Final = 17
JAVA_TIMEOUT_S: Final = 60
WAYS_TO_KAFKA: Final = (
    "Name the directory of an unpacked Kafka with --kafka-home or in KAFKA_HOME, or put Maven's mvn on the PATH"
)
WAYS_TO_JAVA: Final = f"Install Java {JAVA_MIN} or newer and put it on the PATH, or name its directory in JAVA_HOME"

_VERSION = re.compile(r'version "(\d+)')

Report = Callable[[str], None]
"""Prints a line about what takes long."""


@dataclass(frozen=True, slots=True)
class KafkaInstallation:
    """A Kafka that brokers can be started from.

    Attributes:
        java: the program.
        jars: the directory of the jars.
        version: Kafka's, such as ``4.3.0``.
        scripts: the directory of Kafka's shell scripts; ``None`` where there are only jars.
    """

    java: str
    jars: Path
    version: str
    scripts: Path | None = None


def find_kafka(home: str | None, environment: Mapping[str, str], report: Report) -> KafkaInstallation:
    """Find Java and Kafka's jars, which Maven fetches once when neither an option nor the environment names them.

    Args:
        home: what ``--kafka-home`` names.
        environment: the variables of this process.
        report: prints that jars are being fetched.

    Raises:
        ConfigError: Java or Kafka is missing or too old; the text has the ways out.
    """
    java = find_java(environment)
    named = home or environment.get("KAFKA_HOME")
    if named:
        return _installed(Path(named), "--kafka-home" if home else "KAFKA_HOME", java)
    directory = cache_directory(environment) / f"kafka-{KAFKA_VERSION}"
    _check_class_path(directory, "the user's cache (XDG_CACHE_HOME, else HOME)")
    if not directory.is_dir():
        mvn = shutil.which("mvn", path=environment.get("PATH", os.defpath))
        if mvn is None:
            raise ConfigError(
                f"no Kafka: --kafka-home and KAFKA_HOME are not set, and there is no mvn. {WAYS_TO_KAFKA}"
            )
        report(f"fetching the jars of Kafka {KAFKA_VERSION} by Maven into {directory}, once")
        fetch_jars(mvn, directory)
    version = _version_in(directory)
    if version is None:
        raise ConfigError(f"{directory} has no jar of Kafka's core: remove it to have it fetched again")
    return KafkaInstallation(java, directory, version)


def cache_directory(environment: Mapping[str, str]) -> Path:
    """Return kraftpy's directory in the user's cache.

    Raises:
        ConfigError: the user has none.
    """
    named = environment.get("XDG_CACHE_HOME", "")
    # The XDG specification has relative paths ignored.
    if named.startswith("/"):
        return Path(named) / "kraftpy"
    home = environment.get("HOME")
    if not home:
        raise ConfigError(f"neither HOME nor XDG_CACHE_HOME is set: no directory for Kafka's jars. {WAYS_TO_KAFKA}")
    return Path(home) / ".cache" / "kraftpy"


def find_java(environment: Mapping[str, str]) -> str:
    """Return the Java program of ``JAVA_HOME``, else that of the ``PATH``.

    Raises:
        ConfigError: there is none, or it is too old.
    """
    java_home = environment.get("JAVA_HOME")
    if java_home:
        place = f"{java_home}/bin/java (JAVA_HOME)"
        java = shutil.which("java", path=f"{java_home}/bin")
    else:
        place = "java on the PATH"
        java = shutil.which("java", path=environment.get("PATH", os.defpath))
    if java is None:
        raise ConfigError(f"Kafka's brokers need Java {JAVA_MIN}, and there is no {place}. {WAYS_TO_JAVA}")
    shown = _shown_version(java)
    major = java_major(shown)
    if major is None or major < JAVA_MIN:
        first = shown.strip().partition("\n")[0]
        raise ConfigError(f"Kafka's brokers need Java {JAVA_MIN}; `{java} -version` printed {first!r}. {WAYS_TO_JAVA}")
    return java


def java_major(shown: str) -> int | None:
    """Return the major version in the output of ``java -version``; 1 for Java 8 and before, ``None`` for no version."""
    match = _VERSION.search(shown)
    return None if match is None else int(match[1])


def _shown_version(java: str) -> str:
    try:
        # The path is that of the user's own JAVA_HOME or PATH.
        done = subprocess.run(  # noqa: S603 - a fixed argument, and no shell
            [java, "-version"], capture_output=True, text=True, check=False, timeout=JAVA_TIMEOUT_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ConfigError(f"`{java} -version`: {error}. {WAYS_TO_JAVA}") from error
    return done.stderr + done.stdout


def _installed(home: Path, source: str, java: str) -> KafkaInstallation:
    """Check a directory that was named."""
    jars = home.absolute() / "libs"
    _check_class_path(jars, source)
    version = _version_in(jars)
    if version is None:
        raise ConfigError(
            f"{source} is {home}: {jars} has no jar of Apache Kafka's core, such as "
            f"kafka_2.13-{KAFKA_VERSION}.jar. Name the directory of an unpacked Kafka, which has bin and libs in it"
        )
    if release_of(version) < RELEASE_MIN:
        oldest = ".".join(str(part) for part in RELEASE_MIN)
        raise ConfigError(f"{source} is {home}: this is Kafka {version}; brokers from {oldest} on can be started here")
    scripts = home.absolute() / "bin"
    return KafkaInstallation(java, jars, version, scripts if (scripts / "kafka-topics.sh").is_file() else None)


def _check_class_path(jars: Path, source: str) -> None:
    """Check that Java can be given a directory of jars: a class path has no way to quote its separator."""
    if os.pathsep in str(jars):
        raise ConfigError(
            f"{source}: {jars} has {os.pathsep!r} in its path, which separates directories in Java's class path. "
            f"Move it, or name a link without {os.pathsep!r} in its path with --kafka-home"
        )


def _version_in(directory: Path) -> str | None:
    try:
        return version_of(path.name for path in directory.iterdir())
    except OSError:
        # Missing or unreadable: either way there is no Kafka to start, and the caller names the directory.
        return None
