"""Be the command ``kraftpy``, after one line that says which tree it was imported from.

The launcher of a tree runs it: ``node_of_tree.py controller --config FILE``. It imports nothing but kraftpy, for the
tree may be that of another version.
"""

from __future__ import annotations

import sys
from pathlib import Path

import kraftpy
from kraftpy.cli import main

if __name__ == "__main__":
    print(f"imported from {Path(kraftpy.__file__).parents[1]}", flush=True)
    sys.argv[0] = "kraftpy"
    main()
