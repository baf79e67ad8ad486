"""The kinds of messages: each saying is one of these before anything is planned."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from agent.song.ids import SectionId, TrackId

Topic = Literal[
    "key", "chords", "numerals", "parallels", "tempo", "meter", "length", "form", "place", "players", "entrance",
    "rests", "sound", "effects_on", "range", "muddy", "empty",
    "highest", "lowest", "timing", "polyphony", "strokes", "pan", "doubles", "crossing", "leaps",
    "accidentals", "fastest",
    "harmonic_rhythm", "inversions", "difficulty", "clashes", "melody",
    "notes", "loudness", "repeats", "loops", "covers", "in_tune", "bar_content", "state", "title", "style", "lyrics",
    "changed", "why", "versions", "saved", "clock",
    "plan", "row", "removals", "busiest",
    "how_to", "styles", "palette", "effects", "abilities", "internet", "privacy", "cost", "files", "formats", "model",
    "language", "quality", "synthesis", "together", "platforms", "plugins", "backup",
    "cadences", "modulation", "compare_places", "growth",
    "related_keys", "rounds", "excerpt", "character", "origin", "author",
    "manual", "unknown",
]
"""What a question is about: the song, its versions and runs, the waiting plan, the program, an entry of the manual, or
nothing known."""

CommandName = Literal[
    "play", "stop", "loop", "solo", "listen_without", "go_to", "zoom",
    "undo", "redo", "restore", "mute", "rename", "lock", "unlock", "export", "import", "new_song", "open", "save",
    "discard", "metronome", "speakers",
]
"""Everything that is done without a plan. The first seven only change what is heard or seen."""
AT_ONCE: frozenset[CommandName] = frozenset({"play", "stop", "loop", "solo", "listen_without", "go_to", "zoom"})

Action = Literal[
    CommandName, "approve", "reject", "preview", "compare", "record", "audio", "print", "remove", "key", "meter",
    "tempo", "volume", "notes", "effect", "track", "model", "theme", "soundfont", "shortcuts", "speed", "ask",
    "compose", "list_styles", "list_instruments", "list_effects", "history",
]
"""Every action that a how-to question can be about. Each interface says how it is done there (`ProgramFacts.ways`)."""

TalkKind = Literal[
    "greeting", "bye", "thanks", "praise", "who", "feeling", "joy", "luck", "sorrow", "weary", "grumble", "agreement",
    "no", "opinion", "joke", "elsewhere", "nothing",
]
"""`agreement` and `no` are a yes or no without a waiting plan; `elsewhere` asks for something that Bandleader does not
make. Of what a person tells, `joy`, `sorrow` and `weary` are glad, sad or tired, `luck` hopes for it, and `feeling` is
anything else."""


class About(Struct, frozen=True):
    """What a message names of the song, the plan and the history. Bars count from 1, both ends included; `styles` and
    `formats` are names of styles and of file formats.

    `absent` and `absent_sections` are instruments and sections that it names and the song lacks. `rows` and `versions`
    are numbers as shown, from 1; -1 is the last, and for versions 0 the one before the last.
    """

    tracks: tuple[TrackId, ...] = ()
    absent: tuple[str, ...] = ()
    sections: tuple[SectionId, ...] = ()
    absent_sections: tuple[str, ...] = ()
    bars: tuple[int, int] | None = None
    rows: tuple[int, ...] = ()
    versions: tuple[int, ...] = ()
    styles: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    moment: float | None = None
    """A time of the song in seconds, as its clock shows it; `bars` is then the bar that sounds there."""


class Question(Struct, frozen=True):
    """A question; `words` is its text and `about` what it names of the song. `action` is what a `how_to` question is
    about, None for an action that is not listed; `value` is the file format that such a question asks for, "" for
    none."""

    topic: Topic
    words: str
    about: About = About()
    action: Action | None = None
    value: str = ""
    """For a question how to export: the file format that the named program or device reads; for one that the manual
    answers: the name of its entry."""


class Command(Struct, frozen=True):
    """A command that needs no plan, such as undo; `words` is its text and `about` what it names of the song. `value` is
    the new name, the format or the file that it names."""

    name: CommandName
    words: str
    about: About = About()
    value: str = ""

    @property
    def at_once(self) -> bool:
        """Whether it only changes what is heard or seen (see `AT_ONCE`), so that it can be done without asking."""
        return self.name in AT_ONCE


class Refinement(Struct, frozen=True):
    """A change of the waiting plan; `words` are the message without a "yes, but" before them."""

    words: str


class Refusal(Struct, frozen=True):
    """Dislike of what there is, with the wish for something else. `words` is the message, `about` what is disliked;
    `wish` is what should be there instead, "" if not said."""

    words: str
    wish: str = ""
    about: About = About()


class ApprovalInWords(Struct, frozen=True):
    """A yes to the waiting plan. It does not approve the plan: the answer refers to the button or command."""

    words: str


class Talk(Struct, frozen=True):
    """Small talk that asks for nothing, of this `kind`; `words` is its text."""

    kind: TalkKind
    words: str


class ForeignLanguage(Struct, frozen=True):
    """A message in a language that the composer does not read; `name` is the language in English, `command` a command
    recognised in it."""

    name: str
    words: str
    command: CommandName | None = None


class Request(Struct, frozen=True):
    """A request for music to be made or changed, which goes to the planner. `understood` is False if the composer can
    make nothing of its words."""

    words: str
    understood: bool = True


class Several(Struct, frozen=True):
    """A message with several parts that cannot be handled as one; none of them is carried out by itself."""

    parts: tuple[Message, ...]
    words: str


Message: TypeAlias = (
    Question | Command | Refinement | Refusal | ApprovalInWords | Talk | ForeignLanguage | Request | Several
)
