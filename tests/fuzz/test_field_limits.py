"""Every field of every write at its limits, one at a time: an answer, a state that holds, and nothing unexpected.

A search draws at random (``targets``); this does not. What it tries is in ``field_limits``.
"""

from __future__ import annotations

import pytest
import structlog

from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.findings import judge
from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.rules import Severity, all_rules
from kraftpy.records.file_names import segment_file_name
from tests.audit.test_decisions import log_of
from tests.fuzz.field_limits import (
    REQUESTS,
    VALID,
    Case,
    Limited,
    ask,
    cases_of,
    changed,
    errors_of,
    level_of,
    state_of,
    uncovered,
    valid,
    versions_of,
)
from tests.simulator.quiet import quiet_logs

CASES_MIN = 4_000
LOGS_MIN = 400

ALLOWED = {
    "directory-unknown": "a broker is believed where its replicas are, as in Kafka; a lost directory is no error"
}
"""What the auditor may call an error, with the reason; it does."""

VERSIONS = [
    pytest.param(request, version, id=f"{request.__name__}-v{version}")
    for request in REQUESTS
    for version in versions_of(request)
]
HIGHEST = [pytest.param(request, versions_of(request)[-1], id=request.__name__) for request in REQUESTS]


@pytest.fixture(autouse=True)
def _quiet():
    before = structlog.get_config()
    quiet_logs()
    yield
    structlog.configure(**before)


def world_for(request, version) -> Limited:
    """A controller with state, which no case has changed."""
    return Limited(state_of(level_of(request, version)))


def answered(case: Case) -> Limited:
    """Ask, and return the controller; whatever is raised names the case."""
    world = world_for(case.request, case.version)
    try:
        ask(world, changed(case, world), case.version)
    except Exception as error:
        raise AssertionError(f"{case}: {type(error).__name__}: {error}") from error
    return world


def test_every_write_has_a_valid_request() -> None:
    """A write that the table offers is missing in ``field_limits.VALID``."""
    assert set(REQUESTS) == VALID.keys()


@pytest.mark.parametrize(("request_type", "version"), VERSIONS)
def test_the_requests_are_valid_otherwise(request_type, version) -> None:
    """A request is refused before its field is at a limit, or leaves out a field."""
    for base in range(len(VALID[request_type])):
        world = world_for(request_type, version)
        answer = ask(world, valid(request_type, base, version, world), version)
        assert errors_of(answer) == [], (base, answer)
    assert uncovered(request_type, version) == []


@pytest.mark.parametrize(("request_type", "version"), HIGHEST)
def test_every_field_of_the_highest_versions(request_type, version) -> None:
    """A field at its limit is not answered, or raises what nothing expects; in one valid request of each kind."""
    for case in cases_of(request_type, version):
        if case.base == 0:
            answered(case)


@pytest.mark.landing
def test_every_field_of_every_version_leaves_a_valid_state(tmp_path) -> None:
    """A field at its limit is not answered, stops the controller, or leaves what the auditor calls an error."""
    cases = 0
    logs: dict[tuple[bytes, ...], Case] = {}
    for request_type in REQUESTS:
        for version in versions_of(request_type):
            for case in cases_of(request_type, version):
                cases += 1
                world = answered(case)
                if not world.values:
                    continue
                values = (*state_of(level_of(request_type, version)).values, *world.values)
                if logs.setdefault(values, case) is case:
                    world.go_on()
    assert cases > CASES_MIN
    assert len(logs) > LOGS_MIN
    errors = errors_in(tmp_path, logs)
    assert [(str(case), rule, message) for case, rule, message in errors if rule not in ALLOWED] == []
    assert {rule for _, rule, _ in errors} == ALLOWED.keys()


def errors_in(home, logs) -> list[tuple[Case, str, str]]:
    """What the auditor calls an error: the case whose log it is in, the rule, and what it says."""
    named = {f"case {number}": case for number, case in enumerate(logs.values())}
    for name, values in zip(named, logs, strict=True):
        log = home / f"cluster={name}" / "node=1" / "__cluster_metadata-0"
        log.mkdir(parents=True)
        (log / segment_file_name(0)).write_bytes(log_of(list(values)))
    engine = LocalEngine(KraftReplay())
    engine.load([str(home)], AsOf())
    # These logs have no voters: there is a controller, and no quorum.
    rules = [rule for rule in all_rules() if rule.severity is Severity.ERROR and rule.id != "election-voters"]
    findings = judge(engine, rules).findings
    engine.close()
    return [(named[one.cluster], one.rule.id, one.message) for one in findings]
