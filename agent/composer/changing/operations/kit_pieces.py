"""Kit pieces: ghost notes, and one drum of a kit in a pattern of its own; the rest of the kit stays."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Annotated, cast

from msgspec import Meta
from msgspec.structs import replace

from agent.composer.changing.notes.kit_pieces import Places, ghosted, pitches_of, without_ghosts
from agent.composer.changing.notes.rhythms import patterned, reattacked, rolled_out
from agent.composer.changing.notes.voices import Voice, rewrite, voices_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.parts.pulses import in_rests, new_pulse
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage, tracks_of
from agent.composer.styles import Drum, StyleBook
from agent.composer.tones import Tone
from agent.composer.understanding.lexicon import thing_wish
from agent.composer.understanding.slot_filling import Filled, SlotReading, within
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.clip import Clip
from agent.song.time import PPQ

_SAID: dict[Places, str] = {
    "beats": "on every beat", "offbeats": "on the off-beats", "backbeats": "on two and four", "grid": "in",
    "one": "on the first beat of every bar", "rolls": "rolls",
}
_USUAL: dict[Places, str] = {"backbeats": "snare", "offbeats": "open hi-hats", "rolls": "hi-hats"}
"""The drum that is meant where none is named."""
_NOTES = {4: "whole notes", 2: "half notes", 1: "quarters", 0.5: "eighths", 0.25: "sixteenths"}


class Ghost(Operation, frozen=True):
    """Add ghost notes of the drum `piece` between its loud strokes; with `gone` remove those that are there."""

    piece: Wish
    gone: bool = False

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        many = "a few " if amount < 1 else "many " if amount > 1 else ""
        return f"no ghost notes on {self.piece.label}" if self.gone else f"{many}ghost notes on {self.piece.label}"


class Pattern(Operation, frozen=True):
    """One drum, or an instrument on its own pitches (`piece`), strikes in the pattern `places` ("offbeats", "grid", …)
    in every bar in which it plays, and nowhere else.

    `beats` is the spacing of the pattern "grid" in quarter notes. The pattern "rolls" is a roll on the last beat of the
    bar.
    """

    piece: Wish
    places: Places
    beats: Annotated[float, Meta(ge=0.125, le=4)] = 0.5

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        steps = f" {_NOTES.get(self.beats, 'even steps')}" if self.places == "grid" else ""
        return f"{self.piece.label} {_SAID[self.places]}{steps}"


def ghost(stage: Stage, operation: Ghost) -> None:
    """Add or remove the drum's ghost notes in every kit. Raises `Blocked` if nothing changes."""
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
        raise Blocked(
            msg("there are no ghost notes on {label}", label=label) if operation.gone
            else msg("the drums play no {label} there", label=label)
        )


def pattern(stage: Stage, operation: Pattern) -> None:
    """Replace the strokes of the drum `operation.piece` by the pattern; other drums stay, and where the kit rests the
    drum is added.

    A pitched part keeps its pitches; an instrument that the song lacks gets a new track.
    """
    before = stage.song
    stage = _last_of_turns(stage) if operation.places == "rolls" else stage.in_turn()
    if not operation.piece.pieces:
        _of_instrument(stage, operation)
    elif any(voice.track.note_count for voice in _drums(stage)):
        _in_kit(stage, operation)
    else:
        new_pulse(stage, operation.piece, operation.places, _step(operation))
    if stage.song is before:
        raise Blocked(msg("{piece} plays so already", piece=operation.piece.label))


def _last_of_turns(stage: Stage) -> Stage:
    """The stage in the last bar of each turn, in which what leads on belongs."""
    if stage.every is None:
        return stage
    bars, behind = stage.song.bar_map, stage.every - 1
    ends = [bars.span(last, last) for start, _ in stage.in_turn().spans if (last := bars.bar_at(start) + behind)]
    inside = tuple((int(low), int(high)) for low, high in ends if stage.inside(int(low)))
    return replace(stage, spans=inside, whole=False, every=None)


def _step(operation: Pattern) -> int:
    return max(1, round(operation.beats * PPQ))


def _told(operation: Pattern) -> str:
    label = operation.piece.label
    return f"with {label} {_SAID[operation.places]}" if operation.places != "grid" else f"with {label} in even steps"


def _in_kit(stage: Stage, operation: Pattern) -> None:
    piece, step = operation.piece.pieces[0], _step(operation)
    if operation.places == "rolls" and not any(_strikes(stage, voice, operation.piece) for voice in _kits(stage)):
        raise Blocked(msg("the drums play no {piece} there", piece=operation.piece.label))
    for voice in _kits(stage):

        def set_anew(tones: list[Tone], clip: Clip, voice: Voice = voice) -> Sequence[Tone]:
            if operation.places == "rolls":
                new = rolled_out(tones, pitches_of(operation.piece.pieces), _bars(tones, voice), voice.grid)
            else:
                new = patterned(tones, piece, operation.places, step, _bars(tones, voice), voice.grid)
            return [tone for tone in new if clip.start <= tone.start < clip.end and stage.inside(tone.start)]

        stage.sketch.each_clip(voice.track, stage.spans, set_anew, _told(operation), "as you asked")
    if operation.places != "rolls" and not stage.whole:
        # a place in which the kit rests was named: the drum comes in there
        in_rests(stage, _kits(stage), operation.piece, operation.places, step)


def _strikes(stage: Stage, voice: Voice, wish: Wish) -> bool:
    pitches = pitches_of(wish.pieces)
    return any(
        note.pitch in pitches and stage.inside(clip.start + note.start)
        for clip in voice.track.clips for note in clip.notes
    )


def _of_instrument(stage: Stage, operation: Pattern) -> None:
    step = _step(operation)
    if not tracks_of(operation.piece, stage.song, stage.palette):
        new_pulse(stage, operation.piece, operation.places, step)
        return
    for voice in voices_of(stage, operation.piece):
        if voice.role == "drums":
            raise Blocked(msg("so far only a single drum of a kit can be given such a pattern"))

        def again(tones: list[Tone], _: Clip, voice: Voice = voice) -> Sequence[Tone]:
            if operation.places == "rolls":
                return tones
            return reattacked(tones, operation.places, step, _bars(tones, voice), voice.grid)

        rewrite(stage, voice, again, _told(operation), "on the pitches that it has there")


def _drums(stage: Stage) -> list[Voice]:
    return [voice for voice in voices_of(stage) if voice.role == "drums"] if stage.sketch.free_tracks() else []


def _kits(stage: Stage) -> list[Voice]:
    kits = [voice for voice in voices_of(stage) if voice.role == "drums" and voice.track.note_count]
    if not kits:
        raise Blocked(msg("the song has no drum kit"))
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
    usual = _USUAL.get(places, "kick")
    wishes = [wish for wish in filled.parts if wish.pieces]
    steps = within(filled.number("grid") or 0.5 * filled.words.factor, 0.125, 4.0)
    meant = wishes or list(filled.parts) or [thing_wish(filled.lexicon.words.thing(usual))]
    return tuple(Pattern(wish, places, steps) for wish in meant)


def _asks_ghost(served: Served, operation: Ghost, _: StyleBook) -> list[Ask]:
    return served.ask("ghost_notes", "lower" if operation.gone else "higher")


def _asks_pattern(served: Served, _: Pattern, _styles: StyleBook) -> list[Ask]:
    return served.plain()


KINDS = (
    OperationKind(
        Ghost, 12, ghost, MappingProxyType({"ghost": SlotReading(_read_ghost)}), _asks_ghost,
        removes=lambda operation: operation.gone,
    ),
    OperationKind(
        Pattern, 11, pattern, MappingProxyType({"pattern": SlotReading(_read_pattern)}), _asks_pattern, recurs=True
    ),
)
