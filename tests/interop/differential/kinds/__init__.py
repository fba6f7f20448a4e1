"""The kinds of requests, by what they are about; importing this package registers all of them."""

from tests.interop.differential.kinds import brokers, topics

__all__ = ["brokers", "topics"]
