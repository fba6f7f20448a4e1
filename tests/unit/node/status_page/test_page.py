"""The page: complete, safe whatever the texts in it say, and readable by eye and by screen readers."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kraftpy.node.status_page.layout import SECTIONS, ShownTable
from kraftpy.node.status_page.page import content_security_policy, page, value_at
from kraftpy.node.status_page.state import state_json
from tests.fakes.page_states import HOSTILE, broker, healthy, hostile, partition, replace_rows

VOID = {"meta", "!doctype"}


class Parsed(HTMLParser):
    """The elements of a page, with their attributes and their own texts."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None], list[str]]] = []
        self._open: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.feed(text)
        self.close()
        assert not self._open, "every element is closed"

    def handle_starttag(self, tag, attrs):
        element = (tag, dict(attrs), [])
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag):
        assert self._open.pop()[0] == tag

    def handle_data(self, data):
        if self._open:
            self._open[-1][2].append(data)

    def texts(self, *tags: str) -> list[str]:
        return ["".join(text) for tag, _, text in self.elements if tag in tags]

    def tags(self) -> list[str]:
        return [tag for tag, _, _ in self.elements]


def of(state) -> Parsed:
    return Parsed(page(state_json(state)))


def test_values_are_there_without_a_script():
    found = of(healthy(partitions=replace_rows(healthy().partitions, 1, (partition(),))))
    cells = found.texts("td", "th", "dd")
    wanted = {
        "CONTROLLER://c1:9093",
        "12,345",
        "orders",
        "under min isr",
        "4, 5, 6",
        "User:alice",
        "1.0 TiB",
        "unknown",
    }
    assert wanted <= set(cells)
    assert "2026-11-27 08:33:33 UTC" in "".join(found.texts("p"))


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_are_shown_as_they_are_written(text):
    """They make no element and no attribute, and lose nothing."""
    found = of(hostile())
    assert found.texts("td", "th", "dd", "span", "li").count(text) >= 7
    assert set(found.tags()) <= {
        "html", "head", "meta", "title", "style", "body", "main", "header", "h1", "h2", "p", "span", "section", "ul",
        "li", "dl", "div", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td", "script",
    }  # fmt: skip
    assert found.tags().count("script") == found.tags().count("style") == 1
    assert not [name for _, attributes, _ in found.elements for name in attributes if name.startswith("on")]


USUAL = of(healthy())


@given(st.text(max_size=300))
@settings(max_examples=30)
def test_any_text_makes_the_same_elements(text):
    """Whatever is in a rack, the page has the elements that it has for another rack."""
    strange = of(healthy(brokers=replace_rows(healthy().brokers, 1, (broker(rack=text),))))
    assert [element[:2] for element in strange.elements] == [element[:2] for element in USUAL.elements]


def test_nothing_is_loaded_and_only_this_script_runs():
    """No address is in the page, and the policy has the hashes of what is."""
    text = page(state_json(healthy()))
    assert not re.search(
        r"https?:|//[a-z]+\.|\bsrc=|\bhref=|@import|url\(", text.replace("://c", "").replace("://b", "")
    )
    policy = content_security_policy()
    for tag in ("style", "script"):
        (content,) = Parsed(text).texts(tag)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    (script,) = Parsed(text).texts("script")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|new Function|setAttribute", script)


def test_tables_and_sections_are_named_for_those_who_hear_them():
    found = of(hostile())
    ids = {attributes.get("id") for _, attributes, _ in found.elements}
    for tag, attributes, _ in found.elements:
        if tag == "section":
            assert attributes["aria-labelledby"] in ids
        if tag == "th":
            assert attributes["scope"] in {"row", "col"}
    regions = [one for one in found.elements if one[1].get("role") == "region"]
    assert len(regions) == found.tags().count("table") == sum(isinstance(one, ShownTable) for one in SECTIONS)
    assert all(one[1]["aria-label"] and one[1]["tabindex"] == "0" for one in regions)
    assert [one[1]["lang"] for one in found.elements if one[0] == "html"] == ["en"]


def test_every_value_of_the_layout_is_in_a_state_and_the_other_way_round():
    """A value that is read and not shown is none of the page's; the times in ISO 8601 are those in milliseconds."""
    state = state_json(hostile())
    shown = {"warnings", "readTimestamp", "readTime", "quorum.clusterId"}
    for section in SECTIONS:
        if isinstance(section, ShownTable):
            found = value_at(state, section.rows)
            row = (found if isinstance(found, list) else found["rows"])[0]
            columns = {column.path for column in section.columns}
            assert columns | {name.removesuffix("stamp") for name in columns if name.endswith("Timestamp")} == set(row)
            shown.add(section.rows)
        else:
            for value in section.values:
                value_at(state, value.path)
                shown |= {value.path, value.path.removesuffix("stamp")}
    for name, part in state.items():
        inner = {f"{name}.{one}" for one in part} if isinstance(part, dict) and "rows" not in part else {name}
        assert inner <= shown, inner - shown


def test_what_is_left_out_is_counted():
    found = of(hostile())
    assert [text for text in found.texts("p") if text.startswith("and ")] == [
        "and 1,227 more", "and 92 more", "and 4,994 more", "and 993 more"
    ]  # fmt: skip
    assert "No partition needs attention." in of(healthy()).texts("p")
