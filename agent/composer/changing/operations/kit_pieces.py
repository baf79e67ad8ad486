"""Kit pieces: ghost notes, and one drum of a kit in a pattern of its own; the rest of the kit stays."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Annotated, cast

from msgspec import Meta

from agent.composer.changing.notes.kit_pieces import Places, ghosted, patterned, pitches_of, without_ghosts
from agent.composer.changing.notes.voices import Voice, voices_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.changing.telling.measuring import Served
from agent.composer.styles import Drum, StyleBook
from agent.composer.tones import Tone
from agent.composer.understanding.lexicon import thing_wish
from agent.composer.understanding.slot_filling import Filled, Reading, within
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.plan.plan import Ask
from agent.song.clip import Clip
from agent.song.time import PPQ

_SAID: dict[Places, str] = {
    "beats": "on every beat", "offbeats": "on the off-beats", "backbeats": "on two and four", "grid": "in",
    "one": "on the first beat of every bar",
}
_NOTES = {4: "whole notes", 2: "half notes", 1: "quarters", 0.5: "eighths", 0.25: "sixteenths"}


class Ghost(Operation, frozen=True):
    """Soft strokes of a drum between its loud ones; with `gone` those that are there go."""

    piece: Wish
    gone: bool = False

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        many = "a few " if amount < 1 else "many " if amount > 1 else ""
        return f"no ghost notes on {self.piece.label}" if self.gone else f"{many}ghost notes on {self.piece.label}"


class Pattern(Operation, frozen=True):
    """One drum strikes at these places of every bar in which the kit plays, and nowhere else.

    `beats` is the length of its steps, in quarter notes, where the place is a grid.
    """

    piece: Wish
    places: Places
    beats: Annotated[float, Meta(ge=0.125, le=4)] = 0.5

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        steps = f" {_NOTES.get(self.beats, 'even steps')}" if self.places == "grid" else ""
        return f"{self.piece.label} {_SAID[self.places]}{steps}"


def ghost(stage: Stage, operation: Ghost) -> None:
    """Ghost notes come into the gaps of the drum's own groove."""
    before, pitches = stage.song, pitches_of(operation.piece.pieces)
    for voice in _kits(stage):

        def haunted(tones: list[Tone], _: Clip, voice: Voice = voice) -> Sequence[Tone]:
            if operation.gone:
                return without_ghosts(tones, pitches)
            dice = voice.dice.of("ghosts")
            return [*tones, *ghosted(tones, pitches, _bars(tones, voice), stage.amount, voice.grid, dice)]

        verb = "without ghost notes" if operation.gone else "with ghost notes"
        stage.sketch.each_clip(voice.track, stage.spans, haunted, verb, "soft strokes between the loud ones")
    if stage.song is before:
        label = operation.piece.label
        raise Blocked(f"there are no ghost notes on {label}" if operation.gone else f"the drums play no {label} there")


def pattern(stage: Stage, operation: Pattern) -> None:
    """The drum's strokes are set anew; every other drum stays."""
    if not operation.piece.pieces:
        raise Blocked("so far only a single drum of a kit can be given such a pattern")
    before, piece, stage = stage.song, operation.piece.pieces[0], stage.in_turn()
    for voice in _kits(stage):

        def set_anew(tones: list[Tone], clip: Clip, voice: Voice = voice) -> Sequence[Tone]:
            step = max(1, round(operation.beats * PPQ))
            new = patterned(tones, piece, operation.places, step, _bars(tones, voice), voice.grid)
            return [tone for tone in new if clip.start <= tone.start < clip.end and stage.inside(tone.start)]

        label = operation.piece.label
        verb = f"{label} {_SAID[operation.places]}" if operation.places != "grid" else f"{label} in even steps"
        stage.sketch.each_clip(voice.track, stage.spans, set_anew, f"with {verb}", "as you asked")
    if stage.song is before:
        raise Blocked(f"{operation.piece.label} plays so already")


def _kits(stage: Stage) -> list[Voice]:
    kits = [voice for voice in voices_of(stage) if voice.role == "drums" and voice.track.note_count]
    if not kits:
        raise Blocked("the song has no drum kit")
    return kits


def _bars(tones: Sequence[Tone], voice: Voice) -> list[tuple[int, int]]:
    return sorted({voice.grid.bar(tone.start) for tone in tones})


def _piece(filled: Filled, usual: str) -> Wish:
    named = next((wish for wish in filled.parts if wish.pieces), None)
    return named or thing_wish(filled.lexicon.words.thing(usual))


def _read_ghost(filled: Filled) -> tuple[Operation, ...]:
    pieces = _piece(filled, "snare")
    # a rim click is no ghost note
    own: tuple[Drum, ...] = tuple(piece for piece in pieces.pieces if piece != "rim") or pieces.pieces
    return (Ghost(Wish(pieces.label, pieces.role, pieces.families, pieces=own), filled.words.variant == "gone"),)


def _read_pattern(filled: Filled) -> tuple[Operation, ...]:
    places = cast("Places", filled.words.variant or "grid")
    usual = "snare" if places == "backbeats" else "open hi-hats" if places == "offbeats" else "kick"
    wishes = [wish for wish in filled.parts if wish.pieces]
    steps = within(filled.number("grid") or 0.5, 0.125, 4.0)
    meant = wishes or list(filled.parts) or [thing_wish(filled.lexicon.words.thing(usual))]
    return tuple(Pattern(wish, places, steps) for wish in meant)


def _asks_ghost(served: Served, operation: Ghost, _: StyleBook) -> list[Ask]:
    return served.ask("ghost_notes", "lower" if operation.gone else "higher")


def _asks_pattern(served: Served, _: Pattern, _styles: StyleBook) -> list[Ask]:
    return served.plain()


KINDS = (
    OperationKind(
        Ghost, 12, ghost, MappingProxyType({"ghost": Reading(_read_ghost)}), _asks_ghost,
        removes=lambda operation: operation.gone,
    ),
    OperationKind(
        Pattern, 11, pattern, MappingProxyType({"pattern": Reading(_read_pattern)}), _asks_pattern, recurs=True
    ),
)
