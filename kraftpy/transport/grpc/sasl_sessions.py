"""The sessions of callers that SASL authenticated: what a token of the public API refers to.

Kafka's session is that of a connection. Calls of gRPC may come over any connection, so each names its session by a
token. A node keeps a session in memory only, by the digest of its token: nothing that a caller can time depends on how
many characters of a token are right, and a dump of the memory of an idle node has no token. A session ends when its
lifetime does and it is not renewed, and streams that it has open end with it.

As on Kafka's protocol, a user that is deleted, or whose password changes, keeps its sessions until they expire.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from kraftpy.authenticator.mechanism import Authenticated
from kraftpy.model.errors import ApiError, BusyError, ErrorCode
from kraftpy.transport.limits import LimitUse

AUTHENTICATED_SESSIONS_MAX: Final = 10_000
"""How many sessions a node keeps; for another one, the one without streams that was used longest ago ends."""

SESSIONS_PER_PRINCIPAL_MAX: Final = 1_000
"""How many of them one principal may have; for another one, its own that was used longest ago ends."""

SESSION_MAX_MS: Final = 3_600_000
"""How long a session lasts where neither ``connections.max.reauth.ms`` limits it nor the credentials: a session that no
connection ends may not last for ever."""

TOKEN_BYTES: Final = 32
"""How many random bytes a token is made of."""

TOKEN_CHARACTERS_MAX: Final = 128
"""A longer token is none: it is not even hashed."""

TOKEN_KEY: Final = "authorization"  # noqa: S105 - the name of a key
SCHEME: Final = "bearer "

WAY_IN: Final = (
    "authenticate with AuthenticationService.Authenticate, and send the token of its answer as the metadata "
    "authorization: Bearer <token> (docs/sasl.md)"
)
NO_TOKEN: Final = ApiError(ErrorCode.ILLEGAL_SASL_STATE, f"this node authenticates its callers by SASL: {WAY_IN}")
UNKNOWN_TOKEN: Final = ApiError(
    ErrorCode.ILLEGAL_SASL_STATE,
    f"the token of this call is of no session of this node: it has expired, or another node or process issued it; "
    f"{WAY_IN}",
)
SESSION_OVER: Final = ApiError(
    ErrorCode.ILLEGAL_SASL_STATE, f"the session of this stream is over, and was not renewed; {WAY_IN}"
)


class SaslSession:
    """One authenticated caller, at one node.

    Attributes:
        mechanism: by which it authenticated itself.
        verdict: who it is.
        authenticated_ms: when it did so last.
        over: set when the session has ended.
        streams: how many streams of it are open.
    """

    def __init__(self, digest: bytes, mechanism: str, verdict: Authenticated) -> None:
        self.digest = digest
        self.mechanism = mechanism
        self.verdict = verdict
        self.authenticated_ms = self.expires_ms = 0
        self.over = asyncio.Event()
        self.streams = 0
        self.timer: asyncio.TimerHandle | None = None

    def __repr__(self) -> str:
        return f"SaslSession({self.verdict.principal!r}, [hidden])"

    @contextmanager
    def streaming(self) -> Iterator[None]:
        """Count a stream while it is open."""
        self.streams += 1
        try:
            yield
        finally:
            self.streams -= 1


SESSION: Final[ContextVar[SaslSession | None]] = ContextVar("SESSION", default=None)
"""The session of the call that the current task handles; ``None`` where the port does not speak SASL."""


class SaslSessions:
    """The sessions of one node.

    Args:
        now_ms: the node's clock.
    """

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._used: OrderedDict[bytes, SaslSession] = OrderedDict()
        self._by_principal: dict[str, OrderedDict[bytes, SaslSession]] = {}
        self._displaced = 0

    def __len__(self) -> int:
        return len(self._used)

    def limit_use(self) -> LimitUse:
        """Say how many sessions there are."""
        return LimitUse("authenticated sessions", len(self._used), AUTHENTICATED_SESSIONS_MAX, self._displaced)

    def open(self, mechanism: str, verdict: Authenticated, expires_ms: int | None) -> tuple[str, SaslSession]:
        """Open a session; return its token, which is kept nowhere, and the session.

        Args:
            mechanism: by which the caller authenticated itself.
            verdict: who it is.
            expires_ms: when the session ends; ``None`` where nothing but :data:`SESSION_MAX_MS` limits it.

        Raises:
            BusyError: each session that could end for it has a stream open.
        """
        own = self._by_principal.get(verdict.principal, OrderedDict())
        self._make_room(own, SESSIONS_PER_PRINCIPAL_MAX, f"{verdict.principal} has")
        self._make_room(self._used, AUTHENTICATED_SESSIONS_MAX, "this node has")
        token = secrets.token_urlsafe(TOKEN_BYTES)
        session = SaslSession(_digest(token), mechanism, verdict)
        self._used[session.digest] = session
        self._by_principal.setdefault(verdict.principal, OrderedDict())[session.digest] = session
        self.renew(session, verdict, expires_ms)
        return token, session

    def renew(self, session: SaslSession, verdict: Authenticated, expires_ms: int | None) -> None:
        """Let a session that was authenticated now, again or for the first time, last until it expires."""
        session.verdict = verdict
        session.authenticated_ms = now_ms = self._now_ms()
        session.expires_ms = now_ms + SESSION_MAX_MS if expires_ms is None else expires_ms
        self._set_timer(session)

    def find(self, metadata: Iterable[tuple[str, str | bytes]] | None) -> SaslSession | ApiError:
        """Return the session that a call names by its metadata, or why it has none."""
        token = _token_of(metadata or ())
        if token is None:
            return NO_TOKEN
        session = self._used.get(_digest(token)) if len(token) <= TOKEN_CHARACTERS_MAX else None
        if session is None:
            return UNKNOWN_TOKEN
        if self._now_ms() >= session.expires_ms:
            self.end(session)
            return UNKNOWN_TOKEN
        self._used.move_to_end(session.digest)
        self._by_principal[session.verdict.principal].move_to_end(session.digest)
        return session

    def end(self, session: SaslSession) -> None:
        """End a session, and its streams; without effect when it is over."""
        if self._used.pop(session.digest, None) is None:
            return
        own = self._by_principal[session.verdict.principal]
        del own[session.digest]
        if not own:
            del self._by_principal[session.verdict.principal]
        if session.timer is not None:
            session.timer.cancel()
        session.over.set()

    def _make_room(self, among: OrderedDict[bytes, SaslSession], most: int, who: str) -> None:
        if len(among) < most:
            return
        unused = next((one for one in among.values() if not one.streams), None)
        self._displaced += 1
        if unused is None:
            raise BusyError(f"{who} {len(among)} authenticated sessions (limit {most}), all with open streams")
        self.end(unused)

    def _set_timer(self, session: SaslSession) -> None:
        if session.timer is not None:
            session.timer.cancel()
        left_s = max(0, session.expires_ms - self._now_ms()) / 1_000
        session.timer = asyncio.get_running_loop().call_later(left_s, self._check_expired, session)

    def _check_expired(self, session: SaslSession) -> None:
        """End a session whose time is over by the node's clock, which need not be the loop's."""
        if self._now_ms() >= session.expires_ms:
            self.end(session)
        else:
            self._set_timer(session)


def _token_of(metadata: Iterable[tuple[str, str | bytes]]) -> str | None:
    for key, value in metadata:
        if key == TOKEN_KEY and isinstance(value, str) and value[: len(SCHEME)].lower() == SCHEME:
            return value[len(SCHEME) :].strip()
    return None


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
