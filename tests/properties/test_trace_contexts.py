"""Whatever a client sends as the context of a trace is ignored, or is one context that is handed on as it came."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kraftpy.tracing.trace_context import TRACESTATE_CHARACTERS_MAX, context_in, read_context

GOOD = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
NEAR = st.builds(
    lambda at, put, length: (GOOD[:at] + put + GOOD[at + len(put) :])[:length],
    st.integers(0, len(GOOD)),
    st.text(max_size=3),
    st.integers(0, len(GOOD) + 3),
)
TEXTS = st.one_of(st.just(GOOD), NEAR, st.text(max_size=200))


@given(parent=TEXTS, state=st.text(max_size=600))
def test_a_context_is_handed_on_as_it_came(parent, state):
    context = read_context(parent, state)
    if context is None:
        return
    assert 0 < context.trace_id < 2**128
    assert 0 < context.span_id < 2**64
    assert len(context.state) <= TRACESTATE_CHARACTERS_MAX
    assert context.state in {"", state}
    assert context_in(context.metadata) == context
    assert context.traceparent[3:-2] == parent[3:53]
    assert "".join(value for _, value in context.metadata).isascii()


@given(
    st.lists(st.tuples(st.sampled_from(["traceparent", "tracestate", "x"]), st.one_of(TEXTS, st.binary())), max_size=5)
)
def test_metadata_never_has_more_than_one_context(metadata):
    context = context_in(metadata)
    parents = [value for key, value in metadata if key == "traceparent"]
    if context is not None:
        assert len(parents) == 1
        assert read_context(parents[0]).span_id == context.span_id
