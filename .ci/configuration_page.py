"""Write docs/configuration.md from the table of config keys; with ``--check`` only compare."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from kraftpy.config.protection import MISSING  # noqa: E402 - the checkout comes first on the path
from kraftpy.config_keys.key_table import GROUPS  # noqa: E402 - as above
from kraftpy.config_keys.node_key import NodeKey  # noqa: E402 - as above

PAGE = ROOT / "docs" / "configuration.md"

HEAD = """# Configuration

Every key of `server.properties`, and the dynamic broker configs but those of tiered storage (`remote.*`) and of JMX
(`metrics.jmx.*`), which are taken and not checked. This page is generated from `kraftpy/config_keys` by
`python .ci/configuration_page.py`; do not edit it.

* **Default**: the value of a key that is not set; an empty cell is no value.
* **Acts on**: the roles of a node that act on the key. *nothing*: Kafka has the key, and a file with it is accepted;
  its value is checked and has no effect. A node logs such keys when it starts.
* **Dynamic**: whether the key can be set for brokers while they run, as in Kafka (`kraftpy configs`). The controller
  checks the value and stores it. kraftpy's own nodes act on the value in their file, with two exceptions. A running
  broker follows `cordoned.log.dirs`. Controllers read what topics have by default, such as `min.insync.replicas` and
  `unclean.leader.election.enable`, from these configs before their own file, as Kafka's do.
* **Kafka**: whether Kafka has the key. All others are kraftpy's own.

Keys of one listener are written as `listener.name.<name>.<key>`, for the `ssl.` keys in the section TLS, and for those
of SASL that [sasl.md](sasl.md) names.
"""

REJECTED = """
## Rejected keys

These keys of Kafka ask for a protection that does not exist in kraftpy. The value in the table,
Kafka's default, is accepted. Any other value prevents the start.

| Key | Accepted value | Reason |
| --- | --- | --- |
"""


def cell(text: str) -> str:
    """Return text for one cell of a table."""
    return text.replace("|", "\\|")


def code(text: str | None) -> str:
    """Return a value as code, or nothing."""
    return f"`{text}`" if text else ""


def row(key: NodeKey) -> str:
    """Return one key as a row."""
    flags = ("yes" if key.is_dynamic else "no", "yes" if key.is_kafkas else "no")
    cells = (f"`{key.name}`", key.type.value, code(key.default), key.allowed, key.acts.value, *flags, key.doc)
    return "| " + " | ".join(map(cell, cells)) + " |"


def page() -> Iterator[str]:
    """Yield the parts of the page."""
    yield HEAD
    for title, keys in GROUPS.items():
        yield f"\n## {title}\n\n| Key | Type | Default | Valid values | Acts on | Dynamic | Kafka | Description |\n"
        yield "| --- | --- | --- | --- | --- | --- | --- | --- |\n"
        yield from (f"{row(key)}\n" for key in keys)
    yield REJECTED
    yield from (f"| `{name}` | {code(each.default)} | {cell(each.instead)} |\n" for name, each in MISSING.items())


def main(arguments: list[str]) -> int:
    """Write or compare; return the exit status."""
    text = "".join(page())
    if "--check" not in arguments:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    sys.stderr.write("stale: docs/configuration.md; run python .ci/configuration_page.py\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
