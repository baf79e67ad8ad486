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
from agent.composer.phrasing import Element, parse_form, words_of
from agent.composer.piece_words import (
    Amount,
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
from agent.composer.place_words import PlaceWords
from agent.composer.pointing_words import PointingWords
from agent.composer.refining_words import RefiningWords
from agent.composer.styles import Drum, Role
from agent.composer.tokens import phrase_tokens
from agent.composer.typed_words import AsideWords, Typing
from agent.song.key import Mode
from agent.song.palette import Family


class Goals(Struct, frozen=True, forbid_unknown_fields=True):
    """Words for making a new piece, changing one, changing it in part, replacing it, pointing at it, and calling it.

    `fresh` are words such as "new", which ask for a piece unless a thing of a song follows.
    """

    compose: Phrases
    fresh: Phrases
    change: Phrases
    relative: Phrases
    replace: Phrases
    existing: Phrases
    works: Phrases


class Bindings(Struct, frozen=True, forbid_unknown_fields=True):
    """Words that bind what follows: refused, kept, the only ones, added; and the words that carry it on."""

    refuse: Phrases
    keep: Phrases
    only: Phrases
    add: Phrases
    joins: Phrases
    beatless: Phrases
    inverse: Phrases
    after_keep: Phrases


class TempoWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Words for a relative tempo, for its strength, and for a place in a style's range."""

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
    """Units of length and tempo, words `between` a number and its unit, words behind bars that are a `partial` length,
    the `cells` of which one comes several times, words for short and long, those `hedging` a number that is a tempo,
    those before one that is `rough` and those `vague` for any; `shares` of a whole, and units of `hertz`, in Hz."""

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


class Aspects(Struct, frozen=True, forbid_unknown_fields=True):
    """What can be kept beside instruments."""

    tempo: Phrases
    key: Phrases
    sounds: Phrases
    length: Phrases


class Mood(Struct, frozen=True, forbid_unknown_fields=True):
    """A colour: brightness and energy from -1 to 1, groove 0 to 1, a tempo factor, mode and styles it suggests.

    One that is a kind of piece, as a ballad, has a lowest and a highest tempo of its own, `bpm`, in whatever style.
    """

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
    """What people call an instrument or, with `whole_role`, everything that plays a role.

    The first of `instruments` that exists is taken where one must be added; with `stands_in` it only takes the place of
    what is called so. With `pieces` only those of a kit. With `whole_family` all instruments of its families
    are called so.
    """

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
    """What a section of a form is called; one with a `kind` can be written anew."""

    name: Name
    words: Phrases
    kind: Literal["intro", "break", "build", "bridge", "outro"] | None = None


class LayoutWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Forms of a section of a new piece with its length: in {bars}, or as a bare {number} of bars; phrases of `none`
    hold the name of a section and mean none.

    Of its meter: words that may `link` a section to what stands behind it, or stand `ahead` of its name behind a meter;
    the `time` behind a meter, words `between` two, and phrases for bars that take `turns`."""

    lengths: Forms
    bare: Forms
    none: Phrases = ()
    links: Phrases = ()
    ahead: Phrases = ()
    time: Phrases = ()
    between: Phrases = ()
    turns: Phrases = ()


class Amounts(Struct, frozen=True, forbid_unknown_fields=True):
    """Forms of how far something goes: half of the usual, more than it, or {number} percent."""

    slight: Forms
    strong: Forms
    percent: Forms


class OftenWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Forms of how often: every {number} bars or every {ordinal} bar; `other` are those of every second bar."""

    every: Forms
    each: Forms
    other: Forms


class ConditionWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Forms of "only where the song has (or lacks) this {part}"; without one they mean what the operation is about."""

    present: bool
    forms: Forms


class Grammar(Struct, frozen=True, forbid_unknown_fields=True):
    """How requests hang together: words between the words of a form, before a new clause, between equals.

    `heads` begin an order of their own, `breaks` a new clause, `reasons` and, behind an order, `purposes` what asks for
    nothing; `meanwhile` are those breaks that say when. `joins` carry on, `skip` may stand anywhere in a form. `either`
    carry a list of refusals on, `afresh` end it. `referring` point back at what was named, those of them that are
    `plural` even where a form begins, and `there` at where something was done; `rest` are all parts but those named.
    `played` lead from a role to the instrument that plays it. `empty` phrases carry no meaning of their own; `light`
    verbs say only that something is to be done; `again` words behind a number count times; `limiting` words change what
    is asked so much that nothing may be done where they are not understood, nor where what stands behind those that are
    `completing` is strange; `denying` words turn it round. `determiners` and verbs of `adding` begin what is named with
    its qualities; `nouns` may end it although they say little, `adverbs` and prepositions never do, and those of the
    `whole` stand for the song itself. `excess` says of a quality, and of `graded` ones that are joined to it, that
    there is too much of it. `effects` name what is no part and may be meant by "it".
    """

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
    effects: Phrases = ()
    graded: Phrases = ()
    comparing: Phrases = ()
    """Stand before what something is held against: "quieter than the strings"."""
    doing: Phrases = ()
    """Lead from what people do to the music they do it to: "dance to this"."""
    aiming: Phrases = ()
    """Lead with an article to what music is for, which is no order: "for the trailer"."""
    examples: Phrases = ()
    """Begin what says by example how the wish before it is meant."""
    conditional: Phrases = ()
    """Begin a condition."""
    causes: Phrases = ()
    """Begin a reason behind what is asked, unless one of `alike` stands before them or of `being` behind."""
    alike: Phrases = ()
    being: Phrases = ()
    comparatives: Phrases = ()
    """Endings and words by which a quality is wished for, and not stated: "darker", "more"."""
    exchanging: Phrases = ()
    """Say that something comes in, or takes the place of something else."""


class Vocabulary(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """All words that the composer understands, in one language; `dictionary` is its code, as in "en"."""

    dictionary: Literal["ar", "de", "en", "es", "eu", "fa", "fr", "it", "lv", "nl", "pt", "ru"]

    goals: Goals
    bindings: Bindings
    modes: dict[Mode, Phrases]
    tempo: TempoWords
    lengths: LengthWords
    numbers: dict[str, Annotated[float, Meta(gt=0, le=1000)]]
    grids: dict[str, Annotated[float, Meta(gt=0, le=16)]]
    """Note values by their length in quarter notes."""
    degrees: dict[str, Annotated[int, Meta(ge=1, le=14)]]
    """Intervals of the scale by their steps: thirds are 2."""
    repeats: dict[str, Annotated[int, Meta(ge=1, le=64)]]
    """How many times."""
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
    """Words before the players for whom a piece is written, and those behind them that say that nobody else plays."""
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
    players: PlayerWords = PlayerWords()

    @cached_property
    def _parsed(self) -> dict[str, tuple[Element, ...]]:
        return {}

    def form(self, text: str) -> tuple[Element, ...]:
        """A form of speech with its groups filled in, each parsed once. Raises `FormError`."""
        found = self._parsed.get(text)
        if found is None:
            found = self._parsed[text] = parse_form(text, self.groups, phrase_tokens)
        return found

    @cached_property
    def operation_forms(self) -> FormIndex[OperationWords]:
        """The forms of all operations."""
        return FormIndex((self.form(form), operation) for operation in self.operations for form in operation.forms)

    @cached_property
    def operation_words(self) -> frozenset[str]:
        """Every word of these forms that is no slot."""
        forms = (self.form(form) for operation in self.operations for form in operation.forms)
        return frozenset(word for form in forms for word in words_of(form))

    @cached_property
    def spoken(self) -> frozenset[str]:
        """Every word of the language, wherever it stands; how it is typed and what asks for nothing is none."""
        spoken = replace(self, typing=None, asides=None, pointing=PointingWords())
        return frozenset(
            word.casefold() for text in _texts(to_builtins(spoken)) for word in _WORD.findall(_SLOT.sub(" ", text))
        )

    @cached_property
    def commanding(self) -> frozenset[str]:
        """The spoken words without those that only describe music: a track may be called by one of these."""
        return replace(
            self, techniques=(), figures=None, genres=(), settings=(), ensembles=(), course=None, added=None,
            assigning=None,
        ).spoken

    def mood(self, name: str) -> Mood:
        """The mood of that name."""
        return next(mood for mood in self.moods if mood.name == name)

    def genre(self, name: str) -> Genre:
        """The genre of that name."""
        return next(genre for genre in self.genres if genre.name == name)

    def thing(self, name: str) -> Thing:
        """The thing of that name."""
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
