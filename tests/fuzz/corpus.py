"""The corpus: one text file for each target, a line for each input: its name, and its bytes compressed, in base64.

``sample-`` lines are what our encoders write (``python -m tests.fuzz --samples`` writes them anew), ``found-`` lines
are inputs that once broke something: they stay for ever.
"""

from __future__ import annotations

import base64
import zlib
from pathlib import Path

from tests.fuzz.target import INPUT_BYTES_MAX, Target

FOLDER = Path(__file__).parent / "corpus"
SAMPLE = "sample-"
FOUND = "found-"


def path_of(target: Target) -> Path:
    """Return the directory of a target's inputs."""
    return FOLDER / f"{target.name}.txt"


def read(target: Target) -> dict[str, bytes]:
    """Return the inputs of a target by name."""
    path = path_of(target)
    lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
    return {name: zlib.decompress(base64.b64decode(text)) for name, text in (line.split(" ") for line in lines)}


def write(target: Target, inputs: dict[str, bytes]) -> None:
    """Write the inputs of a target, ordered by name."""
    lines = [
        f"{name} {base64.b64encode(zlib.compress(data, 9)).decode('ascii')}\n" for name, data in sorted(inputs.items())
    ]
    FOLDER.mkdir(exist_ok=True)
    path_of(target).write_text("".join(lines), encoding="ascii")


def renew_samples(target: Target) -> int:
    """Write what the encoders make today, keep what was found; return how many inputs there are."""
    found = {name: data for name, data in read(target).items() if name.startswith(FOUND)}
    samples = {f"{SAMPLE}{name}": data for name, data in target.samples() if len(data) <= INPUT_BYTES_MAX}
    write(target, {**found, **samples})
    return len(found) + len(samples)


def add_found(target: Target, name: str, data: bytes) -> None:
    """Keep an input for ever."""
    write(target, {**read(target), f"{FOUND}{name}": data})
