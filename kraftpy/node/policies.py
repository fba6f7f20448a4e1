"""The operator's policies: loaded at the start, asked in the controller's turn, and kept from doing harm there.

Loading is part of the start: a module that is not found, a class that is none, or a ``configure`` that fails refuses
it. A policy then runs in the event loop, between two requests. Whatever it raises, returns or does to its argument is
the problem of the request: it is refused, and the node goes on. While a policy runs, the node does nothing else, and no
other thread could end it: so a slow one is reported, and one that never returns stops this controller until it is
killed.

Source: Kafka ``ControllerServer``, ``ReplicationControlManager.maybeCheckCreateTopicPolicy``; KIP-108, KIP-133.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from traceback import format_exception
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

import structlog

from kraftpy.config.policies import PolicyClass, PolicyConfig
from kraftpy.controller.policies import Policies
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.log_rate_limiter import LogRateLimiter
from kraftpy.policies import (
    AlterConfigPolicy,
    AlterConfigRequest,
    CreateTopicPolicy,
    CreateTopicRequest,
    PolicyViolation,
)
from kraftpy.transport.request_errors import innermost

_log = structlog.get_logger("kraftpy.policies")

RequestT = TypeVar("RequestT")

POLICY_SLOW_MS: Final = 20
"""A call of a policy that takes longer is reported: a whole turn of the controller has so long to decide."""

REPEAT_MS: Final = 60_000
"""A slow policy, and a failure of one kind, is logged once in this time."""

FAILURE_KINDS_MAX: Final = 100
"""How many kinds of failures are logged in this time."""

VIOLATION_BYTES_MAX: Final = 1_024
"""How much of the text of a violation a client gets; each item of a request may get one."""

LOGGED_CHARACTERS_MAX: Final = 8_192
"""How much of a failure is logged."""

WAY_OUT: Final = "Correct it, or remove the key, and every valid request is allowed; see docs/policies.md"


class LoadedPolicies:
    """The policies of one node, from the start to the stop of the node.

    Attributes:
        ports: what the controller asks.
    """

    def __init__(self, config: PolicyConfig, clock_ms: Callable[[], int]) -> None:
        """Import, make and configure what the file names.

        Args:
            config: which classes.
            clock_ms: the node's clock.

        Raises:
            ConfigError: one of them cannot be used.
        """
        self._loaded: list[tuple[PolicyClass, Any]] = []
        settings = MappingProxyType(dict(config.settings))
        try:
            create = self._load(config.create_topic, CreateTopicPolicy, AlterConfigPolicy, settings)
            alter = self._load(config.alter_config, AlterConfigPolicy, CreateTopicPolicy, settings)
        except BaseException:
            self.close()
            raise
        self.ports = Policies(
            None if create is None else PolicyGuard[CreateTopicRequest](*create, clock_ms),
            None if alter is None else PolicyGuard[AlterConfigRequest](*alter, clock_ms),
        )

    def _load(
        self, named: PolicyClass | None, wanted: type, other: type, settings: Mapping[str, str]
    ) -> tuple[PolicyClass, Callable[[Any], object]] | None:
        if named is None:
            return None
        try:
            cls = _find(named)
            _check(named, cls, wanted, other)
            policy = cls()
            configure = getattr(policy, "configure", None)
            if configure is not None:
                configure(settings)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # Even what ends a process, such as SystemExit, is a reason to name the key.
            raise named.error(f"it cannot be used: {_shown(error)}. {WAY_OUT}") from error
        self._loaded.append((named, policy))
        _log.info("policy_loaded", key=named.key, policy=str(named))
        return named, policy.validate

    def close(self) -> None:
        """Close the policies, the last one first; a failure is logged."""
        while self._loaded:
            named, policy = self._loaded.pop()
            try:
                close = getattr(policy, "close", None)
                if close is not None:
                    close()
            except BaseException as error:  # noqa: BLE001 - the node stops in any case, and in order
                _log.error("policy_not_closed", key=named.key, policy=str(named), reason=_shown(error))


class PolicyGuard(Generic[RequestT]):
    """Asks one policy, and turns whatever comes of that into an answer."""

    def __init__(self, named: PolicyClass, validate: Callable[[RequestT], object], clock_ms: Callable[[], int]) -> None:
        self._named = named
        self._validate = validate
        self._clock_ms = clock_ms
        self._slow = LogRateLimiter(interval_ms=REPEAT_MS)
        self._failures = LogRateLimiter(keys_max=FAILURE_KINDS_MAX, interval_ms=REPEAT_MS)
        self._longest_ms = 0

    def __call__(self, request: RequestT) -> ApiError | None:
        """Return why a request is refused; ``None`` when it is allowed."""
        began_ms = self._clock_ms()
        refusal = self._ask(request)
        self._note_time(self._clock_ms() - began_ms)
        return refusal

    def _ask(self, request: RequestT) -> ApiError | None:
        try:
            answer = self._validate(request)
            if answer is not None:
                raise TypeError(
                    f"validate returned {type(answer).__name__}: a policy returns nothing, or raises PolicyViolation"
                )
        except PolicyViolation as violation:
            return self._violation(violation)
        except BaseException as error:  # noqa: BLE001 - no policy ends the process, not even by SystemExit
            return self._failed(error)
        return None

    def _violation(self, violation: PolicyViolation) -> ApiError:
        try:
            text = sendable(str(violation))
        except BaseException as error:  # noqa: BLE001 - the text is the policy's code, too
            return self._failed(error)
        return ApiError(ErrorCode.POLICY_VIOLATION, text)

    def _failed(self, error: BaseException) -> ApiError:
        """Log a failure; its text may be none of the client's business."""
        kind = type(error).__name__
        repeated = self._failures.admit(str(self._named), kind, self._clock_ms())
        if repeated is not None:
            lines = "".join(format_exception(type(error), error, innermost(error), chain=False))
            _log.error(
                "policy_failed",
                key=self._named.key,
                policy=str(self._named),
                error=kind,
                repeated=repeated,
                consequence="what it was asked about is refused",
                traceback=lines[-LOGGED_CHARACTERS_MAX:],
            )
        return ApiError(
            ErrorCode.UNKNOWN_SERVER_ERROR,
            f"The policy {self._named} of the controller failed ({kind}); the controller's log has the details.",
        )

    def _note_time(self, took_ms: int) -> None:
        self._longest_ms = max(self._longest_ms, took_ms)
        if took_ms <= POLICY_SLOW_MS:
            return
        more = self._slow.admit(self._named.key, "slow", self._clock_ms())
        if more is None:
            return
        longest_ms, self._longest_ms = self._longest_ms, 0
        _log.warning(
            "policy_slow",
            key=self._named.key,
            policy=str(self._named),
            took_ms=took_ms,
            longest_ms=longest_ms,
            repeated=more,
            threshold_ms=POLICY_SLOW_MS,
            consequence="the controller answers no request meanwhile, and may lose its leadership",
        )


def sendable(text: str) -> str:
    """Shorten a text to what an answer may hold, as UTF-8 can write it."""
    return text.encode("utf-8", "replace")[:VIOLATION_BYTES_MAX].decode("utf-8", "ignore")


def _find(named: PolicyClass) -> Any:
    found: Any = importlib.import_module(named.module)
    for part in named.name.split("."):
        found = getattr(found, part)
    return found


def _check(named: PolicyClass, cls: Any, wanted: type, other: type) -> None:
    """Refuse what could not be asked.

    Raises:
        TypeError: it says why.
    """
    if not isinstance(cls, type):
        raise TypeError(f"{named.name} is no class")
    validate = getattr(cls, "validate", None)
    if not callable(validate):
        raise TypeError(f"{named.name} has no method validate")
    if inspect.iscoroutinefunction(validate) or inspect.isgeneratorfunction(inspect.unwrap(validate)):
        raise TypeError("validate must be a plain function: it is not awaited")
    if other in cls.__mro__ and wanted not in cls.__mro__:
        raise TypeError(f"{named.name} derives from {other.__name__}; {named.key} names a {wanted.__name__}")


def _shown(error: BaseException) -> str:
    try:
        return sendable(f"{type(error).__name__}: {error}")
    except BaseException:  # noqa: BLE001 - the text is the policy's code, too
        return type(error).__name__
