"""Styles as values: what a musician may edit in `resources/styles/*.toml`.

Rhythms are step strings of sixteenths; spaces and bars (`|`) only help the eye. Drums: `X` accent, `x` hit,
`o` soft, `g` ghost, `.` rest. Chords and melodies: `X`/`x`/`o` begin a note, `-` holds it. Bass: `R` root,
`2`-`7` steps of the scale above it, `8` octave, `a` step towards the next root, `x` a note that the piece's riff
chooses. Arpeggios: `0`-`9` count chord tones upward.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from agent.composer.form_rules import FormRules, rules_fault
from agent.errors import BandleaderError
from agent.message import msg
from agent.song.key import Key, Mode, Tonic
from agent.song.palette import EffectUse
from agent.theory.chords import progression
from agent.theory.errors import TheoryError
from agent.theory.voicing import Spread

Role = Literal["drums", "percussion", "bass", "chords", "pad", "arp", "lead", "counter", "texture"]
Voice = Literal["soprano", "alto", "tenor", "bass"]
RHYTHMIC: tuple[Role, ...] = ("drums", "percussion")
Share = Annotated[float, Meta(ge=0, le=1)]
Meter: TypeAlias = tuple[int, int]
"""Beats of a bar and what a beat is: (6, 8)."""
Steps = Annotated[str, Meta(pattern=r"^[XxogRaA0-9.\-| ]+$", min_length=1)]
Drum = Literal[
    "kick", "rim", "snare", "clap", "hat", "pedal", "open", "ride", "bell", "crash", "splash", "tom_low", "tom_mid",
    "tom_high", "tambourine", "cowbell", "shaker", "conga_high", "conga_low", "bongo_high", "bongo_low",
    "claves", "triangle", "cabasa", "surdo_mute", "surdo_open",
]
Lines = dict[Drum, Steps]


class StyleError(BandleaderError):
    """A style or word file that cannot be used; `what` names file and key."""


class Character(Struct, frozen=True, forbid_unknown_fields=True):
    """What kind of music it is, each from 0 to 1; 0.5 is neither.

    `acoustic` against electronic, `tension` against ease, `formality` is that of a ceremony or a concert hall,
    `groove` how much drums and bass carry it, `play` how little serious it is.
    """

    acoustic: Share = 0.5
    energy: Share = 0.5
    brightness: Share = 0.5
    tension: Share = 0.5
    formality: Share = 0.5
    groove: Share = 0.5
    play: Share = 0.5


class PartStyle(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One instrument of the band: its role, sound, register, feel and place in the mix.

    `instruments` are alternatives, of which the seed picks one. `patterns` run from calm to busy; a part
    without patterns sustains. `centre` is the pitch it stays near. `velocity` is its range from calm to loud.
    `gate` is the sounding share of each note, `timing_ms` how far a player strays from the grid, `behind_ms`
    how far the whole part plays behind it (negative: ahead), `late_ms` the same for single drums. `roll_ms` is the time
    from note to note of a long chord that is rolled upwards. A `drone` is a pad that holds tonic and fifth. `power`
    leaves only root and fifth of a chord, as a distorted guitar does. `pieces` are those of a kit that are played, if
    not all. A part that `builds` rests until the song builds up to a peak, and rises towards it. A bass that `walks`
    plays a note on every beat, in calm sections only where it has no patterns; `leads` is how often one without a step
    in its pattern steps into the next chord, and `with_kick` puts its notes on kicks that lie beside them.

    What a part plays `ahead` and holds into the next chord is already of that chord, as a tumbao is. `turns` is how
    often the chords of a fourth bar are struck a little differently. `octaves` doubles each note an octave higher. A
    part picks its patterns like the one `beside` it, with which it interlocks. Parts with a `voice` are written
    together, in four parts; one that `imitates` another takes up its subject. One that is `named` is called after its
    player by its name, though the sound only stands in for that: a saron, an 808.
    """

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    role: Role
    instruments: Annotated[tuple[str, ...], Meta(min_length=1)]
    patterns: tuple[Steps, ...] = ()
    centre: Annotated[int, Meta(ge=12, le=108)] = 60
    span: Annotated[int, Meta(ge=7, le=36)] = 17
    velocity: tuple[int, int] = (60, 92)
    gate: Annotated[float, Meta(gt=0, le=1)] = 0.92
    timing_ms: Annotated[float, Meta(ge=0, le=19)] = 8.0
    behind_ms: Annotated[float, Meta(ge=-25, le=25)] = 0.0
    late_ms: dict[Drum, Annotated[float, Meta(ge=-25, le=25)]] = {}
    roll_ms: Annotated[float, Meta(ge=0, le=30)] = 0.0
    drone: bool = False
    power: bool = False
    pieces: tuple[Drum, ...] = ()
    builds: bool = False
    walks: bool = False
    leads: Share = 0.0
    with_kick: bool = False
    ahead: bool = False
    turns: Share = 0.0
    octaves: bool = False
    beside: str = ""
    voice: Voice | None = None
    imitates: str = ""
    named: bool = False
    spread: Spread = "close"
    voices: Annotated[int, Meta(ge=1, le=6)] | None = None
    volume_db: Annotated[float, Meta(ge=-30, le=6)] = -6.0
    pan: Annotated[float, Meta(ge=-1, le=1)] = 0.0
    color: Annotated[str, Meta(pattern=r"^#[0-9A-Fa-f]{6}$")] = "#7CCDEB"
    effects: tuple[EffectUse, ...] = ()
    why: str = ""


class SectionStyle(Struct, frozen=True, forbid_unknown_fields=True):
    """A section of a form: its usual length, energy, the parts that play, and which theme (a, b or c) it sings.

    `groove` names the groove it plays whatever its energy, such as a roll that builds up. It lies `up` semitones above
    the key of the piece, as a trio does. One that `repeats` sings the tune of the section before it note for note.
    """

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    bars: Annotated[int, Meta(ge=1, le=64)]
    energy: Share
    parts: Annotated[tuple[str, ...], Meta(min_length=1)]
    theme: Literal["a", "b", "c"] = "a"
    groove: str = ""
    up: Annotated[int, Meta(ge=-11, le=11)] = 0
    repeats: bool = False


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """Sections in order."""

    sections: Annotated[tuple[SectionStyle, ...], Meta(min_length=2)]

    @property
    def bars(self) -> int:
        """Its usual length."""
        return sum(section.bars for section in self.sections)


class Groove(Struct, frozen=True, forbid_unknown_fields=True):
    """Drum lines that play in sections of at least this energy; with a `name`, only where a section asks for it.

    A named groove of several bars ends with its section.
    """

    energy: Share
    lines: Lines
    name: str = ""


class Progressions(Struct, frozen=True, forbid_unknown_fields=True):
    """Chord progressions in roman numerals; major and minor must exist, a mode may have its own."""

    major: Annotated[tuple[str, ...], Meta(min_length=1)]
    minor: Annotated[tuple[str, ...], Meta(min_length=1)]
    dorian: tuple[str, ...] = ()
    phrygian: tuple[str, ...] = ()
    lydian: tuple[str, ...] = ()
    mixolydian: tuple[str, ...] = ()


class Exchanges(Struct, frozen=True, forbid_unknown_fields=True):
    """Chords from outside the key that stand in for others: how often a theme has one (`share`), and the ways.

    A way is "vi ii > V7/ii ii": the numerals that follow each other, without endings, and what is played instead.
    `suspends` is how often a major chord that could hangs on its fourth before its third comes.
    """

    share: Share = 0.6
    suspends: Share = 0.0
    major: tuple[str, ...] = ()
    minor: tuple[str, ...] = ()


def exchange(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The numerals of a way and what is played in their place; `StyleError` where these are not as many."""
    there, _, played = text.partition(">")
    old, new = tuple(there.split()), tuple(played.split())
    if not old or len(old) != len(new):
        raise StyleError(
            msg("no way to exchange chords: {text!r}", text=text), fix=msg('write as many before ">" as behind it'),
        )
    return old, new


class Transitions(Struct, frozen=True, forbid_unknown_fields=True):
    """How sections lead to each other.

    `pickup` is how often the tune takes an upbeat into a section, `walk` how often the bass walks up to one (left
    out: often where its patterns step to the next root, else never). Before a peak the song may `build` with a
    snare roll and a riser, and for the last `drop` beats everything but the roll rests. `impact` marks arrivals
    with a crash. With `turnaround` the last bar of a section leads to the chord that follows. In the last third of a
    long piece the last peak lies higher by one of the semitones of `lift`, of which 0 stays in the key.
    """

    pickup: Share = 0.5
    walk: Share | None = None
    build: Literal["none", "roll", "riser", "both"] = "none"
    drop: Annotated[float, Meta(ge=0, le=8)] = 0.0
    impact: bool = True
    turnaround: bool = True
    lift: tuple[Annotated[int, Meta(ge=0, le=4)], ...] = ()


class TuneStyle(Struct, frozen=True, forbid_unknown_fields=True):
    """How a style's tunes go. What is left out follows from the style's character.

    `notes` are those of a bar of four quarters. `tie` is how often a hook holds a note over its bar line, `long` how
    often two of its breaths are joined into one phrase of four bars, `sequence` how often an idea comes back moved
    by step instead of as it was. `chromatic` is how often a note that may have one takes a neighbour from outside
    the key, `blue` how often one that may is bent to the blue third, fifth or seventh. One
    that `settles` comes home on a long note.
    """

    notes: Annotated[float, Meta(ge=1, le=12)] | None = None
    tie: Share | None = None
    long: Share = 0.8
    sequence: Share = 0.35
    chromatic: Share | None = None
    blue: Share = 0.0
    settles: bool = True


class Ending(Struct, frozen=True, forbid_unknown_fields=True):
    """How a piece ends: the chords before the last, by how much it slows down, and over how many bars it fades.

    `major` and `minor` are alternatives in roman numerals; without them the chord of the piece that leads home
    best comes before the last. With `picardy` the last chord of a minor piece is major.
    """

    major: tuple[str, ...] = ()
    minor: tuple[str, ...] = ()
    slow: Annotated[float, Meta(ge=0, le=0.5)] = 0.0
    fade: Annotated[int, Meta(ge=0, le=16)] = 0
    picardy: bool = False


class Style(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All that the composer knows of a style.

    `words` are how people ask for it. `meters` are others than its own that suit it. `chord_bars` is the length of
    one chord. `swing` delays every second `swing_beats` by that share of it. `inversions` says that chords may take
    their third into the bass where the bass then moves by step. `dissolves` says that a song taken to this style
    loses its beat and is held and thinned instead of being given the style's grooves. One without a `character` is only
    taken where it is named; one that is an `idiom` has manners of its own, so that something must point to it.

    A style with a `round` goes over the same round of chords, of so many bars, all the time; sections are whole rounds,
    shorter ones its end. Rhythms of two bars bound to a `clave` may begin with either bar, all of a piece with the
    same. A `gamut` are the only degrees of the key there are.

    Where it has `rules`, those of its `family` or its own, forms are drawn by them, and the sections of `forms` show
    how sections of a kind are played; else the form is one of `forms`.
    """

    name: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$")]
    label: str
    about: str
    words: Annotated[tuple[str, ...], Meta(min_length=1)]
    tempo: tuple[float, float]
    meter: tuple[int, Literal[2, 4, 8]] = (4, 4)
    meters: tuple[tuple[int, Literal[2, 4, 8]], ...] = ()
    tonics: Annotated[tuple[Tonic, ...], Meta(min_length=1)] = ("C", "D", "E", "F", "G", "A")
    modes: Annotated[tuple[Mode, ...], Meta(min_length=1)]
    progressions: Progressions
    exchanges: Exchanges = Exchanges()
    chord_bars: Annotated[float, Meta(ge=0.25, le=8)] = 1.0
    swing: Annotated[float, Meta(ge=0, le=0.5)] = 0.0
    swing_beats: Annotated[float, Meta(ge=0.25, le=0.5)] = 0.25
    inversions: bool = False
    dissolves: bool = False
    idiom: bool = False
    round: Annotated[int, Meta(ge=2, le=32)] | None = None
    clave: bool = False
    gamut: tuple[Annotated[int, Meta(ge=1, le=7)], ...] = ()
    loudness: Annotated[float, Meta(ge=-30, le=-8)] = -14.0
    character: Character | None = None
    family: str = ""
    rules: FormRules | None = None
    forms: Annotated[tuple[Form, ...], Meta(min_length=1)]
    grooves: tuple[Groove, ...] = ()
    fills: tuple[Lines, ...] = ()
    percussion: tuple[Groove, ...] = ()
    parts: Annotated[tuple[PartStyle, ...], Meta(min_length=2)]
    master: tuple[EffectUse, ...] = ()
    transitions: Transitions = Transitions()
    ending: Ending = Ending()
    tune: TuneStyle = TuneStyle()

    def part(self, name: str) -> PartStyle:
        """The part of that name; `StyleError` names the parts there are."""
        for part in self.parts:
            if part.name == name:
                return part
        names = ", ".join(part.name for part in self.parts)
        raise StyleError(
            msg("style {name!r} has no part {name_2!r}", name=self.name, name_2=name),
            why=msg("its parts are {names}", names=names),
        )

    def part_for(self, role: Role) -> PartStyle | None:
        """The first part with that role."""
        return next((part for part in self.parts if part.role == role), None)


class StyleBook(Struct, frozen=True):
    """All styles, sorted by name."""

    styles: tuple[Style, ...]

    def style(self, name: str) -> Style:
        """The style of that name; `StyleError` names the styles there are."""
        for style in self.styles:
            if style.name == name:
                return style
        names = ", ".join(style.name for style in self.styles)
        raise StyleError(msg("there is no style {name!r}", name=name), fix=msg("use one of {names}", names=names))


def check_style(style: Style) -> None:
    """Raise `StyleError` where the parts, sections and ranges of a style contradict each other."""
    names = [part.name for part in style.parts]
    if len(set(names)) != len(names):
        raise StyleError(msg("style {style!r}: two parts have the same name", style=style.name))
    low, high = style.tempo
    if not 1 <= low <= high <= 999:
        raise StyleError(
            msg("style {style!r}, tempo: {low:g} to {high:g} is no range", style=style.name, low=low, high=high),
            fix=msg("write [low, high]"),
        )
    if style.rules is not None and (wrong := rules_fault(style.rules)):
        raise StyleError(msg("style {style!r}, rules: {wrong}", style=style.name, wrong=wrong))
    grooves = {groove.name for groove in (*style.grooves, *style.percussion)}
    for form in style.forms:
        for section in form.sections:
            for name in section.parts:
                style.part(name)
            if section.groove and section.groove not in grooves:
                raise StyleError(
                    msg(
                        "style {style!r}, section {section!r}: no groove {groove!r}",
                        style=style.name, section=section.name, groove=section.groove,
                    ),
                )
    rhythm = {"drums": style.grooves, "percussion": style.percussion}
    for part in style.parts:
        if part.role in rhythm and all(groove.name for groove in rhythm[part.role]):
            raise StyleError(
                msg(
                    "style {style!r}, part {part!r}: there is no groove for {role}",
                    style=style.name, part=part.name, role=part.role,
                ),
            )
        if not 1 <= part.velocity[0] <= part.velocity[1] <= 127:
            raise StyleError(
                msg(
                    "style {style!r}, part {part!r}: velocity must be [low, high] in 1-127",
                    style=style.name, part=part.name,
                ),
            )
        for other in (part.beside, part.imitates):
            if other and (other == part.name or other not in names):
                raise StyleError(
                    msg(
                        "style {style!r}, part {part!r}: there is no other part {other!r}",
                        style=style.name, part=part.name, other=other,
                    ),
                )
    ways = [" ".join(exchange(text)[1]) for text in (*style.exchanges.major, *style.exchanges.minor)]
    for text in (*_all_progressions(style.progressions), *style.ending.major, *style.ending.minor, *ways):
        try:
            progression(text, Key("C", "major"))
        except TheoryError as error:
            raise StyleError(
                msg("style {style!r}, progression {text!r}: {what}", style=style.name, text=text, what=error.said.what),
                fix=error.fix,
            ) from error


def _all_progressions(known: Progressions) -> tuple[str, ...]:
    return (*known.major, *known.minor, *known.dorian, *known.phrygian, *known.lydian, *known.mixolydian)
