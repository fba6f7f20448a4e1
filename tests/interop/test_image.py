"""The container image is built as ``docker build`` does, and a controller in a container of it serves and stops."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from kraftpy.config.environment import variable_of
from tests.fakes import compose
from tests.interop.conftest import wanted
from tests.interop.image import BASE, IMAGE, Images, NoImageBuilderError, built, kill, process_in
from tests.interop.processes import HOST, STOP_TIMEOUT_S, Process, eventually, free_ports

pytestmark = pytest.mark.timeout(600)

SERVICE = compose.services()["controller-1"]
((FILE, PROPERTIES),) = SERVICE.files.items()
(VOLUME,) = SERVICE.volumes
COMMAND_TIMEOUT_S = 60.0
PROGRAM = "opt/kraftpy"
OF_USERADD = {
    f"etc/{name}{end}" for name in ("passwd", "shadow", "group", "gshadow", "subuid", "subgid") for end in ("", "-")
}
OF_BUILDAH = {"etc/hosts"}
"""It mounts this one while a step runs."""

KEPT_OUT = {".git", ".cache", "Dockerfile"}
TESTS = {"tests", "deploy"}
"""Folders of the checkout that are not of the program. Packages of others have tests of their own."""


@pytest.fixture(scope="module")
def images() -> Iterator[Images]:
    """The image, built once: debootstrap takes most of the time."""
    making = built()
    yield wanted(making.__enter__, "container image", NoImageBuilderError)
    making.__exit__(None, None, None)


def call(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=COMMAND_TIMEOUT_S
    )


def test_what_a_container_is_started_with(images: Images) -> None:
    """It would run as root, without the program on its path, or print nothing until its buffer is full."""
    config = images.config()
    assert (config["User"], config["Entrypoint"], config["Cmd"]) == ("kraftpy", ["kraftpy"], ["--help"])
    given = dict(one.split("=", 1) for one in config["Env"])
    base = dict(one.split("=", 1) for one in images.config(BASE)["Env"])
    assert given == {**base, "PATH": f"/opt/kraftpy/bin:{base['PATH']}", "PYTHONUNBUFFERED": "1"}
    with images.container() as name:
        printed = call(images.inside(name, *config["Entrypoint"], *config["Cmd"]))
    assert (printed.returncode, printed.stdout.startswith("Usage: kraftpy")) == (0, True), printed


def test_the_image_holds_the_program_and_no_checkout(images: Images) -> None:
    """A layer would have the sources, what git or pip keep, or tests, beside the installed program."""
    base, image = images.files(BASE), images.files(IMAGE)
    added = {path: size for path, size in image.items() if path not in base}
    print(f"files of the image: {sum(image.values()):,} bytes; beyond the base: {sum(added.values()):,} bytes")
    assert [path for path in added if not is_expected(path)] == []
    assert [path for path in added if KEPT_OUT & set(path.split("/"))] == []
    packages = {path.partition("/site-packages/")[2] for path in added if "/site-packages/" in path}
    assert "kraftpy/__init__.py" in packages
    assert [path for path in packages if TESTS & set(path.split("/")[: 2 if path.startswith("kraftpy/") else 1])] == []


def is_expected(path: str) -> bool:
    """Return whether a path of the image is one that its base need not have."""
    return path == PROGRAM or path.startswith(f"{PROGRAM}/") or path == VOLUME[1:] or path in OF_USERADD | OF_BUILDAH


def answers(address: str) -> bool:
    with suppress(URLError, OSError), urlopen(f"http://{address}/readyz", timeout=5) as page:
        return page.status == 200
    return False


def test_a_controller_in_a_container(images: Images, root: Path) -> None:
    """It starts in an empty directory, with the compose file's properties and variables, commits, and ends with 0."""
    quorum, grpc, metrics = (f"{HOST}:{port}" for port in free_ports(3))
    changed = {
        "controller.quorum.voters": f"1@{quorum}",
        "listeners": f"CONTROLLER://{quorum}",
        "grpc.listener": grpc,
        "metrics.listener": metrics,
    }
    properties = root / "controller.properties"
    properties.write_text(PROPERTIES, encoding="utf-8")
    options = [f"--env={variable_of(key)}={value}" for key, value in changed.items()]
    options.append(f"--volume={properties}:{FILE}:ro")
    (entrypoint,) = images.config()["Entrypoint"]
    with images.container() as name:
        kept_in = Path(images.call("mount", name), VOLUME[1:])
        assert list(kept_in.iterdir()) == []
        started = images.inside(name, entrypoint, "controller", "--config", FILE, options=options)
        process = Process("controller", started, root / "node.log")
        try:
            eventually("/readyz answers", lambda: answers(metrics), [process])
            node = process_in(process)
            assert Path(f"/proc/{node}").stat().st_uid == kept_in.stat().st_uid != 0
            assert list(kept_in.rglob("meta.properties"))

            entity = ("-C", grpc, "--entity-type", "brokers", "--entity-default")
            altered = call(images.inside(name, entrypoint, "configs", "alter", *entity, "--add", "log.retention.ms=1"))
            assert altered.returncode == 0, altered
            described = call(images.inside(name, entrypoint, "configs", "describe", *entity))
            assert "log.retention.ms=1" in described.stdout, described

            os.kill(node, signal.SIGTERM)
            assert process.process.wait(STOP_TIMEOUT_S) == 0, process.log_text()
        finally:
            kill(process)
