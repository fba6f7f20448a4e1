"""The generated messages are those of the .proto files."""

from __future__ import annotations

from itertools import pairwise

from proto.generate import grpc_messages
from proto.generate.__main__ import main


def test_generated_messages_are_fresh(capsys):
    """Regenerating gives the committed files, byte for byte; run python -m proto.generate."""
    assert grpc_messages.differences() == []
    assert main(["--check"]) == 0
    assert not capsys.readouterr().err


def test_stale_files_are_named(tmp_path, monkeypatch, capsys):
    """A file that differs, is missing or should not be is named, and the status is 1."""
    grpc_messages.generate(tmp_path)
    monkeypatch.setattr(grpc_messages, "PB", tmp_path)
    (tmp_path / "v1" / "admin_pb2.py").write_text("changed")
    (tmp_path / "v1" / "node_pb2.py").unlink()
    (tmp_path / "v1" / "gone_pb2.py").write_text("left over")
    assert grpc_messages.differences() == ["admin_pb2.py", "gone_pb2.py", "node_pb2.py"]
    assert main(["--check"]) == 1
    assert "admin_pb2.py" in capsys.readouterr().err


def test_generated_imports_stay_in_the_package():
    """Generated modules import each other as kraftpy.pb.v1, never as a top-level package of their own."""
    for path in (grpc_messages.PB / "v1").glob("*.py*"):
        if path.is_file():
            assert "from kraftpy.v1" not in path.read_text(encoding="utf-8")


def test_every_message_and_method_is_described():
    """Each rpc and each top-level message or service of the .proto files has a comment: they are the API reference."""
    bare = []
    for path in grpc_messages.PROTO.rglob("*.proto"):
        lines = path.read_text(encoding="utf-8").splitlines()
        for before, line in pairwise(lines):
            is_rpc = line.strip().startswith("rpc ")
            if is_rpc and not before.strip().startswith("//"):
                bare.append(f"{path.name}: {line.strip()}")
    assert bare == []
