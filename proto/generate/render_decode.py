"""Rendering decoders: bytes to a message, one straight line of Python.

A decoder fills the attributes of a fresh instance in declaration order. ``at`` is where it reads, ``n`` the length or
count + 1 that it just read (so that 0 means null in both encodings), ``stop`` where a slice ends. That of a struct
inside a message decodes ``count`` of them: a call for each one would cost as much as a third of its fields. The byte
that follows fields of fixed width is unpacked with them where it is a length.
"""

from __future__ import annotations

from kraftpy.records.schema import Field
from proto.generate.render import Family, default_value, element_bytes_min, is_fixed, layout_of, runs

_NULL = 'raise FieldError("it is null, which it may not be")'
_NEXT_BYTE = ["n = data[at]", "at += 1"]


def render_struct(family: Family) -> list[str]:
    """Return the lines of one decoder; ``FUNCTION`` is replaced by its name."""
    cls = family.struct.class_name
    body = [f"m.{field.attribute} = {default_value(field)}" for field in family.absent]
    body += [f"m.{field.attribute} = {default_value(field)}" for _, field in family.tagged]
    body += _fields(family)
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
        head = [
            f"def FUNCTION(data: bytes, at: int, end: int, count: int) -> tuple[list[{cls}], int]:",
            f"    made: list[{cls}] = []",
        ]
        if not any("end" in line for line in body):
            head[0] = head[0].replace("end: int", "_end: int")
        body = [f"m: {cls} = new({cls})", *body, "made.append(m)"]
        body = ["for _ in range(count):", *("    " + line for line in body), "return made, at"]
    return [
        *head,
        "    try:",
        *("        " + line for line in body),
        "    except DECODE_ERRORS as error:",
        "        raise fault(m, data, at, error) from error",
    ]


def _fields(family: Family) -> list[str]:
    """Return the lines for the fields of a struct and its tagged section."""
    lines: list[str] = []
    run: list[Field] = []
    for following in (*runs(family.ordered), None):
        if following is not None and is_fixed(following[0]):
            run = following
            continue
        others = _tags(family) if following is None else _field(following[0], family)
        if run and others[:2] == _NEXT_BYTE:
            lines += [*_run(run, family, reads_byte=True), *others[2:]]
        else:
            lines += [*(_run(run, family) if run else ()), *others]
        run = []
    return lines


def _run(run: list[Field], family: Family, *, reads_byte: bool = False) -> list[str]:
    """Unpack fields of fixed width, and the byte that follows them into ``n`` if it is asked for."""
    layout, size = layout_of(run)
    targets = [f"m.{field.attribute}" for field in run]
    if reads_byte:
        layout, size, targets = f"{layout}B", size + 1, [*targets, "n"]
    comma = "," if len(targets) == 1 else ""
    return [f"{', '.join(targets)}{comma} = {family.formats.unpack(layout)}(data, at)", f"at += {size}"]


def _field(field: Field, family: Family) -> list[str]:
    target = f"m.{field.attribute}"
    if is_fixed(field):
        return _run([field], family)
    if field.struct is not None and not field.is_array:
        return [f"({target},), at = {family.inner(field)}(data, at, end, 1)"]
    if field.is_array:
        return _array(field, target, family)
    return _text(field, target, family)


def _length(field: Field, family: Family, reader: str) -> list[str]:
    """Read a length or count + 1 into ``n``."""
    is_string = reader == "read_string_length"
    if family.is_compact(field):
        far = f"n, at = {reader}(data, at - 1)"
        lines = [*_NEXT_BYTE, "if n >= SHORT:"]
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
    if field.struct is not None:
        least = element_bytes_min(field.struct, family)
        assert least > 0, f"{field.name}: elements without bytes would leave their number without a limit"
        lines = [f"{target}, at = {family.inner(field)}(data, at, end, n - 1)"]
    else:
        least = 1 if family.is_compact(field) else 2
        lines = _texts(field, target, family)
    lines = [f"if (n - 1) * {least} > end - at:", f"    check_count(n - 1, {least}, data, at)", *lines]
    return [*_length(field, family, "read_uvarint"), *_nullable(field, target, lines)]


def _texts(field: Field, target: str, family: Family) -> list[str]:
    items = f"{field.attribute}_items"
    element = [
        *_length(field, family, "read_string_length"),
        "if not n:",
        f"    {_NULL}",
        "stop = at + n - 1",
        f"{items}.append(data[at:stop].decode())",
        "at = stop",
    ]
    return [
        f"{items}: list[str] = []",
        "for _ in range(n - 1):",
        *("    " + line for line in element),
        f"{target} = {items}",
    ]


def _fixed_array(field: Field, target: str, family: Family) -> list[str]:
    table, reader, width = (
        ("UNPACK_INT32S", "read_int32s", 4) if field.kind == "int32" else ("UNPACK_UUIDS", "read_uuids", 16)
    )
    far = [f"{target} = {reader}(data, at, n - 1)", f"at += {width} * n - {width}"]
    if not family.is_compact(field):
        return [*_length(field, family, "read_uvarint"), *_nullable(field, target, far)]
    near = [f"{target} = list({table}[n](data, at))", f"at += {width} * n - {width}"]
    lines = [*_NEXT_BYTE]
    if field.is_nullable:
        lines += ["if not n:", f"    {target} = None", "elif n <= SHAPES:"]
    else:
        lines += ["if n <= SHAPES:"]
    lines += [*("    " + line for line in near), "else:", "    if n >= SHORT:"]
    return [*lines, "        n, at = read_uvarint(data, at - 1)", *("    " + line for line in far)]


def _tags(family: Family) -> list[str]:
    if not family.is_flexible:
        return ["m.unknown_tags = ()"]
    if not family.tagged:
        return [
            *_NEXT_BYTE,
            "if n:",
            "    m.unknown_tags, at = read_tags(data, at, n)",
            "else:",
            "    m.unknown_tags = ()",
        ]
    chain: list[str] = []
    for number, (tag, field) in enumerate(family.tagged):
        chain += [f"{'elif' if number else 'if'} tag == {tag}:", *("    " + line for line in _field(field, family))]
    return [
        *_NEXT_BYTE,
        "m.unknown_tags = ()",
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
