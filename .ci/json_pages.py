"""Write docs/json-fields.md and docs/json-schemas from the names in JSON; with ``--check`` only compare."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from kraftpy.cli.json_fields import FIELDS  # noqa: E402 - the checkout comes first on the path
from kraftpy.cli.json_outputs import OUTPUTS  # noqa: E402 - as above
from kraftpy.cli.json_schema import file_name, schema_of  # noqa: E402 - as above
from kraftpy.cli.output import FORMAT_VERSION  # noqa: E402 - as above

PAGE = ROOT / "docs" / "json-fields.md"
SCHEMAS = ROOT / "docs" / "json-schemas"

HEAD = f"""# Names in JSON

Every name in JSON and YAML of format version {FORMAT_VERSION}, and every output with its schema. What is promised is in
[json.md](json.md). This page is generated from `kraftpy/cli/json_fields.py` and `kraftpy/cli/json_outputs.py` by
`python .ci/json_pages.py`; do not edit it.

## Outputs

A command with several forms has an output for each, named with an option that chooses it. `configs describe --user`
is that of users, clients and ips.

| Output | At the top | Schema |
| --- | --- | --- |
"""

FIELDS_HEAD = """
## Fields

| Name | Type | Meaning |
| --- | --- | --- |
"""


def page() -> Iterator[str]:
    """Yield the parts of the page."""
    yield HEAD
    for output in OUTPUTS:
        name = file_name(output)
        yield f"| `kraftpy {output.name}` | {output.form.value} | [{name}](json-schemas/{name}) |\n"
    yield FIELDS_HEAD
    yield from (f"| `{name}` | {field.type.value} | {field.meaning} |\n" for name, field in FIELDS.items())


def files() -> dict[Path, str]:
    """Return every file with its text."""
    schemas = {SCHEMAS / file_name(each): json.dumps(schema_of(each), indent=1) + "\n" for each in OUTPUTS}
    return {PAGE: "".join(page()), **schemas}


def main(arguments: list[str]) -> int:
    """Write or compare; return the exit status."""
    wanted = files()
    unknown = [path for path in sorted(SCHEMAS.glob("*")) if path not in wanted]
    if "--check" not in arguments:
        SCHEMAS.mkdir(exist_ok=True)
        for path in unknown:
            path.unlink()
        for path, text in wanted.items():
            path.write_text(text, encoding="utf-8")
        return 0
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in (*unknown, *stale):
        sys.stderr.write(f"stale: {path.relative_to(ROOT)}; run python .ci/json_pages.py\n")
    return 1 if unknown or stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
