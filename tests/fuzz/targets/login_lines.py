"""Login lines of SASL: a byte that chooses the module, then what follows it."""

from __future__ import annotations

from kraftpy.authenticator.jaas import MODULES, parse_login_line
from tests.fuzz.target import Target


def run(data: bytes) -> None:
    """Parse; no value shows in the line or in the reason of a refusal."""
    number, text = data[0] if data else 0, data[1:].decode("latin-1")
    module = "" if number >= len(MODULES) else f"{MODULES[number]} required "
    line = parse_login_line(module + text)
    assert repr(line) == f"LoginLine({line.module!r}, [hidden])"
    assert all(name not in line.options for name in line.passwords if f"user_{name}" not in line.options)


def samples():
    yield "plain", b'\x00username="n" password="p" user_a="1" user_b=\'2\';'
    yield "scram", b'\x01 username=n password="a\\"\\\\" tokenauth=true ;'
    yield "bearer", b"\x02;"
    yield "whole", b'\xffa.b.C required x="y";'


TARGET = Target(
    name="login_lines",
    run=run,
    refusals=(ValueError,),
    samples=samples,
    words=(b"required", b' user_a="', b'";', b"\\", b"'", b"/*", b"//", b"=", b";"),
)
