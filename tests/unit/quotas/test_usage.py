"""What is remembered of entities, and who is forgotten first."""

from kraftpy.quotas.usage import IDLE_MS_MAX, Usage


def remembered(usage: Usage[list[str]], *names: str, now_ms: int) -> list[str]:
    """Return which of these have a state; asking keeps none."""
    return [name for name in names if usage.of(name, now_ms)]


def used(usage: Usage[list[str]], name: str, now_ms: int) -> None:
    usage.used(name, [name], now_ms)


def test_who_used_something_longest_ago_is_forgotten_first():
    """Not who came first: an entity that goes on using its quota keeps its place."""
    usage: Usage[list[str]] = Usage(list, entities_max=2)
    used(usage, "first", 0)
    used(usage, "second", 1)
    used(usage, "first", 2)
    used(usage, "third", 3)
    assert remembered(usage, "first", "second", "third", now_ms=3) == ["first", "third"]
    assert (len(usage), usage.displaced) == (2, 1)


def test_who_used_nothing_for_an_hour_is_forgotten():
    """Behind one that came earlier and was used later, too."""
    usage: Usage[list[str]] = Usage(list)
    used(usage, "busy", 0)
    used(usage, "idle", 1)
    used(usage, "busy", 10)
    assert remembered(usage, "busy", "idle", now_ms=1 + IDLE_MS_MAX) == ["busy", "idle"]
    assert remembered(usage, "busy", "idle", now_ms=2 + IDLE_MS_MAX) == ["busy"]
    assert (len(usage), usage.displaced) == (1, 0)
