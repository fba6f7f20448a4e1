"""Java, Maven and Kafka as directories see them: scripts and empty jars in place of the real programs."""

from __future__ import annotations

from pathlib import Path

CORE_JAR = "kafka_2.13-4.3.0.jar"


def script(path: Path, *lines: str) -> Path:
    """Write a program for the shell."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(("#!/bin/sh", *lines, "")), encoding="utf-8")
    path.chmod(0o755)
    return path


def java_home(root: Path, version: str = "17.0.15", *, then: str = "exit 0") -> Path:
    """Make a JAVA_HOME whose java states a version, and runs shell words when it is to run a program."""
    state = f"""[ "$1" = -version ] && {{ echo 'openjdk version "{version}" 2025-04-15' >&2; exit 0; }}"""
    script(root / "bin" / "java", state, then)
    return root


def kafka_home(root: Path, *jars: str) -> Path:
    """Make a KAFKA_HOME with empty jars, by default the one of Kafka's core."""
    (root / "libs").mkdir(parents=True)
    for name in jars or (CORE_JAR,):
        (root / "libs" / name).touch()
    return root


def maven(directory: Path, *lines: str) -> Path:
    """Make a mvn in a directory for the PATH; by default one that copies an empty jar to where it is asked to."""
    copies = (
        "for word; do case $word in -DoutputDirectory=*) output=${word#*=};; esac; done",
        f'/bin/mkdir -p "$output" && : > "$output/{CORE_JAR}"',
    )
    return script(directory / "mvn", *(lines or copies))
