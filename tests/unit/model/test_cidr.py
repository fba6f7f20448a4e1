"""Ranges of addresses, as hosts of access control entries."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kraftpy.model.cidr import is_in_range, parse_range
from kraftpy.transport.authorization import host_of


@pytest.mark.parametrize(
    ("address", "host", "is_in"),
    [
        ("10.1.2.3", "10.0.0.0/8", True),
        ("11.0.0.0", "10.0.0.0/8", False),
        ("10.0.0.0", "10.0.0.0/8", True),
        ("10.255.255.255", "10.0.0.0/8", True),
        ("10.9.9.9", "10.1.2.3/8", True),
        ("192.168.1.1", "192.168.1.1/32", True),
        ("192.168.1.2", "192.168.1.1/32", False),
        ("1.2.3.4", "0.0.0.0/0", True),
        ("2001:db8:0:0:0:0:0:1", "2001:db8::/32", True),
        ("2001:db9:0:0:0:0:0:1", "2001:db8::/32", False),
        ("10.0.0.1", "::/0", False),
        ("0:0:0:0:0:0:0:1", "0.0.0.0/0", False),
        ("10.0.0.1", "10.0.0.1", True),
        ("a.unix.socket", "10.0.0.0/8", False),
    ],
)
def test_an_address_is_in_the_ranges_that_begin_like_it(address, host, is_in):
    assert is_in_range(address, host if "/" in host else f"{host}/32") is is_in


@pytest.mark.parametrize(
    "host",
    [
        "10.0.0.0/33", "2001:db8::/129", "example.com/24", "10.0.0.0/", "/8", "/", "10.0.0/8", "10.0.0.0/-1",
        "10.0.0.0/+8",
        "10.0.0.0/255.0.0.0", "10.0.0.0/8/8", "10.0.0.0 /8", "fe80::1%eth0/64", "010.0.0.0/8", "10.0.0.0/٨",
        "::ffff:10.0.0.0/104", "::ffff:0:0/96",
    ],
)  # fmt: skip
def test_what_is_no_range_is_refused_and_holds_no_address(host):
    with pytest.raises(ValueError):
        parse_range(host)
    assert not is_in_range("10.0.0.1", host)


@given(st.ip_addresses(), st.ip_addresses(), st.data())
def test_ranges_hold_what_shares_their_leading_bits(address, start, data):
    bits = data.draw(st.integers(0, start.max_prefixlen))
    shift = start.max_prefixlen - bits
    shares = address.version == start.version and int(address) >> shift == int(start) >> shift
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return
    assert is_in_range(host_of(str(address)), f"{start}/{bits}") is shares
