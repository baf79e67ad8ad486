"""Removing: a part goes, or rests where the task works; or it is the only one that stays."""

from __future__ import annotations

from collections.abc import Collection
from types import MappingProxyType

from msgspec import structs

from agent.composer.changing.notes.kit_pieces import pitches_of
from agent.composer.changing.operations.easing_in import EaseIn, entrance
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.parts.lines import by_hand
from agent.composer.changing.report.measuring import Goal, Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage, tracks_of
from agent.composer.styles import StyleBook
from agent.composer.tones import Tone
from agent.composer.understanding.operations import Add, Remove, Solo
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.clip import Clip
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.track import Track

_FEWEST = 6
"""Different velocities that a played beat has at least."""


def remove(stage: Stage, operation: Remove) -> None:
    """Delete the tracks that the wish means; with a scope they only rest there. Of a kit only the drums named are
    removed."""
    wish = operation.wish
    tracks = stage.free(wish)
    if wish.pieces:
        _without_drums(stage, tracks, pitches_of(wish.pieces), wish.label)
        return
    if stage.whole:
        for track in tracks:
            stage.sketch.remove_track(track.id, f"no {wish.label}, as you asked")
        return
    _rest(stage, tracks, f"no {wish.label} here, as you asked", f"there is no {wish.label} to silence there")


def solo(stage: Stage, operation: Solo) -> None:
    """Delete all tracks but those that the wishes mean; with a scope the others only rest there. Raises `Blocked` if
    the song has none of them."""
    song, palette = stage.song, stage.palette
    kept = {track for wish in operation.wishes for track in tracks_of(wish, song, palette)}
    _only_pieces(stage, operation, kept)
    label = " and ".join(wish.label for wish in operation.wishes)
    if not kept:
        raise Blocked(msg("the song has no {label}", label=label))
    others = tuple(track for track in stage.sketch.free_tracks() if track.id not in kept)
    if not others and stage.song is song:
        raise Blocked(msg("nothing but {label} plays already", label=label))
    if not stage.whole:
        _rest(stage, others, f"only {label} here, as you asked", f"nothing but {label} plays there already", song)
        return
    for track in others:
        stage.sketch.remove_track(track.id, f"only {label}, as you asked")


def _only_pieces(stage: Stage, operation: Solo, kept: Collection[TrackId]) -> None:
    """Of a kit of which single drums are meant, and nothing else, the other drums go or rest."""
    wishes = [wish for wish in operation.wishes if wish.pieces]
    others = [wish for wish in operation.wishes if not wish.pieces]
    whole = {track for wish in others for track in tracks_of(wish, stage.song, stage.palette)}
    pitches = pitches_of([piece for wish in wishes for piece in wish.pieces])
    label = " and ".join(wish.label for wish in wishes)
    for track in stage.sketch.free_tracks() if wishes else ():
        if track.id in kept and track.id not in whole:

            def alone(tones: list[Tone], _: Clip) -> list[Tone]:
                return [tone for tone in tones if tone.pitch in pitches]

            stage.sketch.each_clip(track, stage.spans, alone, f"only {label}", f"only {label}, as you asked")


def _without_drums(stage: Stage, tracks: Collection[Track], pitches: frozenset[int], label: str) -> None:
    hit = [
        track for track in tracks
        if any(n.pitch in pitches and stage.inside(c.start + n.start) for c in track.clips for n in c.notes)
    ]
    if not hit:
        raise Blocked(msg("the drums play no {label} there", label=label))
    for track in hit:
        left = [n.velocity for c in track.clips for n in c.notes if n.pitch not in pitches]
        # the softer drum may have been all that made the beat uneven
        even = len(set(left)) < _FEWEST

        def without(tones: list[Tone], _: Clip, even: bool = even) -> list[Tone]:
            kept = [tone for tone in tones if tone.pitch not in pitches]
            return by_hand(kept) if even else kept

        stage.sketch.each_clip(track, stage.spans, without, f"without {label}", f"no {label}, as you asked")


def _rest(
    stage: Stage, tracks: Collection[Track], why: str, idle: str, before: Song | None = None
) -> None:
    before = before or stage.song
    for track in tracks:
        stage.sketch.each_clip(track, stage.spans, lambda _tones, _clip: (), "resting", why)
    if stage.song is before:
        raise Blocked(idle)


def _read_remove(filled: Filled) -> tuple[Remove, ...]:
    if filled.words.variant == "family":
        # "no piano in my band" is no track called so alone
        return tuple(
            Remove(structs.replace(wish, sections=(), tracks=() if wish.families else wish.tracks))
            for wish in filled.parts
        )
    # a section that holds the players named, and others, does not go with them
    return tuple(Remove(structs.replace(wish, sections=())) for wish in filled.parts)


def _read_solo(filled: Filled) -> tuple[Operation, ...]:
    """Drums of a kit that came in right before are all of it that plays at first: "just kick and hi-hat"."""
    pieces = bool(filled.parts) and all(wish.pieces for wish in filled.parts)
    entered = entrance(filled.last, filled.lexicon) if pieces else None
    if entered is not None:
        return (EaseIn(entered.bars, entered.wish, filled.parts),)
    return (Solo(filled.parts),) if filled.parts else ()


def _read_nothing_else(filled: Filled) -> tuple[Solo, ...]:
    """Only what was named right before, where that was wanted in the song that has it: a new part is one more."""
    last = filled.last
    if isinstance(last, Solo):
        return (last,)
    wanted = isinstance(last, Add) and filled.lexicon.has_already(last.wish)
    return (Solo((last.wish,)),) if isinstance(last, Add) and wanted else ()


def _asks_removed(served: Served, operation: Remove, _: StyleBook) -> list[Ask]:
    """A part that is gone, or rests in the scope."""
    wish = operation.wish
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


def _asks_solo(served: Served, _: Solo, _styles: StyleBook) -> list[Ask]:
    return served.ask("tracks" if served.task.scope.whole else "onsets_per_bar", "lower")


KINDS = (
    OperationKind(
        Remove, 2, remove, MappingProxyType({"remove": SlotReading(_read_remove, frozenset({"part", "refused"}))}),
        _asks_removed, removes=lambda _: True,
    ),
    OperationKind(
        Solo, 2, solo, MappingProxyType({
            "solo": SlotReading(_read_solo, frozenset({"part"})),
            "solo_there": SlotReading(_read_solo, frozenset({"part"})),
            "nothing_else": SlotReading(_read_nothing_else),
        }), _asks_solo,
        removes=lambda _: True,
    ),
)
