"""The words of new pieces as values: what they are for, who plays them, and how they go on in time."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from agent.composer.styles import Share
from agent.song.key import Mode

Phrases = tuple[Annotated[str, Meta(min_length=1, max_length=60)], ...]
Name = Annotated[str, Meta(max_length=80)]
"""What something of a language file is called within it."""
Amount = Annotated[float, Meta(ge=-1, le=1)]
Pace = Literal["very slow", "slow", "not fast", "medium", "not slow", "fast", "very fast"]
Bpm = Annotated[float, Meta(ge=20, le=400)]
Forms = tuple[Annotated[str, Meta(min_length=1, max_length=240)], ...]
"""Forms of speech, see `agent.composer.phrasing`."""


class Traits(Struct, frozen=True, forbid_unknown_fields=True):
    """What is said of a piece's character, each from 0 to 1; None is not said. See `Character` of styles."""

    acoustic: Share | None = None
    energy: Share | None = None
    brightness: Share | None = None
    tension: Share | None = None
    formality: Share | None = None
    groove: Share | None = None
    play: Share | None = None


class Setting(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a new piece is for or about, or how it is described: its traits, and what they mean for writing it.

    `lift` is added to the energy (-1 to 1) and `tempo` multiplies the tempo that a style would take; `pace` is a place
    in its range, `bpm` a range of its own. `styles` suit it, best first. `about` are the facts that are taken from it,
    where its name alone does not tell them: those of an artist or an era.
    """

    name: Name
    words: Phrases
    traits: Traits = Traits()
    about: Annotated[str, Meta(max_length=140)] = ""
    styles: Annotated[tuple[str, ...], Meta(max_length=3)] = ()
    bpm: Annotated[tuple[Bpm, ...], Meta(max_length=2)] = ()
    mode: Mode | None = None
    pace: Pace | None = None
    tempo: Annotated[float, Meta(ge=0.5, le=2)] = 1.0
    lift: Amount = 0.0


class Genre(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of music that no style writes: styles `near` it, nearest first, what they lack of it, its tempo in BPM.

    `meter` is the one that it cannot do without, as 6/8 of a jig. One for `voices` can be written for a choir all the
    same.
    """

    name: Name
    words: Phrases
    near: Annotated[tuple[str, ...], Meta(min_length=1, max_length=3)]
    differs: Annotated[str, Meta(max_length=140)]
    tempo: tuple[float, float]
    meter: Annotated[str, Meta(pattern=r"^(\d{1,2}/[248])?$")] = ""
    voices: bool = False


class Technique(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A way of playing or a device of writing, and what it means.

    `plays` is the instrument of the palette that sounds so, `order` a request that does it to a finished piece. With
    neither it is known, and told as what nobody here can play.
    """

    name: Name
    words: Phrases
    means: Annotated[str, Meta(max_length=140)]
    plays: str = ""
    order: str = ""


class FigureWords(Struct, frozen=True, forbid_unknown_fields=True):
    """How numbers of a new piece are written.

    `values` are note values in quarter notes, before a number of them in a minute; `dotted` ones are half as long
    again, and `equals` may stand between. `about` before and `ish` behind a number make it a tempo by itself; `between`
    begins a range, `to` goes on in it. `at_most` stands beside a length that may not be passed. `grouped` leads from
    a meter to the groups of its bar. Styles that are
    `things_too` are none behind `owners`, `no_styles` name no music, and those
    `needing_work` stand before a word for music. Behind `corrects` a key counts that is not the
    first, and a mode before one of `chords` is none, nor behind one of `relations`. A page is as long as `page_bars`
    bars. `tonics` are sung names of notes, `signs` what raises or lowers them. Behind `grounds` and "on" stands the
    note on which a piece rests. A number behind `ages` is no tempo. Drums before one of
    `loops` are all that plays. A piece called one of `loop_pieces` goes round in a few bars, one of `cues` is short,
    one of `songs` neither; a noun behind a word that is `beside` does not call the piece so. So many
    `rounds` are as long as is said, else `round_bars` each. Of `tracks` there are so many at most where `at_most` or
    `no_more` stands beside their number. Before one of `relative` a number of beats in a minute is a difference.
    """

    values: dict[str, Annotated[float, Meta(gt=0, le=8)]]
    dotted: Phrases
    equals: Phrases
    about: Phrases
    ish: Phrases
    relative: Phrases
    per: Phrases
    minute: Phrases
    between: Phrases
    to: Phrases
    at_most: Phrases
    pages: Phrases
    grouped: Phrases
    things_too: Phrases
    owners: Phrases
    no_styles: Phrases
    needing_work: Phrases
    corrects: Phrases
    chords: Phrases
    page_bars: Annotated[int, Meta(ge=1, le=64)]
    relations: Phrases = ()
    tonics: dict[str, str] = {}
    signs: dict[str, str] = {}
    grounds: Phrases = ()
    ages: Phrases = ()
    rounds: Phrases = ()
    loops: Phrases = ()
    mine: Phrases = ()
    over: Phrases = ()
    loop_pieces: Phrases = ()
    cues: Phrases = ()
    songs: Phrases = ()
    beside: Phrases = ()
    round_bars: Annotated[int, Meta(ge=1, le=64)] = 12
    tracks: Phrases = ()
    no_more: Phrases = ()


class Ensemble(Struct, frozen=True, forbid_unknown_fields=True):
    """What a group of players is called, and who they are, by the words for each; `called` are names of their own.

    Beside one of the words `styled` it is a group of other players: those of `there`.
    """

    words: Phrases
    players: Phrases
    called: Phrases = ()
    styled: Phrases = ()
    there: Phrases = ()


class CourseWords(Struct, frozen=True, forbid_unknown_fields=True):
    """How a new piece is said to go on in time.

    `labels` name a stage beside a number; `opening`, `middle`, `following` and `closing` begin one, as those called
    `_names` do at the beginning of a clause. `moments` before a length (with words that are `near` it) say when one
    begins, `spans` stand between two bars, `returns` says that the first comes again, `everywhere` that a refusal
    holds for all of it, `throughout` that what is said before it does, `of_all` behind the last one that so does what
    follows. `enters` and `leaves` are what players do, `everyone` all of them; `theme` is the tune that was there.
    `builds` to `slower` say how a stage moves, `paces` how fast it is; `telling` words stand behind a letter that
    names a stage, `modulates` lead to a key; `at_most` that nothing is louder than a dynamic; `up` and `down` lead to
    an interval. `dynamics` are velocities, `limits` those behind `at_most` alone, `keys` semitones above the tonic
    and the mode ("": that of the piece). A clause about `people` tells a story.
    Behind `held` stands how long a chord lasts, and behind `excepting` who stays where all others leave. What
    `strikes` lasts one bar; bars behind `each` say when the next layer comes in.
    """

    labels: Phrases
    opening: Phrases
    opening_names: Phrases
    middle_names: Phrases
    closing_names: Phrases
    middle: Phrases
    following: Phrases
    closing: Phrases
    moments: Phrases
    near: Phrases
    spans: Phrases
    returns: Phrases
    everywhere: Phrases
    of_all: Phrases
    theme: Phrases
    enters: Phrases
    leaves: Phrases
    everyone: Phrases
    builds: Phrases
    fades: Phrases
    layered: Phrases
    silent: Phrases
    faster: Phrases
    slower: Phrases
    paces: Phrases
    throughout: Phrases
    telling: Phrases
    modulates: Phrases
    at_most: Phrases
    up: Phrases
    down: Phrases
    dynamics: dict[str, Annotated[int, Meta(ge=1, le=127)]]
    limits: dict[str, Annotated[int, Meta(ge=1, le=127)]]
    keys: dict[str, tuple[Annotated[int, Meta(ge=-12, le=12)], str]]
    people: Phrases = ()
    held: Phrases = ()
    excepting: Phrases = ()
    strikes: Phrases = ()
    each: Phrases = ()


class PresenceWords(Struct, frozen=True, forbid_unknown_fields=True):
    """How is said where a part of a new piece plays or rests.

    Behind a part that a word of `refusing` stands before, `before` leads to the place at which it comes in; `since`
    does so by itself, `within` leads to the only place where it plays, as `striking` does to that of its short chords.
    `out` says that it rests, `during` leads to the bars. `to` stands between two bars, `behind` words say nothing
    further. `orders` are what is done to the finished piece for each.
    """

    refusing: Phrases
    before: Phrases
    since: Phrases
    within: Phrases
    out: Phrases
    during: Phrases
    to: Phrases
    behind: Phrases
    orders: dict[str, Annotated[str, Meta(max_length=60)]]
    striking: Phrases = ()


class RampWords(Struct, frozen=True, forbid_unknown_fields=True):
    """How is said that a tempo `starts` at a figure, `moves`, and `reaches` another."""

    starts: Phrases
    moves: Phrases
    reaches: Phrases


class PlayerWords(Struct, frozen=True, forbid_unknown_fields=True):
    """How a band is listed: `closing` says behind it that it is complete, `shutting` in a
    clause of its own, `offering` behind a player that he may play
    instead of the one before, `beneath` that he accompanies; behind `telling` a player is only spoken of."""

    closing: Phrases = ()
    shutting: Phrases = ()
    offering: Phrases = ()
    beneath: Phrases = ()
    telling: Phrases = ()


class TuneWords(Struct, frozen=True, forbid_unknown_fields=True):
    """The `names` of tunes that exist; behind a word of `likened` a piece is only to be like one."""

    names: Phrases
    likened: Phrases
    reason: Annotated[str, Meta(max_length=140)]


class CarrierWords(Struct, frozen=True, forbid_unknown_fields=True):
    """How is said who has the tune: a player `carries` one of `tunes`, or a tune is `held` by a player."""

    tunes: Phrases
    carries: Phrases
    held: Phrases


class Filler(Struct, frozen=True, forbid_unknown_fields=True):
    """Words that carry no meaning of their own."""

    words: Phrases
