"""SCRAM-SHA-256 and SCRAM-SHA-512: a proof of a password that does not send it, in two rounds.

Messages are read part by part and in order; the only header is ``n``, without channel binding. A server keeps what
RFC 5802 calls StoredKey and ServerKey, so that it derives nothing from a password. For a user that does not exist it
goes on with a salt that depends on the name alone, and rejects the proof as it rejects a wrong one; Kafka rejects at
once, which shows strangers the names of users.

With the extension ``tokenauth=true`` the user is the id of a delegation token, and the password its HMAC in base 64.

Source: RFC 5802, RFC 7677; Kafka ``ScramSaslServer``, ``ScramSaslClient``, ``ScramFormatter``; KIP-48, KIP-84.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from kraftpy.authenticator.mechanism import SCRAM_HASHES, USER, Authenticated, AuthenticationError
from kraftpy.image.scram import ScramCredential

ITERATIONS: Final = (4_096, 16_384)
"""The fewest and the most iterations that a side takes. Source: Kafka ``ScramMechanism``."""

MESSAGE_BYTES_MAX: Final = 8_192
"""How long a message may be."""

TOKEN_EXTENSION: Final = "tokenauth"  # noqa: S105 - the name of an extension

SALTS_REMEMBERED_MAX: Final = 16
"""For how many salts a client remembers the key that it derived from its password."""

_DECOY_SALT_CHARS: Final = 26
"""How many characters the salts have that Kafka's tools make."""
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_DIFFERENT_ID: Final = "Authentication failed: Client requested an authorization id that is different from username"


class TokenCredential(NamedTuple):
    """The credential of a delegation token, its owner as ``User:name``, and when it expires."""

    credential: ScramCredential
    owner: str
    expires_ms: int


class ScramLookup(Protocol):
    """Finds credentials."""

    def credential(self, mechanism: str, user: str) -> ScramCredential | None:
        """Return a user's credential under a mechanism."""
        ...

    def token(self, mechanism: str, token_id: str) -> TokenCredential | None:
        """Return a delegation token's."""
        ...


@dataclass(frozen=True, slots=True)
class ScramServerConfig:
    """What all authentications of a listener share.

    Attributes:
        lookup: finds credentials.
        nonce: returns a fresh one: printable, without a comma.
        decoy_key: makes the salts of users that do not exist; a secret of the process.
    """

    lookup: ScramLookup
    nonce: Callable[[], str]
    decoy_key: bytes

    def __repr__(self) -> str:
        return "ScramServerConfig([hidden])"


class _ClientFirst(NamedTuple):
    """A client's first message: its header, the rest of it, and the parts of that."""

    header: str
    bare: str
    authorization_id: str
    user: str
    nonce: str
    by_token: bool


class ScramServer:
    """Checks a proof."""

    def __init__(self, mechanism: str, config: ScramServerConfig) -> None:
        self._mechanism = mechanism
        self._hash = SCRAM_HASHES[mechanism]
        self._config = config
        self._first: _ClientFirst | None = None
        self._server_first = ""
        self._nonce = ""
        self._credential: ScramCredential | None = None
        self._principal: str | None = None
        self._expires_ms: int | None = None

    def evaluate(self, response: bytes, now_ms: int) -> bytes | Authenticated:
        """Answer the first message with salt and iterations, the last one with a verdict.

        Raises:
            AuthenticationError: a message is malformed, or the proof is wrong.
        """
        message = _text(response)
        if self._first is None:
            return self._begin(_read_client_first(message), now_ms)
        return self._finish(self._first, message)

    def _begin(self, first: _ClientFirst, now_ms: int) -> bytes:
        credential = self._find(first, now_ms)
        if first.authorization_id not in {"", first.user}:
            raise AuthenticationError(_DIFFERENT_ID, _DIFFERENT_ID)
        fewest, most = ITERATIONS
        if not fewest <= credential.iterations <= most:
            raise AuthenticationError(f"a credential has {credential.iterations} iterations, not {fewest} to {most}")
        self._first, self._credential = first, credential
        self._nonce = first.nonce + self._config.nonce()
        salt = base64.b64encode(credential.salt).decode()
        self._server_first = f"r={self._nonce},s={salt},i={credential.iterations}"
        return self._server_first.encode()

    def _find(self, first: _ClientFirst, now_ms: int) -> ScramCredential:
        """Return the credential to check against, which for an unknown user is one that no proof fits."""
        lookup = self._config.lookup
        if first.by_token:
            token = lookup.token(self._mechanism, first.user)
            if token is not None and token.expires_ms > now_ms:
                self._principal, self._expires_ms = token.owner, token.expires_ms
                return token.credential
        else:
            credential = lookup.credential(self._mechanism, first.user)
            if credential is not None:
                self._principal = f"{USER}{first.user}"
                return credential
        return self._decoy(first.user)

    def _decoy(self, user: str) -> ScramCredential:
        secret = hmac.digest(self._config.decoy_key, f"{self._mechanism}:{user}".encode(), "sha512")
        salt = "".join(_DIGITS[byte % len(_DIGITS)] for byte in secret[:_DECOY_SALT_CHARS]).encode()
        size = hashlib.new(self._hash).digest_size
        return ScramCredential(salt, secret[:size], secret[:size], ITERATIONS[0])

    def _finish(self, first: _ClientFirst, message: str) -> Authenticated:
        credential, self._credential = self._credential, None
        if credential is None:
            raise AuthenticationError("the exchange is over")
        without_proof, nonce, header, proof = _read_client_final(message)
        auth_message = f"{first.bare},{self._server_first},{without_proof}".encode()
        is_proved = self._is_proof(credential, proof, auth_message)
        if nonce != self._nonce:
            raise AuthenticationError("the nonce of the last message is another one")
        if header != first.header.encode():
            raise AuthenticationError("the last message repeats another header than that of the first")
        if not is_proved or self._principal is None:
            raise AuthenticationError("the proof is not that of a user's password")
        signature = base64.b64encode(hmac.digest(credential.server_key, auth_message, self._hash)).decode()
        return Authenticated(f"v={signature}".encode(), self._principal, self._expires_ms, first.by_token)

    def _is_proof(self, credential: ScramCredential, proof: bytes, auth_message: bytes) -> bool:
        client_signature = hmac.digest(credential.stored_key, auth_message, self._hash)
        if len(proof) != len(client_signature):
            return False
        client_key = _xor(client_signature, proof)
        return hmac.compare_digest(hashlib.new(self._hash, client_key).digest(), credential.stored_key)


class SaltedPasswords:
    """A password, and the keys that were derived from it: 4096 rounds of a hash are some milliseconds."""

    def __init__(self, mechanism: str, password: str) -> None:
        self.mechanism = mechanism
        self._password = password.encode()
        self._salted: OrderedDict[tuple[bytes, int], bytes] = OrderedDict()

    def salted(self, salt: bytes, iterations: int) -> bytes:
        """Return the salted password, which is derived once for a salt."""
        found = self._salted.get((salt, iterations))
        if found is None:
            found = hashlib.pbkdf2_hmac(SCRAM_HASHES[self.mechanism], self._password, salt, iterations)
            self._salted[salt, iterations] = found
        self._salted.move_to_end((salt, iterations))
        if len(self._salted) > SALTS_REMEMBERED_MAX:
            self._salted.popitem(last=False)
        return found


class ScramClient:
    """Proves that it knows a password, and checks that the server does.

    Args:
        user: the name, or the id of a delegation token.
        passwords: the password, shared by all authentications with it.
        nonce: a fresh one: printable, without a comma.
        by_token: whether it is a delegation token.
    """

    def __init__(self, user: str, passwords: SaltedPasswords, nonce: str, *, by_token: bool = False) -> None:
        self._hash = SCRAM_HASHES[passwords.mechanism]
        self._passwords = passwords
        self._nonce = nonce
        name = user.replace("=", "=3D").replace(",", "=2C")
        self._bare = f"n={name},r={nonce}" + (f",{TOKEN_EXTENSION}=true" if by_token else "")
        self._signature: bytes | None = None
        self._is_over = False

    def initial(self) -> bytes:
        """Return the name and the nonce."""
        return f"n,,{self._bare}".encode()

    def respond(self, challenge: bytes) -> bytes | None:
        """Answer salt and iterations with a proof, and check the server's signature.

        Raises:
            AuthenticationError: a message is malformed, the server does not know the password, or rejects it.
        """
        message = _text(challenge)
        if self._signature is None:
            return self._prove(message)
        parts = _parts(message)
        if self._is_over or not parts:
            raise AuthenticationError("the server sent more than the mechanism has")
        self._is_over = True
        name, value = parts[0]
        if name == "e":
            raise AuthenticationError(f"the server reports {value[:200]!r}")
        if name != "v" or not hmac.compare_digest(_bytes(value), self._signature):
            raise AuthenticationError("the server did not prove that it knows the password")
        return None

    def _prove(self, message: str) -> bytes:
        parts = _parts(message)
        if [name for name, _ in parts[:3]] != ["r", "s", "i"]:
            raise AuthenticationError("the server's first message has no nonce, salt and iterations")
        (_, nonce), (_, salt), (_, count) = parts[:3]
        if not nonce.startswith(self._nonce) or nonce == self._nonce:
            raise AuthenticationError("the server's nonce does not begin with ours and go on")
        fewest, most = ITERATIONS
        is_number = count.isascii() and count.isdigit() and len(count) <= len(str(most))
        if not is_number or not fewest <= int(count) <= most:
            raise AuthenticationError(f"the server asks for {count[:20]!r} iterations; {fewest} to {most} are taken")
        salted = self._passwords.salted(_bytes(salt), int(count))
        without_proof = f"c={base64.b64encode(b'n,,').decode()},r={nonce}"
        auth_message = f"{self._bare},{message},{without_proof}".encode()
        client_key = hmac.digest(salted, b"Client Key", self._hash)
        stored_key = hashlib.new(self._hash, client_key).digest()
        proof = _xor(client_key, hmac.digest(stored_key, auth_message, self._hash))
        server_key = hmac.digest(salted, b"Server Key", self._hash)
        self._signature = hmac.digest(server_key, auth_message, self._hash)
        return f"{without_proof},p={base64.b64encode(proof).decode()}".encode()


def stored_credential(mechanism: str, salted_password: bytes, salt: bytes, iterations: int) -> ScramCredential:
    """Return what a server keeps of a salted password."""
    algorithm = SCRAM_HASHES[mechanism]
    client_key = hmac.digest(salted_password, b"Client Key", algorithm)
    stored_key = hashlib.new(algorithm, client_key).digest()
    return ScramCredential(salt, stored_key, hmac.digest(salted_password, b"Server Key", algorithm), iterations)


def _read_client_first(message: str) -> _ClientFirst:
    flag, comma, rest = message.partition(",")
    authorization, second, bare = rest.partition(",")
    if flag != "n" or not comma or not second:
        raise AuthenticationError("the first message does not begin with the header n,")
    if authorization and not authorization.startswith("a="):
        raise AuthenticationError("the header of the first message has something else than an authorization id")
    parts = _parts(bare)
    if [name for name, _ in parts[:2]] != ["n", "r"] or not parts[0][1] or not _is_printable(parts[1][1]):
        raise AuthenticationError("the first message has no name and nonce")
    extensions = dict(parts[2:])
    return _ClientFirst(
        header=f"n,{authorization},",
        bare=bare,
        authorization_id=_name(authorization.removeprefix("a=")),
        user=_name(parts[0][1]),
        nonce=parts[1][1],
        by_token=extensions.get(TOKEN_EXTENSION, "").lower() == "true",
    )


def _read_client_final(message: str) -> tuple[str, str, bytes, bytes]:
    """Return the message without its proof, the nonce, the header and the proof."""
    without_proof, mark, proof = message.rpartition(",p=")
    parts = _parts(without_proof) if mark else []
    if [name for name, _ in parts[:2]] != ["c", "r"]:
        raise AuthenticationError("the last message has no header, nonce and proof")
    return without_proof, parts[1][1], _bytes(parts[0][1]), _bytes(proof)


def _parts(message: str) -> list[tuple[str, str]]:
    parts = [part.partition("=") for part in message.split(",")]
    if not all(name.isascii() and name.isalpha() and mark for name, mark, _ in parts):
        raise AuthenticationError("a message has a part that is not name=value")
    return [(name, value) for name, _, value in parts]


def _name(escaped: str) -> str:
    name = escaped.replace("=2C", ",")
    if "=" in name.replace("=3D", ""):
        raise AuthenticationError("a name has '=' before something else than 2C or 3D")
    return name.replace("=3D", "=")


def _is_printable(nonce: str) -> bool:
    return bool(nonce) and all("!" <= letter <= "~" for letter in nonce)


def _text(message: bytes) -> str:
    if len(message) > MESSAGE_BYTES_MAX:
        raise AuthenticationError(f"a message has {len(message)} bytes, more than {MESSAGE_BYTES_MAX}")
    try:
        return message.decode()
    except UnicodeDecodeError as error:
        raise AuthenticationError(f"a message is not UTF-8 at byte {error.start}") from error


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise AuthenticationError("a part of a message is not base 64") from error


def _xor(first: bytes, second: bytes) -> bytes:
    return bytes(one ^ other for one, other in zip(first, second, strict=True))
