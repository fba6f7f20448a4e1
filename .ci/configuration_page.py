"""Write docs/configuration.md from the table of config keys; with ``--check`` only compare."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from kraftpy.config.protection import MISSING  # noqa: E402 - the checkout comes first on the path
from kraftpy.config_keys.key_table import GROUPS  # noqa: E402 - as above
from kraftpy.config_keys.node_key import Effect, NodeKey  # noqa: E402 - as above

PAGE = ROOT / "docs" / "configuration.md"

HEAD = """# Configuration

Every key of `server.properties`, and the dynamic broker configs but those of tiered storage (`remote.*`) and of JMX
(`metrics.jmx.*`), which are taken and not checked. This page is generated from `kraftpy/config_keys` by
`python .ci/configuration_page.py`; do not edit it.

* **Default**: the value of a key that is not set; an empty cell is no value.
* **Acts on**: the roles of a node that act on the key. *nothing*: Kafka has the key, and a file with it is accepted;
  its value is checked and has no effect. A node logs such keys when it starts.
* **Dynamic**: whether the key can be set for brokers while they run, as in Kafka (`kraftpy configs`). The controller
  checks the value and stores it.
* **Changes**: what makes a running node of kraftpy act on a changed value. *restart*: only its next start. *SIGHUP*: a
  SIGHUP after the file was changed, or a restart. *dynamic*: a value that is set in the metadata log, at once; one in
  the file by a restart. *dynamic, SIGHUP*: both. An empty cell: nothing acts on the key.
* **Kafka**: whether Kafka has the key. All others are kraftpy's own.

Keys of one listener are written as `listener.name.<name>.<key>`, for the `ssl.` keys in the section TLS, and for those
of SASL that [sasl.md](sasl.md) names.

## What a running node follows

Of several values the first counts: that for the node's id in the metadata log, that for all brokers in the metadata
log, the file's, the default. A controller's id is one as a broker's is (`kraftpy configs alter --broker 1`).

"""

FOLLOWING = """
* A broker follows `cordoned.log.dirs` where it is set for its own id. Controllers read what topics have by default,
  such as `min.insync.replicas` and `unclean.leader.election.enable`, from the log before their own file, as Kafka's do.
* A value in the log that a node cannot use is passed over, and logged (`setting_not_followed`): one that an older
  release let in, a name of a machine in `max.connections.per.ip.overrides`, and a 0 of `max.connections`,
  `max.connections.per.ip` and `max.connection.creation.rate`, by which no client could connect to take it back.
* A lowered limit of connections closes those that were silent for longest, some with each new connection.
* DescribeConfigs of a node (the BROKER with its own id) shows the value in force of each key that it follows, of those
  that topics take defaults from, and of those that all controllers should have alike, and where it comes from; nothing
  else of its file. Other dynamic values are shown as they are stored: brokers of Kafka may act on them, kraftpy's nodes
  do not.
* `listener.name.<name>.max.connections` and `listener.name.<name>.max.connection.creation.rate`, with the name in lower
  case, are followed in the log: they count for that listener ahead of the key for all. In a file they have no effect.
* A value in the file that the log decides otherwise is named after SIGHUP (`config_overridden`), and what waits for a
  restart, too (`config_needs_restart`).
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
    effect = key.effect.value if key.used else ""
    flags = ("yes" if key.is_dynamic else "no", effect, "yes" if key.is_kafkas else "no")
    cells = (f"`{key.name}`", key.type.value, code(key.default), key.allowed, key.acts.value, *flags, key.doc)
    return "| " + " | ".join(map(cell, cells)) + " |"


def page() -> Iterator[str]:
    """Yield the parts of the page."""
    yield HEAD
    yield "| Key | Changes |\n| --- | --- |\n"
    effects = {key.name: key.effect for keys in GROUPS.values() for key in keys if key.effect is not Effect.RESTART}
    yield from (f"| `{name}` | {effect.value} |\n" for name, effect in sorted(effects.items()))
    yield FOLLOWING
    for title, keys in GROUPS.items():
        yield f"\n## {title}\n\n"
        yield "| Key | Type | Default | Valid values | Acts on | Dynamic | Changes | Kafka | Description |\n"
        yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
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
