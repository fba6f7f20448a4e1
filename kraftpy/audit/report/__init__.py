"""The report: one self-contained HTML page, findings first, then plots.

Reading order: ``data`` (what is asked), ``charts`` (SVG), ``page`` (HTML and CSS).
"""

from __future__ import annotations

from pathlib import Path

from kraftpy.audit.engines.protocol import Engine
from kraftpy.audit.findings import AuditReport
from kraftpy.audit.log_volume import LogVolume
from kraftpy.audit.report.data import read_clusters
from kraftpy.audit.report.page import page

__all__ = ["write_report"]


def write_report(
    engine: Engine, verdict: AuditReport, growth: LogVolume, path: Path, *, until_ms: int | None = None
) -> None:
    """Write the page; an existing file remains until the new one is complete.

    Args:
        engine: loaded.
        verdict: the findings.
        growth: what the logs consist of.
        path: of the page.
        until_ms: see :func:`~kraftpy.audit.report.data.read_clusters`.

    Raises:
        OSError: when it cannot be written.
    """
    worst_first = list(dict.fromkeys(finding.cluster for finding in verdict.findings))
    clusters, count = read_clusters(engine, worst_first, until_ms)
    text = page(verdict, growth, clusters, count)
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
