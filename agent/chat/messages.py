"""The kinds of messages: each saying is one of these before anything is planned."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from agent.song.ids import SectionId, TrackId

Topic = Literal[
    "key", "chords", "numerals", "parallels", "tempo", "meter", "length", "form", "place", "players", "entrance",
    "rests", "sound", "effects_on", "range", "muddy", "empty",
    "highest", "lowest",
    "notes", "loudness", "repeats", "loops", "covers", "in_tune", "bar_content", "state", "title", "style", "lyrics",
    "changed", "why", "versions", "saved", "clock",
    "plan", "row", "removals", "busiest",
    "how_to", "styles", "palette", "effects", "abilities", "internet", "privacy", "cost", "files", "formats", "model",
    "language", "quality", "synthesis",
    "unknown",
]
"""What a question is about: the song, its versions and runs, the waiting plan, the program, or nothing known."""

CommandName = Literal[
    "play", "stop", "loop", "solo", "listen_without", "go_to", "zoom",
    "undo", "redo", "restore", "mute", "rename", "lock", "unlock", "export", "import", "new_song", "open", "save",
    "discard", "metronome", "speakers",
]
"""All that is carried out without a plan. The first seven change nothing but what one hears and sees."""
AT_ONCE: frozenset[CommandName] = frozenset({"play", "stop", "loop", "solo", "listen_without", "go_to", "zoom"})

Action = Literal[
    CommandName, "approve", "reject", "preview", "compare", "record", "audio", "print", "remove", "key", "meter",
    "tempo", "volume", "notes", "effect", "track", "model", "theme", "ask", "compose", "list_styles",
    "list_instruments", "list_effects", "history",
]
"""All that one can ask how to do. A door says for each how it is done there."""

TalkKind = Literal[
    "greeting", "bye", "thanks", "praise", "who", "feeling", "grumble", "agreement", "no", "elsewhere", "nothing",
]
"""`agreement` and `no` answer a plan that does not wait; `elsewhere` wants what Bandleader does not make."""


class About(Struct, frozen=True):
    """What of the song, the plan and the history a message names. Bars count from 1, both ends included.

    `absent` and `absent_sections` are the instruments and sections that it names and the song does not have. `rows`
    and `versions` are numbers as they are shown, from 1, where -1 is the last and, of versions, 0 the one before it.
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
    """A time of the song in seconds, as a clock shows it; `bars` is then the bar that sounds at it."""


class Question(Struct, frozen=True):
    """Wants to know something; `action` is what a `how_to` is about, None where that is nothing of the list."""

    topic: Topic
    words: str
    about: About = About()
    action: Action | None = None
    value: str = ""
    """The file format that the named program or device takes, where the question is how to export."""


class Command(Struct, frozen=True):
    """Wants something done that needs no plan. `value` is the new name, the format or the file that it tells."""

    name: CommandName
    words: str
    about: About = About()
    value: str = ""

    @property
    def at_once(self) -> bool:
        """Whether it changes nothing but what one hears and sees."""
        return self.name in AT_ONCE


class Refinement(Struct, frozen=True):
    """Wants the waiting plan changed; `words` are without the "yes, but" before them."""

    words: str


class Refusal(Struct, frozen=True):
    """Does not like what there is, and wants another. `about` is what is disliked; `wish` says what it shall be
    instead, empty where nothing is said of that."""

    words: str
    wish: str = ""
    about: About = About()


class ApprovalInWords(Struct, frozen=True):
    """Says yes to the waiting plan. Words never approve: they lead to the button."""

    words: str


class Talk(Struct, frozen=True):
    """Wants nothing of the song."""

    kind: TalkKind
    words: str


class ForeignLanguage(Struct, frozen=True):
    """Is in a language that the composer does not read; `name` is English for it, `command` a plain one in it."""

    name: str
    words: str
    command: CommandName | None = None


class Request(Struct, frozen=True):
    """Wants music made or changed: this is what gets planned."""

    words: str


class Several(Struct, frozen=True):
    """Holds several things that cannot be done as one, each as a message of its own; none is done by halves."""

    parts: tuple[Message, ...]
    words: str


Message: TypeAlias = (
    Question | Command | Refinement | Refusal | ApprovalInWords | Talk | ForeignLanguage | Request | Several
)
