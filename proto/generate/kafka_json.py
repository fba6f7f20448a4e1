"""Reading ``proto/kafka``: message schemas in Kafka's own JSON form, one file per message.

What the form means is in ``proto/kafka/README.md``. A file of Kafka's may be copied here as it is. A field that may be
null in only some of its versions is read and written as one that may be null in all of them. What the codecs do not
support is refused with the name of the file: a field that is tagged in only some of its versions, an unknown key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from kraftpy.records.schema import OPEN_END, Field, MessageSpec, Struct, Versions
from proto.generate.levels import CONTROL_TYPES, METADATA_LEVELS

KAFKA: Final = Path(__file__).resolve().parents[1] / "kafka"

_STRINGS_AND_COMMENTS: Final = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*')
_IGNORED_KEYS: Final = frozenset({
    "about", "deprecatedVersions", "entityType", "fields", "latestVersionUnstable", "listeners", "mapKey", "zeroCopy",
})  # fmt: skip
"""What Kafka's generator uses and ours does not."""
_MESSAGE_KEYS: Final = frozenset({
    "apiKey", "commonStructs", "flexibleVersions", "name", "type", "validVersions",
})  # fmt: skip
_FIELD_KEYS: Final = frozenset({
    "default", "flexibleVersions", "ignorable", "name", "nullableVersions", "tag", "taggedVersions", "type", "versions",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """A message as its file describes it.

    Attributes:
        about: the comment before the opening brace: what the message is for.
        abouts: what each field means, by the names of its generated class and of the field.
    """

    spec: MessageSpec
    about: str
    abouts: dict[tuple[str, str], str] = field(repr=False)


@cache
def load_sources(family: str) -> tuple[Source, ...]:
    """Read the messages of ``metadata``, ``control`` or ``rpc``, in the order in which they are generated.

    Raises:
        ValueError: when a file is not in the form, with its name.
    """
    sources = [read_source(path) for path in sorted((KAFKA / family).glob("*.json"))]
    return tuple(sorted(sources, key=lambda source: _order(source.spec)))


def specs(family: str) -> tuple[MessageSpec, ...]:
    """Return the messages of a family without their prose."""
    return tuple(source.spec for source in load_sources(family))


def _order(spec: MessageSpec) -> tuple[int, int, str]:
    """Order by apiKey or control type; two records of one key by level, a request before its response."""
    key = CONTROL_TYPES.get(spec.name, -1) if spec.api_key is None else spec.api_key
    levels = METADATA_LEVELS.get(spec.name)
    return key, levels.levels[0] if levels is not None else 0, spec.name


def read_source(path: Path) -> Source:
    """Read one file.

    Raises:
        ValueError: when it is not in the form, with its name.
    """
    try:
        return parse(path.read_text(encoding="utf-8"))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error!r}") from error


def parse(text: str) -> Source:
    """Read the text of one file.

    Raises:
        KeyError, ValueError: when it is not in the form.
    """
    raw = json.loads(_STRINGS_AND_COMMENTS.sub(lambda found: found[1] or "", text))
    _check_keys(raw, _MESSAGE_KEYS)
    return _Reader(raw).source(_comment_before_brace(text))


def _comment_before_brace(text: str) -> str:
    lines = text.partition("{")[0].splitlines()
    return " ".join(line.removeprefix("//").strip() for line in lines)


def _check_keys(raw: dict[str, Any], known: frozenset[str]) -> None:
    unknown = raw.keys() - known - _IGNORED_KEYS
    if unknown:
        raise ValueError(f"{raw['name']} has keys that are not known: {', '.join(sorted(unknown))}")


class _Reader:
    """Reads one message; its structs are kept in the order in which they are complete, inner ones first."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self._raw = raw
        self._name: str = raw["name"]
        self._common: dict[str, dict[str, Any]] = {struct["name"]: struct for struct in raw.get("commonStructs", ())}
        self._structs: dict[str, Struct] = {}
        self._abouts: dict[tuple[str, str], str] = {}

    def source(self, about: str) -> Source:
        raw = self._raw
        root = self._struct(self._name, self._name, raw["fields"])
        flexible = raw["flexibleVersions"]
        spec = MessageSpec(
            api_key=raw.get("apiKey"),
            name=self._name,
            versions=Versions.parse(raw["validVersions"]),
            flexible=Versions(OPEN_END, OPEN_END) if flexible == "none" else Versions.parse(flexible),
            structs=(*self._structs.values(), root),
        )
        return Source(spec, about, self._abouts)

    def _struct(self, name: str, class_name: str, fields: list[dict[str, Any]]) -> Struct:
        return Struct(name, class_name, tuple(self._fields(class_name, fields)))

    def _fields(self, class_name: str, fields: list[dict[str, Any]]) -> Iterator[Field]:
        for raw in fields:
            _check_keys(raw, _FIELD_KEYS)
            if "about" in raw:
                self._abouts[class_name, raw["name"]] = raw["about"]
            yield self._field(raw)

    def _field(self, raw: dict[str, Any]) -> Field:
        kind = raw["type"].removeprefix("[]")
        versions = Versions.parse(raw.get("versions") or raw["taggedVersions"])
        is_tagged = _is_tagged(raw, versions)
        return Field(
            name=raw["name"],
            kind=kind,
            is_array=raw["type"].startswith("[]"),
            is_nullable=raw.get("nullableVersions", "none") != "none",
            versions=versions,
            tag=int(raw["tag"]) if is_tagged else None,
            default=_default(raw.get("default"), kind),
            is_ignorable=bool(raw.get("ignorable")),
            is_plain=raw.get("flexibleVersions") == "none",
            struct=self._inner(kind, raw),
        )

    def _inner(self, kind: str, raw: dict[str, Any]) -> Struct | None:
        if kind not in self._structs:
            fields = raw.get("fields") or self._common.get(kind, {}).get("fields")
            if fields is None:
                return None
            self._structs[kind] = self._struct(kind, self._name + kind, fields)
        return self._structs[kind]


def _is_tagged(raw: dict[str, Any], versions: Versions) -> bool:
    """Return whether a field is a tagged one, which it must be in all of its versions."""
    text = raw.get("taggedVersions", "none")
    if text == "none":
        return False
    stated = Versions.parse(text)
    if stated.low > versions.low or stated.high < versions.high:
        raise ValueError(f"{raw['name']}: taggedVersions {text} is not all of {raw.get('versions')}")
    return True


def _default(value: object, kind: str) -> str | None:
    """Return a default as the codecs write it: numbers in decimal, nothing where the type's own default is meant."""
    if value is None or value == "":
        return None
    text = str(value).lower() if kind == "bool" else str(value)
    if kind.startswith(("int", "uint")) and text != "null":
        return str(int(text, 0))
    return text
