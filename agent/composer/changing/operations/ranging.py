"""Ranging: parts kept within pitches, and made playable for a beginner."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Annotated, Literal

from msgspec import Meta

from agent.composer.changing.notes.compass import EASY_LEAP, eased, in_compass
from agent.composer.changing.notes.voices import Voice, rewrite, voices_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.styles import StyleBook
from agent.composer.tones import Tone
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import Lifted
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.clip import Clip
from agent.theory.pitch import pitch_name

Pitch = Annotated[int, Meta(ge=0, le=127)]
_MIDDLE_C = 60
_HANDS = ("piano", "keys", "organ")


class Range(Operation, frozen=True):
    """Keep a part (`wish` None: everything pitched) within pitches `low` to `high` (MIDI numbers; None: no limit).

    With a `hand` only notes of keyboard parts are meant: below middle C ("left"), or from middle C up ("right").
    """

    low: Pitch | None = None
    high: Pitch | None = None
    wish: Wish | None = None
    hand: Literal["", "left", "right"] = ""

    @property
    def bounds(self) -> tuple[int | None, int | None] | None:
        """The (lowest, highest) pitch for the whole part; None if only a hand is meant."""
        return (self.low, self.high) if not self.hand else None

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        who = f"{self.hand} hand" if self.hand else self.wish.label if self.wish is not None else "everything"
        low, high = (pitch_name(one) if one is not None else "" for one in (self.low, self.high))
        if low and high:
            return f"{who} between {low} and {high}"
        return f"{who} not below {low}" if low else f"{who} not above {high}"


class Ease(Operation, frozen=True):
    """Make a part (`wish` None: all) playable for a beginner."""

    wish: Wish | None = None

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return (f"{self.wish.label} " if self.wish is not None else "") + "for a beginner"


def keep_range(stage: Stage, operation: Range) -> None:
    """Move notes outside the range into it by octaves. Raises `Blocked` if there are none."""
    before = stage.song
    said = operation.sentence(1.0, None)
    families = {one.name: one.family for one in stage.palette.instruments}
    voices = [voice for voice in voices_of(stage, operation.wish) if not voice.rhythmic]
    if operation.hand:
        voices = [voice for voice in voices if families.get(voice.track.instrument) in _HANDS]
    if not voices:
        raise Blocked(msg("nothing there has pitches that could be kept in a range"))
    for voice in voices:
        low, high = _limits(operation, voice)

        def within(tones: list[Tone], _: Clip, voice: Voice = voice, low: int = low, high: int = high) -> list[Tone]:
            meant = [tone for tone in tones if _of_hand(tone, operation)]
            if all(low <= tone.pitch <= high for tone in meant):
                return tones
            return [*(tone for tone in tones if tone not in meant), *in_compass(meant, low, high, voice.key)]

        rewrite(stage, voice, within, f"within {pitch_name(low)}-{pitch_name(high)}", f"{said}, by octaves")
    if stage.song is before:
        raise Blocked(msg("{said}: so it is already", said=said))


def ease(stage: Stage, operation: Ease) -> None:
    """Simplify the parts: fewer notes, smaller leaps and chords, a comfortable range. Raises `Blocked` if nothing
    changes."""
    before = stage.song
    for voice in voices_of(stage, operation.wish):

        def easier(tones: list[Tone], _: Clip, voice: Voice = voice) -> Sequence[Tone]:
            return eased(tones, voice)

        why = "eighths at most, no ornaments" if voice.rhythmic else (
            "eighths at most, leaps of a sixth at most, chords of three notes, a comfortable range"
        )
        rewrite(stage, voice, easier, "for a beginner", why)
    if stage.song is before:
        raise Blocked(msg("a beginner can play it already"))


def _limits(operation: Range, voice: Voice) -> tuple[int, int]:
    low = max(voice.low, operation.low if operation.low is not None else 0)
    high = min(voice.high, operation.high if operation.high is not None else 127)
    if low > high:
        raise Blocked(
            msg(
                "{track} plays {low} to {high} only",
                track=voice.track.name, low=pitch_name(voice.low), high=pitch_name(voice.high),
            ),
        )
    return low, high


def _of_hand(tone: Tone, operation: Range) -> bool:
    return not operation.hand or (tone.pitch < _MIDDLE_C) == (operation.hand == "left")


def _read_range(filled: Filled) -> tuple[Operation, ...]:
    said = filled.words.variant
    hand: Literal["", "left", "right"] = "left" if said == "left" else "right" if said == "right" else ""
    # "the melody, nothing above G5": what was named before is meant
    meant = filled.parts or (filled.named if not hand else ()) or (None,)
    return tuple(made for wish in meant for made in _ranges(filled, wish, hand))


def _ranges(filled: Filled, wish: Wish | None, hand: Literal["", "left", "right"]) -> tuple[Range, ...]:
    """The limits of one part."""
    said = [_placed(one, wish, filled.lexicon) if isinstance(one, Lifted) else one for one in filled.found.all("pitch")]
    pitches = [one for one in said if isinstance(one, int)]
    if not pitches:
        return ()
    if len(pitches) > 1:
        return (Range(min(pitches), max(pitches), wish, hand),)
    return (Range(None, pitches[0], wish, hand) if filled.words.sign < 0 else Range(pitches[0], None, wish, hand),)


def _placed(note: Lifted, wish: Wish | None, lexicon: Lexicon) -> int | None:
    """The low or high note of a name that lies nearest to the lowest or highest note of a part; None without notes."""
    song = lexicon.song
    tracks = lexicon.pitched if wish is None else lexicon.meant(wish)
    pitches = [one.pitch for track in song.tracks if track.id in tracks for clip in track.clips for one in clip.notes]
    if not pitches:
        return None
    edge = max(pitches) if note.high else min(pitches)
    return edge + (note.pitch_class - edge + 5) % 12 - 5


def _read_ease(filled: Filled) -> tuple[Operation, ...]:
    return tuple(Ease(wish) for wish in filled.each)


def _asks_range(served: Served, operation: Range, _: StyleBook) -> list[Ask]:
    if operation.hand:
        return served.plain()
    names = [f":{served.named(t)}" for t in served.parts(operation.wish)] if operation.wish is not None else [""]
    asks: list[Ask] = []
    for name in names[:3]:
        if operation.low is not None:
            asks += served.ask(f"lowest{name}", "at_least", float(operation.low))
        if operation.high is not None:
            asks += served.ask(f"highest{name}", "at_most", float(operation.high))
    return asks or served.plain()


def _asks_ease(served: Served, operation: Ease, _: StyleBook) -> list[Ask]:
    if operation.wish is None:
        return served.ask("attacks_per_bar", "at_most", served.figure("attacks_per_bar"))
    asks: list[Ask] = []
    for track in served.parts(operation.wish)[:3]:
        asks += served.ask(f"widest_leap:{served.named(track)}", "at_most", float(EASY_LEAP))
    return asks or served.plain()


KINDS = (
    OperationKind(
        Range, 13, keep_range, MappingProxyType({"range": SlotReading(_read_range, frozenset({"pitch"}))}), _asks_range
    ),
    OperationKind(
        Ease, 12, ease, MappingProxyType({"ease": SlotReading(_read_ease)}), _asks_ease, thins=lambda _: True,
    ),
)
