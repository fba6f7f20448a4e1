"""The container image of ``deploy/compose/Dockerfile``, built by buildah: no daemon, and no registry of images.

Its base is a Debian with Python that debootstrap makes, in place of the image of Python that the Dockerfile names by
default. Steps and containers run in a chroot with the network of this machine; all files are below one directory.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fakes import compose
from tests.interop.processes import Process, eventually

CHECKOUT = Path(__file__).resolve().parents[2]
PROGRAMS = ("buildah", "debootstrap")
"""So are their packages called in Debian."""

RELEASE = "bookworm"
PACKAGES = ("python3", "python3-venv")
BASE = "localhost/python-base"
IMAGE = "localhost/kraftpy"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PIP_MOUNT = "/mnt/pip"
"""Where steps find how pip reaches its index from this machine; the base has the directory, and it is empty there."""

LAST_OF_BUILDAH = "buildah-chroot-exec"
"""The process of buildah whose child is the container's."""

STEP_TIMEOUT_S = 400
LOG_TAIL_CHARS = 3_000


class NoImageBuilderError(Exception):
    """No image can be built on this machine; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Images:
    """Images and containers below one directory."""

    directory: Path

    def argv(self, *words: str | Path) -> list[str]:
        """Return a command of buildah."""
        places = ("--root", self.directory / "storage", "--runroot", self.directory / "run")
        return ["buildah", "--storage-driver", "vfs", *map(str, (*places, *words))]

    def call(self, *words: str | Path) -> str:
        """Run a command of buildah; return its output.

        Raises:
            AssertionError: it failed; the text has the end of what it printed.
        """
        done = run(self.argv(*words), self.directory)
        assert done.returncode == 0, f"buildah {words[0]}: {done.stdout[-LOG_TAIL_CHARS:]}{done.stderr}"
        return done.stdout.strip()

    def inside(self, container: str, *words: str, options: Sequence[str] = ()) -> list[str]:
        """Return the command that runs words in a container, as the user of its image."""
        return self.argv("run", "--isolation", "chroot", *options, container, "--", *words)

    def config(self, image: str = IMAGE) -> dict[str, Any]:
        """Return what the image says of the processes in it: User, Env, Entrypoint, Cmd, ..."""
        return json.loads(self.call("inspect", "--type", "image", image))["OCIv1"]["config"]

    @contextmanager
    def container(self, image: str = IMAGE) -> Iterator[str]:
        """Give the name of a new container, and remove it at the end."""
        name = self.call("from", "--pull-never", image)
        try:
            yield name
        finally:
            self.call("rm", name)

    def files(self, image: str) -> dict[str, int]:
        """Return the size in bytes of each file of an image, by its path; 0 for what is none."""
        with self.container(image) as name:
            root = Path(self.call("mount", name))
            found = {path.relative_to(root).as_posix(): path for path in root.rglob("*")}
            is_file = {name: path.is_file() and not path.is_symlink() for name, path in found.items()}
            return {name: path.stat().st_size if is_file[name] else 0 for name, path in found.items()}

    def make_base(self) -> None:
        """Make the image that the build takes in place of the default base of the Dockerfile.

        Raises:
            NoImageBuilderError: debootstrap failed; the text has the end of what it printed.
        """
        root = self.directory / "base"
        made = run(
            ["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", RELEASE, str(root)], self.directory
        )
        if made.returncode:
            raise NoImageBuilderError(f"debootstrap {RELEASE}: {(made.stdout + made.stderr)[-LOG_TAIL_CHARS:]}")
        (root / "usr/bin/python").symlink_to("python3")
        (root / PIP_MOUNT[1:]).mkdir()
        (root / "etc/pip.conf").symlink_to(f"{PIP_MOUNT}/pip.conf")
        name = self.call("from", "scratch")
        self.call("copy", "--quiet", name, root, "/")
        self.call("config", "--env", f"PATH={PATH}", name)
        self.call("commit", "--quiet", "--disable-compression", "--rm", name, BASE)
        shutil.rmtree(root)

    def build(self) -> None:
        """Build the image, as ``docker build`` in the checkout does."""
        pip = self.directory / "pip"
        pip.mkdir()
        write_pip_config(pip)
        file = compose.DIRECTORY / "Dockerfile"
        given = ("--isolation", "chroot", "--network", "host", "--volume", f"{pip}:{PIP_MOUNT}:ro")
        base = ("--pull-never", "--build-arg", f"BASE={BASE}")
        # Docker finds the file beside the Dockerfile by its name.
        left_out = ("--ignorefile", file.with_name("Dockerfile.dockerignore"))
        self.call("build", *given, *base, *left_out, "--tag", IMAGE, "--file", file, CHECKOUT)


def run(command: list[str], temporary: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=STEP_TIMEOUT_S,
        env=os.environ | {"TMPDIR": str(temporary)},
    )


def write_pip_config(directory: Path) -> None:
    """Write what this machine's pip is set to, as far as it is about reaching an index."""
    listed = run([sys.executable, "-m", "pip", "config", "list"], directory).stdout
    lines = [line.partition("=") for line in listed.splitlines() if line.startswith(("global.", ":env:."))]
    # Variables outrank files, and are listed before them.
    values = {key.partition(".")[2]: str(ast.literal_eval(value)) for key, _, value in reversed(lines)}
    wanted = ("index-url", "extra-index-url", "trusted-host", "proxy", "default-timeout")
    kept = {key: values[key].replace("\n", " ") for key in wanted if key in values}
    if "cert" in values:
        shutil.copy(values["cert"], directory / "ca.pem")
        kept["cert"] = f"{PIP_MOUNT}/ca.pem"
    text = "".join(f"{key} = {value}\n" for key, value in kept.items())
    (directory / "pip.conf").write_text(f"[global]\n{text}", encoding="utf-8")


@contextmanager
def built() -> Iterator[Images]:
    """Give the image, built in a temporary directory that is removed at the end.

    Raises:
        NoImageBuilderError: this machine lacks something that building takes.
    """
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        raise NoImageBuilderError(f"there is no {' and no '.join(missing)} (so are Debian's packages called)")
    if os.geteuid() != 0:
        raise NoImageBuilderError("debootstrap and a chroot take root, and this is another user")
    images = Images(Path(tempfile.mkdtemp(prefix="kraftpy-image-")))
    try:
        images.make_base()
        images.build()
        yield images
    finally:
        # What a step that was killed had mounted is left alone.
        subprocess.run(["rm", "-rf", "--one-file-system", str(images.directory)], check=False)


def program(pid: int) -> str:
    """Return the first word of a process's command line; nothing where it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8").partition("\0")[0]
    return ""


def below(pid: int) -> Iterator[tuple[int, int]]:
    """Yield each process that this one has started, and those started; a pair is parent and child."""
    # Each thread of a process lists the children that it made.
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, thread.read_text(encoding="ascii").split()):
                yield pid, child
                yield from below(child)


def process_in(container: Process) -> int:
    """Return the id of the process that a container runs; buildah runs several of its own above it."""

    def found() -> int:
        pairs = [pair for pair in below(container.process.pid) if program(pair[0]) == LAST_OF_BUILDAH]
        return next((child for _, child in pairs if program(child) not in ("", LAST_OF_BUILDAH)), 0)

    return eventually("the container's process", found, [container])


def kill(container: Process) -> None:
    """Kill what runs in a container: killing buildah would leave it."""
    for _, child in list(below(container.process.pid)):
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    container.kill()
