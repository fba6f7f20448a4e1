"""The kinds of requests, by what they are about; importing this package registers all of them."""

from tests.interop.differential.kinds import access, accounts, brokers, cluster, configs, partitions, topics

__all__ = ["access", "accounts", "brokers", "cluster", "configs", "partitions", "topics"]
