"""``kraftpy support-bundle``: members, secrets, limits, and what prevents it."""

from __future__ import annotations

import json
import os
import stat
import tarfile
from pathlib import Path

import pytest

from kraftpy.cli import bundle_files
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.support_bundle import FILES_MAX
from kraftpy.doctor.checks import CHECKS
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.storage.names import METADATA_DIRECTORY
from tests.unit.cli.doctor_cluster import FakeCluster, behind_connections
from tests.unit.doctor.worlds import healthy, partition, topics

C = ("-C", "localhost:9193")
PLANTED = "pl4nted-password"


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> FakeCluster:
    return behind_connections(monkeypatch)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("support-bundle", *C), "Missing option '--out'"),
        (("support-bundle", "--out", "x.tar.gz"), "name a cluster (-C), or the server.properties"),
        (("support-bundle", "--out", "x.tar.gz", *["f"] * (FILES_MAX + 1)), "names 101 files"),
        (("support-bundle", "--out", ""), "the name is empty"),
    ],
)
def test_usage_errors(run, words, text, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert result.exit_code == ExitCode.USAGE
    assert text in result.stderr
    assert list(tmp_path.iterdir()) == []


def unpacked(path: Path) -> dict[str, bytes]:
    with tarfile.open(path, "r:gz") as archive:
        return {one.name: archive.extractfile(one).read() for one in archive.getmembers()}


@pytest.fixture
def node_file(tmp_path: Path) -> Path:
    """A node's file with a secret, its directory with a log, and the node's own log."""
    directory = tmp_path / "data" / "__cluster_metadata-0"
    directory.mkdir(parents=True)
    (directory.parent / "meta.properties").write_text("version=1\nnode.id=1\n")
    (directory / "quorum-state").write_text('{"leaderEpoch":3}')
    (directory / "00000000000000000000.log").write_bytes(b"a record of the metadata log")
    (tmp_path / "node.log").write_text(f"started\nlogin with {PLANTED}\n")
    path = tmp_path / "server.properties"
    path.write_text(f"node.id=1\nssl.key.password={PLANTED}\nlog.dirs={directory.parent}\nbroker.rack={PLANTED}/x\n")
    return path


def test_a_bundle_has_what_was_named_and_no_secret(run, cluster: FakeCluster, node_file: Path, tmp_path: Path) -> None:
    """Every member, byte by byte: the secret is in none, nor is a record."""
    cluster.facts = healthy(topics=topics(partition(), partition(1)))
    out = tmp_path / "bundle.tar.gz"
    result = run("support-bundle", "--out", out, *C, node_file, "--log-file", tmp_path / "node.log", "-o", "json")
    assert (result.exit_code, result.stderr) == (ExitCode.OK, "")
    members = unpacked(out)
    assert set(members) == {
        "manifest.json", "versions.json", "doctor.json", "cluster.json", "quorum.json", "features.json", "counts.json",
        "nodes/1/server.properties", "nodes/1/files.json", "nodes/1/1/meta.properties", "nodes/1/1/quorum-state",
        "logs/1.txt",
    }  # fmt: skip
    assert not [name for name, data in members.items() if PLANTED.encode() in data or b"a record of" in data]
    assert b"login with [redacted]" in members["logs/1.txt"]
    assert json.loads(members["counts.json"]) == {
        "brokerCount": 2, "controllerCount": 3, "topicCount": 1, "partitionCount": 2,
    }  # fmt: skip
    assert json.loads(members["doctor.json"])["checkCount"] == len(CHECKS)
    (listing,) = json.loads(members["nodes/1/files.json"])
    assert [(one["name"], one["bytes"]) for one in listing["files"]] == [
        ("meta.properties", 20), ("__cluster_metadata-0/00000000000000000000.log", 28),
        ("__cluster_metadata-0/quorum-state", 17),
    ]  # fmt: skip
    data = json.loads(result.stdout)
    assert data["redacted"] == [{"member": "nodes/1/server.properties", "keyCount": 1}]
    assert data["bytes"] == out.stat().st_size
    assert json.loads(members["manifest.json"])["members"] == data["members"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "bundle.tar.gz",
        "data",
        "node.log",
        "server.properties",
    ]


@pytest.mark.parametrize(
    ("failures", "reason"),
    [
        ({}, "localhost:9193 refuses connections"),
        ({"cluster": ApiError(ErrorCode.CLUSTER_AUTHORIZATION_FAILED, "you may not")}, "you may not"),
    ],
)
def test_a_cluster_that_does_not_respond_leaves_the_files(
    run, cluster: FakeCluster, node_file: Path, failures, reason
) -> None:
    """Code 5: the bundle is there, and states what is missing. So it does when nothing may be read."""
    cluster.failures = failures
    if not failures:
        cluster.unreachable.add("localhost:9193")
    out = node_file.parent / "b.tar.gz"
    result = run("support-bundle", "--out", out, *C, node_file)
    assert result.exit_code == ExitCode.INCOMPLETE
    assert f"{out} was written without 1 parts: cluster: " in result.stderr
    assert reason in result.stderr
    members = unpacked(out)
    assert "doctor.json" not in members
    assert "nodes/1/server.properties" in members


def test_files_alone_are_a_whole_bundle(run, node_file: Path) -> None:
    """A cluster that was not named is not missed."""
    out = node_file.parent / "b.tar.gz"
    result = run("support-bundle", "--out", out, node_file)
    assert result.exit_code == ExitCode.OK
    (left_out,) = json.loads(unpacked(out)["manifest.json"])["leftOut"]
    assert left_out == {"part": "cluster", "reason": "no address was named (-C)", "wasAskedFor": False}


@pytest.mark.parametrize("words", [("no.properties",), ("--log-file", "no.log", "server.properties")])
def test_a_file_that_is_not_there_prevents_the_bundle(run, node_file: Path, words, monkeypatch) -> None:
    monkeypatch.chdir(node_file.parent)
    result = run("support-bundle", "--out", "b.tar.gz", *words)
    assert result.exit_code == ExitCode.FAILURE
    assert "there is no such file" in result.stderr
    assert not Path("b.tar.gz").exists()


def test_an_output_that_exists_is_kept(run, node_file: Path) -> None:
    """Also one that is a dangling link; and there must be a directory for it."""
    out = node_file.parent / "b.tar.gz"
    out.write_text("mine")
    link = node_file.parent / "link"
    link.symlink_to("nowhere")
    for path, text in ((out, "exists: name another file"), (link, "exists"), (out / "x", "no such directory")):
        result = run("support-bundle", "--out", path, node_file)
        assert result.exit_code == ExitCode.FAILURE
        assert text in result.stderr
    assert out.read_text() == "mine"


def test_a_file_that_is_no_configuration_is_left_out(run, node_file: Path) -> None:
    """Nothing of it is shown, because it is not known what in it is a secret."""
    node_file.write_text(f"a\\u12{PLANTED}\n")
    out = node_file.parent / "b.tar.gz"
    result = run("support-bundle", "--out", out, node_file)
    assert result.exit_code == ExitCode.INCOMPLETE
    assert PLANTED.encode() not in b"".join(unpacked(out).values())


def test_directories_that_are_not_there_are_stated(run, node_file: Path) -> None:
    node_file.write_text("log.dirs=/nowhere/a, /nowhere/b\nmetrics.listener=nonsense\n")
    out = node_file.parent / "b.tar.gz"
    result = run("support-bundle", "--out", out, node_file)
    assert result.exit_code == ExitCode.INCOMPLETE
    left_out = json.loads(unpacked(out)["manifest.json"])["leftOut"]
    assert [one["part"] for one in left_out if one["wasAskedFor"]] == ["/nowhere/a", "/nowhere/b"]


def test_the_end_of_a_long_log_begins_with_a_line(run, node_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a line could hold half a secret."""
    monkeypatch.setattr(bundle_files, "LOG_BYTES_MAX", 20)
    log = node_file.parent / "node.log"
    log.write_text("first line\nsecond line is cut\nlast line\n")
    out = node_file.parent / "b.tar.gz"
    assert run("support-bundle", "--out", out, "--log-file", log).exit_code == ExitCode.OK
    text = unpacked(out)["logs/1.txt"].decode()
    assert text == f"# {log}, the end of 40 bytes\nlast line\n"


def test_a_listing_is_bounded(run, node_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_files, "LISTED_FILES_MAX", 3)
    out = node_file.parent / "b.tar.gz"
    result = run("support-bundle", "--out", out, node_file)
    (listing,) = json.loads(unpacked(out)["nodes/1/files.json"])
    assert (len(listing["files"]), result.exit_code) == (2, ExitCode.INCOMPLETE), (listing, result.output)
    assert "has more than 3 files and directories" in result.stderr


def test_a_bundle_that_cannot_be_written_leaves_nothing(run, node_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The temporary file is removed, and no name appears."""

    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    before = sorted(node_file.parent.iterdir())
    result = run("support-bundle", "--out", node_file.parent / "b.tar.gz", node_file)
    assert result.exit_code == ExitCode.FAILURE
    assert sorted(node_file.parent.iterdir()) == before
    assert result.stderr.startswith("error: ")
    assert "cannot be written" in result.stderr


def test_the_bundle_is_its_owners_and_replaces_nothing(run, node_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a file of a temporary name, nor one that appears in the meantime."""
    out = node_file.parent / "b.tar.gz"
    other = node_file.parent / "b.tar.gz.tmp"
    other.write_text("mine")
    mask = os.umask(0)
    try:
        assert run("support-bundle", "--out", out, node_file).exit_code == ExitCode.OK
    finally:
        os.umask(mask)
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert other.read_text() == "mine"
    before = out.read_bytes()
    monkeypatch.setattr(os.path, "lexists", lambda _: False)
    result = run("support-bundle", "--out", out, node_file)
    assert (result.exit_code, out.read_bytes()) == (ExitCode.FAILURE, before)
    assert f"{out} exists: name another file" in result.stderr
    assert not list(node_file.parent.glob(".*"))


def test_a_file_with_a_strange_line_is_left_out(run, node_file: Path) -> None:
    """Its directories are listed, and its secrets are in no other member."""
    node_file.write_text(f'{node_file.read_text()}\n"x {PLANTED}"\n')
    out = node_file.parent / "b.tar.gz"
    result = run("support-bundle", "--out", out, node_file, "--log-file", node_file.parent / "node.log")
    assert result.exit_code == ExitCode.INCOMPLETE
    assert f"{node_file}: 1 of its lines begin with no name of a key" in result.stderr
    members = unpacked(out)
    assert "nodes/1/files.json" in members
    assert "nodes/1/server.properties" not in members
    assert PLANTED.encode() not in b"".join(members.values())


@pytest.mark.parametrize(("kind", "reason"), [("link", "it is a symbolic link"), ("pipe", "it is no regular file")])
def test_what_is_no_regular_file_is_not_read(run, node_file: Path, kind, reason) -> None:
    """A link may lead anywhere, and a pipe may never end."""
    path = node_file.parent / "data" / "meta.properties"
    path.unlink()
    if kind == "link":
        path.symlink_to(node_file)
    else:
        os.mkfifo(path)
    out = node_file.parent / "b.tar.gz"
    result = run("support-bundle", "--out", out, node_file)
    assert result.exit_code == ExitCode.INCOMPLETE
    assert f"{path}: cannot be read: {reason}" in result.stderr
    assert "nodes/1/1/meta.properties" not in unpacked(out)


def test_a_log_that_is_a_link_is_not_read(run, node_file: Path) -> None:
    link = node_file.parent / "link.log"
    link.symlink_to(node_file.parent / "node.log")
    out = node_file.parent / "b.tar.gz"
    result = run("support-bundle", "--out", out, "--log-file", link)
    assert result.exit_code == ExitCode.INCOMPLETE
    assert "it is a symbolic link; name the file itself" in result.stderr
    assert "logs/1.txt" not in unpacked(out)


def test_a_log_that_begins_in_a_key_loses_its_rest(run, node_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = node_file.parent / "node.log"
    log.write_text("-----BEGIN PRIVATE KEY-----\nAAAA\nBBBB\nCCCC\n-----END PRIVATE KEY-----\nlast line\n")
    monkeypatch.setattr(bundle_files, "LOG_BYTES_MAX", log.stat().st_size - 30)
    out = node_file.parent / "b.tar.gz"
    assert run("support-bundle", "--out", out, "--log-file", log).exit_code == ExitCode.OK
    assert unpacked(out)["logs/1.txt"].decode().splitlines()[1:] == ["last line"]


def test_a_log_that_grows_is_read_to_its_first_size(run, node_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes after it may end within a line."""
    log = node_file.parent / "node.log"
    fstat = os.fstat

    def growing(descriptor: int) -> os.stat_result:
        found = fstat(descriptor)
        if found.st_ino == log.stat().st_ino:
            with log.open("a") as file:
                file.write("more")
        return found

    log.write_text("one line\n")
    monkeypatch.setattr(os, "fstat", growing)
    out = node_file.parent / "b.tar.gz"
    assert run("support-bundle", "--out", out, "--log-file", log).exit_code == ExitCode.OK
    assert b"moremore" not in unpacked(out)["logs/1.txt"]


@pytest.mark.parametrize(
    ("method", "name"), [("stat", ""), ("stat", "meta.properties"), ("scandir", METADATA_DIRECTORY)]
)
def test_a_directory_that_may_not_be_read_is_left_out(
    run, node_file: Path, monkeypatch: pytest.MonkeyPatch, method, name
) -> None:
    """The bundle has the others."""
    denied = node_file.parent / "data" / name
    real = getattr(os, method)

    def refusing(path: str, *words: object, **options: object) -> object:
        if isinstance(path, str | os.PathLike) and os.fspath(path) == str(denied):
            raise PermissionError(13, os.strerror(13), str(denied))
        return real(path, *words, **options)

    monkeypatch.setattr(os, method, refusing)
    out = node_file.parent / "b.tar.gz"
    result = run("support-bundle", "--out", out, node_file)
    assert result.exit_code == ExitCode.INCOMPLETE, result.output
    assert f"{denied}: cannot be " in result.stderr
    assert "nodes/1/server.properties" in unpacked(out)


def test_directories_count_towards_the_limit(run, node_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_files, "LISTED_FILES_MAX", 10)
    for number in range(10):
        (node_file.parent / "data" / f"empty-{number}").mkdir()
    result = run("support-bundle", "--out", node_file.parent / "b.tar.gz", node_file)
    assert "has more than 10 files and directories" in result.stderr
