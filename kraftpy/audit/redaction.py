"""Secrets, as every output of this project knows them: see :mod:`kraftpy.records.redaction`."""

from __future__ import annotations

from kraftpy.records.redaction import REDACTED, is_secret

__all__ = ["REDACTED", "is_secret"]
