"""``python -m deploy.release``: check a commit, and make the files of its release."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from deploy.release.artifacts import make
from deploy.release.checks import ReleaseError, faults_of

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str] | None = None) -> int:
    """Check, and make the files unless only the check is asked for; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m deploy.release", description="Make the files of a release from the tagged commit."
    )
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="directory for the files (dist)")
    parser.add_argument("--sign-with", type=Path, metavar="KEY", help="SSH key that signs the checksums")
    parser.add_argument("--check", action="store_true", help="only check the commit")
    parser.add_argument("--snapshot", action="store_true", help="make the files of a commit that is no release, too")
    options = parser.parse_args(arguments)
    try:
        faults = list(faults_of(ROOT))
        for fault in faults:
            print(f"no release: {fault}", file=sys.stderr)  # noqa: T201 - a command line prints
        if options.check or (faults and not options.snapshot):
            return int(bool(faults))
        if faults and options.sign_with:
            raise ReleaseError("a snapshot is not signed: its signature would be as good as a release's")
        for file in make(ROOT, options.out.resolve(), _report, options.sign_with and options.sign_with.resolve()):
            _report(str(file))
    except ReleaseError as error:
        print(f"no release: {error}", file=sys.stderr)  # noqa: T201 - same
        return 1
    return 0


def _report(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - a command line prints


if __name__ == "__main__":
    sys.exit(main())
