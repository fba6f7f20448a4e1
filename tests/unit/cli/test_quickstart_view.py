"""How ``quickstart`` shows a cluster: redrawn on a terminal, a line per change elsewhere."""

from __future__ import annotations

from dataclasses import replace

import click
import pytest

from kraftpy.cli.quickstart_view import LinesView, ScreenView
from kraftpy.node.cluster_status import ClusterStatus, NodeStatus
from kraftpy.node.sandbox import open_sandbox

ID = "H1aHdHMqTxWAWiF-IDPNxw"


@pytest.fixture
def sandbox(tmp_path):
    return open_sandbox(tmp_path / "cluster", controllers=1, brokers=1)


@pytest.fixture
def starting(sandbox):
    """Nobody has an id; the controller is a follower, the broker is not there yet."""
    states = ("follower", "starting")
    nodes = (
        NodeStatus(node, state, is_ready=False, cluster_ids=dict.fromkeys(node.log_dirs))
        for node, state in zip(sandbox.nodes, states, strict=True)
    )
    return ClusterStatus(tuple(nodes), waiting_for="a leader")


@pytest.fixture
def ready(starting):
    """Everybody runs, and every file carries the id."""
    states = ("leader", "running")
    nodes = tuple(
        replace(one, state=state, is_ready=True, cluster_ids=dict.fromkeys(one.cluster_ids, ID))
        for one, state in zip(starting.nodes, states, strict=True)
    )
    return ClusterStatus(nodes, ID, 1, 4, 17, "5.0-IV0", waiting_for="")


@pytest.fixture
def terminal():
    """Output goes to a terminal, as far as click knows."""
    context = click.Context(click.Command("quickstart"))
    context.color = True
    with context.scope():
        yield


@pytest.mark.usefixtures("terminal")
def test_a_terminal_has_one_table_that_is_redrawn(sandbox, starting, ready, capsys) -> None:
    """Each drawing goes up by the lines of the one before and clears each of them; READY stays under the table."""
    view = ScreenView(sandbox)
    view.show(starting)
    first = capsys.readouterr().out
    assert "waiting for a leader" in first
    assert "0/2 carry the id" in first
    view.ready(ready, 2.5)
    view.show(ready)
    height = first.count("\n")
    nothing, second, third = capsys.readouterr().out.split(f"\x1b[{height}A")
    assert nothing == ""
    for drawn in (second, third):
        assert drawn.count("\x1b[2K") == drawn.count("\n") == height
        assert f"cluster.id {ID}   leader 1   epoch 4   high watermark 17" in drawn
        assert "running" in drawn
        assert "2/2 carry the id" in drawn
        assert f"READY in 2.5 s  cluster.id={ID}  controllers={sandbox.controllers[0].grpc_endpoint}" in drawn
        assert "waiting for" not in drawn


def test_elsewhere_every_change_is_a_line(sandbox, starting, ready, capsys) -> None:
    """What did not change is not said again, and there is nothing that only a terminal understands."""
    view = LinesView(sandbox, quiet=False)
    view.show(starting)
    view.show(starting)
    assert capsys.readouterr().out.splitlines() == [
        "controller-1: follower", "broker-2: starting", "cluster.id: (unknown)"
    ]  # fmt: skip
    view.show(ready)
    view.ready(ready, 2.5)
    *changed, last = capsys.readouterr().out.splitlines()
    assert changed == ["controller-1: leader", "broker-2: running", f"cluster.id: {ID}"]
    assert last.startswith("READY in 2.5 s ")


def test_a_script_that_asked_for_the_summary_sees_nothing_else(sandbox, ready, capsys) -> None:
    """``--once`` prints its own summary."""
    view = LinesView(sandbox, quiet=True)
    view.show(ready)
    view.ready(ready, 2.5)
    view.stopping()
    view.stopped()
    assert capsys.readouterr().out == ""
