"""Kafka's jars by Maven: one directory, complete or absent."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Final

from kraftpy.model.errors import ConfigError

KAFKA_VERSION: Final = "4.3.0"
"""The Kafka that this kraftpy is tested with."""

FETCH_TIMEOUT_S: Final = 900
OUTPUT_CHARS_MAX: Final = 300
WAY_OUT: Final = "Mend Maven's access to its repository, or name an unpacked Kafka with --kafka-home"

POM: Final = f"""\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.kraftpy</groupId>
  <artifactId>quickstart</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>{KAFKA_VERSION}</version>
    </dependency>
    <dependency>
      <groupId>org.apache.kafka</groupId><artifactId>kafka-tools</artifactId><version>{KAFKA_VERSION}</version>
    </dependency>
    <!-- Kafka's jars have only the interface of a logger: without these a broker that fails has no log to show. -->
    <dependency>
      <groupId>org.apache.logging.log4j</groupId><artifactId>log4j-slf4j-impl</artifactId><version>2.24.3</version>
    </dependency>
    <dependency>
      <groupId>org.apache.logging.log4j</groupId><artifactId>log4j-core</artifactId><version>2.24.3</version>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-dependency-plugin</artifactId>
        <version>3.8.1</version>
      </plugin>
    </plugins>
  </build>
</project>
"""


def fetch_jars(mvn: str, directory: Path) -> None:
    """Let Maven copy Kafka's jars, and what they need, into a directory that does not exist yet.

    Args:
        mvn: the program.
        directory: where to; it appears when all jars are there.

    Raises:
        ConfigError: Maven failed, or the directory cannot be made.
    """
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".kafka-", dir=directory.parent) as made:
            pom, output = Path(made) / "pom.xml", Path(made) / "lib"
            pom.write_text(POM, encoding="utf-8")
            _run(maven_command(mvn, pom, output))
            if not directory.is_dir():  # Another process may have been quicker.
                output.rename(directory)
    except OSError as error:
        raise ConfigError(f"{directory} cannot be made: {error.strerror or error}. {WAY_OUT}") from error


def maven_command(mvn: str, pom: Path, output: Path) -> list[str]:
    """Return the command that copies what a pom names, with all that it needs, into a directory."""
    goal = "dependency:copy-dependencies"
    return [mvn, "-q", "-B", "-f", str(pom), goal, f"-DoutputDirectory={output}", "-DincludeScope=runtime"]


def first_error(output: str) -> str:
    """Return the line of Maven's output that names the cause, or the end of the output where no line does."""
    line = next((line.strip() for line in output.splitlines() if "ERROR" in line), None)
    return output.strip()[-OUTPUT_CHARS_MAX:] if line is None else line[:OUTPUT_CHARS_MAX]


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(  # noqa: S603 - arguments of our own, and no shell
            command, capture_output=True, text=True, check=False, timeout=FETCH_TIMEOUT_S
        )
    except OSError as error:
        raise ConfigError(f"{command[0]} cannot be run: {error.strerror or error}. {WAY_OUT}") from error
    except subprocess.TimeoutExpired as error:
        raise ConfigError(f"Maven did not fetch Kafka's jars within {FETCH_TIMEOUT_S} s. {WAY_OUT}") from error
    if done.returncode != 0:
        raise ConfigError(f"Maven could not fetch Kafka's jars: {first_error(done.stdout + done.stderr)}. {WAY_OUT}")
