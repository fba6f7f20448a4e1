"""Give the Helm chart the version that ``kraftpy/__init__.py`` states; with ``--check`` only compare."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from deploy.release.checks import version_in  # noqa: E402 - the checkout comes first on the path

CHART = ROOT / "deploy" / "helm" / "kraftpy" / "Chart.yaml"
LINES = (("version", "{}"), ("appVersion", '"{}"'))
"""The keys of the chart that have it, and how each is written."""


def with_version(chart: str, version: str) -> str:
    """Return the text of a chart with a version."""
    for key, form in LINES:
        chart, count = re.subn(rf"^{key}: .*$", f"{key}: {form.format(version)}", chart, flags=re.MULTILINE)
        if count != 1:
            raise ValueError(f"{CHART.relative_to(ROOT)} has {count} lines that begin with {key!r}, not one")
    return chart


def main(arguments: list[str]) -> int:
    """Write or compare; return the exit status."""
    text = CHART.read_text(encoding="utf-8")
    wanted = with_version(text, version_in(ROOT))
    if "--check" not in arguments:
        CHART.write_text(wanted, encoding="utf-8")
        return 0
    if text != wanted:
        sys.stderr.write(f"stale: {CHART.relative_to(ROOT)}; run python .ci/chart_version.py\n")
    return int(text != wanted)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
