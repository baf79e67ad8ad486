"""The asks of mixing and of parts that come, go, change hands or are doubled."""

from __future__ import annotations

from collections.abc import Mapping

from agent.composer.changing.telling.measuring import Goal, Served
from agent.composer.styles import RHYTHMIC
from agent.composer.understanding.tasks import Add, Double, Mix, Remove, Replace, Solo
from agent.composer.understanding.wishes import Wish
from agent.plan.plan import Ask

_CYMBALS = frozenset({"hat", "pedal", "open", "ride", "bell", "crash", "splash"})


def mixed(served: Served, deed: Mix) -> list[Ask]:
    """Level, place and sound, on each part that is meant."""
    wish = deed.wish
    up = (deed.decibels if deed.decibels is not None else deed.by) > 0
    goal: Goal = "higher" if up else "lower"
    if wish is not None and wish.pieces:
        tone = deed.control == "tone" and _CYMBALS.issuperset(wish.pieces)
        return served.of_parts(wish, "tone" if tone else "velocity", goal)
    if deed.control == "level":
        return _level(served, deed, goal)
    if deed.control == "pan" and not deed.by:
        return served.plain()
    return served.of_parts(wish, deed.control, goal)


def _level(served: Served, deed: Mix, goal: Goal) -> list[Ask]:
    if deed.wish is None:
        whole = served.task.scope.whole
        return served.ask("loudness_target" if whole else "level", goal)
    if deed.decibels is None:
        return served.of_parts(deed.wish, "level", goal)
    asks = []
    for ask in served.of_parts(deed.wish, "level", goal):
        if not ask.measure:
            return [ask]
        wanted = round(served.figure(ask.measure, ask.bars) + deed.decibels, 3)
        within = -48 <= wanted <= 24
        asks.append(Ask(ask.asked, ask.steps, ask.measure, "equals", wanted, ask.bars) if within else ask)
    return asks


def added(served: Served, deed: Add) -> list[Ask]:
    """A part that was not there."""
    wish, whole = deed.wish, served.task.scope.whole
    words = served.task.words or f"with {wish.label}"
    counted = "tracks" if whole else "notes"
    if wish.pieces or (wish.whole_role and wish.role in RHYTHMIC):
        return served.ask("percussion_hits", "higher", words=words, sounding=False)
    if wish.families and not wish.whole_role:
        return served.ask(f"{counted}:{wish.families[0]}", "higher", words=words, sounding=False)
    return served.ask(counted, "higher", words=words, sounding=False)


def removed(served: Served, deed: Remove) -> list[Ask]:
    """A part that is gone, or rests in the scope."""
    wish = deed.wish
    if wish.pieces:
        return served.of_parts(wish, "notes", "lower")
    if not served.task.scope.whole:
        asks = []
        for track in served.parts(wish):
            asks += served.ask(f"notes:{served.named(track)}", "equals", 0.0)
        return asks or served.plain()
    if wish.tracks or not wish.families:
        return [
            Ask(served.words, served.rows, f"notes:{served.named(track)}", *_gone(served))
            for track in served.parts(wish)
        ] or served.plain()
    families = [family for family in wish.families if served.figure(f"notes:{family}")]
    return [Ask(served.words, served.rows, f"notes:{family}", *_gone(served)) for family in families] or served.plain()


def _gone(served: Served) -> tuple[Goal, float] | tuple[Goal]:
    closed = bool(served.guard.tracks or served.guard.spans or served.guard.clips)
    return ("lower",) if closed else ("equals", 0.0)


def alone(served: Served, _: Solo) -> list[Ask]:
    """Nothing else plays."""
    return served.ask("tracks" if served.task.scope.whole else "onsets_per_bar", "lower")


def replaced(served: Served, deed: Replace) -> list[Ask]:
    """Another instrument plays."""
    families = {one.name: one.family for one in served.palette.instruments}
    old = {families.get(track.instrument) for track in served.parts(deed.wish)}
    new = _family(deed.by, families)
    if new is None or new in old or deed.by.role in RHYTHMIC:
        return served.plain()
    return served.ask(f"notes:{new}", "higher", sounding=False)


def doubled(served: Served, _: Double) -> list[Ask]:
    """One more track with the same line."""
    whole = served.task.scope.whole
    return served.ask("tracks" if whole else "notes", "higher")


def _family(wish: Wish, families: Mapping[str, str]) -> str | None:
    named = [families[name] for name in wish.instruments if name in families]
    return next(iter((*named, *wish.families)), None)
