"""The report as a browser draws it: the colours of its findings and plots are on the picture."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from kraftpy.cli.root import cli
from tests.audit.mutations import MUTATIONS
from tests.audit.worlds import healthy

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE_S = 120
WIDTH, HEIGHT = 1200, 2600
PAGE, ERROR, WARNING, INFO = "f6f7f9", "c8322b", "b7791f", "3b6fb6"
SERIES = ("3b6fb6", "3f9d6b", "d98e32")
"""What ``style.css`` calls --page, --error, --warning, --info, and --c0 and on, in the light theme."""

pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no chromium to draw the report")


def screenshot(page: Path, picture: Path) -> None:
    """Draw a page."""
    command = [
        BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
        f"--user-data-dir={picture.parent / 'profile'}", f"--window-size={WIDTH},{HEIGHT}", f"--screenshot={picture}",
        page.as_uri(),
    ]  # fmt: skip
    subprocess.run(command, capture_output=True, timeout=PATIENCE_S, check=True)


def colours_of(picture: Path) -> dict[str, int]:
    """How many pixels of each colour a picture has."""
    image = pytest.importorskip("PIL.Image").open(picture).convert("RGB")
    assert image.size == (WIDTH, HEIGHT)
    return {bytes(colour).hex(): count for count, colour in image.getcolors(WIDTH * HEIGHT)}


def test_findings_and_plots_are_drawn(tmp_path):
    """Every severity, the plots' series and the page's ground are seen."""
    world = healthy(901)
    for name in ("a_stranger_is_in_sync", "a_password_is_a_config", "an_acl_names_no_topic"):
        next(each for each in MUTATIONS if each.name == name).apply(world)
    world.write(tmp_path / "cluster=east")
    page, picture = tmp_path / "report.html", tmp_path / "report.png"
    done = CliRunner().invoke(cli, ["audit", str(tmp_path / "cluster=east"), "--report", str(page)])
    assert done.exit_code == 3, done.output
    screenshot(page, picture)
    seen = colours_of(picture)
    assert max(seen, key=seen.get) in {PAGE, "ffffff"}
    wanted = (ERROR, WARNING, INFO, *SERIES)
    assert {colour: seen.get(colour, 0) > 100 for colour in wanted} == dict.fromkeys(wanted, True)
