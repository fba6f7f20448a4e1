"""The keys of groups, here and in Kafka's jars: the same names, types, defaults and order, and the same verdicts."""

from __future__ import annotations

import subprocess
from pathlib import Path

from kraftpy.config_keys.group_keys import GROUP_NUMBERS
from kraftpy.controller.group_configs import GROUP_KEYS, check_bounds
from tests.interop.cluster import JVM, TOOL_TIMEOUT_S
from tests.interop.jars import Jars

NUMBERS = (
    -1, 0, 1, 2, 3, 5, 9, 10, 11, 99, 100, 101, 999, 1_000, 1_001, 3_999, 4_000, 4_001, 4_999, 5_000, 5_001, 14_999,
    15_000, 15_001, 44_999, 45_000, 45_001, 59_999, 60_000, 60_001, 2**31 - 1, 2**31,
)  # fmt: skip
TEXTS = (
    "", " ", " latest", "latest", "earliest", "LATEST", "none", "true", "TRUE", "1.5", "+5", " 50000 ",
    "read_committed", "READ_COMMITTED", "read_uncommitted", "by_duration:PT1S", "by_duration:", "by_duration:-PT1S",
    "by_duration:PT-0.5S", "by_duration:P1W", "by_duration:PT", "by_duration:pt1h-30m",
    "by_duration:PT9223372036854775808S",
)  # fmt: skip


def verdict(name: str, text: str) -> str:
    try:
        GROUP_KEYS[name].check(text)
        check_bounds({name: text}, GROUP_NUMBERS)
    except ValueError as error:
        return f"- {error}"
    return "+"


def test_groups_have_kafkas_keys_and_bounds(jars: Jars) -> None:
    """Where a value is refused, our text begins with Kafka's."""
    asked = [(name, text) for name in GROUP_KEYS for text in (*map(str, NUMBERS), *TEXTS)]
    source = Path(__file__).with_name("GroupConfigJudge.java")
    command = ["java", *JVM, "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-cp", jars.classpath, str(source)]
    judged = subprocess.run(
        command, input="".join(f"{name}\t{text}\n" for name, text in asked), capture_output=True, text=True,
        encoding="utf-8", check=False, timeout=TOOL_TIMEOUT_S,
    )  # fmt: skip
    assert judged.returncode == 0, judged.stderr
    lines = judged.stdout.split("\n")[:-1]
    keys = [line for line in lines if line.startswith("= ")]
    assert keys == [f"= {key.name} {key.type.name} {key.default}" for key in GROUP_KEYS.values()]
    verdicts = lines[len(keys) :]
    assert len(verdicts) == len(asked)
    differing = [
        (name, text, theirs, ours)
        for (name, text), theirs in zip(asked, verdicts, strict=True)
        if not (ours := verdict(name, text)).startswith(theirs) or (theirs == "+") != (ours == "+")
    ]
    assert differing == []
    assert 0 < sum(line == "+" for line in verdicts) < len(verdicts)
