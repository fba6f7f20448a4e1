"""Policies that a controller of a test is configured with: one that has rules, and misbehaves by name of a topic."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from kraftpy.policies import (
    AlterConfigPolicy,
    AlterConfigRequest,
    CreateTopicPolicy,
    CreateTopicRequest,
    PolicyViolation,
)

LIMIT = "test.partitions.max"
SLOW_S = 0.1


def _rename(request: Any) -> None:
    object.__setattr__(request, "topic", "renamed")
    object.__setattr__(request, "num_partitions", 99)


def _recurse(request: Any) -> None:
    _recurse(request)


def _raise(error: BaseException) -> None:
    raise error


MISDEEDS: dict[str, Callable[[CreateTopicRequest], object]] = {
    "exit": lambda request: _raise(SystemExit(request.topic)),
    "interrupt": lambda request: _raise(KeyboardInterrupt(request.topic)),
    "recurse": _recurse,
    "change": lambda request: request.configs.clear(),  # type: ignore[attr-defined] # on purpose
    "junk": lambda request: request.topic == "",
    "long": lambda request: _raise(PolicyViolation(request.topic * 1_000_000)),
    "surrogate": lambda _: _raise(PolicyViolation("\ud800")),
}
"""What a policy does about a topic of this name, for which it is refused."""


class Topics(CreateTopicPolicy):
    """Topics have few partitions; some make it misbehave."""

    def configure(self, settings: Mapping[str, str]) -> None:
        self._limit = int(settings[LIMIT])

    def validate(self, request: CreateTopicRequest) -> Any:
        if request.topic in MISDEEDS:
            return MISDEEDS[request.topic](request)
        if request.topic == "rename":
            _rename(request)
        elif request.topic == "slow":
            time.sleep(SLOW_S)
        elif request.num_partitions is not None and request.num_partitions > self._limit:
            raise PolicyViolation(f"{request.topic} has {request.num_partitions} partitions; {self._limit} are allowed")
        return None


class Configs(AlterConfigPolicy):
    """No topic keeps data for ever."""

    def validate(self, request: AlterConfigRequest) -> None:
        if request.configs.get("retention.ms") == "-1":
            raise PolicyViolation(f"{request.resource_type.name} {request.resource_name} would keep data for ever")


class Exits(Topics):
    """Cannot be configured."""

    def configure(self, settings: Mapping[str, str]) -> None:
        raise SystemExit(f"{len(settings)} settings")
