"""The services of the public API: each method translates, asks the backend, and translates back.

``calls`` (what every call needs), ``authentication`` (SASL), ``unary`` (the other services, a class each), ``session``
(many calls to a message), ``transfers`` (of the leadership, for both), ``watch``, ``watch_json``, ``watch_changes`` and
``redacting`` (the committed log as a stream), ``log_messages`` and ``conversions`` (work that all watchers share).
"""
