"""From rows, played by the composer before anyone sees them, to the draft: what was understood, what became of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import structs

from agent.composer.changing.change import kept_locks, makes_tracks
from agent.composer.changing.changed import Changed
from agent.composer.changing.report.clauses import clauses_of
from agent.composer.rows import CLEARING, Rows
from agent.composer.styles import Style
from agent.composer.understanding.intent import Intent, understood
from agent.composer.understanding.operations import Restyle
from agent.message import msg
from agent.plan.errors import NothingToDo
from agent.plan.plan import Ask, Clause, Draft, StepId
from agent.plan.planning import Brief
from agent.services.registry import Registry
from agent.services.song_service import SongService
from agent.song.palette import Palette


class Rehearsal:
    """The song-editing tools with which the composer plays its own rows on a copy of the song; they have no effects
    outside of it."""

    def __init__(self) -> None:
        # the schemas of the tools take as long to make as a short piece to write
        self._last: tuple[Palette, Registry] | None = None

    def tools(self, palette: Palette) -> Registry:
        """The registry of tools for a palette, cached for the last palette."""
        last = self._last
        if last is None or last[0] is not palette:
            last = self._last = (palette, Registry([SongService(palette)]))
        return last[1]


_QUOTED = re.compile(r"[\"“]([^\"“”]{2,200})[\"”]")


def draft_of(
    intent: Intent, style: Style | None, rows: Rows, brief: Brief, asks: tuple[Ask, ...], changed: Changed
) -> Draft:
    """The draft made of the rows that were written for an intent: the plan with its asks and the outcome of each
    clause. Raises `NothingToDo` without rows."""
    blocked = changed.blocked
    ignored = [*intent.ignored, *(f"{intent.tasks[number].words} ({why})" for number, why in sorted(blocked.items()))]
    if not rows.steps:
        kept, free = (", or locks keep it so", ", or take a lock off") if brief.locks else ("", "")
        raise NothingToDo(
            msg("nothing would change"),
            why="; ".join(blocked.values()) or msg("the song already is what the request asks for{kept}", kept=kept),
            fix=msg("ask for something else{free}", free=free),
        )
    done = tuple(task for number, task in enumerate(intent.tasks) if intent.goal == "change" or number not in blocked)
    label = style.label if style is not None else ""
    said = (*understood(structs.replace(intent, tasks=done), label), *_replaced(intent, brief), *changed.assumed)
    unsung = tuple(_unsung(intent, brief.request))
    return Draft(
        steps=tuple(rows.steps),
        analysis="; ".join(said),
        musical_reasoning=style.about if style is not None and _plays_as_ever(intent) else "",
        understood=said,
        ignored=(*ignored, *(one.text for one in unsung)),
        clauses=tuple(sorted((*clauses_of(intent, changed, _cleared(intent, rows)), *unsung), key=_start)),
        new_tracks=makes_tracks(intent),
        asks=asks,
        locks=kept_locks(intent, brief, changed),
    )


def _unsung(intent: Intent, request: str) -> Iterator[Clause]:
    """Words in quotation marks that nothing was made of: a new piece is neither called nor sung so."""
    for found in _QUOTED.finditer(request) if intent.goal != "change" else ():
        start, end = found.span(1)
        within = any(one.start <= start < one.end for one in intent.clauses)
        if not within and found[1].strip().casefold() != intent.title.casefold():
            yield Clause(found[1], start, end, "told", reason="no words are sung here; voices sing on a vowel")


def _start(clause: Clause) -> int:
    return clause.start


def _plays_as_ever(intent: Intent) -> bool:
    """Whether the piece, or the song in its place, is of a style with its own players, of which its description speaks.
    """
    if intent.goal == "change" and not any(isinstance(task.operation, Restyle) for task in intent.tasks):
        return False
    return not (intent.only or intent.players or intent.refused)


def _replaced(intent: Intent, brief: Brief) -> tuple[str, ...]:
    """Which instruments play in the stead of named ones that nobody here plays."""
    missing = [wish for wish in (*intent.wanted, *intent.players) if wish.stands_in and wish.instruments]
    said = (f"{wish.label}: not here, so {brief.palette.label(wish.instruments[0])} plays it" for wish in missing)
    return tuple(dict.fromkeys(said))


def _cleared(intent: Intent, rows: Rows) -> tuple[StepId, ...]:
    """The rows that take the song away for the piece in its place."""
    return tuple(step.id for step in rows.steps if step.group == CLEARING) if intent.goal == "replace" else ()
