"""The intent: what a request means to the composer, as a value that can be shown and checked."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from agent.composer.piece_words import Pace, Setting
from agent.composer.understanding.asked_chart import AskedChart, ReadChart, told_chart
from agent.composer.understanding.clause import ReadClause
from agent.composer.understanding.course import CourseStage
from agent.composer.understanding.note_rules import NoteRules, told_rules
from agent.composer.understanding.piece_shapes import Shape
from agent.composer.understanding.sentences import counted, told, told_stage, told_tempo, told_time
from agent.composer.understanding.tasks import Task
from agent.composer.understanding.wishes import Wish
from agent.composer.vocabulary import Mood
from agent.song.key import Mode

Goal = Literal["compose", "change", "replace", "either"]
"""`either`: it may ask for a new piece, although there is music already."""
Lack = Literal["", "style", "length", "meter", "chords", "section", "part", "operation", "direction"]
"""What the request leaves open. New piece: the style (the named one does not exist), the length, which of several
meters, chords that cannot be read. Change: which of several sections, the part to add, what to do with a part, the
direction."""
_REASONS = 5
"""Most things that are named for why a style was chosen."""


class AskedSection(Struct, frozen=True):
    """A section that a new piece should have, with exactly `bars` bars (0: not said)."""

    name: str
    bars: Annotated[int, Meta(ge=0)] = 0


class Metered(Struct, frozen=True):
    """The meters of a section's bars (section "": of all others), alternating if there are several."""

    section: str
    meters: tuple[tuple[int, int], ...]

    @property
    def told(self) -> str:
        """The meters in words for the answer: "verse in 7/8", "3/4 and 4/4 in turn"."""
        signs = " and ".join(f"{beats}/{unit}" for beats, unit in self.meters)
        return (f"{self.section} in {signs}" if self.section else signs) + " in turn" * (len(self.meters) > 1)


class Intent(Struct, frozen=True, kw_only=True):
    """A request as it was read. None and empty mean: not said. Stated numbers are binding.

    Parts: `wanted` must play, `refused` must not, `kept` stay unchanged, `mentioned` are named without an order; with
    `only` nothing but `wanted` plays. `players` are the whole band of a new piece, if it is named; those `everywhere`
    play in each section unless a task lets them rest; `carriers` play the melody. At most `most_tracks` tracks are
    made.

    Tempo and meter: `tempo_factor` is a relative change (1: none), `tempo_between` a range in BPM, `ramp` the tempi of
    the first and last bar, `song_bpm` the tempo of the song to be changed; `grouping` divides the bar of the meter
    (2+2+3), `metered` are sections with meters of their own. `keep_tempo`, `keep_key` and `keep_sounds` forbid those
    changes, `kept_aspects` those of the form, meter, mix or length.

    Form: `settings` are what the piece is for or like, `sections` are in order and `bars` is their sum if each has a
    length; without a length the `size` or `shape` decides it. `course` are stages of development, with the token ranges
    `course_tokens`, and no note exceeds the velocity `loudest`. `rules` limit the notes; the chords are those of
    `chart`, parsed as `charted`.

    Work: `tasks` change the song, or a new piece once it is written, in order. `lacks` is what is left open, and
    `options` are requests that settle it. `clauses` are the stretches of the request with their outcomes, `ignored` the
    texts of those not done; `already` is what the song has already, `read_as` are misspelled words with their
    corrections.
    """

    goal: Goal
    style: str = ""
    other_styles: tuple[str, ...] = ()
    moods: tuple[Mood, ...] = ()
    settings: tuple[Setting, ...] = ()
    bpm: float | None = None
    tempo_between: tuple[float, float] | None = None
    tempo_factor: float = 1.0
    pace: Pace | None = None
    tonic: str | None = None
    mode: Mode | None = None
    meter: tuple[int, int] | None = None
    grouping: tuple[int, ...] = ()
    metered: tuple[Metered, ...] = ()
    bars: int | None = None
    seconds: float | None = None
    size: Literal["short", "long"] | None = None
    title: str = ""
    sections: tuple[AskedSection, ...] = ()
    course: tuple[CourseStage, ...] = ()
    course_tokens: tuple[tuple[int, int], ...] = ()
    loudest: int | None = None
    tasks: tuple[Task, ...] = ()
    wanted: tuple[Wish, ...] = ()
    refused: tuple[Wish, ...] = ()
    kept: tuple[Wish, ...] = ()
    mentioned: tuple[Wish, ...] = ()
    players: tuple[Wish, ...] = ()
    everywhere: tuple[Wish, ...] = ()
    carriers: tuple[Wish, ...] = ()
    ramp: tuple[float, float] | None = None
    shape: Shape = ""
    only: bool = False
    keep_tempo: bool = False
    keep_key: bool = False
    keep_sounds: bool = False
    kept_aspects: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    lacks: Lack = ""
    already: tuple[str, ...] = ()
    read_as: tuple[tuple[str, str], ...] = ()
    song_bpm: float | None = None
    options: tuple[str, ...] = ()
    clauses: tuple[ReadClause, ...] = ()
    rules: NoteRules = NoteRules()
    chart: AskedChart | None = None
    charted: ReadChart | None = None
    most_tracks: int = 0

    @property
    def stays(self) -> tuple[str, ...]:
        """All that is to stay, in words."""
        named = (("tempo", self.keep_tempo), ("key", self.keep_key))
        whole = (name for name, keep in named if keep)
        return (*(wish.label for wish in self.kept), *whole, *self.kept_aspects)

    @property
    def says_something(self) -> bool:
        """Whether anything musical was recognised; for a change, whether there is a task."""
        if self.goal == "change":
            return bool(self.tasks)
        return bool(
            self.style or self.moods or self.settings or self.wanted or self.refused or self.bpm or self.pace
            or self.course or self.players or self.tonic or self.mode or self.meter or self.metered
            or self.tempo_factor != 1.0 or self.tempo_between or self.tasks or self.asks_length or self.asks_form
            or self.chart
        )

    @property
    def asks_form(self) -> bool:
        """Whether it spells out a form; a single section without a length does not count."""
        return len(self.sections) > 1 or any(section.bars for section in self.sections)

    @property
    def asks_length(self) -> bool:
        """Whether it states a length."""
        return bool(self.bars or self.seconds or self.size)

    @property
    def brightness(self) -> float:
        """The sum of the moods' brightness, limited to -1 to 1."""
        return max(-1.0, min(1.0, sum(mood.brightness for mood in self.moods)))

    @property
    def energy(self) -> float:
        """The sum of the energy of moods and settings, limited to -1 to 1."""
        said = sum(mood.energy for mood in self.moods) + sum(setting.lift for setting in self.settings)
        return max(-1.0, min(1.0, said))


def understood(intent: Intent, style_label: str = "") -> tuple[str, ...]:
    """The intent in short sentences for the answer; `style_label` is the name of the chosen style ("": none)."""
    said: list[str] = []
    verb = {"compose": "a new piece", "change": "a change of this song", "replace": "a new piece instead of this one"}
    said.append(verb.get(intent.goal, "a new piece or a change"))
    said += [f"read {wrong!r} as {right!r}" for wrong, right in intent.read_as]
    said += [f"it is {fact}" for fact in intent.already]
    tasks = [told(task, intent.song_bpm) for task in intent.tasks]
    if intent.goal == "change" and tasks:
        return (*said, *tasks, *_kept(intent))
    if style_label:
        said.append(f"style: {style_label}" + ("" if intent.style else f" (you named none; {_reasons(intent)})"))
    if intent.settings:
        said.append("for or like: " + ", ".join(_setting(setting) for setting in intent.settings))
    if intent.moods:
        said.append("mood: " + ", ".join(mood.name for mood in intent.moods))
    if intent.ramp is not None:
        said.append("tempo: from {:g} to {:g} BPM, steadily".format(*intent.ramp))
    elif intent.bpm is not None:
        said.append(f"tempo: exactly {intent.bpm:g} BPM")
    elif intent.tempo_between is not None:
        said.append("tempo: between {:g} and {:g} BPM".format(*intent.tempo_between))
    elif intent.tempo_factor != 1.0:
        said.append(f"tempo: {told_tempo(intent.tempo_factor)}")
    elif intent.pace:
        refused = intent.pace.removeprefix("not ")
        asked = f"{intent.pace} for the style" if refused == intent.pace else f"not too {refused}"
        said.append(f"tempo: {asked}")
    if intent.tonic or intent.mode:
        words = [intent.tonic or "", (intent.mode or "").replace("_", " ")]
        said.append("key: " + " ".join(word for word in words if word))
    if intent.meter:
        grouped = f" ({'+'.join(map(str, intent.grouping))})" if intent.grouping else ""
        said.append(f"meter: {intent.meter[0]}/{intent.meter[1]}{grouped}")
    said += [f"meter: {one.told}" for one in intent.metered]
    if intent.bars is not None:
        said.append(f"length: exactly {counted(intent.bars, 'bar')}")
    elif intent.seconds is not None:
        said.append(f"length: about {told_time(intent.seconds)}")
    elif intent.size and intent.goal != "change":
        said.append(f"length: {intent.size}")
    elif intent.shape and not (intent.course or intent.asks_form):
        said.append("length: a loop of a few bars" if intent.shape == "loop" else "length: that of a cue")
    said += [f"stage {number}: {told_stage(stage)}" for number, stage in enumerate(intent.course, 1)]
    if intent.most_tracks:
        said.append(f"at most {counted(intent.most_tracks, 'track')}")
    if intent.loudest is not None:
        said.append(f"no note louder than velocity {intent.loudest}")
    if intent.sections:
        said.append("sections: " + ", ".join(_section(section) for section in intent.sections))
    if intent.chart is not None and intent.charted is not None:
        said += told_chart(intent.chart, intent.charted)
    said += told_rules(intent.rules)
    said += _bound(intent)
    return (*said, *tasks)


def _reasons(intent: Intent) -> str:
    """What a style was chosen by where none was named."""
    meter = [f"{intent.meter[0]}/{intent.meter[1]}"] if intent.meter else []
    near = [*(setting.name for setting in intent.settings), *(mood.name for mood in intent.moods), *meter]
    tempo = [f"{intent.bpm:g} BPM"] if intent.bpm is not None else []
    named = list(dict.fromkeys((*near, *(wish.label for wish in intent.wanted), *tempo)))[:_REASONS]
    return f"nearest to {', '.join(named)}" if named else "a plain one, as nothing points elsewhere"


def _setting(setting: Setting) -> str:
    return f"{setting.name} ({setting.about})" if setting.about else setting.name


def _section(section: AskedSection) -> str:
    return section.name + (f" ({counted(section.bars, 'bar')})" if section.bars else "")


def _bound(intent: Intent) -> list[str]:
    # single drums are taken out by a task, which tells so
    refused = [wish for wish in intent.refused if not (wish.pieces and intent.tasks)]
    said = [
        f"{verb}: {', '.join(wish.label for wish in wishes)}"
        for verb, wishes in (
            ("only" if intent.only else "with", intent.players or intent.wanted),
            ("without", refused),
        )
        if wishes
    ]
    if intent.carriers:
        said.append(f"the tune: {', '.join(wish.label for wish in intent.carriers)}")
    said += _kept(intent)
    if intent.title:
        said.append(f"name: {intent.title}")
    return said


def _kept(intent: Intent) -> list[str]:
    said = [f"kept as it is: {', '.join(wish.label for wish in intent.kept)}"] if intent.kept else []
    kept = [
        name
        for name, keep in (("tempo", intent.keep_tempo), ("key", intent.keep_key), ("sounds", intent.keep_sounds))
        if keep
    ]
    if kept := [*kept, *intent.kept_aspects]:
        said.append(f"kept: {', '.join(kept)}")
    return said
