"""Kit limits: which drums of a kit play in what is asked right before; no other part is concerned."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from msgspec import structs

from agent.composer.changing.notes.kit_pieces import pitches_of
from agent.composer.changing.notes.voices import voices_of
from agent.composer.changing.operations.easing_in import entrance
from agent.composer.changing.operations.filling import Fill
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.tones import Tone
from agent.composer.understanding.limits_beside import BESIDE, of_kit
from agent.composer.understanding.sentences import told_place
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Bars, Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.song.clip import Clip


class KitLimit(Operation, frozen=True):
    """Of the drum kits only these `pieces` play (with `without`: all but these), in `bars`, or in the scope if None."""

    pieces: tuple[Wish, ...]
    without: bool = False
    bars: Bars | None = None

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        said = " and ".join(wish.label for wish in self.pieces)
        return f"drums: {'no' if self.without else 'only'} {said}"

    def placed(self, said: str, places: str, without: str) -> str:
        """The sentence `said` with the `places` where it is done ("": the operation's `bars`), and `without` as
        exceptions."""
        own = told_place(self.bars) if self.bars is not None else ""
        return super().placed(said, places or own, without)


def kit_limit(stage: Stage, operation: KitLimit) -> None:
    """Remove the strokes of the kits' other drums in `operation.bars` (None: in the stage's spans); other parts stay.
    Raises `Blocked` if nothing changes."""
    spans = stage.spans
    if operation.bars is not None:
        start, end = stage.sketch.before.bar_map.span(operation.bars.first, operation.bars.last)
        spans = (stage.sketch.placed(int(start), int(end)),)
    before, pitches = stage.song, pitches_of([piece for wish in operation.pieces for piece in wish.pieces])
    label = " and ".join(wish.label for wish in operation.pieces)

    def limited(tones: list[Tone], _: Clip) -> Sequence[Tone]:
        return [tone for tone in tones if (tone.pitch in pitches) != operation.without]

    verb = f"without {label}" if operation.without else f"only {label}"
    for voice in voices_of(stage):
        if voice.role == "drums":
            track = stage.song.track(voice.track.id)
            stage.sketch.each_clip(track, spans, limited, verb, f"{verb} there, as you asked")
    if stage.song is before:
        raise Blocked(
            msg("the drums play no {label} there", label=label) if operation.without
            else msg("the drums play only {label} there", label=label)
        )


def _read(filled: Filled) -> tuple[Operation, ...]:
    """A fill gets its own drums; what comes in is limited up to where it played before; all else in its place."""
    without = filled.words.operation == "remove"
    last, pieces = filled.last, filled.parts
    if isinstance(last, Fill):
        limited = structs.replace(last, without=pieces) if without else structs.replace(last, only=pieces)
        return (limited,)
    if last is None or not of_kit(last):
        # "add congas in the break, no kick": none there
        return (KitLimit(pieces, without),) if without else ()
    entered = entrance(last, filled.lexicon)
    return (KitLimit(pieces, without, entered.bars if entered is not None else None),)


def _read_said(filled: Filled) -> tuple[Operation, ...]:
    """What the kit is said to play; where it came in right before, up to where it played already."""
    last, without = filled.last, filled.words.variant == "without"
    entered = entrance(last, filled.lexicon) if last is not None and of_kit(last) else None
    return (KitLimit(filled.wishes("drums"), without, entered.bars if entered is not None else None),)


KINDS = (
    OperationKind(
        KitLimit, 12, kit_limit,
        MappingProxyType({BESIDE: SlotReading(_read), "kit_limit": SlotReading(_read_said, frozenset({"drums"}))}),
        removes=lambda _: True,
    ),
)
