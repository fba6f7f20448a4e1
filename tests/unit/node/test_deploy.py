"""The services of ``deploy/systemd`` and the page that explains them: they must name the same things."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.root import COMMANDS
from kraftpy.config.node_config import load_config, parse_config

REPOSITORY = Path(__file__).resolve().parents[3]
PAGE = (REPOSITORY / "docs" / "deploy.md").read_text(encoding="utf-8")
UNITS = sorted((REPOSITORY / "deploy" / "systemd").glob("*.service"))
CONFIGS = REPOSITORY / "deploy" / "config"


def service(unit: Path) -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read(unit, encoding="utf-8")
    return parser["Service"]


def test_there_are_units():
    """Nothing below passes for want of files."""
    assert [unit.stem for unit in UNITS] == ["kraftpy-broker", "kraftpy-controller"]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_starts_what_the_page_installs(unit):
    """Program, configuration, user and directories are those that the page's commands make."""
    program, command, option, path = service(unit)["ExecStart"].split()
    assert f"{Path(program).with_name('pip')} install" in PAGE
    assert (command in COMMANDS, option) == (True, "--config")
    config = CONFIGS / Path(path).name
    assert f"cp kraftpy/deploy/config/{config.name} {Path(path).parent}/" in PAGE
    assert re.search(rf"useradd .*--user-group .*{service(unit)['User']}$", PAGE, re.MULTILINE)
    assert service(unit)["User"] == service(unit)["Group"]
    assert f"systemctl enable --now {unit.stem} " in PAGE
    loaded = load_config(str(config))
    assert command in loaded.roles
    state = f"/var/lib/{service(unit)['StateDirectory']}/"
    assert all(directory.startswith(state) for directory in loaded.log.log_dirs), "ProtectSystem=strict"


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_is_not_started_again_where_that_does_not_help(unit):
    """The unit's exit codes are those of the table; the page lists each of them."""
    left = set(map(int, service(unit)["RestartPreventExitStatus"].split()))
    assert left == {ExitCode.USAGE, ExitCode.FINDINGS}
    assert service(unit)["Restart"] == "on-failure"
    reported = re.findall(r"^\| (\d) \|", PAGE, re.MULTILINE)
    assert reported == ["0", "1", "2", "3"]


@pytest.mark.parametrize(("column", "name"), [(1, "controller"), (2, "broker")])
def test_the_values_for_several_machines_make_a_node(column, name):
    """The table's values, put into the example, name no other host; plaintext is what it warns of."""
    cells = [line.split("|")[1:-1] for line in PAGE.splitlines() if re.match(r"\| `[a-z.]+` \|", line)]
    rows = [row for row in cells if len(row) == 3]
    assert len(rows) >= 9
    lines = (CONFIGS / f"{name}.properties").read_text(encoding="utf-8")
    for row in rows:
        key, value = row[0].strip(" `"), re.match(r" `(.*?)`", row[column])
        if value is not None:
            lines, count = re.subn(rf"^{re.escape(key)}=.*$", f"{key}={value[1]}", lines, flags=re.MULTILINE)
            assert count == 1, row
    assert "localhost" not in re.sub("^#.*$", "", lines, flags=re.MULTILINE)
    config = parse_config(lines, name)
    assert config.roles == frozenset({name})
    plaintext = ("speaks PLAINTEXT", "speaks plaintext", "has no TLS")
    assert [one for one in config.warnings if not any(words in one for words in plaintext)] == []


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_systemd_understands_a_unit(unit, tmp_path):
    """As systemd itself judges it, where there is one; the program is another one, for nothing is installed here."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("there is no systemd-analyze")
    copy = tmp_path / unit.name
    copy.write_text(unit.read_text(encoding="utf-8").replace("/opt/kraftpy/bin/kraftpy", sys.executable))
    judged = subprocess.run([analyze, "verify", str(copy)], capture_output=True, text=True, check=False)
    assert (judged.returncode, judged.stderr) == (0, "")
