"""``quickstart`` and waiting: what the command line refuses before anything is made or asked."""

from __future__ import annotations

import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.node.sandbox import open_sandbox
from kraftpy.storage.locks import DirectoryLock


@pytest.mark.parametrize(
    "words",
    [
        ("--controllers", "0"),
        ("--controllers", "10"),
        ("--brokers", "-1"),
        ("--ready-timeout", "-5"),
        ("--ready-timeout", "nan"),
        ("--property", "junk"),
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
    open_sandbox(root, controllers=1, brokers=0)
    # A lock on the directory stands for the quickstart that runs there.
    lock = DirectoryLock.acquire(str(root))
    try:
        result = run("quickstart", "--dir", root, "--once")
    finally:
        lock.release()
    assert result.exit_code == ExitCode.FAILURE
    assert "another quickstart runs there" in result.stderr
    assert result.stdout == ""
    assert not list(root.glob("*/node.log"))


@pytest.mark.parametrize("seconds", ["1e400", "nan", "-1", "0"])
@pytest.mark.parametrize(
    "words", [("cluster", "cluster-id", "-C", "h:1"), ("observe", "--bootstrap-controllers", "h:1")]
)
def test_a_timeout_is_a_finite_time(run, words, seconds) -> None:
    """No time, and no end of time, is code 2 and never a traceback."""
    result = run(*words, "--timeout", seconds)
    assert result.exit_code == ExitCode.USAGE
    assert "--timeout" in result.stderr
