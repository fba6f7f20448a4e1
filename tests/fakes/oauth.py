"""An authorization server in memory: keys, the set that it publishes, and tokens that it signs."""

from __future__ import annotations

import json
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1
from cryptography.hazmat.primitives.asymmetric.ec import generate_private_key as new_ec_key
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key as new_rsa_key
from jwt.algorithms import ECAlgorithm, RSAAlgorithm


class AuthorizationServer:
    """Signs by RS256 or ES256."""

    def __init__(self, algorithm: str = "RS256", key_id: str = "key-1") -> None:
        self.algorithm = algorithm
        self.key_id = key_id
        self._key: Any = new_rsa_key(65_537, 2_048) if algorithm == "RS256" else new_ec_key(SECP256R1())

    def key_set(self) -> bytes:
        """Return the public key, as a JSON Web Key Set."""
        write = RSAAlgorithm.to_jwk if self.algorithm == "RS256" else ECAlgorithm.to_jwk
        key = json.loads(write(self._key.public_key()))
        return json.dumps({"keys": [key | {"kid": self.key_id, "alg": self.algorithm, "use": "sig"}]}).encode()

    def token(self, now_s: float, headers: dict[str, Any] | None = None, **claims: Any) -> str:
        """Sign a token of alice's for an hour; a claim that is ``None`` is left out."""
        given = {"sub": "alice", "iat": int(now_s), "exp": int(now_s) + 3_600, "iss": "issuer", "aud": "kafka"} | claims
        kept = {name: value for name, value in given.items() if value is not None}
        return jwt.encode(kept, self._key, self.algorithm, headers={"kid": self.key_id} | (headers or {}))
