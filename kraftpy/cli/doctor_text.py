"""What ``kraftpy doctor`` prints: a line per finding, a line per skipped check, and a sum."""

from __future__ import annotations

from typing import Any

from kraftpy.model.escaping import escaped


def doctor_lines(data: dict[str, Any]) -> list[str]:
    """Lay the findings out: severity, place, what, the way out, the check."""
    found = [
        f"{one['severity']}: {one['place']}: {one['message']}; {one['fix']} [{one['check']}]"
        for one in data["findings"]
    ]
    skipped = [f"skipped: {one['check']}: {one['reason']}" for one in data["skipped"]]
    counts = ", ".join(f"{name}s: {data[f'{name}Count']}" for name in ("error", "warning", "info"))
    total = f"checks: {data['checkCount']}, skipped: {len(skipped)}, findings: {len(found)} ({counts})"
    return [*map(escaped, (*found, *skipped)), total]
