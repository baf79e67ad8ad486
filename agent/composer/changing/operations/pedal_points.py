"""Pedal points: one note in the bass under whatever the chords are."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from msgspec import structs

from agent.composer.changing.hearing.listening import tones_of
from agent.composer.changing.notes.laying import lay
from agent.composer.changing.notes.on_chords import bars_of
from agent.composer.changing.notes.voices import Voice, rewrite, voices_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.changing.time.material import taken
from agent.composer.styles import StyleBook
from agent.composer.tones import Tone
from agent.composer.understanding.asked_chart import AskedChart
from agent.composer.understanding.lexicon import thing_wish
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.frame import ChordSpan
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.chart import ChordSymbol
from agent.song.clip import Clip
from agent.song.key import TONICS, Key
from agent.song.time import Ticks
from agent.theory.chords import chord_symbol
from agent.theory.pitch import class_name

_LEVEL = 80
"""Velocity of a pedal point where its part plays nothing yet."""
_STANDS = 0.6
"""Share of what sounds that must belong to the chords over their bass."""


class PedalPoint(Operation, frozen=True):
    """A part plays a single pitch, `tonic` ("": that of the song), in its own rhythm or, with `held`, once a bar."""

    wish: Wish
    tonic: str = ""
    held: bool = False

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        note = f"on {self.tonic}" if self.tonic else "on the tonic"
        return f"{self.wish.label}: a pedal point {note}" + (", held" if self.held else "")


def pedal_point(stage: Stage, operation: PedalPoint) -> None:
    """Put all the part's notes on that pitch, in the octave nearest to where it plays; stated chords get it as their
    bass."""
    heard = stage.heard()
    pitch_class = Key(operation.tonic).pitch_class if operation.tonic else heard.key.pitch_class
    name = operation.tonic or class_name(pitch_class, heard.key)
    before = stage.song
    voices = [voice for voice in voices_of(stage, operation.wish) if not voice.rhythmic]
    for voice in voices:
        _lay_where_silent(stage, voice, pitch_class, name)

        def on_pedal(tones: list[Tone], _: Clip, voice: Voice = voice) -> Sequence[Tone]:
            pitch = _near(tones, pitch_class, voice)
            return _by_bar(tones, pitch, stage) if operation.held else _once(tones, pitch)

        rewrite(stage, voice, on_pedal, f"stays on {name}", "the pedal point that you asked for")
    if stage.song == before:
        raise Blocked(msg("{wish} stays on {name} there already", wish=operation.wish.label, name=name))
    chords = [span for part in stage.spans for span in heard.chords_in(*part)]
    open_ = [one for one in chords if not stage.sketch.guard.closed(one.start)]
    stage.sketch.state_chords([_over(one, pitch_class, heard.key) for one in open_], "over the pedal point")


def _over(span: ChordSpan, pitch_class: int, key: Key) -> ChordSymbol:
    """The chord over the note of a pedal point."""
    chord = structs.replace(span.chord, bass=None if span.chord.root == pitch_class else pitch_class)
    return ChordSymbol(Ticks(span.start), Ticks(span.end - span.start), chord_symbol(chord, key))


def _lay_where_silent(stage: Stage, voice: Voice, pitch_class: int, name: str) -> None:
    """A held note for each bar of the stretches in which the part plays nothing."""
    pitch = _near([tone for clip in voice.track.clips for tone in tones_of(clip)], pitch_class, voice)
    for start, end in stage.spans:
        if not taken(voice.track, start, end):
            held = [Tone(low, pitch, high - low, _LEVEL) for low, high in bars_of(stage.song, start, end)]
            lay(stage, voice.track.id, (start, end), held, voice.track.name, f"stays on {name}, as you asked")


def _near(tones: Sequence[Tone], pitch_class: int, voice: Voice) -> int:
    middle = sorted(tone.pitch for tone in tones)[len(tones) // 2] if tones else voice.low + 12
    options = [pitch for pitch in range(voice.low, voice.high + 1) if pitch % 12 == pitch_class]
    return min(options, key=lambda pitch: (abs(pitch - middle), pitch), default=middle)


def _once(tones: Sequence[Tone], pitch: int) -> list[Tone]:
    """The tones on one pitch, one where several begin together."""
    starts: dict[int, Tone] = {}
    for tone in sorted(tones):
        starts.setdefault(tone.start, structs.replace(tone, pitch=pitch))
    row = list(starts.values())
    ends = [*(tone.start for tone in row[1:]), row[-1].end]
    lengths = (min(tone.length, end - tone.start) for tone, end in zip(row, ends, strict=True))
    return [structs.replace(tone, length=length) for tone, length in zip(row, lengths, strict=True)]


def _by_bar(tones: Sequence[Tone], pitch: int, stage: Stage) -> list[Tone]:
    """A note for each bar in which the part plays, from its first note there to the end of the bar."""
    made: list[Tone] = []
    for start, end in bars_of(stage.song, min(tones).start, max(tones).start + 1):
        inside = [tone for tone in sorted(tones) if start <= tone.start < end]
        if inside:
            loud = max(tone.velocity for tone in inside)
            made.append(Tone(inside[0].start, pitch, end - inside[0].start, loud))
    return made


def _read(filled: Filled) -> tuple[Operation, ...]:
    wishes = filled.parts[:1] or (thing_wish(filled.lexicon.words.thing("bass")),)
    note = filled.value("chord")
    tonic = note.text if isinstance(note, AskedChart) else ""
    if tonic and tonic not in TONICS:
        return ()
    return (PedalPoint(wishes[0], tonic, filled.words.variant == "held"),)


def _asks(served: Served, operation: PedalPoint, _: StyleBook) -> list[Ask]:
    return served.ask("on_chords", "at_least", _STANDS, words=operation.sentence(1.0, None))


KINDS = (
    OperationKind(
        PedalPoint, 9, pedal_point, MappingProxyType({"pedal_point": SlotReading(_read)}), _asks,
        removes=lambda _: True,
    ),
)
