"""Walking: a bass that steps from root to root with a note on every beat."""

from __future__ import annotations

from types import MappingProxyType

from msgspec import structs

from agent.composer.changing.notes.laying import lay
from agent.composer.changing.notes.voices import Voice, voices_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.parts.scenes_there import chord_after, scenes_there
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.styles import StyleBook
from agent.composer.understanding.lexicon import thing_wish
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.frame import Player
from agent.composer.writing.instruments import default_part
from agent.composer.writing.walking_bass import walking_line
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.palette import Instrument

_STANDS = 0.5
"""Share of what sounds that must belong to the chords: every second note of a walking bass may pass."""
_LEVEL = 84


class Walk(Operation, frozen=True):
    """A part plays a walking bass: a note on every beat, each chord's root where it begins, and steps between."""

    wish: Wish

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"{self.wish.label}: a walking line"


def walk(stage: Stage, operation: Walk) -> None:
    """Write the walking line in place of what the part plays in the stage's spans, at its velocity; bars in which it
    rests get the line too."""
    heard, before = stage.heard(), stage.song
    known = {one.name: one for one in stage.palette.instruments}
    for voice in voices_of(stage, operation.wish):
        sound = known.get(voice.track.instrument)
        if voice.rhythmic or sound is None:
            continue
        player = _player(voice, sound)
        for span in stage.spans:
            following = chord_after(heard, span)
            tones = [
                tone for scene, frame in scenes_there(heard, span)
                for tone in walking_line(player, scene, frame, following, stage.dice.of(f"walk {scene.start}"))
            ]
            inside = [tone for tone in tones if span[0] <= tone.start < span[1]]
            lay(stage, voice.track.id, span, inside, voice.track.name, "walks, as you asked")
    if stage.song == before:
        raise Blocked(msg("the song has no {wish} that could walk there", wish=operation.wish.label))


def _player(voice: Voice, sound: Instrument) -> Player:
    levels = sorted(note.velocity for clip in voice.track.clips for note in clip.notes)
    level = levels[len(levels) // 2] if levels else _LEVEL
    part = structs.replace(default_part("bass", voice.track.name, (sound.name,)), velocity=(level, level))
    return Player(part, sound)


def _read(filled: Filled) -> tuple[Operation, ...]:
    if filled.value("part") is not None and not filled.parts:
        # "make it a walking tempo" names no part that walks
        return ()
    wishes = filled.parts or (thing_wish(filled.lexicon.words.thing("bass")),)
    return tuple(Walk(wish) for wish in wishes)


def _asks(served: Served, operation: Walk, _: StyleBook) -> list[Ask]:
    return served.ask("on_chords", "at_least", _STANDS, words=operation.sentence(1.0, None))


KINDS = (
    OperationKind(Walk, 9, walk, MappingProxyType({"walk": SlotReading(_read)}), _asks, removes=lambda _: True),
)
