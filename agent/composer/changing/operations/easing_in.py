"""Easing in: how a part that comes in plays until the bar from which it played before."""

from __future__ import annotations

from types import MappingProxyType

from msgspec.structs import replace

from agent.composer.changing.notes.kit_pieces import pitches_of
from agent.composer.changing.notes.loudness import by
from agent.composer.changing.operations.dynamics import Strike, meant, restrike
from agent.composer.changing.operations.entering import Enter
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.playing_on import PlayOn
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.tones import Tone
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.scopes import bars_of
from agent.composer.understanding.sentences import part_of, told_place
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Bars, Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.song.clip import Clip

_SOFTER = 20
"""Steps of velocity by which a part begins softer."""
_FIRST = 4
"""Bars at the beginning of the song, and of an entrance behind which the part plays on as it did."""


class EaseIn(Operation, frozen=True):
    """In these `bars` a part (`wish` None: all) plays softer, or of its kit only the pieces `only`; other parts
    stay."""

    bars: Bars
    wish: Wish | None = None
    only: tuple[Wish, ...] = ()

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        how = f"only {' and '.join(wish.label for wish in self.only)}" if self.only else "softer"
        return f"{part_of(self.wish)}{how}"

    def placed(self, said: str, places: str, without: str) -> str:
        """The sentence `said` with the `places` where it is done ("": the operation's `bars`), and `without` as
        exceptions."""
        return super().placed(said, places or told_place(self.bars), without)


def ease_in(stage: Stage, operation: EaseIn) -> None:
    """Lower the part's velocities in `operation.bars`, or remove the strokes of all drums but `operation.only`
    there."""
    start, end = stage.sketch.before.bar_map.span(operation.bars.first, operation.bars.last)
    low, high = stage.sketch.placed(int(start), int(end))
    shared = tuple((max(low, begin), min(high, stop)) for begin, stop in stage.spans if begin < high and stop > low)
    there = replace(stage, spans=shared or stage.spans, whole=False)
    before, steps = stage.song, -_SOFTER * stage.amount
    pitches = pitches_of([piece for wish in operation.only for piece in wish.pieces])

    def alone(tones: list[Tone], _: Clip) -> list[Tone]:
        return [tone for tone in tones if tone.pitch in pitches]

    for part in meant(there, operation.wish):
        if operation.only:
            label = " and ".join(wish.label for wish in operation.only)
            kit = stage.song.track(part.track.id)
            stage.sketch.each_clip(kit, there.spans, alone, f"only {label}", "until it plays as before")
        else:
            restrike(there, part, there.spans, lambda tone: by(tone, steps), "beginning softer")
    if stage.song is before:
        raise Blocked(
            msg("{wish} plays otherwise there", wish=operation.wish.label if operation.wish is not None else "nothing"),
        )


def entrance(last: Operation | None, lexicon: Lexicon) -> EaseIn | None:
    """An `EaseIn` for the bars in which the part of the last operation newly plays; None if that operation let no part
    in."""
    if isinstance(last, EaseIn):
        return last
    if not isinstance(last, Enter):
        return None
    at = bars_of(last.at, lexicon.song)
    if at is None:
        return None
    first = at.last + 1 if last.behind else at.first
    song, ids = lexicon.song, {track for one in lexicon.one_by_one(last.wish) for track in one.tracks}
    played = [
        song.bar_map.bar_at(int(clip.start + note.start)) for track, clip in song.clips() if track.id in ids
        for note in clip.notes
    ]
    before = min(played, default=first)
    return EaseIn(Bars(first, before - 1 if before > first else min(song.bars, first + _FIRST - 1)), last.wish)


def _read(filled: Filled) -> tuple[Operation, ...]:
    if isinstance(filled.last, PlayOn):
        return (Strike("softer", filled.last.wish),)
    entered = entrance(filled.last, filled.lexicon)
    if entered is not None:
        return (EaseIn(entered.bars, entered.wish),)
    return (EaseIn(Bars(1, max(1, min(_FIRST, filled.lexicon.song.bars)))),)


KINDS = (
    OperationKind(
        EaseIn, 4, ease_in, MappingProxyType({"ease_in": SlotReading(_read)}), removes=lambda one: bool(one.only),
    ),
)
