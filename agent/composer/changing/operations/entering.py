"""Entering: a part comes in at a place and not before, or stops at one."""

from __future__ import annotations

from types import MappingProxyType

from msgspec.structs import replace

from agent.composer.changing.operations.adding import add
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import called
from agent.composer.changing.operations.trimming import ended
from agent.composer.changing.parts.resuming import resume
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.scopes import spans_of
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage, tracks_of
from agent.composer.styles import StyleBook
from agent.composer.tones import Tone, outside
from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Add
from agent.composer.understanding.scopes import bars_of
from agent.composer.understanding.sentences import told_place
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Bars, Named, Operation, Place, Scope
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.palette import Palette
from agent.song.song import Song

_PLACES = ("from", "onset", "until", "within")
"""Slots that hold the place."""


class Enter(Operation, frozen=True):
    """A part plays only from a place on (with `behind` from its end on) and rests before; a part that the song lacks is
    added there."""

    of_entrance = True

    wish: Wish
    at: Place
    behind: bool = False

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"{self.wish.label} only from {'behind ' if self.behind else ''}{told_place(self.at)}"

    def placed(self, said: str, _places: str, _without: str) -> str:
        """The sentence `said` unchanged, as it already names the place."""
        return said


class Leave(Operation, frozen=True):
    """A part plays only up to a place (with `behind` to its end) and rests from there on."""

    of_absence = True

    wish: Wish
    at: Place
    behind: bool = False

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"{self.wish.label} only until {'the end of ' if self.behind else ''}{told_place(self.at)}"


def enter(stage: Stage, operation: Enter) -> None:
    """Remove what the part plays before the place `operation.at`; a part that begins later gets a copy of its own music
    from the place on, a missing one a new track. Raises `Blocked` if the part plays nothing from there on."""
    at = _tick(operation, stage)
    start, end = 0, int(stage.song.bar_map.start_of(stage.song.bars + 1))
    label = operation.wish.label
    if not tracks_of(operation.wish, stage.song, stage.palette):
        add(replace(stage, spans=((at, end),), whole=False), Add(operation.wish))
        return
    if not _plays(stage, operation.wish, at, end):
        raise Blocked(msg("{label} plays nothing from there on", label=label))
    if not _plays(stage, operation.wish, start, at):
        if not _earlier(stage, operation.wish, at):
            raise Blocked(msg("{label} does not play before that already", label=label))
        return
    for track in stage.free(operation.wish):
        stage.sketch.each_clip(track, [(start, at)], lambda _tones, _clip: (), "resting", f"{label} enters later")


def _earlier(stage: Stage, wish: Wish, at: int) -> bool:
    """Whether a part that begins later now plays from there on."""
    bars = stage.song.bar_map
    starts = [
        int(clip.start + note.start)
        for track in tracks_of(wish, stage.song, stage.palette) for clip in stage.song.track(track).clips
        for note in clip.notes
    ]
    first = int(bars.start_of(bars.bar_at(min(starts))))
    return first > at and resume(stage, wish, (at, first), called(stage.song, at, first))


def leave(stage: Stage, operation: Leave) -> None:
    """Remove what the part plays from the place `operation.at` on; notes that sound into it end there. Raises `Blocked`
    if the part has stopped by then."""
    at = _tick(operation, stage)
    end = int(stage.song.bar_map.start_of(stage.song.bars + 1))
    label = operation.wish.label
    tracks = stage.free(operation.wish)
    if not _plays(stage, operation.wish, at, end):
        raise Blocked(msg("{label} has stopped by then already", label=label))
    for track in tracks:
        for clip in track.clips:
            if clip.end <= at:
                continue
            last = max(end, int(clip.end)) if stage.whole else end
            spans = [(max(at, low), last if high >= end else high) for low, high in stage.spans if high > at]
            kept = outside(stage.sketch.tones(clip), spans)
            cut = [Tone(t.start, t.pitch, min(t.length, at - t.start), t.velocity) if t.start < at else t for t in kept]
            stage.sketch.rewrite(clip.id, cut, "resting", f"{label} stops there, as you asked")


def _tick(operation: Enter | Leave, stage: Stage) -> int:
    return stage.sketch.placed(*_span(operation, stage.sketch.before, stage.palette))[operation.behind]


def _span(operation: Enter | Leave, song: Song, palette: Palette) -> tuple[int, int]:
    """The first of the spans that the place has; what comes in at "the chorus" does so at the first of them."""
    return spans_of(Scope((operation.at,)), song, palette)[0]


def _plays(stage: Stage, wish: Wish, start: int, end: int) -> bool:
    return any(
        start <= clip.start + note.start < end
        for track in tracks_of(wish, stage.song, stage.palette)
        for clip in stage.song.track(track).clips for note in clip.notes
    )


def _place(filled: Filled) -> tuple[Place, bool] | None:
    """The place, and whether it is meant behind it: "after bar 8"."""
    ref = next((v for slot in _PLACES if (v := filled.value(slot)) is not None), None)
    if not isinstance(ref, PlaceRef) or not ref.places:
        return None
    place = ref.places[0]
    if ref.relation == "since" and not isinstance(place, Named):
        # it begins somewhere, however far the stretch goes in which it does
        bars = bars_of(place, filled.lexicon.song)
        place = Bars(bars.first, bars.first) if bars is not None else place
    return place, ref.relation == "after"


def _read_enter(filled: Filled) -> tuple[Operation, ...]:
    place = _place(filled)
    return tuple(Enter(wish, *place) for wish in filled.parts) if place is not None else ()


def _read_untimely(filled: Filled) -> tuple[Operation, ...]:
    """What comes in too early does so where the next section begins, what comes in too late where its own does."""
    found = []
    for wish in filled.parts:
        bar = _other_bar(filled.lexicon, wish, later=filled.words.sign > 0)
        found += [Enter(wish, Bars(bar, bar))] if bar is not None else []
    return tuple(found)


def _read_delayed(filled: Filled) -> tuple[Operation, ...]:
    """So many bars behind the one in which a part now begins."""
    by, found = int(filled.number("bars") or 0), []
    for wish in filled.parts:
        now = _first_bar(filled.lexicon, wish)
        bar = now + by * filled.direction if now is not None else 0
        found += [Enter(wish, Bars(bar, bar))] if bar >= 1 else []
    return tuple(found)


def _first_bar(lexicon: Lexicon, wish: Wish) -> int | None:
    """The bar in which a part begins; None where it plays nothing."""
    song, ids = lexicon.song, {track for one in lexicon.one_by_one(wish) for track in one.tracks}
    starts = [int(clip.start + note.start) for track, clip in song.clips() if track.id in ids for note in clip.notes]
    return song.bar_map.bar_at(min(starts)) if starts else None


def _other_bar(lexicon: Lexicon, wish: Wish, *, later: bool) -> int | None:
    """The nearest first bar of a section behind, or before, the bar in which a part now begins."""
    song, now = lexicon.song, _first_bar(lexicon, wish)
    if now is None:
        return None
    firsts = sorted(song.bar_map.bar_at(section.start) for section in song.sections)
    found = [bar for bar in firsts if (bar > now if later else bar < now)]
    return (found[0] if later else found[-1]) if found else None


def _read_leave(filled: Filled) -> tuple[Operation, ...]:
    place = _place(filled)
    if not filled.parts and not filled.named:
        # "end it after bar 32": no part was named, so it is the song
        ref = next((v for slot in _PLACES if (v := filled.value(slot)) is not None), None)
        return ended(ref, filled.lexicon.song) if isinstance(ref, PlaceRef) else ()
    return tuple(Leave(wish, *place) for wish in filled.parts) if place is not None else ()


def _asks(served: Served, operation: Enter | Leave, _: StyleBook) -> list[Ask]:
    """No note of the part on the other side of the place."""
    try:
        tick = _span(operation, served.song, served.palette)[operation.behind]
    except Blocked:
        return served.plain()
    bars = served.song.bar_map
    parts = served.parts(operation.wish)
    early = isinstance(operation, Enter)
    silent = (1, bars.bar_at(tick) - 1) if early else (bars.bar_at(tick), served.song.bars)
    if not parts or served.moved is not None or served.remade or silent[0] > silent[1]:
        return served.plain()
    return [
        Ask(served.words, served.rows, f"notes:{served.named(track)}", "equals", 0.0, silent) for track in parts[:3]
    ]


KINDS = (
    OperationKind(
        Enter, 3, enter, MappingProxyType({
            "enter": SlotReading(_read_enter, frozenset(_PLACES)),
            "enter_by": SlotReading(_read_delayed, frozenset({"bars"})),
            "untimely": SlotReading(_read_untimely, frozenset({"part"})),
        }), _asks,
        removes=lambda _: True,
    ),
    OperationKind(
        Leave, 3, leave, MappingProxyType({"leave": SlotReading(_read_leave, frozenset(_PLACES))}), _asks,
        removes=lambda _: True,
    ),
)
