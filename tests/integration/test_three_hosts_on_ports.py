"""The commands of ``docs/three-hosts.md`` where no hosts can be made: three addresses of this machine are the hosts.

``tests/interop/test_three_hosts.py`` types the page to hosts that are network namespaces, which needs root. Here its
commands for the files, the certificates and the examination are those of the page; what SSH and systemd do there is
left out, and the nodes are started by hand. It needs no privilege, and runs wherever the tests do.
"""

from __future__ import annotations

import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import zlib
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.fakes.launched import launch_now, run
from tests.fakes.processes import PATIENCE_S, ROOT

PAGE = ROOT / "docs" / "three-hosts.md"
COMMAND_TIMEOUT_S = 60.0
HOSTS = ("h1", "h2", "h3")


@pytest.mark.timeout(180)
def test_a_tls_quorum_of_three_addresses_is_well(tmp_path):
    """The files of the page lack something, or doctor finds fault with a quorum made by its commands."""
    if sys.platform != "linux":
        pytest.skip("addresses: only Linux has all of 127.0.0.0/8")
    if shutil.which("openssl") is None:
        pytest.skip("certificates: openssl is not installed")
    addresses = loopback_hosts(tmp_path)
    generate, certificates, doctor = (
        typed(word, addresses) for word in ("config generate", "certificates.sh", "doctor")
    )
    setup = tmp_path / "setup"
    made = kraftpy([*generate, "--data", str(tmp_path), "--keys", str(setup)], tmp_path)
    assert made.returncode == 0, made.stderr
    subprocess.run(certificates, cwd=tmp_path, check=True, capture_output=True, timeout=COMMAND_TIMEOUT_S)
    with ExitStack() as nodes:
        for number in range(1, 4):
            config = str(setup / f"controller-{number}.properties")
            node = launch_now(tmp_path / f"{number}.log", ["controller", "--config", config])
            nodes.callback(node.ended.result, PATIENCE_S)
            nodes.callback(node.send_signal, signal.SIGTERM)
        deadline = time.monotonic() + PATIENCE_S
        while not is_well(found := kraftpy(doctor, tmp_path)):
            assert time.monotonic() < deadline, found.stdout + found.stderr
        without = kraftpy(
            [word for word in doctor if not word.endswith("operator.pem") and word != "--tls-cert"], tmp_path
        )
        assert without.returncode == 4, "a client without a certificate is let in"


def loopback_hosts(directory: Path) -> dict[str, str]:
    """Return an address for each host: all of 127.0.0.0/8 is this machine, and no other test has these."""
    drawn = zlib.crc32(str(directory).encode())
    return {host: f"127.{1 + drawn % 250}.{drawn // 250 % 250}.{number}" for number, host in enumerate(HOSTS, 1)}


def is_well(found: subprocess.CompletedProcess[str]) -> bool:
    """Whether doctor examined the quorum and finds no fault with it, except with a disk that other tests use, too."""
    lines = [line.strip() for line in found.stdout.splitlines() if "[disk-probe]" not in line]
    return any(line.startswith("checks: ") for line in lines) and not any(
        line.startswith(("error: ", "warning: ")) for line in lines
    )


def typed(word: str, addresses: dict[str, str]) -> list[str]:
    """Return the words of the page's line that has one, with addresses in place of hosts.

    Nodes of one machine are given ports of their own: the second one has the next ports.
    """

    def place(host: re.Match[str]) -> str:
        port = "" if host[2] is None else f":{int(host[2]) + HOSTS.index(host[1])}"
        return addresses[host[1]] + port

    (line,) = re.findall(rf"^(?:venv/bin/kraftpy |sh ).*{word}.*$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return shlex.split(re.sub(r"\b(h[123])(?::(\d+))?\b", place, line))


def kraftpy(words: list[str], directory: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of the page, whose files are below a directory."""
    assert words[0] == "venv/bin/kraftpy"
    placed = [str(directory / word) if word.startswith("setup") else word for word in words[1:]]
    return run(placed, COMMAND_TIMEOUT_S)
