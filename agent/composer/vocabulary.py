"""The words of requests as values: what a language file holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct, to_builtins
from msgspec.structs import replace

from agent.composer.added_part_words import AddedPartWords
from agent.composer.asking_words import AskingWords
from agent.composer.assigning_words import AssigningWords
from agent.composer.form_index import FormIndex
from agent.composer.harmony_words import HarmonyWords
from agent.composer.note_words import NoteWords
from agent.composer.operation_words import Framing, OperationWords
from agent.composer.part_words import PartWords
from agent.composer.performing_words import PerformingWords
from agent.composer.phrasing import FormParser, words_of
from agent.composer.piece_words import (
    Amount,
    Aspects,
    CarrierWords,
    CourseWords,
    Ensemble,
    FigureWords,
    Filler,
    Forms,
    Genre,
    Name,
    Phrases,
    PlayerWords,
    PresenceWords,
    RampWords,
    Setting,
    Technique,
    TuneWords,
)
from agent.composer.place_words import AgainWords, PlaceWords, PointingWords
from agent.composer.refining_words import RefiningWords
from agent.composer.styles import Drum, Role
from agent.composer.tokens import phrase_tokens
from agent.composer.typed_words import AsideWords, Typing
from agent.song.key import Mode
from agent.song.palette import Family


class Goals(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases that tell whether a new piece is asked for or a change: `compose` one, `change` or replace (`replace`)
    what is there, `relative` words for partial changes ("more"), `existing` references ("this song"), and nouns for
    pieces (`works`). `fresh` words ("new") ask for a new piece unless a part of a song follows."""

    compose: Phrases
    fresh: Phrases
    change: Phrases
    relative: Phrases
    replace: Phrases
    existing: Phrases
    works: Phrases


class Bindings(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases that say what happens to the parts after them: `refuse`, `keep`, `only`, `add`; `joins` continue such a
    list. `beatless` phrases refuse drums, `inverse` ("nobody") negates, `after_keep` ("unchanged") may follow what is
    kept."""

    refuse: Phrases
    keep: Phrases
    only: Phrases
    add: Phrases
    joins: Phrases
    beatless: Phrases
    inverse: Phrases
    after_keep: Phrases


class TempoWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases for a relative tempo, for how strong the change is (`slight`, `strong`), and for an absolute pace
    (`slow`, `medium`, `fast`) within a style's range."""

    slower: Phrases
    faster: Phrases
    half: Phrases
    double: Phrases
    slight: Phrases
    strong: Phrases
    slow: Phrases
    medium: Phrases
    fast: Phrases


class LengthWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Units of length, tempo, level and frequency, and words around numbers. `between` ("full") may stand between
    number and unit, `partial` after bars means no total length ("apart"), `cells` ("riff") are repeated to fill a
    length. `hedging` ("roughly") precedes a number that is a tempo, `rough` an approximate length, `vague` ("few")
    stands for any number. `shares` map fractions of a whole, `hertz` units to Hz."""

    bars: Phrases
    minutes: Phrases
    seconds: Phrases
    bpm: Phrases
    decibels: Phrases
    between: Phrases
    partial: Phrases
    cells: Phrases
    short: Phrases
    long: Phrases
    hedging: Phrases = ()
    vague: Phrases = ()
    rough: Phrases = ()
    shares: dict[str, Annotated[float, Meta(gt=0, lt=1)]] = {}
    hertz: dict[str, Annotated[float, Meta(gt=0)]] = {}


class Mood(Struct, frozen=True, forbid_unknown_fields=True):
    """A mood: brightness and energy from -1 to 1, groove from 0 to 1, a factor for the tempo, and the mode and styles
    that it suggests. `opposite` names the mood that its negation means ("": none). One that is a kind of piece, such as
    a ballad, has a (lowest, highest) tempo in BPM for any style."""

    name: Name
    words: Phrases
    brightness: Amount = 0.0
    energy: Amount = 0.0
    groove: Annotated[float, Meta(ge=0, le=1)] = 0.0
    tempo: Annotated[float, Meta(ge=0.5, le=2)] = 1.0
    mode: Mode | None = None
    opposite: Name = ""
    styles: tuple[str, ...] = ()
    bpm: tuple[float, float] | None = None


class Thing(Struct, frozen=True, forbid_unknown_fields=True):
    """Words for an instrument or, with `whole_role`, for everything that plays a role. If one has to be added the first
    of `instruments` that exists is taken; with `stands_in` that is only a substitute. With `pieces` only these drums of
    a kit are meant, with `whole_family` all instruments of its families."""

    name: Name
    words: Phrases
    role: Role
    families: tuple[Family, ...] = ()
    instruments: tuple[str, ...] = ()
    whole_role: bool = False
    pieces: tuple[Drum, ...] = ()
    stands_in: bool = False
    whole_family: bool = False


class SectionWords(Struct, frozen=True, forbid_unknown_fields=True):
    """What a section of a form is called; one with a `kind` can be newly written for a song."""

    name: Name
    words: Phrases
    kind: Literal["intro", "break", "build", "bridge", "outro"] | None = None


class LayoutWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Patterns for a section of a new piece with its length (in {bars}, or as a bare {number} of bars) and its meter.
    Phrases of `none` contain the name of a section and mean none. `links` ("in") may connect a section with its meter,
    `ahead` stands before its name after a meter, `time` follows a meter, `between` separates two meters, `turns`
    ("alternating") alternate them."""

    lengths: Forms
    bare: Forms
    none: Phrases = ()
    links: Phrases = ()
    ahead: Phrases = ()
    time: Phrases = ()
    between: Phrases = ()
    turns: Phrases = ()


class Amounts(Struct, frozen=True, forbid_unknown_fields=True):
    """Patterns for how far an operation goes: less than usual (`slight`), more (`strong`), or {number} percent."""

    slight: Forms
    strong: Forms
    percent: Forms


class OftenWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Patterns for how often: every {number} bars or every {ordinal} bar (`every`), `each` bar, or every second bar
    (`other`)."""

    every: Forms
    each: Forms
    other: Forms


class ConditionWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Patterns for "only if the song has (`present`) or lacks this {part}"; without a part they mean that of the
    operation."""

    present: bool
    forms: Forms


class Grammar(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases that structure a request: they begin clauses, join items, refer back, limit and negate. Clauses: `heads`
    (verbs) begin an order, `breaks` a new clause, of which `meanwhile` ("while") only say when; `reasons` and, after an
    order, `purposes` begin what asks for nothing; `joins` connect equals, `either` continues a list of refusals,
    `afresh` ends it. `skip` words may stand anywhere in a pattern, `empty` phrases say nothing, `light` verbs ("make")
    only that something is to be done. References: `referring` ("it") to what was named, `plural` ones even at the start
    of a pattern, `there` to the last place; `rest` means all parts not named; `played` leads from a role to its
    instrument; `effects` can be meant by "it" too. Modifiers: `again` after a number counts times; `limiting` words
    ("not") change the request so much that nothing is done where they are not understood, nor where what follows a
    `completing` word is unknown; `denying` words reverse it; `excess` ("too") says that there is too much of a quality,
    also of `graded` ones joined to it. Noun phrases: `determiners` and verbs of `adding` begin one, `nouns` may end it,
    `adverbs` never do, and those of `whole` ("tempo") stand for the song itself."""

    skip: Phrases
    heads: Phrases
    breaks: Phrases
    reasons: Phrases
    purposes: Phrases
    meanwhile: Phrases
    joins: Phrases
    either: Phrases
    afresh: Phrases
    referring: Phrases
    there: Phrases
    plural: Phrases
    rest: Phrases
    played: Phrases
    empty: Phrases
    light: Phrases
    again: Phrases
    limiting: Phrases
    denying: Phrases
    completing: Phrases
    determiners: Phrases = ()
    nouns: Phrases = ()
    adverbs: Phrases = ()
    whole: Phrases = ()
    adding: Phrases = ()
    excess: Phrases = ()
    returning: Phrases = ()
    """Words before a style that ask for what was there before, and for no new music."""
    effects: Phrases = ()
    graded: Phrases = ()
    comparing: Phrases = ()
    """Words before what something is compared to: "quieter than the strings"."""
    doing: Phrases = ()
    """Words that lead from what people do to the music: "dance to this"."""
    aiming: Phrases = ()
    """Words that, with an article, lead to what the music is for, which is no order: "for the trailer"."""
    examples: Phrases = ()
    """Words that begin an example of the wish before it."""
    conditional: Phrases = ()
    """Words that begin a condition."""
    causes: Phrases = ()
    """Words that begin a reason after an order, unless one of `alike` precedes or one of `being` follows."""
    alike: Phrases = ()
    being: Phrases = ()
    comparatives: Phrases = ()
    """Endings and words that make a quality a wish rather than a statement: "darker", "more"."""
    exchanging: Phrases = ()
    """Verbs for adding something, or putting it in place of something else."""


class Vocabulary(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """All words that the composer understands in one language, as a language file holds them; `dictionary` is the
    language's code ("en")."""

    dictionary: Literal["ar", "de", "en", "es", "eu", "fa", "fr", "it", "lv", "nl", "pt", "ru"]

    goals: Goals
    bindings: Bindings
    modes: dict[Mode, Phrases]
    tempo: TempoWords
    lengths: LengthWords
    numbers: dict[str, Annotated[float, Meta(gt=0, le=1000)]]
    grids: dict[str, Annotated[float, Meta(gt=0, le=16)]]
    """The length in quarter notes of each word for a note value."""
    degrees: dict[str, Annotated[int, Meta(ge=1, le=14)]]
    """The scale steps of each word for an interval: 2 for thirds."""
    repeats: dict[str, Annotated[int, Meta(ge=1, le=64)]]
    """The number of times for each word ("twice")."""
    ordinals: dict[str, Annotated[int, Meta(ge=-1, le=64)]]
    intervals: dict[str, Annotated[int, Meta(ge=0, le=36)]]
    units: dict[str, Annotated[int, Meta(ge=1, le=12)]]
    meters: dict[str, Phrases]
    moods: tuple[Mood, ...]
    things: tuple[Thing, ...]
    aspects: Aspects
    filler: Filler
    sections: tuple[SectionWords, ...]
    grammar: Grammar
    groups: dict[str, Phrases]
    places: PlaceWords
    layout: LayoutWords
    amounts: Amounts
    often: OftenWords
    conditions: tuple[ConditionWords, ...]
    operations: tuple[OperationWords, ...]
    typing: Typing | None = None
    asides: AsideWords | None = None
    genres: tuple[Genre, ...] = ()
    scoring: Phrases = ()
    alternatives: Phrases = ()
    alone: Phrases = ()
    """Words before the players of a piece (`scoring`), or after them to say that nobody else plays."""
    sizes: dict[str, Annotated[int, Meta(ge=2, le=12)]] = {}
    settings: tuple[Setting, ...] = ()
    ensembles: tuple[Ensemble, ...] = ()
    course: CourseWords | None = None
    presence: PresenceWords | None = None
    ramps: RampWords | None = None
    carriers: CarrierWords | None = None
    tunes: TuneWords | None = None
    techniques: tuple[Technique, ...] = ()
    figures: FigureWords | None = None
    parts: PartWords | None = None
    notes: NoteWords | None = None
    harmony: HarmonyWords | None = None
    added: AddedPartWords | None = None
    assigning: AssigningWords | None = None
    refining: RefiningWords | None = None
    asking: AskingWords | None = None
    framing: Framing = Framing()
    performing: PerformingWords = PerformingWords()
    pointing: PointingWords = PointingWords()
    again: AgainWords = AgainWords()
    players: PlayerWords = PlayerWords()

    @cached_property
    def parser(self) -> FormParser:
        """Parses phrase patterns with the groups filled in, each once."""
        return FormParser(self.groups, phrase_tokens)

    @cached_property
    def operation_forms(self) -> FormIndex[OperationWords]:
        """The index of the phrase patterns of all operations."""
        elements = self.parser.elements
        return FormIndex((elements(form), operation) for operation in self.operations for form in operation.forms)

    @cached_property
    def operation_words(self) -> frozenset[str]:
        """All words that occur in the patterns of operations."""
        forms = (self.parser.elements(form) for operation in self.operations for form in operation.forms)
        return frozenset(word for form in forms for word in words_of(form))

    @cached_property
    def spoken(self) -> frozenset[str]:
        """All words of the language that mean something, casefolded; those of `typing`, `asides` and `pointing` are
        left out."""
        spoken = replace(self, typing=None, asides=None, pointing=PointingWords())
        # no word goes on in another line
        text = "\n".join(_texts(to_builtins(spoken)))
        return frozenset(word.casefold() for word in set(_WORD.findall(_SLOT.sub(" ", text))))

    @cached_property
    def commanding(self) -> frozenset[str]:
        """`spoken` without the words that only describe music, since a track may be called by one of those."""
        return replace(
            self, techniques=(), figures=None, genres=(), settings=(), ensembles=(), course=None, added=None,
            assigning=None,
        ).spoken

    def mood(self, name: str) -> Mood:
        """The mood of that name. Raises `StopIteration` if there is none."""
        return next(mood for mood in self.moods if mood.name == name)

    def genre(self, name: str) -> Genre:
        """The genre of that name. Raises `StopIteration` if there is none."""
        return next(genre for genre in self.genres if genre.name == name)

    def thing(self, name: str) -> Thing:
        """The thing of that name. Raises `StopIteration` if there is none."""
        return next(thing for thing in self.things if thing.name == name)


_WORD = re.compile(r"[^\W\d_]++(?:['’/&-][^\W\d_]++)*+")
_SLOT = re.compile(r"[{<]\w+[}>]")


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from (str(key), *_texts(inner))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
