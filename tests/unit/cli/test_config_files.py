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
    assert (data["errorCount"], data["files"]) == (0, [str(one) for one in files])


def test_errors_of_each_file_and_of_all_together_are_shown(run, tmp_path) -> None:
    """One file that cannot be used does not hide what is wrong with the others."""
    out = tmp_path / "files"
    assert run("config", "generate", "--controllers", "c1,c2,c3", "--out", out).exit_code == ExitCode.OK
    one, two, three = sorted(out.iterdir())
    one.write_text(one.read_text().replace("node.id=1", "node.id=x"))
    three.write_text(three.read_text().replace("node.id=3", "node.id=2"))
    checked = run("config", "check", one, two, three)
    assert checked.exit_code == ExitCode.FINDINGS
    assert f"error: {one}:4: node.id=x" in checked.stdout
    assert "node.id 2 is in 2 files" in checked.stdout
    assert "no file of the voters" not in checked.stdout, "one file was not read"
    assert checked.stdout.splitlines()[-1].startswith("files: 3, errors: 2, warnings: ")


@pytest.mark.parametrize(
    ("words", "stated"),
    [
        (["--controllers", "c1,,c3"], "--controllers 'c1,,c3'"),
        (["--controllers", "c1:9093"], "--controllers: 'c1:9093' is neither an address nor a name"),
        (["--controllers", "c1$(id)"], "is neither an address nor a name"),
        (["--controllers", "c", "--keys", "/k"], "--keys is for --tls"),
        (["--controllers", ",".join(["h"] * 100)], "has 100 names; at most 99"),
        (["--controllers", "c", "--racks", "a"], "1 racks for 0 brokers"),
        (["--controllers", "c", "--brokers", "b", "--racks", "a\\"], "is empty, not printable, or has a backslash"),
        (["--controllers", "c", "--data", "/a\\tb"], "is not an absolute path without commas, backslashes"),
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
    assert (again.exit_code, "controller-1.properties: File exists; name another" in again.stderr) == (
        ExitCode.FAILURE,
        True,
    )
    assert (tmp_path / "controller-1.properties").read_text() == "mine"
    assert run("config", "generate", "--controllers", "c1,c2", "--out", tmp_path / "x").exit_code == ExitCode.OK
    (tmp_path / "x" / "controller-1.properties").unlink()
    half = run("config", "generate", "--controllers", "c1,c2", "--out", tmp_path / "x")
    assert (half.exit_code, (tmp_path / "x" / "controller-1.properties").exists()) == (ExitCode.FAILURE, False)


def test_a_file_that_is_not_there_is_an_error_of_its_own(run, tmp_path) -> None:
    result = run("config", "check", tmp_path / "none")
    assert (result.exit_code, result.stdout) == (ExitCode.FAILURE, "")
    assert f"{tmp_path / 'none'}: there is no such file" in result.stderr


def test_data_in_a_directory_that_systems_empty_is_a_warning(run, tmp_path) -> None:
    """A file without log.dirs has Kafka's default, which is below /tmp; a node warns of it at its start, too."""
    assert run("config", "generate", "--controllers", "c1", "--out", tmp_path).exit_code == ExitCode.OK
    file = tmp_path / "controller-1.properties"
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(line for line in lines if not line.startswith("log.dirs=")))
    result = run("config", "check", file)
    assert result.exit_code == ExitCode.OK
    assert f"warning: {file}: " in result.stdout
    assert "data is kept in /tmp/kafka-logs, which systems may empty" in result.stdout


def test_text_of_a_file_ends_no_line(run, tmp_path) -> None:
    file = tmp_path / "server.properties"
    file.write_text("process.roles=x\\u001b[2J\\nerror: all is fine\nnode.id=1\n")
    result = run("config", "check", file)
    assert result.exit_code == ExitCode.FINDINGS
    assert len(result.stdout.splitlines()) == 2
    assert "\x1b" not in result.stdout


def test_one_file_under_two_names_is_one(run, tmp_path) -> None:
    assert run("config", "generate", "--controllers", "c1", "--out", tmp_path).exit_code == ExitCode.OK
    (tmp_path / "link").symlink_to(tmp_path / "controller-1.properties")
    result = run("config", "check", tmp_path / "link", tmp_path / "controller-1.properties")
    assert (result.exit_code, "files: 1, " in result.stdout) == (ExitCode.OK, True), result.stdout
