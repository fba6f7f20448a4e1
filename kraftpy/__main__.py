"""``python -m kraftpy`` is the ``kraftpy`` command."""

from __future__ import annotations

from kraftpy.cli import main

if __name__ == "__main__":
    main()
