"""The context of a trace is hostile input: what has not the form is ignored."""

from __future__ import annotations

import pytest

from kraftpy.tracing.trace_context import (
    TRACEPARENT_CHARACTERS_MAX,
    TRACESTATE_CHARACTERS_MAX,
    TraceContext,
    context_in,
    read_context,
)

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
GOOD = f"00-{TRACE}-{SPAN}-01"


def test_a_context_is_read_and_written():
    context = read_context(GOOD, "vendor=1")
    assert context == TraceContext(int(TRACE, 16), int(SPAN, 16), is_sampled=True, state="vendor=1")
    assert context.traceparent == GOOD
    assert context.metadata == (("traceparent", GOOD), ("tracestate", "vendor=1"))
    assert context_in(context.metadata) == context


def test_only_the_flag_that_is_known_counts():
    assert not read_context(f"00-{TRACE}-{SPAN}-00").is_sampled
    assert read_context(f"00-{TRACE}-{SPAN}-ff").traceparent.endswith("-01")


def test_a_later_version_may_have_more():
    assert read_context(f"cc-{TRACE}-{SPAN}-01-what-comes") == read_context(GOOD)
    assert read_context(f"cc-{TRACE}-{SPAN}-01") == read_context(GOOD)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "00",
        GOOD.upper(),
        GOOD + "-",
        GOOD + "x",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE[1:]}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}-0g",
        f" {GOOD}",
        f"{GOOD}\n",
        f"cc-{TRACE}-{SPAN}-01-" + "x" * TRACEPARENT_CHARACTERS_MAX,
        "\u0660" * 55,
    ],
)
def test_what_is_no_context_is_ignored(text):
    assert read_context(text, "vendor=1") is None


@pytest.mark.parametrize("state", ["x" * (TRACESTATE_CHARACTERS_MAX + 1), "a=\n", "a=é", "a=\x7f"])
def test_a_state_that_is_none_is_dropped(state):
    assert read_context(GOOD, state) == read_context(GOOD)


def test_metadata_has_one_context_or_none():
    assert context_in(None) is None
    assert context_in((("client-id", "x"),)) is None
    assert context_in((("traceparent", GOOD), ("traceparent", GOOD))) is None
    assert context_in((("traceparent", GOOD.encode()),)) is None
    both = (("tracestate", "a=1"), ("traceparent", GOOD), ("tracestate", "b=2"))
    assert context_in(both).state == "a=1,b=2"
