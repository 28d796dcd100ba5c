"""Full names of a game's artists, which records leave out."""

from functools import cache

from modernart.simulator.rules import Rules, builtin_editions, load_edition


@cache
def _names_by_artists() -> dict[tuple[str, ...], tuple[str, ...]]:
    editions = [load_edition(name) for name in builtin_editions()]
    return {edition.artists: edition.artist_names for edition in editions}


def full_names(rules: Rules) -> list[str]:
    """Return the names of the built-in edition with the same artists, else the artists' codes."""
    return list(_names_by_artists().get(rules.artists, rules.artists))
