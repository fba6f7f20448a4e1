"""Nothing that is lost or changed in a node's directory passes an audit, part by part and byte by byte.

Every case that passes is named here, with the reason why nothing is lost by it. ``make test`` cuts files of batches at
every 61st byte and at every batch's end; ``-m campaign`` does all of it at every byte.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest
from click.testing import CliRunner

from kraftpy.audit.diff import read_states
from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.findings import judge
from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.rules import all_rules
from kraftpy.cli.inspect_dir import inspect
from kraftpy.cli.root import cli
from tests.audit.exhaustive import cases, whole, write

pytestmark = pytest.mark.landing

MAY_PASS = {
    "whole": "nothing was done to it",
    r"0{20}\.index:(gone|zeros|cut-\d+|flip-\d+)": "an index is made anew from its segment at every start; where it "
    "says less than it did, it is only evidence less",
    r"\d{20}\.snapshot:gone": "it holds nothing, and its name is only evidence of where the log ended",
    r"\d{20}-\d{10}\.checkpoint:gone": "the log starts at 0 and has all that the snapshot had",
    "leader-epoch-checkpoint:(gone|cut-0)": "it is made anew from the log; Kafka reads an empty one as no entries",
    "leader-epoch-checkpoint:cut-12": "it lost its last line's end",
    r"leader-epoch-checkpoint:flip-6": "its first entry begins later, as it does where the log's beginning is deleted",
    r"quorum-state:cut-(104|105|120)": "the checksum behind Kafka's line is gone, or its line's end: the vote is whole",
    "partition.metadata:gone": "it says of every metadata log the same, and is written anew",
    "meta.properties:gone": "it says whose directory it is and nothing of the state; a copy of a log often lacks it",
    "bootstrap.checkpoint:gone": "it is read before the first record of a log only, and this log has many",
}
"""Cases, and why nothing is lost by them."""


def judged(directory: Path, step: int) -> tuple[list[str], list[str]]:
    """Audit all cases at once; return those without a finding, and those of them whose state is another."""
    names = {}
    for number, (name, files) in enumerate(cases(step)):
        names[f"c{number}"] = name
        write(directory / f"cluster=c{number}" / "node=1", files)
    engine = LocalEngine(KraftReplay(b"salt"))
    try:
        engine.load([str(directory)], AsOf())
        verdict = judge(engine, all_rules(), limit=1_000_000)
        states = read_states(engine)
    finally:
        engine.close()
    found = defaultdict(set)
    for finding in verdict.findings:
        if finding.rule.severity.is_finding:
            found[finding.cluster].add(finding.rule.id)
    silent = [label for label in names if not found[label]]
    changed = [names[label] for label in silent if states.get(label) != states["c0"]]
    return [names[label] for label in silent], changed


def check(directory: Path, step: int) -> None:
    silent, changed = judged(directory, step)
    assert changed == [], "python -m tests.audit.exhaustive NAME shows a case"
    unnamed = [name for name in silent if not any(re.fullmatch(pattern, name) for pattern in MAY_PASS)]
    assert unnamed == [], "python -m tests.audit.exhaustive NAME shows a case"
    if step > 1:
        return
    stale = [pattern for pattern in MAY_PASS if not any(re.fullmatch(pattern, name) for name in silent)]
    assert stale == []


def test_nothing_that_is_lost_passes(tmp_path) -> None:
    """A part of a directory is lost or changed, and the audit ends with 0."""
    check(tmp_path, 61)


@pytest.mark.campaign
@pytest.mark.timeout(900)
def test_nothing_that_is_lost_passes_at_any_byte(tmp_path) -> None:
    """A part of a directory is lost or changed, and the audit ends with 0."""
    check(tmp_path, 1)


INSPECT_PASSES = {
    "quorum-state:gone": "a note: who copies a log need not copy its node's vote",
    r"\d{20}-\d{10}\.checkpoint:another-offset": "a snapshot is not held against the log here, but by an audit",
}
"""Cases that inspect has nothing to say of beyond those of an audit, and why."""

MAY_BE_CORRUPTION = ("quorum-state:cut-120", r"0{20}\.index:.*")
"""Cases that may pass, of which inspect says all the same what is wrong."""


def test_inspect_sees_what_an_audit_sees(tmp_path) -> None:
    """A directory of which a part is lost or changed is "No corruption."."""
    wrong = []
    for number, (name, files) in enumerate(cases(61)):
        home = tmp_path / str(number)
        write(home, files)
        is_corruption = bool(inspect(home).corruption)
        may_pass = any(re.fullmatch(pattern, name) for pattern in (*MAY_PASS, *INSPECT_PASSES))
        if is_corruption == may_pass and not any(re.fullmatch(pattern, name) for pattern in MAY_BE_CORRUPTION):
            wrong.append(name)
    assert wrong == [], "python -m tests.audit.exhaustive NAME shows a case"


def test_what_a_compaction_wrote_can_be_inspected_as_it_lies(tmp_path) -> None:
    """A directory with a snapshot in it and no log is refused."""
    write(tmp_path / "node", whole())
    runner = CliRunner()
    done = runner.invoke(cli, ["compact", str(tmp_path / "node"), "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    for place in (tmp_path / "out", *(tmp_path / "out").iterdir()):
        result = runner.invoke(cli, ["inspect", str(place)])
        assert result.exit_code == 0, result.output
        assert "Log:              no segment;" in result.output
        assert "State at:         offset 13, epoch 2" in result.output
        assert "1 config," in result.output


def test_inspect_states_what_kafkas_static_quorum_states() -> None:
    """The cluster id and the voters are called unknown where other lines of the same files name them."""
    golden = Path(__file__).resolve().parents[1] / "golden" / "kafka-4.3.0"
    text = CliRunner().invoke(cli, ["inspect", str(golden)]).output
    assert re.search(r"Cluster id: +\S+ \(meta.properties; no record names it\)", text), text
    assert re.search(r"recovery point not noted", text)
