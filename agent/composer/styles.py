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
from agent.composer.phrase_manners import Cadences, Share
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
Meter: TypeAlias = tuple[int, int]
"""(beats per bar, beat unit): (6, 8)."""
Steps = Annotated[str, Meta(pattern=r"^[XxogRaA0-9.\-| ]+$", min_length=1)]
Drum = Literal[
    "kick", "rim", "snare", "clap", "hat", "pedal", "open", "ride", "bell", "crash", "splash", "tom_low", "tom_mid",
    "tom_high", "tambourine", "cowbell", "shaker", "conga_high", "conga_low", "bongo_high", "bongo_low",
    "claves", "triangle", "cabasa", "surdo_mute", "surdo_open",
]
Lines = dict[Drum, Steps]


class StyleError(BandleaderError):
    """Raised for a style or language file that cannot be used; `what` names file and key."""


class Character(Struct, frozen=True, forbid_unknown_fields=True):
    """The character of a kind of music, each trait from 0 to 1; 0.5 is neutral.

    `acoustic` is opposed to electronic and `tension` to ease; `formality` is that of a ceremony or a concert hall,
    `groove` how much drums and bass carry the music, `play` how playful it is.
    """

    acoustic: Share = 0.5
    energy: Share = 0.5
    brightness: Share = 0.5
    tension: Share = 0.5
    formality: Share = 0.5
    groove: Share = 0.5
    play: Share = 0.5


class PartStyle(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of a style's band: its role, possible instruments, patterns, register, feel and mix settings.

    Sound and mix: one of `instruments` is chosen by the seed. `velocity` is the range from calm to loud. `pieces` are
    the drums of a kit that are played (empty: all). With `named` the track is called by the part's name even if the
    sound only stands in for it (an 808).

    Notes: `patterns` run from calm to busy; a part without them sustains. `centre` is the pitch it stays near, `span`
    its range in semitones. Chords have `voices` notes (None: as many as they need) in `spread` position. A `drone`
    holds tonic and fifth, `power` plays only root and fifth of chords, `octaves` doubles each note an octave higher. A
    part that `builds` plays only in build-ups to a peak. A bass that `walks` has a note on every beat (in calm sections
    only if it has no patterns); `leads` is how often (0 to 1) a bass steps into the next chord, `with_kick` moves its
    notes to kicks near them. With `ahead` notes that anticipate the next chord already belong to it. `turns` is how
    often the rhythm of a fourth bar varies, `roams` how often four bars have a pattern beside the usual one, `phrases`
    and `closes` how often a bar within a phrase and its last bar differ from the pattern, `inner` how often a voice of
    a chord moves while the chord stays. A part chooses patterns to fit the part `beside` it; parts with a `voice` are
    written together in four-part harmony, and one that `imitates` another takes up its theme.

    Timing: `gate` is the sounding share of each note, `timing_ms` the random deviation, `behind_ms` how late the whole
    part plays (negative: early), `late_ms` the same for single drums, `roll_ms` the time between the notes of a rolled
    chord.
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
    roams: Share = 0.0
    phrases: Share = 0.0
    closes: Share = 0.0
    inner: Share = 0.0
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
    """A section of a form: its usual length in bars, energy, the parts that play, and the theme (a, b or c) of its
    melody.

    `groove` names the drum groove that it plays whatever its energy, such as a snare roll. It is transposed by `up`
    semitones, like a trio. With `repeats` it has the melody of the section before it note for note.
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
    """The sections of a piece in order."""

    sections: Annotated[tuple[SectionStyle, ...], Meta(min_length=2)]

    @property
    def bars(self) -> int:
        """The usual length of the form in bars."""
        return sum(section.bars for section in self.sections)


class Groove(Struct, frozen=True, forbid_unknown_fields=True):
    """Drum lines for sections of at least this energy (0 to 1); with a `name`, only for sections that ask for it.

    A named groove of several bars is aligned so that its last bar is the section's last bar.
    """

    energy: Share
    lines: Lines
    name: str = ""


class Progressions(Struct, frozen=True, forbid_unknown_fields=True):
    """Chord progressions in roman numerals for each mode; major and minor are required, another mode without its own
    uses one of these."""

    major: Annotated[tuple[str, ...], Meta(min_length=1)]
    minor: Annotated[tuple[str, ...], Meta(min_length=1)]
    dorian: tuple[str, ...] = ()
    phrygian: tuple[str, ...] = ()
    lydian: tuple[str, ...] = ()
    mixolydian: tuple[str, ...] = ()


class Exchanges(Struct, frozen=True, forbid_unknown_fields=True):
    """Chord substitutions from outside the key: the share (0 to 1) of themes that have one, and the possible ones for
    major and minor.

    One is written "vi ii > V7/ii ii": the numerals that follow each other, without chord endings, and what is played
    instead. `suspends` is how often (0 to 1) a major chord begins with a suspended fourth.
    """

    share: Share = 0.6
    suspends: Share = 0.0
    major: tuple[str, ...] = ()
    minor: tuple[str, ...] = ()


def exchange(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The numerals of a substitution and those played instead. Raises `StyleError` if their numbers differ."""
    there, _, played = text.partition(">")
    old, new = tuple(there.split()), tuple(played.split())
    if not old or len(old) != len(new):
        raise StyleError(
            msg("no way to exchange chords: {text!r}", text=text), fix=msg('write as many before ">" as behind it'),
        )
    return old, new


class Transitions(Struct, frozen=True, forbid_unknown_fields=True):
    """How sections lead to each other; shares are probabilities from 0 to 1.

    `pickup`: the melody takes an upbeat into a section. `walk`: the bass walks up to one (None: likely if its patterns
    step to the next root, otherwise never). Before a peak the piece may `build` with a snare roll or riser, and for the
    last `drop` beats everything but the roll rests. `impact` puts a crash on the first beat of sections. With
    `turnaround` the last bar of a section has a chord that leads to the next. In the last third of a long piece the
    last peak is transposed by one of the semitones of `lift`, of which 0 stays in the key.
    """

    pickup: Share = 0.5
    walk: Share | None = None
    build: Literal["none", "roll", "riser", "both"] = "none"
    drop: Annotated[float, Meta(ge=0, le=8)] = 0.0
    impact: bool = True
    turnaround: bool = True
    lift: tuple[Annotated[int, Meta(ge=0, le=4)], ...] = ()


class TuneStyle(Struct, frozen=True, forbid_unknown_fields=True):
    """How the style's melodies go; None follows from its character. Shares are probabilities from 0 to 1.

    `notes` is the number of notes per bar of four quarters. `tie`: a hook's note is held over the bar line; `long`: two
    short phrases are joined into one of four bars; `held`: a theme holds the last note of a phrase that stays open
    until a short breath before the next; `sequence`: an idea returns transposed by step; `develops`: a theme of eight
    bars moves, splits and mirrors its idea, which returns note for note only with the section; `chromatic`: a note gets
    a chromatic neighbour; `blue`: a note is bent to the blue third, fifth or seventh. With `settles` a melody ends
    on a long note of the tonic chord.
    """

    notes: Annotated[float, Meta(ge=1, le=12)] | None = None
    tie: Share | None = None
    long: Share = 0.8
    held: Share = 0.5
    sequence: Share = 0.35
    develops: Share = 0.5
    chromatic: Share | None = None
    blue: Share = 0.0
    settles: bool = True


class Ending(Struct, frozen=True, forbid_unknown_fields=True):
    """How a piece ends: the chords before the last one, by how much it slows down (share of the tempo), and over how
    many bars it fades.

    `major` and `minor` are alternatives in roman numerals; without them the chord of the piece that leads best to the
    tonic comes before the last. With `picardy` a minor piece ends on a major chord.
    """

    major: tuple[str, ...] = ()
    minor: tuple[str, ...] = ()
    slow: Annotated[float, Meta(ge=0, le=0.5)] = 0.0
    fade: Annotated[int, Meta(ge=0, le=16)] = 0
    picardy: bool = False


class Style(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A style: everything that the composer knows of a kind of music.

    `words` are the names by which people ask for it. `tempo` is its range in BPM, `meters` are alternatives to its own
    `meter`; its keys are drawn from `tonics` and `modes`. `chord_bars` is the length of a chord in bars. `swing` is the
    share of `swing_beats` by which every second note of that length is late. `inversions` allows chords with the third
    in the bass where the bass then moves by step. `loudness` is the target in LUFS, `master` the effects of the mix.
    With `dissolves` a song restyled to it loses its beat and is thinned and sustained. A style without a `character` is
    taken only by name; an `idiom` only if something in the request points to it.

    With a `round` the same chords of so many bars are repeated throughout, and sections are whole rounds. With `clave`
    two-bar rhythms may begin with either bar, all alike in a piece. `gamut` are the only scale degrees used. With
    `rules` (its own or its `family`'s) forms are drawn from them, and the sections of `forms` only say how a section is
    played; otherwise the form is one of `forms`.
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
    cadences: Cadences = Cadences()

    def part(self, name: str) -> PartStyle:
        """The part of that name. Raises `StyleError` if there is none."""
        for part in self.parts:
            if part.name == name:
                return part
        names = ", ".join(part.name for part in self.parts)
        raise StyleError(
            msg("style {name!r} has no part {name_2!r}", name=self.name, name_2=name),
            why=msg("its parts are {names}", names=names),
        )

    def part_for(self, role: Role) -> PartStyle | None:
        """The first part with that role; None if there is none."""
        return next((part for part in self.parts if part.role == role), None)


class StyleBook(Struct, frozen=True):
    """All styles, sorted by name."""

    styles: tuple[Style, ...]

    def style(self, name: str) -> Style:
        """The style of that name. Raises `StyleError` if there is none."""
        for style in self.styles:
            if style.name == name:
                return style
        names = ", ".join(style.name for style in self.styles)
        raise StyleError(msg("there is no style {name!r}", name=name), fix=msg("use one of {names}", names=names))


def check_style(style: Style) -> None:
    """Raise `StyleError` if the parts, sections or ranges of a style contradict each other."""
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
