"""history, diff and compact say up to where they know, and do not end with 0 where an answer may be incomplete."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.root import cli
from tests.audit.mutations import batches, flipped, sidecar_files
from tests.audit.worlds import Node, healthy


def run(*args: object):
    return CliRunner().invoke(cli, [str(arg) for arg in args])


def _flip(node: Node) -> int:
    end = batches(node)[5].base_offset
    node.log[5] = flipped(node.log[5], 70)
    return end


def _too_long(node: Node) -> int:
    end = batches(node)[5].base_offset
    node.log[5] = flipped(node.log[5], 9, 0x40)
    return end


def _gap(node: Node) -> int:
    end = batches(node)[5].base_offset
    del node.log[5]
    return end


def _cut(node: Node) -> int:
    node.beside = sidecar_files(node)
    del node.log[-3:]
    return batches(node)[-1].next_offset


def _behind_its_snapshot(node: Node) -> int:
    del node.log[5:]
    return batches(node)[-1].next_offset


CORRUPTION: dict[str, Callable[[Node], int | None]] = {
    "a flipped bit": _flip, "a wrong length": _too_long, "a gap": _gap, "a cut log": _cut,
    "a log behind its snapshot": _behind_its_snapshot,
}  # fmt: skip


def written(directory: Path, corruption: Callable[[Node], int | None] | None = None) -> tuple[Path, int | None]:
    """Write one node, corrupt, and return its directory and where its log can be read up to."""
    world = healthy(930)
    node = world.nodes[1]
    world.nodes = {1: node}
    end = None if corruption is None else corruption(node)
    world.write(directory)
    return directory, end


@pytest.mark.parametrize("name", CORRUPTION)
def test_an_answer_from_half_a_log_reports_it(tmp_path, name) -> None:
    """A topic's history ends where corruption begins, or one of two compared states is cut, and all is well."""
    whole, _ = written(tmp_path / "whole")
    broken, end = written(tmp_path / "broken", CORRUPTION[name])
    asked = run("history", "topic", "orders", broken)
    assert asked.exit_code == ExitCode.INCOMPLETE, asked.output
    assert (
        f"incomplete: cluster MkU3OEVBNTcwNTJENDM2Qg, node 1: records before offset {end} were read; " in asked.stderr
    )
    assert json.loads(run("history", "topic", "orders", broken, "-o", "json").stdout) is not None
    for pair in ((whole, broken), (broken, whole), (broken, broken)):
        compared = run("diff", *pair)
        assert (compared.exit_code, f"records before offset {end} were read" in compared.stderr) == (5, True), pair
    refused = run("compact", broken, "--out", tmp_path / "out")
    assert (refused.exit_code, "--at" in refused.stderr) == (1, True), refused.output


@pytest.mark.parametrize("name", CORRUPTION)
def test_what_is_before_the_corruption_is_known(tmp_path, name) -> None:
    """A state before the corruption is called incomplete."""
    broken, _ = written(tmp_path / "broken", CORRUPTION[name])
    at = batches(healthy(930).nodes[1])[3].next_offset
    result = run("history", "topic", "orders", broken, "--as-of", at)
    assert (result.exit_code, result.stderr) == (0, "")
    assert run("diff", f"{broken}@{at}", f"{broken}@{at}").exit_code == 0


def test_a_torn_end_and_a_whole_log_are_complete(tmp_path) -> None:
    """What no acknowledged record is in makes an answer incomplete."""

    def tear(node: Node) -> None:
        node.log[-1] = node.log[-1][:-3]

    whole, _ = written(tmp_path / "whole")
    torn, _ = written(tmp_path / "torn", tear)
    for directory in (whole, torn):
        result = run("history", "topic", "orders", directory)
        assert (result.exit_code, result.stderr) == (0, "")
        assert run("diff", directory, directory).exit_code == 0


def test_a_log_whose_beginning_is_gone_is_incomplete(tmp_path) -> None:
    """A topic that was made before the first segment has no history, and no reason is reported."""

    def behead(node: Node) -> None:
        ((snapshot_id, data),) = node.snapshots.items()
        node.snapshots = {snapshot_id: data[:-40]}
        node.segments = {batches(node)[-2].base_offset: node.log[-2:]}

    broken, _ = written(tmp_path / "broken", behead)
    result = run("history", "topic", "orders", broken)
    assert result.exit_code == ExitCode.INCOMPLETE
    assert "the log starts at offset" in result.stderr
    assert "checkpoint is corrupt: " in result.stderr
