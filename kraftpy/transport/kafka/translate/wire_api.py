"""What a connection to another node knows of an API: how a request is written, and how its response is read."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kraftpy.records.codec import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class WireApi:
    """One API of Kafka's protocol, as the calling side.

    Attributes:
        api_key: Kafka's number of the API.
        name: Kafka's name of the API.
        min_version: the lowest version that is spoken here.
        max_version: the highest version that is spoken here.
        request_to_wire: makes the message of a value and a version; raises UnsupportedVersionError.
    """

    api_key: int
    name: str
    min_version: int
    max_version: int
    request_to_wire: Callable[[Any, int], Message]

    @abstractmethod
    def read_response(self, message: Message, listener_name: str) -> Any:
        """Return the value of a response that should be this API's.

        Args:
            message: the response.
            listener_name: given to a leader's endpoint where the wire has none.

        Raises:
            MalformedError: when it is another API's, or cannot be put into a value.
        """
