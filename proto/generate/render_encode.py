"""Rendering encoders: a message to bytes, as parts that are joined once.

Payloads are parts of their own, so that a fetch response of a megabyte is copied once. A message without structs inside
is one ``join``; others collect their parts in ``out``. That of a struct inside a message takes many of them: a call for
each one would cost as much as a third of its fields.
"""

from __future__ import annotations

from dataclasses import replace

from kraftpy.records.schema import Field
from proto.generate.render import Family, default_value, differs_from_default, is_fixed, layout_of, runs


class _Parts:
    """Lines of code, and the parts that wait to be written after them."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.pending: list[str] = []

    def flush(self) -> None:
        """Write what waits into ``out``."""
        if self.pending:
            comma = "," if len(self.pending) == 1 else ""
            self.lines.append(f"out += ({', '.join(self.pending)}{comma})")
            self.pending = []


def render_struct(family: Family) -> list[str]:
    """Return the lines of one encoder; ``FUNCTION`` is replaced by its name."""
    cls = family.struct.class_name
    parts = _Parts()
    for field in family.absent:
        if not field.is_ignorable:
            condition = differs_from_default(field, f"m.{field.attribute}")
            parts.lines += [f"if {condition}:", f'    raise absent(m, "{field.attribute}")']
    for run in runs(family.ordered):
        if is_fixed(run[0]):
            parts.pending.append(_run(run, family, parts.lines))
        else:
            _field(run[0], family, parts)
    _tags(family, parts)
    needs_list = any("out" in line for line in parts.lines)
    if not family.is_root:
        head = f"def FUNCTION(items: Sequence[{cls}], out: list[bytes]) -> None:"
        parts.flush()
        parts.lines = ["for m in items:", *("    " + line for line in parts.lines)]
    elif needs_list:
        head = f'def FUNCTION(m: {cls}, prefix: bytes = b"") -> bytes:'
        parts.flush()
        parts.lines = ["out = [prefix]", *parts.lines, 'return b"".join(out)']
    else:
        head = f'def FUNCTION(m: {cls}, prefix: bytes = b"") -> bytes:'
        parts.lines.append(f'return b"".join((prefix, {", ".join(parts.pending)}))')
    return [
        head,
        "    try:",
        *("        " + line for line in parts.lines),
        "    except ENCODE_ERRORS as error:",
        "        raise unwritable(m, error) from error",
    ]


def _run(run: list[Field], family: Family, lines: list[str]) -> str:
    for field in run:
        if field.kind == "uuid":
            lines += [f"if len(m.{field.attribute}) != 16:", '    raise ValueError("a uuid has 16 bytes")']
    layout, _ = layout_of(run)
    return f"{family.formats.pack(layout)}({', '.join(f'm.{field.attribute}' for field in run)})"


def _field(field: Field, family: Family, parts: _Parts) -> None:
    value = f"m.{field.attribute}"
    if field.struct is None:
        expressions, lines = _plain_value(field, family)
        parts.lines += lines
        parts.pending += expressions
    elif field.is_array:
        _struct_array(field, family, parts, value)
    else:
        parts.flush()
        parts.lines.append(f"{family.inner(field)}(({value},), out)")


def _struct_array(field: Field, family: Family, parts: _Parts, value: str, out: str = "out") -> None:
    prefix = "length_prefix" if family.is_compact(field) else "plain_prefix"
    local = f"{field.attribute}_items"
    parts.lines.append(f"{local} = {value}")
    elements = f"{family.inner(field)}({local}, {out})"
    if field.is_nullable:
        parts.flush()
        null = "NO_TAGS" if family.is_compact(field) else r'b"\xff\xff\xff\xff"'
        parts.lines += [f"if {local} is None:", f"    {out}.append({null})", "else:"]
        parts.lines += [f"    {out}.append({prefix}(len({local})))", f"    {elements}"]
        return
    if out == "out":
        parts.pending.append(f"{prefix}(len({local}))")
        parts.flush()
    else:
        parts.lines.append(f"{out}.append({prefix}(len({local})))")
    parts.lines.append(elements)


def _plain_value(field: Field, family: Family) -> tuple[list[str], list[str]]:
    """Return the parts of a field without structs, and the lines that must run before."""
    value, compact = f"m.{field.attribute}", family.is_compact(field)
    if is_fixed(field):
        lines: list[str] = []
        return [_run([field], family, lines)], lines
    if field.is_array:
        return _plain_array(field, value, compact=compact)
    local = f"{field.attribute}_bytes"
    length = f"len({local})"
    encoded = f"{value}.encode()" if field.kind == "string" else value
    prefix = _length_expression(length, is_string=field.kind == "string", compact=compact)
    if not field.is_nullable:
        return [prefix, local], [f"{local} = {encoded}"]
    null = "NO_TAGS" if compact else (r'b"\xff\xff"' if field.kind == "string" else r'b"\xff\xff\xff\xff"')
    size = f"{field.attribute}_size"
    lines = [f"if {value} is None:", f'    {size}, {local} = {null}, b""', "else:", f"    {local} = {encoded}"]
    return [size, local], [*lines, f"    {size} = {prefix}"]


def _length_expression(length: str, *, is_string: bool, compact: bool) -> str:
    if not compact:
        return f"{'plain_string_prefix' if is_string else 'plain_prefix'}({length})"
    far = "string_prefix" if is_string else "length_prefix"
    return f"UVARINT[n + 1] if (n := {length}) < SHORT - 1 else {far}(n)"


def _plain_array(field: Field, value: str, *, compact: bool) -> tuple[list[str], list[str]]:
    local = f"{field.attribute}_items"
    lines = [f"{local} = {value}"]
    if field.kind == "int32" and compact:
        expression = f"PACK_INT32S[n](n + 1, *{local}) if (n := len({local})) < SHAPES else int32s({local})"
    else:
        assert compact or field.kind in {"int32", "string"}
        expression = f"{'' if compact else 'plain_'}{field.kind}s({local})"
    if field.is_nullable:
        null = "NO_TAGS" if compact else r'b"\xff\xff\xff\xff"'
        expression = f"{null} if {local} is None else {expression}"
    return [expression], lines


def _tags(family: Family, parts: _Parts) -> None:
    if not family.is_flexible:
        parts.lines += ["if m.unknown_tags:", '    raise absent(m, "unknown_tags")']
        return
    if not family.tagged:
        parts.pending.append("tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS")
        return
    parts.lines.append("tags: list[tuple[int, bytes]] = []")
    for tag, field in family.tagged:
        parts.lines.append(f"if {differs_from_default(field, f'm.{field.attribute}')}:")
        parts.lines += ["    " + line for line in _tag_value(tag, field, family)]
    parts.pending.append("tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS")


def _tag_value(tag: int, field: Field, family: Family) -> list[str]:
    if default_value(field) == "None":
        field = replace(field, is_nullable=False)  # null is the default, and that is not written
    if field.struct is None:
        expressions, lines = _plain_value(field, family)
        joined = expressions[0] if len(expressions) == 1 else f'b"".join(({", ".join(expressions)}))'
        return [*lines, f"tags.append(({tag}, {joined}))"]
    inner = f"{field.attribute}_parts"
    lines = [f"{inner}: list[bytes] = []"]
    if field.is_array:
        parts = _Parts()
        _struct_array(field, family, parts, f"m.{field.attribute}", inner)
        lines += parts.lines
    else:
        lines.append(f"{family.inner(field)}((m.{field.attribute},), {inner})")
    return [*lines, f'tags.append(({tag}, b"".join({inner})))']
