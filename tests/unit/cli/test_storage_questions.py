"""storage random-uuid, version-mapping and feature-dependencies."""

from __future__ import annotations

import json
import re

import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.storage import disk_probe
from kraftpy.storage.disk_probe import SyncTimes


def test_random_uuid_is_22_characters_and_never_an_option(run) -> None:
    """The text may be pasted behind a flag."""
    texts = {run("storage", "random-uuid").stdout for _ in range(50)}
    assert len(texts) == 50
    assert all(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_-]{21}\n", text) for text in texts)


MAPPING = """\
metadata.version=30 (4.3-IV0)
kraft.version=1
transaction.version=2
group.version=1
eligible.leader.replicas.version=1
share.version=1
streams.version=1
"""


def test_version_mapping_has_kafka_s_layout(run) -> None:
    """A release, level by level, in the order of the feature registry."""
    assert run("storage", "version-mapping", "-r", "4.3-IV0").stdout == MAPPING


def test_version_mapping_shows_the_release_as_it_was_typed(run) -> None:
    """``-r 3.9`` prints ``(3.9)``."""
    assert run("storage", "version-mapping", "-r", "3.9").stdout.startswith(
        "metadata.version=21 (3.9)\nkraft.version=1\n"
    )


def test_version_mapping_defaults_to_what_format_would_use(run) -> None:
    """Without a release it is the first with a ClusterIdRecord."""
    assert json.loads(run("storage", "version-mapping", "-o", "json").stdout)["featureLevels"]["metadata.version"] == 40


@pytest.mark.parametrize("release", ["9.9", "3.0-IV1", "x", "-1", ""])
def test_unknown_release_is_refused_in_kafka_s_words(run, release: str) -> None:
    """Names that are no release, and releases that are too old, are refused with the range."""
    result = run("storage", "version-mapping", "-r", release)
    assert result.exit_code == ExitCode.USAGE
    expected = f"error: Unknown release version '{release}'. Supported versions are: 3.3-IV3 to 5.0-IV2\n"
    assert result.stderr == expected


def test_feature_dependencies_have_kafka_s_layout(run) -> None:
    """A line for what needs nothing, a heading and indented lines for what does."""
    result = run(
        "storage", "feature-dependencies",
        "-f", "metadata.version=5", "-f", "group.version=1", "-f", "kraft.version=1",
    )  # fmt: skip
    assert result.stdout == (
        "metadata.version=5 (3.3-IV1) has no dependencies.\n"
        "group.version=1 has no dependencies.\n"
        "kraft.version=1 requires:\n"
        "    metadata.version=21 (3.9-IV0)\n"
    )


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("x.version=1", "Unknown feature: x.version"),
        ("group.version=9", "Feature level 9 is not supported for feature group.version"),
        ("metadata.version=35", "Unknown metadata.version 35"),
        ("group.version=one", "Invalid version format: one for feature group.version"),
        ("group.version", "Invalid version format: group.version for feature group.version"),
    ],
)
def test_bad_feature_is_refused_in_kafka_s_words(run, text: str, stated: str) -> None:
    """What cannot be looked up is said, with code 2."""
    result = run("storage", "feature-dependencies", "-f", text)
    assert result.exit_code == ExitCode.USAGE
    assert result.stderr.startswith(f"error: {stated}")


@pytest.mark.parametrize(("p99_ms", "code", "word"), [(10.0, ExitCode.OK, "ok"), (12.5, ExitCode.FINDINGS, "slow")])
def test_probe_judges_a_disk(run, tmp_path, monkeypatch, p99_ms: float, code: ExitCode, word: str) -> None:
    """The times and the verdict, as text and as JSON; the exit code shows whether the disk is slow."""
    asked = []

    def measure(fs, directory, timer, **limits):
        asked.append(limits)
        return SyncTimes(9, 0.5, p99_ms, 40.0)

    monkeypatch.setattr(disk_probe, "measure_syncs", measure)
    done = run("storage", "probe", "--syncs", "9", "--seconds", "2", str(tmp_path))
    assert done.exit_code == code
    assert done.stdout.splitlines() == [
        f"9 fsyncs in {tmp_path}: p50 0.5 ms, p99 {p99_ms} ms, max 40.0 ms",
        f"{word}: the p99 is {'at most' if word == 'ok' else 'more than'} 10 ms",
    ]
    assert asked == [{"syncs_max": 9, "time_ms_max": 2_000}]
    shown = json.loads(run("storage", "probe", str(tmp_path), "-o", "json").stdout)
    assert (shown["verdict"], shown["p99Ms"], shown["p99LimitMs"], shown["syncCount"]) == (word, p99_ms, 10, 9)


def test_probe_measures_a_directory_and_leaves_nothing(run, tmp_path) -> None:
    """By itself, and however fast the disk is."""
    shown = json.loads(run("storage", "probe", "--syncs", "3", str(tmp_path), "-o", "json").stdout)
    assert 0 < shown["p50Ms"] <= shown["p99Ms"] <= shown["maxMs"]
    assert list(tmp_path.iterdir()) == []


def test_probe_names_a_directory_that_is_not_there(run, tmp_path) -> None:
    done = run("storage", "probe", str(tmp_path / "none"))
    assert done.exit_code == ExitCode.FAILURE
    assert str(tmp_path / "none") in done.stderr
    assert "No such file" in done.stderr
