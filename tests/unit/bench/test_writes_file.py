"""The file that a peer's load tool makes the mixed writes from: what bench.mixed draws, as keys and values."""

from __future__ import annotations

import pytest

from bench.mixed import OneWrite, mixed_write
from bench.peers import ensemble, writes_file
from bench.peers.etcd import Etcd
from bench.peers.writes_file import key_of, write_file
from bench.peers.zookeeper import NOT_IN_ZNODES, ZooKeeper
from bench.work import NAMES, Outcome, Work
from kraftpy.model.resource_types import ResourceType

WORK = Work(is_mixed=True, batch=128)


def rows_of(path):
    """What the tools make of the file: no line break but their own, no tab within a text."""
    text = path.read_bytes().decode()
    assert text.endswith("\n")
    assert "\r" not in text
    return [line.split("\t") for line in text[:-1].split("\n")]


def test_a_peer_gets_what_is_drawn_for_all(tmp_path):
    """The same indexes, the same texts: kind, resource and key are one key, and values are not cut or filled."""
    write_file(tmp_path / "w", WORK)
    rows = rows_of(tmp_path / "w")
    assert len(rows) == len({key for key, *_ in rows}) == NAMES
    for index, (key, *values) in enumerate(rows):
        drawn = mixed_write(index, 0)
        kind = {ResourceType.CLIENT_METRICS: "client-metrics", ResourceType.GROUP: "group"}[drawn.kind]
        assert key == f"{kind}/{drawn.name}/{drawn.key}"
        lengths = [len(value) - len(drawn.value) for value in values]
        # Serial numbers are ten digits in a run, and one here.
        assert all(0 <= length <= 9 for length in lengths), (drawn, values)
        if drawn.key == "metrics":
            assert all(value.partition(".")[2] == drawn.value.partition(".")[2] for value in values)


def test_every_write_changes_the_current_value(tmp_path):
    """Each key has several values, and those of the next case are others."""
    for name in "ab":
        write_file(tmp_path / name, WORK)
    rows = [[*first[1:], *second[1:]] for first, second in zip(*(rows_of(tmp_path / n) for n in "ab"), strict=True)]
    assert {len(values) for values in rows} == {4}
    assert all(values[at] != values[(at + 1) % 4] for values in rows for at in range(4))


def test_keys_are_names_of_znodes():
    """One name below one path, with no character that ZooKeeper refuses, and as long as the key in etcd."""
    of = ZooKeeper().key
    names = [of(mixed_write(index, 0)) for index in range(NAMES)]
    assert len(set(names)) == NAMES
    for index, name in enumerate(names):
        assert not NOT_IN_ZNODES.search(name)
        assert len(name) == len(key_of(mixed_write(index, 0)))


@pytest.mark.parametrize("name", ["a/b", "a:b", "a\0b", "a\x1fb", "a\x7fb", "a\x9fb", "a\ue000b", "a\uffffb"])
def test_a_name_that_a_znode_cannot_have_is_refused(name):
    """The text names the resource and the module that draws it."""
    with pytest.raises(ValueError, match=r"cannot be the name of a znode.*bench/mixed\.py"):
        ZooKeeper().key(OneWrite(ResourceType.GROUP, name, "k", "v"))


def test_a_text_that_would_end_a_line_is_refused(tmp_path):
    """A tab in a key would be read as the end of it."""
    with pytest.raises(ValueError, match="a tab or the end of a line"):
        write_file(tmp_path / "w", WORK, lambda one: f"{one.name}\t{one.key}")


def test_two_writes_of_one_key_are_refused(tmp_path):
    """One of them would set the value that is there already."""
    with pytest.raises(ValueError, match="the same key twice"):
        write_file(tmp_path / "w", WORK, lambda one: one.key)


def test_a_request_that_no_server_takes_is_refused(tmp_path, monkeypatch):
    """ZooKeeper closes the connection of a request above jute.maxbuffer; the text names both sizes and the limit."""
    write_file(tmp_path / "w", WORK)
    largest = max(
        sum(len("\t".join(row).encode()) for row in rows_of(tmp_path / "w")[first : first + 128])
        for first in range(0, NAMES, 128)
    )
    assert largest + 128 * writes_file.OPERATION_BYTES < writes_file.REQUEST_BYTES_MAX / 4
    monkeypatch.setattr(writes_file, "REQUEST_BYTES_MAX", 9_000)
    with pytest.raises(ValueError, match=r"a request of 128 writes has \d+ bytes; a server takes 9000"):
        write_file(tmp_path / "w", WORK)


@pytest.mark.parametrize(("peer", "separator"), [(Etcd, "/"), (ZooKeeper, ":")])
async def test_the_load_tool_is_given_the_file(peer, separator, tmp_path, monkeypatch):
    """For mixed work, and for no other."""
    commands = []

    async def run_tool(command, measuring):
        commands.append(list(command))
        return Outcome()

    monkeypatch.setattr(ensemble, "run_tool", run_tool)
    system = peer()
    system._root = tmp_path
    for work in (Work(is_mixed=True, rate=50.0), Work()):
        await system.run(work, lambda: None)
    mixed, alike = commands
    (given,) = [argument for argument in mixed if "writes=" in argument]
    assert given.lstrip("-") == f"writes={tmp_path / writes_file.FILE_NAME}"
    assert rows_of(tmp_path / writes_file.FILE_NAME)[0][0].startswith(f"client-metrics{separator}0.0-Lvx")
    assert any(argument.lstrip("-") == "rate=50.0" for argument in mixed)
    assert not any("writes=" in argument for argument in alike)
