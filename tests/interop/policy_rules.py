"""The rules of RefusingPolicy.java in Python: a refusal repeats all that the policy receives."""

from __future__ import annotations

from collections.abc import Mapping

from kraftpy.policies import (
    AlterConfigPolicy,
    AlterConfigRequest,
    CreateTopicPolicy,
    CreateTopicRequest,
    PolicyViolation,
)


def judge(name: str, text: str) -> None:
    """Refuse by the name of what is asked about."""
    if "boom" in name:
        raise RuntimeError(text)
    if "no" in name:
        raise PolicyViolation(text)


def shown(value: object) -> str:
    """Write a value as Java does."""
    match value:
        case None:
            return "null"
        case tuple():
            return f"[{', '.join(map(str, value))}]"
        case Mapping():
            return f"{{{', '.join(f'{key}={shown(each)}' for key, each in sorted(value.items()))}}}"
        case _:
            return str(value)


class Topics(CreateTopicPolicy):
    """Asked about new topics."""

    def validate(self, request: CreateTopicRequest) -> None:
        counts = f"{shown(request.num_partitions)} {shown(request.replication_factor)}"
        rest = f"{shown(request.replica_assignments)} {shown(request.configs)}"
        judge(request.topic, f"topic {request.topic} {counts} {rest}")


class Configs(AlterConfigPolicy):
    """Asked about altered configs."""

    def validate(self, request: AlterConfigRequest) -> None:
        name = request.resource_name
        is_judged = name.startswith("configs") or "no.such.key" in request.configs
        judge(f"{name} no" if is_judged else "", f"{request.resource_type.name} {name} {shown(request.configs)}")
