"""A composer with the styles and words that ship, and a bench that plays its plans."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar, cast

import pytest
from awaiting import result_of
from msgspec import structs

from agent.composer.asking import Asker
from agent.composer.composer import Composer
from agent.composer.styles import StyleBook
from agent.composer.understanding.intent import Intent
from agent.composer.vocabulary import Vocabulary
from agent.plan.document import Plan
from agent.plan.plan import Draft
from agent.plan.planning import Brief, ClarifyingQuestion, ConversationLine, DraftReady, PlannerEvent, Revision
from agent.review.review import Review, review
from agent.services.registry import Registry
from agent.services.song_service import SongService
from agent.song import edits as e
from agent.song.apply import apply_all
from agent.song.ids import ClipId, Kind, NoteId, TrackId, derive
from agent.song.locks import Lock
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import Ticks, to_ticks
from app.services.library_files import read_palette
from app.services.style_files import read_styles, read_vocabulary

T = TypeVar("T")
RESOURCES = Path(__file__).parents[3] / "resources"
NoteRow = tuple[int, float, float, int]


_MOST = 400


@dataclass(frozen=True)
class Bench:
    """Asks the composer and plays what it proposes on a song; what many tests look at is made once."""

    palette: Palette
    styles: StyleBook
    words: Vocabulary
    registry: Registry
    _known: dict[tuple[object, ...], tuple[object, ...]] = field(default_factory=dict, init=False, repr=False)
    """What came of questions that may be asked again. Songs and drafts are told apart by their identity: an answer
    is kept with all that it was asked about, so that no other object gets the place of one that is gone."""
    nothing: Song = field(default_factory=Song)

    def events(
        self, request: str, song: Song, seed: int = 1, locks: tuple[Lock, ...] = (), revision: Revision | None = None
    ) -> list[PlannerEvent]:
        """Everything that the composer streams."""
        tools = tuple(self.registry.tools.values())
        brief = Brief(request, song, self.palette, tools, seed, locks, revision=revision)

        async def listen() -> list[PlannerEvent]:
            return [event async for event in Composer(self.styles, self.words).plan(brief)]

        return result_of(listen())

    def draft(
        self, request: str, song: Song | None = None, seed: int = 1, locks: tuple[Lock, ...] = (),
        revision: Revision | None = None,
    ) -> Draft:
        """The draft of a request that is clear; the same object for the same request about the same song."""
        key = ("draft", request, id(song), seed, locks, id(revision))
        return self._once(key, (song, revision), lambda: self._draft(request, song, seed, locks, revision))

    def _draft(
        self, request: str, song: Song | None, seed: int, locks: tuple[Lock, ...], revision: Revision | None
    ) -> Draft:
        last = self.events(request, song or Song(), seed, locks, revision)[-1]
        assert isinstance(last, DraftReady), last
        return last.draft

    def question(self, request: str, song: Song | None = None) -> ClarifyingQuestion:
        """The question that an unclear request gives."""
        last = self.events(request, song or Song())[-1]
        assert isinstance(last, ClarifyingQuestion), last
        return last

    def asked(
        self, intent: Intent, request: str, song: Song, said: tuple[ConversationLine, ...] = ()
    ) -> ClarifyingQuestion:
        """The question that an intent of a request leads to."""
        brief = Brief(request, song, self.palette, (), 1, said=said)
        composer = Composer(self.styles, self.words)

        def read(words: str) -> Intent:
            return composer.read(structs.replace(brief, request=words))

        return Asker(self.styles, self.words, brief, read).question(intent)

    def review(self, draft: Draft, song: Song, locks: tuple[Lock, ...] = (), without: Iterable[str] = ()) -> Review:
        """The draft checked, linted and played on a song, maybe without some rows."""
        gone = tuple(without)
        key = ("review", id(draft), id(song), locks, gone)
        return self._once(key, (draft, song), lambda: self._review(draft, song, locks, gone))

    def _review(self, draft: Draft, song: Song, locks: tuple[Lock, ...], gone: tuple[str, ...]) -> Review:
        steps = tuple(step for step in draft.steps if step.id not in gone)
        plan = Plan(steps=steps, project="p", asks=draft.asks if not gone else (), locks=locks)
        return review(plan, song, self.registry, self.palette)

    def song(self, draft: Draft, song: Song | None = None) -> Song:
        """The song after the draft; every row must be sound."""
        judged = self.review(draft, song or self.nothing)
        assert not judged.errors, judged.errors
        assert judged.preview is not None
        return judged.preview.song

    def compose(self, request: str, seed: int = 1) -> Song:
        """A new piece."""
        return self.song(self.draft(request, seed=seed), self.nothing)

    def _once(self, key: tuple[object, ...], about: tuple[object, ...], make: Callable[[], T]) -> T:
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MOST:
                self._known.clear()
            known = self._known[key] = (make(), *about)
        return cast("T", known[0])


@pytest.fixture(scope="session")
def bench() -> Bench:
    """The bench over the resources that ship."""
    palette = read_palette(RESOURCES)
    registry = Registry([SongService(palette)])
    return Bench(palette, read_styles(RESOURCES), read_vocabulary(RESOURCES), registry)


@pytest.fixture(scope="session")
def sample() -> Song:
    """Eight bars of A minor at 112 BPM: drums, bass, chords and a lead."""
    roots, chords = (33, 41, 36, 43), ((57, 60, 64), (57, 60, 65), (55, 60, 64), (55, 59, 62))
    tune = (
        (76, 0, 0.5), (74, 0.5, 0.5), (72, 1, 1), (69, 2, 1), (72, 3, 0.5), (74, 3.5, 0.5), (72, 4, 1),
        (69, 5, 0.5), (65, 5.5, 0.5), (69, 6, 2), (67, 8, 0.5), (72, 8.5, 0.5), (76, 9, 1), (79, 10, 1.5),
        (76, 11.5, 0.5), (74, 12, 1), (71, 13, 1), (67, 14, 1.5),
    )
    rows: dict[tuple[str, str], list[NoteRow]] = {
        ("Drums", "kit_standard"): [(36, b, 0.25, 100) for b in range(0, 32, 2)]
        + [(38, b, 0.25, 95) for b in range(1, 32, 2)]
        + [(42, b / 2, 0.2, 66 + b % 7) for b in range(64)],
        ("Bass", "bass_finger"): [(roots[k // 8 % 4], k / 2, 0.4, 84 + k % 8) for k in range(64)],
        ("Chords", "piano_grand"): [(p, b, 0.9, 76 + b % 6) for b in range(32) for p in chords[b // 4 % 4]],
        ("Lead", "lead_saw"): [
            (p, s + again, d, 90 + n % 9) for again in (0, 16) for n, (p, s, d) in enumerate(tune)
        ],
    }
    edits: list[e.Edit] = [e.SetTempo(bpm=112.0), e.SetKey(tonic="A", mode="minor")]
    for (name, instrument), notes in rows.items():
        track = TrackId(derive(Kind.TRACK, name))
        edits.append(e.CreateTrack(track_id=track, name=name, instrument=instrument))
        for half in (0, 1):
            inside = [row for row in notes if half * 16 <= row[1] < half * 16 + 16]
            specs = tuple(
                e.NoteSpec(p, to_ticks(s - half * 16), to_ticks(d), v, NoteId(derive(Kind.NOTE, name, half, n)))
                for n, (p, s, d, v) in enumerate(inside)
            )
            edits.append(
                e.CreateMidiClip(
                    clip_id=ClipId(derive(Kind.CLIP, name, half)), track_id=track, start_time=to_ticks(half * 16),
                    duration=Ticks(15360), notes=specs, name=f"{name} {half + 1}",
                )
            )
    return apply_all(Song(name="Sample"), edits)
