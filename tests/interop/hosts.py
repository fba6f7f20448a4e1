"""Empty hosts on this machine: each has a network, processes, ``/etc``, ``/opt`` and ``/var/lib`` of its own.

They are namespaces of Linux, held by a process each. One of them is the machine from which the others are set up, and
their router; it alone has ``ssh`` and ``scp``: programs that enter a host, as there is no server in it. ``systemctl``
on a host starts a service as its unit says: user, state directory and command, and it waits for READY=1.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ADMIN: Final = "admin"
PROGRAMS: Final = ("ip", "nsenter", "setpriv", "unshare", "useradd")
ADDRESSES: Final = "10.77.0."
ADMIN_ADDRESS: Final = f"{ADDRESSES}1"
PATIENCE_S: Final = 30.0
WITH_US: Final = ("setpriv", "--pdeathsig", "KILL")
"""What runs in the background ends also where this process is killed."""

HOLD = """
set -e
mount --make-rprivate /
mount --bind {own}/etc /etc
mount --bind {own}/opt /opt
mount --bind {own}/var-lib /var/lib
{proc}
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /srv
mkdir /srv/python && mount --bind {python} /srv/python
hostname {name}
ip link set lo up
touch {own}/ready
exec sleep infinity
"""
"""What a host is made of. Its Python is below /srv, where every user may read."""

TRIAL: Final = """
set -e
mount --make-rprivate /
mount --bind /etc /etc
echo 1 > /proc/sys/net/ipv4/ip_forward
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
hostname other
ip link add name one type veth peer name other
"""
"""What hosts need of this machine: in many containers only some of it is allowed."""

SSH = """#!/bin/sh
# ssh root@HOST COMMAND
host=${{1#root@}}; shift
exec nsenter -t "$(cat {root}/$host/pid)" -n -m -p -u -- env -i HOME=/root HOST="$host" \\
  PATH={root}/bin-host:/srv/python/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -c "$*"
"""

SCP = """#!/bin/sh
# scp -qr FILE... root@HOST:DIRECTORY; the files of this machine are there under the same names
shift
for last; do :; done
target=${{last#root@}}; from=$(pwd); files=
while [ $# -gt 1 ]; do files="$files $from/$1"; shift; done
exec nsenter -t "$(cat {root}/${{target%%:*}}/pid)" -m -- cp -r $files "${{target#*:}}"
"""

SYSTEMCTL = '''#!{python}
"""systemctl enable --now NAME: start a service of Type=notify, and return when it is ready."""
import os, pwd, shlex, socket, subprocess, sys
assert sys.argv[1:3] == ["enable", "--now"], sys.argv
name, = sys.argv[3:]
lines = open(f"/etc/systemd/system/{{name}}.service").read().splitlines()
unit = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
assert unit["Type"] == "notify"
user = pwd.getpwnam(unit["User"])
state = f"/var/lib/{{unit['StateDirectory']}}"
os.makedirs(state, exist_ok=True)
os.chown(state, user.pw_uid, user.pw_gid)
told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
told.bind("/run/notify")
os.chown("/run/notify", user.pw_uid, user.pw_gid)
told.settimeout(60)
service = subprocess.Popen(
    ["setpriv", "--reuid", unit["User"], "--regid", unit["Group"], "--init-groups", *shlex.split(unit["ExecStart"])],
    env={{"NOTIFY_SOCKET": "/run/notify", "PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": "/srv/python/lib"}},
    stdin=subprocess.DEVNULL, cwd="/",
    stdout=open(f"{root}/{{os.environ['HOST']}}/log", "ab"), stderr=subprocess.STDOUT, start_new_session=True,
)
try:
    while b"READY=1" not in told.recv(4096).splitlines():
        pass
except TimeoutError:
    sys.exit(f"{{name}} did not say that it is ready; it ended with {{service.poll()}}")
'''


class NoHostsError(Exception):
    """This machine cannot have hosts, and why."""


def check_possible() -> None:
    """Raise :class:`NoHostsError` where namespaces cannot be made."""
    missing = [one for one in PROGRAMS if shutil.which(one) is None]
    if missing:
        raise NoHostsError(f"no {', '.join(missing)} on the PATH")
    tried = subprocess.run(
        ["unshare", "--net", "--mount", "--pid", "--uts", "--fork", "--kill-child", "sh", "-c", TRIAL],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if tried.returncode:
        raise NoHostsError(f"no namespaces can be made here: {tried.stderr.strip()}")


class Hosts:
    """Hosts that run; commands are typed on the first one, in ``directory``."""

    def __init__(self, root: Path, names: Sequence[str]) -> None:
        self.root = root
        self.names = (ADMIN, *names)
        self.directory = root / "work"
        self._holders: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """Make the hosts and join them."""
        self.directory.mkdir()
        self._write_programs()
        addresses = "".join(f"{ADDRESSES}{number} {name}\n" for number, name in enumerate(self.names, 1))
        for name in self.names:
            self._make_files(name, addresses)
            self._hold(name)
        self._call(ADMIN, ["sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"])
        for number, name in enumerate(self.names[1:], 2):
            self._join(number, name)

    def stop(self) -> None:
        """End all processes of all hosts."""
        for holder in self._holders:
            holder.kill()
            holder.wait()
        for name in self.names:
            shutil.rmtree(self.root / name / "etc", ignore_errors=True)  # a copy of this machine's, secrets included

    def type(self, line: str, timeout_s: float, *, has_internet: bool = False) -> str:
        """Type a line at the first host's shell; return what was printed, and fail if it failed."""
        shell = ["sh", "-c", f'cd "{self.directory}" && {line}']
        done = subprocess.run(
            shell if has_internet else self._entering(ADMIN, shell),
            env=os.environ | {"PATH": f"{self.root}/bin:{self._python_first()}"},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=timeout_s,
        )  # fmt: skip
        assert done.returncode == 0, (
            f"{line}: {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}{self.logs()}"
        )
        return done.stdout

    def logs(self) -> str:
        """Return the ends of what the services have printed."""
        return "\n".join(f"--- {one}\n{one.read_text()[-1500:]}" for one in self.root.glob("*/log"))

    def start_typed(self, line: str) -> subprocess.Popen[bytes]:
        """Type a line that ends with ``&``."""
        shell = ["sh", "-c", f'cd "{self.directory}" && exec {line.removesuffix("&")}']
        with (self.root / "background.log").open("ab") as log:
            return subprocess.Popen(
                [*WITH_US, *self._entering(ADMIN, shell)],
                env=os.environ | {"PATH": f"{self.root}/bin:{self._python_first()}"},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip

    def add_program(self, path: Path) -> None:
        """Have a program on the first host's PATH."""
        (self.root / "bin" / path.name).symlink_to(path)

    @staticmethod
    def _python_first() -> str:
        return os.pathsep.join((f"{sys.base_prefix}/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"))

    def _write_programs(self) -> None:
        for directory, name, text in (("bin", "ssh", SSH), ("bin", "scp", SCP), ("bin-host", "systemctl", SYSTEMCTL)):
            path = self.root / directory / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text.format(root=self.root, python="/srv/python/bin/python3"))
            path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def _make_files(self, name: str, addresses: str) -> None:
        own = self.root / name
        for directory in ("opt", "var-lib"):
            (own / directory).mkdir(parents=True)
        subprocess.run(["cp", "-a", "/etc", str(own / "etc")], check=True, capture_output=True)
        (own / "etc" / "systemd" / "system").mkdir(parents=True, exist_ok=True)
        (own / "etc" / "hosts").write_text(f"127.0.0.1 localhost\n{addresses}")

    def _hold(self, name: str) -> None:
        # The first host sees the processes of all, whose namespaces it enters.
        separate, proc = (["--pid"], "mount -t proc proc /proc") if name != ADMIN else ([], "")
        script = HOLD.format(own=self.root / name, python=sys.base_prefix, name=name, proc=proc)
        holder = subprocess.Popen(
            [*WITH_US, "unshare", "--net", "--mount", "--uts", *separate, "--fork", "--kill-child", "sh", "-c", script],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        self._holders.append(holder)
        deadline = time.monotonic() + PATIENCE_S
        while not (self.root / name / "ready").exists():
            assert holder.poll() is None, f"the host {name} has ended with {holder.returncode}"
            assert time.monotonic() < deadline, f"the host {name} is not ready"
            time.sleep(0.02)
        (child,) = Path(f"/proc/{holder.pid}/task/{holder.pid}/children").read_text().split()
        (self.root / name / "pid").write_text(child)

    def _join(self, number: int, name: str) -> None:
        """Connect a host with the first one, which passes packets on to the others."""
        pid = (self.root / name / "pid").read_text()
        self._call(ADMIN, ["ip", "link", "add", "name", name, "type", "veth", "peer", "name", "eth0", "netns", pid])
        self._call(ADMIN, ["ip", "address", "add", ADMIN_ADDRESS, "peer", f"{ADDRESSES}{number}", "dev", name])
        self._call(ADMIN, ["ip", "link", "set", name, "up"])
        self._call(name, ["ip", "address", "add", f"{ADDRESSES}{number}", "peer", ADMIN_ADDRESS, "dev", "eth0"])
        self._call(name, ["ip", "link", "set", "eth0", "up"])
        self._call(name, ["ip", "route", "add", "default", "via", ADMIN_ADDRESS])

    def _entering(self, name: str, command: list[str]) -> list[str]:
        """Return a command that runs another one in a host; the first one sees all processes, to enter the others."""
        spaces = ["-n", "-m", "-u"] if name == ADMIN else ["-n", "-m", "-u", "-p"]
        return ["nsenter", "-t", (self.root / name / "pid").read_text(), *spaces, "--", *command]

    def _call(self, name: str, command: list[str]) -> None:
        done = subprocess.run(self._entering(name, command), capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{name}: {' '.join(command)}: {done.stderr}"


@contextmanager
def hosts(root: Path, *names: str) -> Iterator[Hosts]:
    """Run hosts, where :func:`check_possible` allows it; on return nothing of them runs any more."""
    made = Hosts(root, names)
    try:
        made.start()
        yield made
    finally:
        made.stop()
