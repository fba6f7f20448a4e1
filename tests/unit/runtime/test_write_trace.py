"""The parts of a traced write on the active controller: decide, commit and publish, or confirm."""

from __future__ import annotations

import pytest

from kraftpy.model.errors import ApiError
from kraftpy.tracing.spans import EPOCH, OFFSET
from kraftpy.tracing.write_trace import write_trace
from kraftpy.transport.node_api import Committed
from tests.unit.runtime.test_controller_host import lone, write


class Recorded:
    """A span that keeps its parts."""

    def __init__(self, *, is_recorded=True):
        self.is_recorded = is_recorded
        self.parts = []

    def record_part(self, name, start_ns, end_ns, attributes):
        assert start_ns <= end_ns
        if self.parts:
            assert start_ns == self.parts[-1][2]
        self.parts.append((name, start_ns, end_ns, attributes))

    @property
    def names(self):
        return [name for name, *_ in self.parts]


@pytest.fixture
def span():
    return Recorded()


def submitted(node, span, submission):
    """Submit a write with a trace, and let the node do all that it wants; return the trace and the answers."""
    trace = write_trace(span)
    answers = node.submit(submission._replace(trace=trace))
    node.settle()
    return trace, answers


async def test_a_write_is_decided_committed_and_published(span):
    node = lone()
    trace, answers = submitted(node, span, write("7"))
    assert isinstance(answers[0], Committed)
    trace.end()
    assert span.names == ["decide", "commit", "publish"]
    for _, _, _, attributes in span.parts[1:]:
        assert attributes == {OFFSET: answers[0].offset, EPOCH: answers[0].epoch}


async def test_a_write_without_records_is_confirmed(span):
    trace, answers = submitted(lone(), span, write("7", validate_only=True))
    assert isinstance(answers[0], Committed)
    trace.end()
    assert span.names == ["decide", "confirm"]


async def test_a_write_that_is_rejected_is_only_decided(span):
    node = lone()
    node.host.close()
    trace, answers = submitted(node, span, write("7"))
    assert isinstance(answers[0], ApiError)
    trace.end()
    assert span.names == ["decide"]


async def test_a_write_that_waits_for_its_commit_ends_there(span):
    """Where its leadership is lost, or its client leaves; what comes later changes nothing."""
    node = lone()
    trace = write_trace(span)
    node.submit(write("7")._replace(trace=trace))
    # It is decided and appended, and the disk has not been asked yet.
    node.host.before_ready(node.clock.now_ms())
    assert len(node.host._traced) == 1
    node.host.close()
    trace.end()
    assert span.names == ["decide", "commit"]
    assert not node.host._traced


def test_what_is_not_recorded_is_not_noted():
    assert write_trace(None) is None
    assert write_trace(Recorded(is_recorded=False)) is None
