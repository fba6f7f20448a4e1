"""How ``quickstart`` shows a cluster: a table that redraws itself on a terminal, plain lines elsewhere."""

from __future__ import annotations

import math
import shutil
from collections.abc import Sequence
from typing import Protocol

import click

from kraftpy.local_cluster.cluster import LocalCluster
from kraftpy.local_cluster.cluster_status import ClusterStatus


class StatusView(Protocol):
    """What the command reports to its view."""

    def show(self, status: ClusterStatus) -> None:
        """Show the present state."""
        ...

    def ready(self, status: ClusterStatus, seconds: float) -> None:
        """Say that the cluster is ready, once."""
        ...

    def stopping(self) -> None:
        """Say that the nodes are being stopped."""
        ...

    def stopped(self) -> None:
        """Say that all nodes are stopped."""
        ...


def ready_line(status: ClusterStatus, sandbox: LocalCluster, seconds: float) -> str:
    """Return the one line that says READY, and where to turn to: over gRPC, for metrics, and over Kafka's protocol."""
    return (
        f"READY in {seconds:.1f} s  cluster.id={status.cluster_id}  controllers={controllers_over_grpc(sandbox)}  "
        f"metrics={metrics_of_controllers(sandbox)}  kafka={controllers_over_kafka(sandbox)}  dir={sandbox.root}"
    )


def controllers_over_grpc(sandbox: LocalCluster) -> str:
    """Return what ``--bootstrap-controller`` of most commands takes."""
    return ",".join(node.grpc_endpoint for node in sandbox.controllers if node.grpc_endpoint)


def metrics_of_controllers(sandbox: LocalCluster) -> str:
    """Return where the controllers serve metrics and the status page over HTTP."""
    return ",".join(node.metrics_endpoint for node in sandbox.controllers if node.metrics_endpoint)


def controllers_over_kafka(sandbox: LocalCluster) -> str:
    """Return what ``observe``, ``ok-to-stop``, ``add-controller``, ``remove-controller`` and Kafka's own tools take."""
    return ",".join(node.kafka_endpoint for node in sandbox.controllers)


class LinesView:
    """One line for every change.

    Args:
        sandbox: what is shown.
        usage: lines that follow READY.
        quiet: print nothing.
    """

    def __init__(self, sandbox: LocalCluster, usage: Sequence[str] = (), *, quiet: bool) -> None:
        self._sandbox = sandbox
        self._usage = usage
        self._quiet = quiet
        self._last: dict[tuple[str, str], str] = {}

    def show(self, status: ClusterStatus) -> None:
        """Print what changed since the last time."""
        facts = {(one.node.name, "state"): one.state for one in status.nodes}
        facts |= {(one.node.name, reported): reported for one in status.nodes for reported in one.incidents}
        facts["cluster.id", "value"] = status.cluster_id or "(unknown)"
        if status.waiting_for:
            facts["waiting for", "value"] = status.waiting_for
        for key, fact in facts.items():
            if self._last.get(key) != fact and not self._quiet:
                click.echo(f"{key[0]}: {fact}")
        self._last = facts

    def ready(self, status: ClusterStatus, seconds: float) -> None:
        """Print the line that says READY."""
        if not self._quiet:
            for line in (ready_line(status, self._sandbox, seconds), *self._usage):
                click.echo(line)

    def stopping(self) -> None:
        """Print it."""
        if not self._quiet:
            click.echo("stopping")

    def stopped(self) -> None:
        """Print it."""
        if not self._quiet:
            click.echo("stopped")


class ScreenView:
    """A table, redrawn in place.

    Only rows that are on the terminal can be redrawn. Where the lines that follow READY would make the drawing taller
    than that, they are printed once, above the table.

    Args:
        sandbox: what is shown.
        usage: lines that follow READY.
    """

    def __init__(self, sandbox: LocalCluster, usage: Sequence[str] = ()) -> None:
        self._sandbox = sandbox
        self._usage = usage
        self._rows_drawn = 0
        self._is_ready = False
        self._footer = ["starting ..."]

    def show(self, status: ClusterStatus) -> None:
        """Redraw."""
        if not status.ready and not self._is_ready:
            self._footer = [f"waiting for {status.waiting_for}"]
        lines = self._lines(status)
        self._draw(lines)
        self._rows_drawn = _rows(lines)

    def _lines(self, status: ClusterStatus) -> list[str]:
        return [*table(status), "", *self._footer, "Ctrl-C stops everything; the same command starts it again."]

    def _draw(self, lines: Sequence[str]) -> None:
        """Print lines in the place of what was drawn last."""
        redraw = f"\x1b[{self._rows_drawn}A\x1b[J" if self._rows_drawn else ""
        click.echo("\n".join((redraw + lines[0], *lines[1:])))

    def ready(self, status: ClusterStatus, seconds: float) -> None:
        """Keep the line that says READY under the table, or above it where the terminal is too low."""
        self._is_ready = True
        self._footer = [ready_line(status, self._sandbox, seconds), *self._usage]
        # The cursor is in the row below the drawing.
        if _rows(self._lines(status)) >= shutil.get_terminal_size().lines:
            self._draw([*self._footer, ""])
            self._footer, self._rows_drawn = [], 0
        self.show(status)

    def stopping(self) -> None:
        """Print it."""
        click.echo("stopping ...")

    def stopped(self) -> None:
        """Print it."""
        click.echo("stopped; everything is kept in " + str(self._sandbox.root))


def _rows(lines: Sequence[str]) -> int:
    """Return how many rows of the terminal lines take, wrapped ones included."""
    columns = shutil.get_terminal_size().columns
    return sum(max(1, math.ceil(len(line) / columns)) for line in lines)


def _shown(value: int | None) -> str:
    return "-" if value is None else str(value)


def table(status: ClusterStatus) -> list[str]:
    """Draw the cluster, one line a node; below them what nodes found wrong with themselves."""
    head = (
        f"cluster.id {status.cluster_id or '(unknown)'}   leader {_shown(status.leader_id)}"
        f"   epoch {_shown(status.leader_epoch)}   high watermark {_shown(status.high_watermark)}"
    )
    rows = [("node", "state", "grpc", "metrics", "meta.properties")]
    for one in status.nodes:
        carried = sum(1 for cluster_id in one.cluster_ids.values() if cluster_id is not None)
        identity = f"{carried}/{len(one.cluster_ids)} carry the id"
        endpoints = one.node.grpc_endpoint or "-", one.node.metrics_endpoint or "-"
        rows.append((one.node.name, one.state, *endpoints, identity))
    incidents = [f"{one.node.name}: {reported}" for one in status.nodes for reported in one.incidents]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        head,
        "",
        *("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows),
        *(("", *incidents) if incidents else ()),
    ]
