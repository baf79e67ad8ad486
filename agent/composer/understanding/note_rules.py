"""Note rules: which notes a new piece may hold, and how it ends."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from agent.composer.understanding.wishes import Wish
from agent.theory.pitch import pitch_name

Close = Literal["", "loops", "abrupt", "bare_fifth", "big_chord", "on_tonic", "major_chord"]
FinalTrait = Literal["loud", "soft", "harsh", "wide", "short", "long"]
Hand = Literal["", "right", "left"]
Ease = Literal["", "easy", "easiest"]


class Reach(Struct, frozen=True, kw_only=True):
    """The lowest and highest MIDI pitch for a part (`wish` None: for all); None is no limit.

    The part `spared` is exempt. With `either` the octave may be meant in Helmholtz naming (d2 is D5) if the pitch lies
    below the instrument.
    """

    wish: Wish | None = None
    low: Annotated[int, Meta(ge=0, le=127)] | None = None
    high: Annotated[int, Meta(ge=0, le=127)] | None = None
    spared: Wish | None = None
    either: bool = False


class Values(Struct, frozen=True):
    """The only note values, in ticks, for a part (`wish` None: for all)."""

    ticks: tuple[int, ...]
    wish: Wish | None = None


class Manner(Struct, frozen=True):
    """How a part plays: "sparse" (only now and then) or "stabs" (short chords)."""

    kind: Literal["sparse", "stabs"]
    wish: Wish


class NamedNotes(Struct, frozen=True):
    """The only pitch classes (0 to 11, C is 0) for a part (`wish` None: for all), in the order named; with `row` they
    are a row of neighbours ("C to G")."""

    classes: tuple[int, ...]
    wish: Wish | None = None
    row: bool = False


class NoteRules(Struct, frozen=True, kw_only=True):
    """Limits on the notes of a new piece; what is empty was not said.

    `reaches` limit the pitches and `values` the note lengths of parts; `shortest` is the least note length and `last`
    the length of the final note, in ticks. `single` allows one note at a time, a `hand` is all that plays, `ease` is
    how easy the piece has to be. `white` allows only white keys, `diatonic` only scale notes, `named` only the notes
    listed. The melody stays within an `octave`, or with `five_fingers` within a fifth above pitch class `position`;
    with `both_hands` each hand does. `close` is how the piece ends, `final` describes its last chord, `ending` are its
    last chords; `steady` forbids slowing down. With `static` a single chord is held throughout, with `power` chords
    have no third. `manners` are ways of playing of single parts; with `waves` the loudness swells and falls throughout.
    """

    reaches: tuple[Reach, ...] = ()
    values: tuple[Values, ...] = ()
    shortest: int = 0
    last: int = 0
    hand: Hand = ""
    single: bool = False
    white: bool = False
    diatonic: bool = False
    octave: bool = False
    five_fingers: bool = False
    both_hands: bool = False
    position: Annotated[int, Meta(ge=0, le=11)] = 0
    named: tuple[NamedNotes, ...] = ()
    manners: tuple[Manner, ...] = ()
    waves: bool = False
    ease: Ease = ""
    close: Close = ""
    final: tuple[FinalTrait, ...] = ()
    ending: Annotated[tuple[str, ...], Meta(max_length=8)] = ()
    steady: bool = False
    static: bool = False
    power: bool = False

    @property
    def alone(self) -> bool:
        """Whether the rules imply a single player."""
        return bool(self.hand or self.single or self.five_fingers or self.ease)

    @property
    def pitched(self) -> bool:
        """Whether the rules limit pitches."""
        return bool(self.reaches or self.white or self.diatonic or self.octave or self.five_fingers or self.named)


_CLOSES: dict[Close, str] = {
    "loops": "it goes round without an end", "abrupt": "it ends abruptly", "bare_fifth": "it ends on a bare fifth",
    "big_chord": "it ends on a big chord", "on_tonic": "it ends on the plain tonic",
    "major_chord": "its last chord is major",
}
_MANNERS = {"sparse": "a note now and then", "stabs": "short chords"}
_CLASSES = ("C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")
_FIFTH = 7
_BEATS = {240: "sixteenths", 480: "quavers", 960: "crotchets", 1920: "minims", 3840: "semibreves"}


def told_rules(rules: NoteRules) -> tuple[str, ...]:
    """The rules in short sentences for the answer."""
    said = []
    for reach in rules.reaches:
        whose = f"{reach.wish.label}: " if reach.wish is not None else ""
        low, high = (pitch_name(p) if p is not None else "" for p in (reach.low, reach.high))
        bound = f"only {low} to {high}" if low and high else f"nothing above {high}" if high else f"nothing below {low}"
        said.append(whose + bound + (f", but for {reach.spared.label}" if reach.spared is not None else ""))
    for values in rules.values:
        whose = f"{values.wish.label}: " if values.wish is not None else ""
        said.append(whose + "only " + " and ".join(told_value(ticks) for ticks in values.ticks))
    said += [f"{one.wish.label}: {_MANNERS[one.kind]}" for one in rules.manners]
    for notes in rules.named:
        whose = f"{notes.wish.label}: " if notes.wish is not None else ""
        said.append(f"{whose}only the notes {' '.join(_CLASSES[one] for one in notes.classes)}")
    plain = (
        (rules.shortest, f"nothing shorter than {told_value(rules.shortest)}"),
        (rules.last, f"the last note lasts {rules.last / 960:g} quarters"), (rules.hand, f"{rules.hand} hand alone"),
        (rules.single, "one note at a time"), (rules.white, "white keys only"),
        (rules.diatonic, "only notes of the scale"), (rules.octave, "the tune within an octave"),
        (rules.five_fingers, _told_position(rules)), (rules.ease, "as easy as the notes allow"),
        (rules.close, _CLOSES.get(rules.close, "")),
        (rules.final, f"its last chord is {' and '.join(rules.final)}"), (rules.steady, "no slowing down at the end"),
        (rules.ending, f"the last chords: {' '.join(rules.ending)}"),
        (rules.static, "one chord from beginning to end"), (rules.power, "chords of root and fifth alone"),
        (rules.waves, "it swells and falls again and again"),
    )
    return (*said, *(text for given, text in plain if given))


def told_value(ticks: int) -> str:
    """The name of a note value given in ticks."""
    return _BEATS.get(ticks, f"notes of {ticks / 960:g} quarters")


def _told_position(rules: NoteRules) -> str:
    """On which keys the hands stay."""
    low, high = _CLASSES[rules.position], _CLASSES[(rules.position + _FIFTH) % 12]
    return f"{'each' if rules.both_hands else 'the'} hand stays on five keys, {low} to {high}"
