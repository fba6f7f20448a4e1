"""``python -m deploy.compiled``: bring ``build/compiled`` up to date."""

from __future__ import annotations

import argparse
import os
import sys

from deploy.compiled.build import NoCompilerError, build, compiler_version


def main() -> None:
    """Build, or say why that cannot be; ends with 3 where there is no C compiler."""
    parser = argparse.ArgumentParser(prog="python -m deploy.compiled", description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many compilers run at a time")
    parser.add_argument("--check", action="store_true", help="only report whether it could be built")
    options = parser.parse_args()
    try:
        if options.check:
            compiler_version()
        else:
            build(lambda text: print(text, flush=True), options.jobs)  # noqa: T201 - a command line prints
    except NoCompilerError as error:
        print(f"skipped: {error}", file=sys.stderr)  # noqa: T201 - same
        sys.exit(3)


if __name__ == "__main__":
    main()
