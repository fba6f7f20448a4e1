"""What Kafka's dump tool and ours say of the same files, line by line."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from pathlib import Path

from tests.interop.cluster import java, kraftpy
from tests.interop.jars import Jars

TOOL = "org.apache.kafka.tools.DumpLogSegments"
SHELL = "org.apache.kafka.shell.MetadataShell"
LOGGING = Path(__file__).with_name("log4j2.properties")
MADE = re.compile(r"\s*offset \d+, epoch \d+, time ")
SHELL_TRIES_MAX = 8
SHELL_SKIPS = "Ignoring control record"
"""What Kafka's shell says of each control record of a snapshot, its own included."""


def kafkas_dump(jars: Jars, files: Sequence[Path]) -> list[str]:
    done = java(jars, TOOL, "--cluster-metadata-decoder", "--files", ",".join(str(file) for file in files))
    assert done.returncode == 0, done.stderr
    complaints = [line for line in done.stderr.splitlines() if "SLF4J" not in line and "StatusLogger" not in line]
    assert complaints == [], "Kafka's tool complains"
    return done.stdout.splitlines()


def kafkas_dump_until_it_fails(jars: Jars, file: Path) -> tuple[list[str], str]:
    """Return what Kafka's tool printed before it gave up, and why it did."""
    done = java(jars, TOOL, "--cluster-metadata-decoder", "--files", str(file))
    assert done.returncode != 0, "Kafka's tool reads it to the end"
    return done.stdout.splitlines(), done.stderr


def our_dump(files: Sequence[Path]) -> list[str]:
    done = kraftpy("dump-log", "--show-secrets", *(str(file) for file in files))
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.splitlines()


def assert_same_dump(jars: Jars, files: Sequence[Path]) -> list[str]:
    """Dump with both tools and compare; return the lines."""
    assert files
    theirs, ours = kafkas_dump(jars, files), our_dump(files)
    for number, (their, our) in enumerate(itertools.zip_longest(theirs, ours), 1):
        assert our == their, f"line {number} differs\nkraftpy: {our}\nKafka:   {their}"
    return ours


def assert_shell_shows(jars: Jars, snapshots: Sequence[Path], wanted: set[str]) -> None:
    """Show by Kafka's metadata shell that snapshots hold the same, and these lines.

    The shell answers as soon as it has loaded something, which on a busy machine is not all of the snapshot; so it is
    asked again. What it never shows, or never shows of both, fails.
    """
    shown: list[list[str]] = []
    for _ in range(SHELL_TRIES_MAX):
        shown = [_shells_answer(jars, snapshot) for snapshot in snapshots]
        if all(each == shown[0] for each in shown) and wanted <= {line.strip() for line in shown[0]}:
            return
    assert shown[0] == shown[-1]
    assert wanted <= {line.strip() for line in shown[0]}


def _shells_answer(jars: Jars, snapshot: Path) -> list[str]:
    options = (f"-Dlog4j2.configurationFile={LOGGING}",)
    done = java(jars, SHELL, "--snapshot", str(snapshot), "tree", "/image", options=options)
    complaints = [line for line in done.stderr.splitlines() if line.startswith("ERROR") and SHELL_SKIPS not in line]
    assert (done.returncode, complaints) == (0, []), done.stderr
    return [line for line in done.stdout.splitlines() if not MADE.match(line)]
