"""``config generate`` and ``config check``."""

from __future__ import annotations

import json

import pytest

from kraftpy.cli.exit_codes import ExitCode


def test_what_is_generated_passes_the_check(run, tmp_path) -> None:
    out = tmp_path / "files"
    made = run("config", "generate", "--controllers", "c1,c2,c3", "--brokers", "b1,b2", "--racks", "x,y", "--out", out)
    assert made.exit_code == ExitCode.OK, made.stderr
    files = sorted(out.iterdir())
    assert len(files) == 5
    checked = run("config", "check", *files, "--output", "json")
    assert checked.exit_code == ExitCode.OK, checked.stdout
    data = json.loads(checked.stdout)
    assert (data["errors"], data["files"]) == (0, [str(one) for one in files])


def test_errors_of_each_file_and_of_all_together_are_shown(run, tmp_path) -> None:
    """One file that cannot be used does not hide what is wrong with the others."""
    out = tmp_path / "files"
    assert run("config", "generate", "--controllers", "c1,c2,c3", "--out", out).exit_code == ExitCode.OK
    one, two, three = sorted(out.iterdir())
    one.write_text(one.read_text().replace("node.id=1", "node.id=x"))
    three.write_text(three.read_text().replace("node.id=3", "node.id=2"))
    checked = run("config", "check", one, two, three)
    assert checked.exit_code == ExitCode.FINDINGS
    assert f"error: {one}: " in checked.stdout.replace(f"{one}:4", f"{one}: 4")
    assert "node.id=x" in checked.stdout
    assert "node.id 2 is in 2 files" in checked.stdout
    assert "3 files: " in checked.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "stated"),
    [
        (["--controllers", "c1,,c3"], "--controllers 'c1,,c3'"),
        (["--controllers", "c1:9093"], "'c1:9093' is no host"),
        (["--controllers", "0.0.0.0"], "'0.0.0.0' is no host"),
        (["--controllers", "a b"], "'a b' is no host"),
        (["--controllers", ",".join(["h"] * 100)], "has 100 names; at most 99"),
        (["--controllers", "c", "--racks", "a"], "1 racks for 0 brokers"),
        (["--controllers", "c", "--data", "x"], "--data 'x' is not an absolute path"),
        (["--controllers", "c", "--data", "/x\ny"], "is not an absolute path"),
        (["--controllers", "c", "--tls", "--keys", "k"], "--keys 'k' is not an absolute path"),
    ],
)
def test_what_no_file_can_have_is_a_usage_error(run, tmp_path, words, stated) -> None:
    result = run("config", "generate", *words, "--out", tmp_path / "files")
    assert (result.exit_code, stated in result.stderr) == (ExitCode.USAGE, True), result.stderr
    assert not (tmp_path / "files").exists()


def test_no_file_is_overwritten(run, tmp_path) -> None:
    words = ("config", "generate", "--controllers", "c1", "--out", tmp_path)
    assert run(*words).exit_code == ExitCode.OK
    (tmp_path / "controller-1.properties").write_text("mine")
    again = run(*words)
    assert (again.exit_code, "controller-1.properties exists" in again.stderr) == (ExitCode.FAILURE, True)
    assert (tmp_path / "controller-1.properties").read_text() == "mine"


def test_a_file_that_is_not_there_is_an_error_of_its_own(run, tmp_path) -> None:
    result = run("config", "check", tmp_path / "none")
    assert result.exit_code != ExitCode.OK
    assert str(tmp_path / "none") in result.stdout + result.stderr
    assert "Traceback" not in result.stderr
