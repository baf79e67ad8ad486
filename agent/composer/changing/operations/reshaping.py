"""Reshaping: notes made simpler, thicker, looser, straighter, or varied; harmony and tune stay recognisable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from agent.composer.changing.notes.simplifying import simplified
from agent.composer.changing.notes.swinging import on_grid
from agent.composer.changing.notes.thickening import thickened
from agent.composer.changing.notes.timing import loosened, straightened
from agent.composer.changing.notes.varying import varied
from agent.composer.changing.notes.voices import Voice, rewrite, tell, voices_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Goal, Served
from agent.composer.changing.soundness import Attempt, Promise, first_sound
from agent.composer.changing.stage import Stage
from agent.composer.styles import StyleBook
from agent.composer.tones import Tone
from agent.composer.understanding.operations import Add, Reharmonise, Reshape
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.plan.plan import Ask
from agent.song.clip import Clip
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.melody import melody_line, similarity

_STRENGTHS = (1.0, 0.75, 0.5, 0.3, 0.2, 0.1, 1.6, 2.5, 4.0)
"""Shares of the asked measure, as they are tried: milder ones first, stronger ones where nothing moves."""
_MOST_ALIKE = 0.92
_MEASURES: Mapping[str, tuple[str, Goal]] = MappingProxyType({
    "simplify": ("onsets_per_bar", "lower"), "thicken": ("onsets_per_bar", "higher"),
    "humanize": ("looseness", "higher"), "quantize": ("looseness", "lower"),
})
_GRIDS = {12: "off_quarters", 6: "off_eighths", 3: "off_sixteenths", 4: "off_triplets"}
"""What measures the distance from a grid, by its twelfths of a quarter note."""
_TOLD = {
    "simplify": ("simpler", "fewer notes; strong beats and shape stay", "there is nothing to make simpler"),
    "thicken": ("fuller", "octaves and chord tones where nothing rubs", "there is no room for more notes"),
    "humanize": ("humanised", "a little early or late, as hands play", "there is nothing to loosen"),
    "quantize": ("on the grid", "on the grid that the song is heard on", "everything is on the grid already"),
    "vary": ("varied", "the same material with small changes", "there is nothing that could be varied"),
}


def reshape(stage: Stage, operation: Reshape) -> None:
    """Reshape the notes of a part (or of all) as `operation.how` says, less strongly where the full amount would make
    the song unrecognisable. Raises `Blocked` if nothing changes."""
    verb, why, otherwise = _TOLD[operation.how]

    def attempt(strength: float) -> Attempt:
        def shaped(trial: Stage) -> None:
            voices = voices_of(trial, operation.wish)
            for voice in voices:

                def changed(tones: list[Tone], clip: Clip, voice: Voice = voice) -> Sequence[Tone]:
                    shaped_tones = _shaped(operation, tones, voice, clip, stage.amount * strength)
                    tell(voices, voice, shaped_tones)
                    return shaped_tones

                rewrite(trial, voice, changed, verb, why)

        return shaped

    promise = Promise(proof=lambda before, after: _different(stage, operation, before, after))
    strengths: tuple[float, ...] = _STRENGTHS
    if operation.grid is not None:
        # what is stated is done as it is stated, also where it makes another rhythm of a tune
        strengths, promise = (1.0,), Promise(melody=0.0, roots=0.0)
    first_sound(stage, [attempt(strength) for strength in strengths], promise, otherwise)


def _shaped(operation: Reshape, tones: list[Tone], voice: Voice, clip: Clip, amount: float) -> Sequence[Tone]:
    match operation.how:
        case "simplify":
            return simplified(tones, voice, amount)
        case "thicken":
            return thickened(tones, voice, amount)
        case "humanize":
            return loosened(tones, voice, amount, voice.dice.of(f"hands {clip.id}"))
        case "quantize":
            if operation.grid is not None:
                return on_grid(tones, voice.grid, operation.grid * PPQ, amount)
            return straightened(tones, voice.grid, amount)
        case "vary":
            return varied(tones, voice, clip, amount, voice.dice.of(f"variation {clip.id} {amount:g}"))


def _different(stage: Stage, operation: Reshape, before: Song, after: Song) -> bool:
    """A simpler song has fewer notes, a thicker one more; a varied tune is neither the same nor another."""
    if operation.how in ("simplify", "thicken"):
        return (after.note_count < before.note_count) == (operation.how == "simplify")
    if operation.how != "vary":
        return True
    leads = [voice.track.id for voice in voices_of(stage, operation.wish) if voice.role == "lead"]
    return all(_recognised(stage, before, after, track) for track in leads)


def _recognised(stage: Stage, before: Song, after: Song, track: TrackId) -> bool:
    old, new = (
        [note for note in melody_line(song, {track}) if stage.inside(note.start)] for song in (before, after)
    )
    return len(old) < 6 or 0.5 <= similarity(old, new) <= _MOST_ALIKE


def read_reshaped(filled: Filled, wish: Wish | None) -> Operation:
    """The operation for a "new" part: other chords if chords are meant, a strong variation of a part that the song has,
    else an added part."""
    words = filled.words
    if words.amount == 1 or wish is None:
        return Reshape(words.how, wish, filled.number("grid"))
    if wish.whole_role and wish.role == "chords":
        return Reharmonise()
    return Reshape(words.how, wish) if filled.lexicon.has(wish) else Add(wish)


def _read(filled: Filled) -> tuple[Operation, ...]:
    return tuple(read_reshaped(filled, wish) for wish in filled.each)


def _asks(served: Served, operation: Reshape, _: StyleBook) -> list[Ask]:
    measure = _MEASURES.get(operation.how)
    if operation.grid is not None:
        named = _GRIDS.get(round(operation.grid * 12))
        measure = (named, "lower") if named is not None else None
    return served.of_parts(operation.wish, *measure) if measure else served.plain()


KINDS = (
    OperationKind(
        Reshape, 12, reshape, MappingProxyType({"reshape": SlotReading(_read)}), _asks,
        thins=lambda operation: operation.how == "simplify",
    ),
)
