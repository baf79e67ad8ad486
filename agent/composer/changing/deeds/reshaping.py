"""Reshaping: notes made simpler, thicker, looser, straighter, or varied; harmony and tune stay recognisable."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.changing.notes.simplifying import simplified
from agent.composer.changing.notes.thickening import thickened
from agent.composer.changing.notes.timing import loosened, straightened
from agent.composer.changing.notes.varying import varied
from agent.composer.changing.notes.voices import Voice, rewrite, voices_of
from agent.composer.changing.soundness import Attempt, Promise, first_sound
from agent.composer.changing.stage import Stage
from agent.composer.tones import Tone
from agent.composer.understanding.tasks import Reshape
from agent.song.clip import Clip
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.theory.melody import melody_line, similarity

_STRENGTHS = (1.0, 0.75, 0.5, 0.3, 0.2, 0.1, 1.6, 2.5, 4.0)
"""Shares of the asked measure, as they are tried: milder ones first, stronger ones where nothing moves."""
_MOST_ALIKE = 0.92
_TOLD = {
    "simplify": ("simpler", "fewer notes; strong beats and shape stay", "there is nothing to make simpler"),
    "thicken": ("fuller", "octaves and chord tones where nothing rubs", "there is no room for more notes"),
    "humanize": ("humanised", "a little early or late, as hands play", "there is nothing to loosen"),
    "quantize": ("on the grid", "on the grid that the song is heard on", "everything is on the grid already"),
    "vary": ("varied", "the same material with small changes", "there is nothing that could be varied"),
}


def reshape(stage: Stage, deed: Reshape) -> None:
    """The part, or all parts, reshaped; milder where the full measure would spoil the song."""
    verb, why, otherwise = _TOLD[deed.how]

    def attempt(strength: float) -> Attempt:
        def shaped(trial: Stage) -> None:
            for voice in voices_of(trial, deed.wish):

                def changed(tones: list[Tone], clip: Clip, voice: Voice = voice) -> Sequence[Tone]:
                    return _shaped(deed, tones, voice, clip, stage.amount * strength)

                rewrite(trial, voice, changed, verb, why)

        return shaped

    promise = Promise(proof=lambda before, after: _different(stage, deed, before, after))
    first_sound(stage, [attempt(strength) for strength in _STRENGTHS], promise, otherwise)


def _shaped(deed: Reshape, tones: list[Tone], voice: Voice, clip: Clip, amount: float) -> Sequence[Tone]:
    match deed.how:
        case "simplify":
            return simplified(tones, voice, amount)
        case "thicken":
            return thickened(tones, voice, amount)
        case "humanize":
            return loosened(tones, voice, amount, voice.dice.of(f"hands {clip.id}"))
        case "quantize":
            return straightened(tones, voice.grid, amount)
        case "vary":
            return varied(tones, voice, clip, amount, voice.dice.of(f"variation {clip.id} {amount:g}"))


def _different(stage: Stage, deed: Reshape, before: Song, after: Song) -> bool:
    """A simpler song has fewer notes, a thicker one more; a varied tune is neither the same nor another."""
    if deed.how in ("simplify", "thicken"):
        return (after.note_count < before.note_count) == (deed.how == "simplify")
    if deed.how != "vary":
        return True
    leads = [voice.track.id for voice in voices_of(stage, deed.wish) if voice.role == "lead"]
    return all(_recognised(stage, before, after, track) for track in leads)


def _recognised(stage: Stage, before: Song, after: Song, track: TrackId) -> bool:
    old, new = (
        [note for note in melody_line(song, {track}) if stage.inside(note.start)] for song in (before, after)
    )
    return len(old) < 6 or 0.5 <= similarity(old, new) <= _MOST_ALIKE
