"""The words of new pieces as values: what they are for, who plays them, and how they go on in time."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from agent.composer.phrase_manners import Share
from agent.song.key import Mode

Phrases = tuple[Annotated[str, Meta(min_length=1, max_length=60)], ...]
Name = Annotated[str, Meta(max_length=80)]
"""The name of an entry within the language file."""
Amount = Annotated[float, Meta(ge=-1, le=1)]
Pace = Literal["very slow", "slow", "not fast", "medium", "not slow", "fast", "very fast"]
Bpm = Annotated[float, Meta(ge=20, le=400)]
Forms = tuple[Annotated[str, Meta(min_length=1, max_length=240)], ...]
"""Phrase patterns, see `agent.composer.phrasing`."""


class Traits(Struct, frozen=True, forbid_unknown_fields=True):
    """The character of a piece, each trait from 0 to 1; None is not said. See `Character` of styles."""

    acoustic: Share | None = None
    energy: Share | None = None
    brightness: Share | None = None
    tension: Share | None = None
    formality: Share | None = None
    groove: Share | None = None
    play: Share | None = None


class Setting(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a new piece is for or about ("wedding"), with the character and the musical choices that follow from it.

    `lift` is added to the energy (-1 to 1); `tempo` multiplies the style's tempo, `pace` chooses within its range,
    `bpm` is a range in place of it. `styles` suit it, the best first. `about` says what was taken from it, where the
    name alone does not tell (an artist, an era).
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
    """A kind of music without a style of its own: styles `near` it, the nearest first, how it `differs` from them, and
    its tempo range in BPM.

    `meter` ("6/8") is the one that it requires. With `voices` it can be written for a choir even so.
    """

    name: Name
    words: Phrases
    near: Annotated[tuple[str, ...], Meta(min_length=1, max_length=3)]
    differs: Annotated[str, Meta(max_length=140)]
    tempo: tuple[float, float]
    meter: Annotated[str, Meta(pattern=r"^(\d{1,2}/[248])?$")] = ""
    voices: bool = False


class Technique(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A playing or composing technique ("staccato"), with what it means.

    `plays` is the instrument that sounds like it, `order` a request that applies it to a finished piece. With neither
    it is understood, and reported as something that cannot be played.
    """

    name: Name
    words: Phrases
    means: Annotated[str, Meta(max_length=140)]
    plays: str = ""
    order: str = ""


class FigureWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases for numbers in requests for a new piece: tempo, length, key, tracks.

    Tempo: `values` maps note values to quarter notes, `dotted` ones are half as long again, `equals` stands before the
    number, `per` and `minute` after it; `about` before or `ish` after a number make it a tempo by itself; `between` and
    `to` make a range; before a word of `relative` ("faster") it is a difference; after `ages` a number is no tempo.
    Length: `at_most` makes it a maximum; a page (`pages`) has `page_bars` bars; `rounds` ("choruses") last as said,
    otherwise `round_bars` bars each. `tracks` after a number limit the number of tracks, with `at_most` or `no_more`.

    Keys: after `corrects` ("actually") the later key counts; a mode before `chords` or after `relations` ("relative")
    is not the key; `tonics` are sung names of notes, `signs` raise or lower them, and `grounds` ("drone") with "on"
    lead to the note on which the piece rests. `grouped` leads from a meter to the groups of its bar.

    Styles and kinds: `things_too` ("house") after `owners` ("my") is no style, `no_styles` ("steel strings") name no
    music, `needing_work` must stand before a word for music. Drums before `loops` are all that plays; `loop_pieces`
    ("groove") repeat a few bars, `cues` are short, `songs` are neither; a noun after `beside` does not name the piece.
    A player after `mine` with a word of `over` is the person who asks ("so I can play my harp over it").
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
    """A named group of players ("string quartet"): its `words`, the words of its `players`, and its proper names
    (`called`).

    With one of the words `styled` it consists of the players `there` instead.
    """

    words: Phrases
    players: Phrases
    called: Phrases = ()
    styled: Phrases = ()
    there: Phrases = ()


class CourseWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases for how a new piece develops over time, stage by stage.

    Stages: `labels` name one with a number ("part 2"); `opening`, `middle`, `following` and `closing` begin one, and so
    do the names of `…_names` at the start of a clause; `moments` before a length (with `near`, "about") say when it
    begins, `spans` stand between two bars, `returns` mean the first stage again, `telling` words follow a letter that
    names a stage. `everywhere` extends a refusal to the whole piece, `throughout` what was said before it, `of_all`
    after the last stage what follows.

    Players: `enters` and `leaves`, `everyone`, with exceptions after `excepting`; `theme` is the melody heard before;
    bars after `each` say when the next layer enters; what `strikes` lasts one bar.

    Development: `builds`, `fades`, `layered`, `silent`, `faster` and `slower`; `paces` are relative tempi; `dynamics`
    are velocities, `limits` those that count only after `at_most`; `modulates` leads to a key, `up` and `down` to an
    interval, `keys` are (semitones above the tonic, mode or "" for that of the piece); `held` leads to how long a chord
    lasts. A clause about `people` only tells a story.
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
    """Phrases for where a part of a new piece plays or rests.

    `before`, after a part with a word of `refusing`, leads to the place where the part enters, and so does `since`;
    `within` leads to the only place where it plays, `striking` to that of its short chords. `out` says that it rests,
    `during` leads to the bars. `to` stands between two bars; `behind` words after a bar add nothing. `orders` are the
    requests that are run on the finished piece for each of these.
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
    """Phrases for a gradual tempo change: it `starts` at a tempo, `moves`, and `reaches` another."""

    starts: Phrases
    moves: Phrases
    reaches: Phrases


class PlayerWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases in a list of players. `closing` ones right behind the last player ("that's it") and `shutting` ones as a
    clause of their own ("nobody else") say that the list is complete.

    `offering` ("will do") says that a player is an alternative to the one before, `beneath` ("accompanying") that he
    accompanies. After `telling` ("everyone uses") a player is only mentioned.
    """

    closing: Phrases = ()
    shutting: Phrases = ()
    offering: Phrases = ()
    beneath: Phrases = ()
    telling: Phrases = ()


class TuneWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Titles of existing melodies (`names`), which cannot be played; after a word of `likened` a piece is only to
    resemble one. `reason` is said in the answer."""

    names: Phrases
    likened: Phrases
    reason: Annotated[str, Meta(max_length=140)]


class CarrierWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases for who plays the melody: a player `carries` one of `tunes`, or one of `tunes` is `held` by a player."""

    tunes: Phrases
    carries: Phrases
    held: Phrases


class Filler(Struct, frozen=True, forbid_unknown_fields=True):
    words: Phrases


class Aspects(Struct, frozen=True, forbid_unknown_fields=True):
    """Names of what can be kept beside instruments: "tempo", "key", "sounds", …"""

    tempo: Phrases
    key: Phrases
    sounds: Phrases
    length: Phrases
    form: Phrases
    meter: Phrases
    mix: Phrases
