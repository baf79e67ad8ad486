"""Articulating: short, bound and ringing notes, and stresses."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Literal, cast, get_args

from msgspec import structs

from agent.composer.changing.hearing.grid import BEAT, EIGHTH, ONE, Grid, attacks
from agent.composer.changing.notes.voices import Voice, louder, rewrite, voices_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Goal, Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.styles import StyleBook
from agent.composer.tones import SHORTEST, STEP, Tone
from agent.composer.understanding.operations import Replace
from agent.composer.understanding.sentences import far
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.clip import Clip
from agent.song.time import PPQ

Touch = Literal["staccato", "legato", "ringing"]
_STRESSED: dict[Stress, str] = {
    "one": "the first beat", "beats": "every beat", "backbeats": "two and four", "offbeats": "the off-beats",
}
_WHY: dict[Touch, str] = {
    "staccato": "short and detached", "legato": "each note to the next", "ringing": "held as long as there is room",
}


class Articulate(Operation, frozen=True):
    """Make the notes of a part (`wish` None: all pitched parts) staccato, legato or ringing, as `touch` says; starts
    and pitches stay."""

    touch: Touch
    wish: Wish | None = None

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        return far(self.touch, amount) + (f" {self.wish.label}" if self.wish is not None else "")


class Accent(Operation, frozen=True):
    """Accent the first beat ("one"), all beats, the backbeats or the offbeats, as `stress` says, in a part (`wish`
    None: all parts)."""

    stress: Stress
    wish: Wish | None = None

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        who = f" of {self.wish.label}" if self.wish is not None else ""
        return far(f"accent on {_STRESSED[self.stress]}", amount) + who


def articulate(stage: Stage, operation: Articulate) -> None:
    """Change note lengths as `operation` says, clip by clip; drums are left out. Raises `Blocked` if nothing
    changes."""
    before, touch = stage.song, operation.touch
    voices = [voice for voice in voices_of(stage, operation.wish) if not voice.rhythmic]
    for voice in voices:

        def touched(tones: list[Tone], clip: Clip, voice: Voice = voice) -> Sequence[Tone]:
            end = min(int(clip.end), max((stop for _, stop in stage.spans), default=int(clip.end)))
            if touch == "staccato":
                return short(tones, stage.amount, end)
            return bound(tones, end) if touch == "legato" else ringing(tones, end, voice.grid)

        rewrite(stage, voice, touched, touch, _WHY[touch])
    if stage.song is before:
        who = operation.wish.label if operation.wish is not None else "what plays there"
        raise Blocked(
            msg("{who} is {touch} already", who=who, touch=touch) if voices
            else msg("{who} has no notes that could be {touch}", who=who, touch=touch)
        )


def accent(stage: Stage, operation: Accent) -> None:
    """Change velocities as `operation` says, and nothing else. Raises `Blocked` if nothing changes."""
    before, stage = stage.song, stage.in_turn()
    for voice in voices_of(stage, operation.wish):

        def stressing(tones: list[Tone], _: Clip, voice: Voice = voice) -> Sequence[Tone]:
            return stressed(tones, operation.stress, stage.amount, voice.grid)

        rewrite(stage, voice, stressing, f"with {_STRESSED[operation.stress]} accented", "as you asked")
    if stage.song is before:
        raise Blocked(msg("there are no notes to accent"))


def _read(filled: Filled) -> tuple[Operation, ...]:
    variant = filled.words.variant
    if variant in get_args(Touch):
        # "let the strings enter, legato": what was named last is meant
        meant = filled.parts or (filled.named if filled.value("part") is None else ()) or (None,)
        return tuple(Articulate(cast("Touch", variant), wish) for wish in meant)
    if variant in get_args(Stress):
        return tuple(Accent(cast("Stress", variant), wish) for wish in filled.each)
    found = filled.lexicon.wish_at([variant], 0)
    return tuple(Replace(wish, found[1]) for wish in filled.parts if found is not None and wish != found[1])


def _asks(served: Served, operation: Articulate, _: StyleBook) -> list[Ask]:
    goal: Goal = "lower" if operation.touch == "staccato" else "higher"
    return served.of_parts(operation.wish, "mean_note_beats", goal)


def _asks_accent(served: Served, operation: Accent, _: StyleBook) -> list[Ask]:
    return served.of_parts(operation.wish, "accent", "higher") if operation.stress == "one" else served.plain()


KINDS = (
    OperationKind(Articulate, 13, articulate, MappingProxyType({"articulate": SlotReading(_read)}), _asks),
    OperationKind(Accent, 13, accent, asks=_asks_accent, recurs=True),
)


Stress = Literal["one", "beats", "backbeats", "offbeats"]
_SHORT, _LEAST = 0.45, STEP // 2
"""Share of the time to the next note for which a short note sounds, and its least length in ticks."""
_BREATH = PPQ
"""Ticks of rest that legato leaves as they are, since a phrase ends there."""
_STRESS = 0.22


def short(tones: Sequence[Tone], amount: float, end: int) -> list[Tone]:
    """Staccato: notes of about half the time to the next attack, never longer than they were. `amount` 1 is usual, more
    is shorter; `end` is the tick at which the last note's time ends."""
    share = max(0.15, 1 - (1 - _SHORT) * amount)
    found = []
    for group, following in _groups(tones, end):
        way = min(following - group[0].start, 2 * PPQ)
        for tone in group:
            wanted = max(_LEAST, round(min(way, tone.length) * share))
            found.append(structs.replace(tone, length=min(tone.length, wanted)))
    return sorted(found)


def bound(tones: Sequence[Tone], end: int) -> list[Tone]:
    """Legato: each note lasts until the next attack, or `end`; rests of a beat or more stay, and a note stops before
    its own repetition."""
    found = []
    for group, following in _groups(tones, end):
        for tone in group:
            gap = following - tone.end
            length = following - tone.start if gap < _BREATH else tone.length
            found.append(structs.replace(tone, length=max(SHORTEST, length)))
    return sorted(found)


def ringing(tones: Sequence[Tone], end: int, grid: Grid) -> list[Tone]:
    """Each note lasts until the next attack or the end of the bar after its own, across rests; never beyond `end`."""
    found = []
    for group, following in _groups(tones, end):
        _, bar_end = grid.bar(group[0].start)
        _, stop = grid.bar(bar_end)
        for tone in group:
            until = min(following, stop, end)
            found.append(structs.replace(tone, length=max(tone.length, until - tone.start)))
    return sorted(found)


def stressed(tones: Sequence[Tone], stress: Stress, amount: float, grid: Grid) -> list[Tone]:
    """The tones with louder velocities on the stressed beats and slightly softer ones elsewhere; `amount` 1 is the
    usual difference."""
    up, down = 1 + _STRESS * amount, 1 - 0.25 * _STRESS * amount
    return [louder(tone, up if _on(tone.start, stress, grid) else down) for tone in tones]


def _on(at: int, stress: Stress, grid: Grid) -> bool:
    weight = grid.weight(at)
    match stress:
        case "one":
            return weight == ONE
        case "beats":
            return weight <= BEAT
        case "offbeats":
            return weight == EIGHTH
        case _:
            return grid.place(at) in grid.beats(at)[1::2]


def _groups(tones: Sequence[Tone], end: int) -> list[tuple[list[Tone], int]]:
    """What is struck together, and when the next is struck."""
    struck = attacks(tones)
    following = [*(group[0].start for group in struck[1:]), end]
    return [(group, max(after, group[-1].start + 1)) for group, after in zip(struck, following, strict=True)]
