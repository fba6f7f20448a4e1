"""Compare everything that is generated with what its schemas give; end with 1 and the names of what differs."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import chart_version
import configuration_page
import json_pages

from deploy.monitoring import dashboards
from proto.generate.__main__ import main

if __name__ == "__main__":
    checks = (main, configuration_page.main, json_pages.main, dashboards.main, chart_version.main)
    sys.exit(max(each(["--check"]) for each in checks))
