"""Asking the composer: a request and a song become a plan, a ghost of its result, and the time that planning took."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace

from agent.composer.composer import Composer
from agent.composer.styles import StyleBook
from agent.errors import BandleaderError
from agent.plan.document import Plan
from agent.plan.plan import Draft
from agent.plan.planning import Brief, ClarifyingQuestion, DraftReady
from agent.review.review import review
from agent.review.rule import Rule
from agent.services.registry import Registry
from agent.services.song_service import SongService
from agent.song.locks import Lock, parse_lock
from agent.song.palette import Palette
from agent.song.song import Song
from app.paths import find_paths
from app.services.library_files import read_palette
from app.services.style_files import read_styles, read_vocabulary

_IDLE = frozenset({Rule.NO_EFFECT, Rule.DUPLICATE, Rule.SILENT_TRACK})
"""Marks of rows that do nothing."""


@dataclass(frozen=True)
class Answer:
    """What came of a request. `trouble` says why there is no plan; then `song` is the one that was asked about.

    `seconds` passed while it was planned, `busy` of them the processor worked on it. `choice` is the first answer
    that a question offers.
    """

    song: Song
    draft: Draft | None
    seconds: float
    trouble: str = ""
    idle: tuple[str, ...] = ()
    choice: str = ""
    busy: float = 0.0


@dataclass(frozen=True)
class Desk:
    """The composer with all that ships, and the review that plays its plans."""

    palette: Palette
    styles: StyleBook
    composer: Composer
    registry: Registry

    def ask(self, request: str, song: Song | None = None, seed: int = 1, locks: tuple[str, ...] = ()) -> Answer:
        """Plan the request on the song (none: an empty one), review the plan and play it."""
        song = song or Song()
        held = tuple(parse_lock(text, song) for text in locks)
        brief = Brief(request, song, self.palette, tuple(self.registry.tools.values()), seed, held)
        events: list[object] = [None]
        began, worked = time.perf_counter(), time.process_time()
        try:
            asyncio.run(self._plan(brief, events))
        except BandleaderError as error:
            return Answer(song, None, time.perf_counter() - began, f"refused: {error}")
        except Exception as error:  # a crash is one request's failure, not the end of the bench
            return Answer(song, None, time.perf_counter() - began, f"crashed: {type(error).__name__}: {error}")
        seconds, busy = time.perf_counter() - began, time.process_time() - worked
        last = events[-1]
        if isinstance(last, ClarifyingQuestion):
            return Answer(song, None, seconds, f"asked back: {last.text}", choice=last.choices[0].request)
        if not isinstance(last, DraftReady):
            return Answer(song, None, seconds, "no plan came")
        return replace(self._played(last.draft, song, held, seconds), busy=busy)

    def compose(self, request: str, seed: int) -> Song:
        """A new piece that must succeed: a sample song. Raises `RuntimeError` with the reason."""
        answer = self.ask(request, seed=seed)
        if answer.trouble:
            raise RuntimeError(f"no sample song from {request!r}: {answer.trouble}")
        return answer.song

    async def _plan(self, brief: Brief, events: list[object]) -> None:
        """Plan, and gather the events: `asyncio.run` writes out what its task returns, which would be measured too."""
        events.extend([event async for event in self.composer.plan(brief)])

    def _played(self, draft: Draft, song: Song, locks: tuple[Lock, ...], seconds: float) -> Answer:
        steps = Plan(steps=draft.steps, project="bench", asks=draft.asks, locks=(*locks, *draft.locks))
        judged = review(steps, song, self.registry, self.palette)
        if judged.errors or judged.preview is None:
            said = "; ".join(finding.message for finding in judged.errors[:2])
            return Answer(song, draft, seconds, f"rows fail: {said}")
        idle = tuple(finding.message for finding in judged.plan.lint if finding.rule in _IDLE)
        return Answer(judged.preview.song, draft, seconds, idle=idle)


def open_desk() -> Desk:
    """The composer over the styles, words and sounds that ship."""
    resources = find_paths().resources
    styles, palette = read_styles(resources), read_palette(resources)
    composer = Composer(styles, read_vocabulary(resources))
    return Desk(palette, styles, composer, Registry([SongService(palette)]))
