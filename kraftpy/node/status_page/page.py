"""The page: HTML from a state, complete without a script. Style and script are inside of it.

Its Content-Security-Policy allows this style and this script by their hashes, and connections to this node alone:
whatever a text in the page says, a browser runs and loads nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Final

from kraftpy.node.status_page.layout import SECTIONS, Section, ShownFacts, ShownTable, ShownValue
from kraftpy.node.status_page.state import Json
from kraftpy.node.status_page.texts import Form, text_of, time_text

EVENTS_PATH: Final = "status/events"
"""Relative to the page, which a proxy may serve below a path of its own."""

NO_WARNINGS: Final = "Nothing that needs attention is known to this node."
NUMBERS: Final = frozenset({Form.COUNT, Form.BYTES, Form.DURATION})


def page(state: Json) -> str:
    """Return the page of a state's JSON."""
    title = f"kraftpy node {state['node']['nodeId']}"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" '
        f'content="light dark"><style>{_file("page.css")}</style></head><body><main data-events="{EVENTS_PATH}">'
        f"{_head(title, state)}{''.join(_section(section, state) for section in SECTIONS)}</main>"
        f"<script>{_file('page.js')}</script></body></html>\n"
    )


@cache
def content_security_policy() -> str:
    """Return the policy that the page is served with."""
    return (
        f"default-src 'none'; style-src {_hash('page.css')}; script-src {_hash('page.js')}; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


@cache
def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(name: str) -> str:
    digest = base64.b64encode(hashlib.sha256(_file(name).encode()).digest()).decode("ascii")
    return f"'sha256-{digest}'"


def _head(title: str, state: Json) -> str:
    items = "".join(f"<li>{escape(one)}</li>" for one in state["warnings"])
    hidden = " hidden" if state["warnings"] else ""
    time = escape(time_text(state["readTimestamp"]))
    return (
        f"<header><h1>{escape(title)}</h1><p>Cluster {_value('span', _CLUSTER_ID, state)}</p>"
        f'<p id="live" role="status">State of {time}. Reload the page for a newer one.</p></header>'
        '<section aria-labelledby="warnings"><h2 id="warnings">Warnings</h2><ul data-list="warnings" '
        f'aria-live="polite">{items}</ul><p data-empty="warnings"{hidden}>{NO_WARNINGS}</p></section>'
    )


_CLUSTER_ID: Final = ShownValue("quorum.clusterId", "Cluster id")


def _section(section: Section, state: Json) -> str:
    content = _facts(section, state) if isinstance(section, ShownFacts) else _table(section, state)
    name = section.title.lower().replace(" ", "-")
    return f'<section aria-labelledby="{name}"><h2 id="{name}">{escape(section.title)}</h2>{content}</section>'


def _facts(section: ShownFacts, state: Json) -> str:
    items = (f"<div><dt>{escape(one.label)}</dt>{_value('dd', one, state)}</div>" for one in section.values)
    return f"<dl>{''.join(items)}</dl>"


def _table(section: ShownTable, state: Json) -> str:
    found = value_at(state, section.rows)
    rows, total = (found, None) if isinstance(found, list) else (found["rows"], found["total"])
    heads = "".join(
        f'<th scope="col"{_attributes("key", one)}{_class(one)}>{escape(one.label)}</th>' for one in section.columns
    )
    lines = "".join(f"<tr>{''.join(_cells(section, row))}</tr>" for row in rows)
    more = "" if total is None or total <= len(rows) else f"and {total - len(rows):,} more"
    path = escape(section.rows)
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{escape(section.title)}"'
        f'{"" if rows else " hidden"}><table data-rows="{path}"><thead><tr>{heads}</tr></thead>'
        f'<tbody>{lines}</tbody></table></div><p data-empty="{path}"{" hidden" if rows else ""}>{escape(section.empty)}'
        f'</p><p data-more="{path}"{"" if more else " hidden"}>{more}</p>'
        + (f'<p class="note">{escape(section.note)}</p>' if section.note else "")
    )


def _cells(section: ShownTable, row: Json) -> Iterator[str]:
    for number, column in enumerate(section.columns):
        value = row[column.path]
        text = escape(text_of(value, column.form, column.absent))
        if number == 0:
            yield f'<th scope="row">{text}</th>'
        else:
            yield f"<td{_class(column)}{_word(column, value)}>{text}</td>"


def _value(element: str, one: ShownValue, state: Json) -> str:
    value = value_at(state, one.path)
    text = escape(text_of(value, one.form, one.absent))
    return f"<{element}{_attributes('path', one)}{_word(one, value)}>{text}</{element}>"


def _attributes(place: str, one: ShownValue) -> str:
    return f' data-{place}="{escape(one.path)}" data-form="{one.form}" data-absent="{escape(one.absent)}"'


def _class(column: ShownValue) -> str:
    return ' class="number"' if column.form in NUMBERS else ""


def _word(one: ShownValue, value: object) -> str:
    """Return the attribute by which the style sheet colours words like ``fenced``."""
    return f' data-word="{escape(str(value))}"' if one.form is Form.WORD and value is not None else ""


def value_at(state: Json, path: str) -> Any:
    """Return what is at a path of names with dots between them."""
    found: Any = state
    for name in path.split("."):
        found = found[name]
    return found
