"""``deploy/compose/compose.yaml`` as Docker Compose reads it, as far as that file goes.

Values that Compose itself would take from the environment (``$NAME``) are not expected: ``$$`` is a dollar sign.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

DIRECTORY = Path(__file__).resolve().parents[2] / "deploy" / "compose"
FILE = DIRECTORY / "compose.yaml"


@dataclass(frozen=True, slots=True)
class Service:
    """One container.

    Attributes:
        files: the text of each file that is put into the container, by its path there.
        volumes: the path of each named volume in the container -> the name.
        ports: port in the container -> address and port on the machine.
        definition: the service's definition in the file.
    """

    name: str
    environment: dict[str, str]
    command: tuple[str, ...]
    files: dict[str, str]
    volumes: dict[str, str]
    ports: dict[int, tuple[str, int]]
    definition: dict[str, Any] = field(repr=False)


def document() -> dict[str, Any]:
    """Return the file as it is written."""
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))


def services() -> dict[str, Service]:
    """Return what each container of the file is made of."""
    read = document()
    contents = {name: unescaped(config["content"]) for name, config in read["configs"].items()}
    return {name: _service(name, one, contents) for name, one in read["services"].items()}


def unescaped(text: str) -> str:
    """Return a value of the file as a container receives it."""
    assert "$" not in text.replace("$$", ""), f"taken from the environment of docker compose: {text}"
    return text.replace("$$", "$")


def _service(name: str, definition: dict[str, Any], contents: dict[str, str]) -> Service:
    words = (*definition.get("entrypoint", ()), *definition.get("command", ()))
    ports = [published.rsplit(":", 2) for published in definition.get("ports", ())]
    return Service(
        name=name,
        environment={key: unescaped(value) for key, value in definition.get("environment", {}).items()},
        command=tuple(map(unescaped, words)),
        files={one["target"]: contents[one["source"]] for one in definition.get("configs", ())},
        volumes={path: volume for volume, path in (one.split(":") for one in definition.get("volumes", ()))},
        ports={int(inside): (address, int(outside)) for address, outside, inside in ports},
        definition=definition,
    )


def kafka_properties(environment: dict[str, str]) -> dict[str, str]:
    """Return the properties that the image of Kafka makes of an environment.

    Source: Kafka's documentation of the image. Its scripts use KAFKA_HEAP_OPTS themselves.
    """
    given = {name.removeprefix("KAFKA_"): value for name, value in environment.items() if name.startswith("KAFKA_")}
    given.pop("HEAP_OPTS", None)
    return {_property_name(name): value for name, value in given.items()}


def _property_name(name: str) -> str:
    return name.lower().replace("___", "-").replace("__", "\0").replace("_", ".").replace("\0", "_")
