"""The table ``record_counts``: the sums of what was counted per split. Both engines use this SQL."""

from __future__ import annotations

from typing import Final

COUNT_PARTS: Final = "record_count_parts"
COUNTS_SQL: Final = f"""
SELECT cluster, node, file, kind, hour_ms, control, api_key,
       CAST(SUM(records) AS BIGINT) AS records, CAST(SUM(bytes) AS BIGINT) AS bytes
FROM {COUNT_PARTS}
GROUP BY cluster, node, file, kind, hour_ms, control, api_key
"""
