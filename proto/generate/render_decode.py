"""Rendering decoders: bytes to a message, one straight line of Python.

A decoder fills the attributes of a fresh instance in declaration order. ``at`` is where it reads, ``n`` the length or
count + 1 that it just read (so that 0 means null in both encodings), ``stop`` where a slice ends.
"""

from __future__ import annotations

from kraftpy.records.schema import Field
from proto.generate.render import Family, default_value, element_bytes_min, is_fixed, layout_of, runs

_NULL = 'raise FieldError("it is null, which it may not be")'


def render_struct(family: Family) -> list[str]:
    """Return the lines of one decoder; ``FUNCTION`` is replaced by its name."""
    cls = family.struct.class_name
    body = [f"m.{field.attribute} = {default_value(field)}" for field in family.absent]
    body += [f"m.{field.attribute} = {default_value(field)}" for _, field in family.tagged]
    for run in runs(family.ordered):
        body += _run(run, family) if is_fixed(run[0]) else _field(run[0], family)
    body += _tags(family)
    if family.is_root:
        is_header = family.message.is_header
        returned = f"tuple[{cls}, int]" if is_header else cls
        head = [
            f"def FUNCTION(data: bytes, at: int = 0) -> {returned}:",
            f"    m: {cls} = new({cls})",
            "    end = len(data)",
        ]
        body += [f"if at {'>' if is_header else '!='} end:", "    raise leftover(m, data, at)"]
        body += ["return m, at" if is_header else "return m"]
    else:
        head = [f"def FUNCTION(data: bytes, at: int, end: int) -> tuple[{cls}, int]:", f"    m: {cls} = new({cls})"]
        body += ["return m, at"]
        if not any("end" in line for line in body):
            head[0] = head[0].replace("end: int", "_end: int")
    return [
        *head,
        "    try:",
        *("        " + line for line in body),
        "    except DECODE_ERRORS as error:",
        "        raise fault(m, data, at, error) from error",
    ]


def _run(run: list[Field], family: Family) -> list[str]:
    layout, size = layout_of(run)
    targets = ", ".join(f"m.{field.attribute}" for field in run)
    comma = "," if len(run) == 1 else ""
    return [f"{targets}{comma} = {family.formats.unpack(layout)}(data, at)", f"at += {size}"]


def _field(field: Field, family: Family) -> list[str]:
    target = f"m.{field.attribute}"
    if is_fixed(field):
        return _run([field], family)
    if field.struct is not None and not field.is_array:
        return [f"{target}, at = {family.inner(field)}(data, at, end)"]
    if field.is_array:
        return _array(field, target, family)
    return _text(field, target, family)


def _length(field: Field, family: Family, reader: str) -> list[str]:
    """Read a length or count + 1 into ``n``."""
    is_string = reader == "read_string_length"
    if family.is_compact(field):
        far = f"n, at = {reader}(data, at - 1)"
        lines = ["n = data[at]", "at += 1", "if n >= SHORT:"]
        if not is_string:
            return [*lines, f"    {far}"]
        # Strings of up to 16,382 bytes are read here: a call costs more than all the rest of a field.
        return [
            *lines,
            "    if (more := data[at]) < SHORT:",
            "        n += more - 1 << 7",
            "        at += 1",
            "    else:",
            f"        {far}",
        ]
    layout, size = ("h", 2) if is_string else ("i", 4)
    return [
        f"(n,) = {family.formats.unpack(layout)}(data, at)",
        f"at += {size}",
        "n += 1",
        "if n < 0:",
        '    raise FieldError(f"length {n - 1} is negative")',
    ]


def _nullable(field: Field, target: str, lines: list[str]) -> list[str]:
    """Run lines unless ``n`` says null."""
    if field.is_nullable:
        return ["if n:", *("    " + line for line in lines), "else:", f"    {target} = None"]
    return ["if not n:", f"    {_NULL}", *lines]


def _text(field: Field, target: str, family: Family) -> list[str]:
    is_string = field.kind == "string"
    lines = [
        "stop = at + n - 1",
        f"{target} = data[at:stop]" + (".decode()" if is_string else ""),
        "at = stop",
    ]
    reader = "read_string_length" if is_string else "read_uvarint"
    return [*_length(field, family, reader), *_nullable(field, target, lines)]


def _array(field: Field, target: str, family: Family) -> list[str]:
    if field.kind in {"int32", "uuid"}:
        return _fixed_array(field, target, family)
    if field.kind == "string":
        element = _text_element(field, family)
        least = 1 if family.is_compact(field) else 2
    else:
        assert field.struct is not None
        element = [f"item, at = {family.inner(field)}(data, at, end)", "items.append(item)"]
        least = element_bytes_min(field.struct, family)
    # Inside a tag of the same struct the names must differ in type, so each array gets its own list.
    items = f"{field.attribute}_items"
    element = [
        line.replace("items.append", f"{items}.append").replace("item,", f"{field.attribute}_item,") for line in element
    ]
    element = [line.replace("append(item)", f"append({field.attribute}_item)") for line in element]
    kind = field.struct.class_name if field.struct is not None else "str"
    lines = [
        f"if (n - 1) * {least} > end - at:",
        f"    check_count(n - 1, {least}, data, at)",
        f"{items}: list[{kind}] = []",
        "for _ in range(n - 1):",
        *("    " + line for line in element),
        f"{target} = {items}",
    ]
    return [*_length(field, family, "read_uvarint"), *_nullable(field, target, lines)]


def _text_element(field: Field, family: Family) -> list[str]:
    reading = _length(field, family, "read_string_length")
    return [
        *reading,
        "if not n:",
        f"    {_NULL}",
        "stop = at + n - 1",
        "items.append(data[at:stop].decode())",
        "at = stop",
    ]


def _fixed_array(field: Field, target: str, family: Family) -> list[str]:
    table, reader, width = (
        ("UNPACK_INT32S", "read_int32s", 4) if field.kind == "int32" else ("UNPACK_UUIDS", "read_uuids", 16)
    )
    far = [f"{target} = {reader}(data, at, n - 1)", f"at += {width} * n - {width}"]
    if not family.is_compact(field):
        return [*_length(field, family, "read_uvarint"), *_nullable(field, target, far)]
    near = [f"{target} = list({table}[n](data, at))", f"at += {width} * n - {width}"]
    lines = ["n = data[at]", "at += 1"]
    if field.is_nullable:
        lines += ["if not n:", f"    {target} = None", "elif n <= SHAPES:"]
    else:
        lines += ["if n <= SHAPES:"]
    lines += [*("    " + line for line in near), "else:", "    if n >= SHORT:"]
    return [*lines, "        n, at = read_uvarint(data, at - 1)", *("    " + line for line in far)]


def _tags(family: Family) -> list[str]:
    if not family.is_flexible:
        return ["m.unknown_tags = ()"]
    lines = ["n = data[at]", "at += 1"]
    if not family.tagged:
        return [*lines, "if n:", "    m.unknown_tags, at = read_tags(data, at, n)", "else:", "    m.unknown_tags = ()"]
    chain: list[str] = []
    for number, (tag, field) in enumerate(family.tagged):
        chain += [f"{'elif' if number else 'if'} tag == {tag}:", *("    " + line for line in _field(field, family))]
    return [
        "m.unknown_tags = ()",
        *lines,
        "if n:",
        "    if n >= SHORT:",
        "        n, at = read_uvarint(data, at - 1)",
        "    check_count(n, 2, data, at)",
        "    unknown: list[tuple[int, bytes]] = []",
        "    tag = -1",
        "    for _ in range(n):",
        "        size = data[at + 1]",
        "        if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:",
        "            tag = data[at]",
        "            at += 2",
        "            tag_end = at + size",
        "        else:",
        "            tag, at, tag_end = read_tag(data, at, tag)",
        *("        " + line for line in chain),
        "        else:",
        "            unknown.append((tag, data[at:tag_end]))",
        "            at = tag_end",
        "        if at != tag_end:",
        '            raise FieldError(f"tag {tag} does not fill the bytes it claims")',
        "    m.unknown_tags = tuple(unknown)",
    ]
