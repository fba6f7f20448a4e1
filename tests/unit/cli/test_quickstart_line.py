"""``quickstart`` and waiting: what the command line refuses before anything is made or asked."""

from __future__ import annotations

import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.local_cluster.cluster import open_local_cluster
from kraftpy.storage.locks import DirectoryLock, holder_of
from tests.fakes.processes import kraftpy


@pytest.mark.parametrize(
    "words",
    [
        ("--controllers", "0"),
        ("--controllers", "10"),
        ("--brokers", "-1"),
        ("--ready-timeout", "-5"),
        ("--ready-timeout", "nan"),
        ("--property", "junk"),
        ("--topics", "2", "--brokers", "0"),
        ("--kafka-brokers", "0"),
        ("--kafka-brokers", "10"),
        ("--kafka-brokers", "1", "--brokers", "0"),
        ("--kafka-home", "/", "--brokers", "1"),
        ("--kafka-home", ""),
    ],
)
def test_impossible_sizes_are_usage_errors(run, tmp_path, words) -> None:
    """A size or a time that cannot be is code 2, and nothing was made."""
    result = run("quickstart", "--dir", tmp_path / "new", "--once", *words)
    assert result.exit_code == ExitCode.USAGE
    assert words[0] in result.stderr
    assert not (tmp_path / "new").exists()


def test_directory_of_a_running_quickstart_is_refused(run, tmp_path) -> None:
    """A second quickstart neither starts nodes nor calls the first one's cluster its own."""
    root = tmp_path / "one"
    open_local_cluster(root, controllers=1, brokers=0)
    # A lock on the directory takes the place of the quickstart that runs there.
    lock = DirectoryLock.acquire(str(root))
    try:
        result = run("quickstart", "--dir", root, "--once")
    finally:
        lock.release()
    assert result.exit_code == ExitCode.FAILURE
    assert "another quickstart runs there" in result.stderr
    assert result.stdout == ""
    assert not list(root.glob("*/node.log"))


def test_a_cluster_that_is_not_ready_in_time_reports_it_in_one_line(tmp_path) -> None:
    """With what it waited for, and the ways out; no node is left behind."""
    root = tmp_path / "slow"
    result = kraftpy("quickstart", "--dir", root, "--once", "--ready-timeout", "0.001", "--controllers", "1")
    assert result.returncode == ExitCode.FAILURE
    (line,) = result.stderr.splitlines()
    assert line.startswith("error: not ready after 0.001 s: it waits for ")
    assert "--ready-timeout" in line
    assert f"{root}/*/node.log" in line
    nodes = open_local_cluster(root, controllers=None, brokers=None).nodes
    assert [holder_of(str(node.log_dirs[0])) for node in nodes] == [None] * len(nodes)


@pytest.mark.parametrize("seconds", ["1e400", "nan", "-1", "0", "abc", "", "1s", "inf", "604801"])
@pytest.mark.parametrize(
    "words", [("cluster", "cluster-id", "-C", "h:1"), ("observe", "--bootstrap-controllers", "h:1")]
)
def test_a_timeout_is_a_finite_time(run, words, seconds) -> None:
    """No time, and no end of time, is code 2 and never a traceback."""
    result = run(*words, "--timeout", seconds)
    assert result.exit_code == ExitCode.USAGE
    assert f"'--timeout': {seconds!r} is not a number of seconds above 0 and up to 604800, such as 2.5" in result.stderr
