"""What a message is read and answered with: everything as plain values, gathered by the program."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from agent.chat.messages import Action
from agent.plan.document import Plan
from agent.plan.ledger import StepState
from agent.song.ids import IterationId, RunId, TrackId
from agent.song.palette import Palette
from agent.song.song import Song


class StyleInfo(Struct, frozen=True):
    """A style for new pieces; `words` are further names for it, `tempo` is its range in BPM (None: not known)."""

    name: str
    label: str
    words: tuple[str, ...] = ()
    tempo: tuple[float, float] | None = None


class Version(Struct, frozen=True):
    """A version of the song as listed in the history; `source` is how it was made, as stored: ai_iteration, edit, …
    `created` is its time as text. `request` ("" for none) and `run` belong to a version made by a plan; `parent` is the
    version that it was made from."""

    id: IterationId
    number: int
    label: str
    source: str
    created: str
    request: str = ""
    parent: IterationId | None = None
    run: RunId | None = None


class RowOfRun(Struct, frozen=True):
    """A row of a plan that was run; `number` counts from 1. `why` is the plan's reason for the row, `reason` why it
    failed or was skipped, and `tracks` those that its inputs refer to."""

    step: str
    number: int
    title: str
    why: str
    state: StepState
    reason: str = ""
    tracks: tuple[TrackId, ...] = ()


class RunFacts(Struct, frozen=True):
    """The last run: its request, its `state` as stored (a value of `RunState`), its rows, and the song `before` it."""

    id: RunId
    request: str
    state: str
    rows: tuple[RowOfRun, ...] = ()
    before: Song = Song()


class PlanFacts(Struct, frozen=True):
    """The plan that waits for approval; `after` is the song that it would make, None if not known."""

    plan: Plan
    after: Song | None = None

    def was_asked_by(self, words: str) -> bool:
        """Whether the words are the plan's original request (its first line) or its whole request; saying them again
        asks for another plan."""
        return _bare(words) in (_bare(self.plan.request), _bare(self.plan.request.partition("\n")[0]))


class Way(Struct, frozen=True):
    """How an action is done in one interface (window or command line), as a whole sentence; `command` is what to type,
    with fields in braces such as `{track}`.

    In a list of numbered steps `step` replaces the sentence, and `where` is a sentence put before the list. `there` is
    the step for an action at a place of the song, with `{bar}` for its first bar.
    """

    sentence: str
    command: str = ""
    step: str = ""
    where: str = ""
    there: str = ""


class ProgramFacts(Struct, frozen=True):
    """What is known about the program: `planner` is the name of who plans (`offline`: the offline composer), `exports`
    and `imports` are file endings, `data` and `export_folder` paths, `spent` US dollars (None: unknown), `locks`
    descriptions of the song's locks.

    `sound_files` describes the quality of exported sound, `sound_ends` where its files end.
    """

    styles: tuple[StyleInfo, ...] = ()
    exports: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    sound_files: str = ""
    sound_ends: str = ""
    data: str = ""
    export_folder: str = ""
    planner: str = "the offline composer"
    offline: bool = True
    spent: float | None = 0.0
    locks: tuple[str, ...] = ()
    ways: Mapping[Action, Way] = {}
    """How actions are done in the interface in use (window or command line)."""


class ComparedVersions(Struct, frozen=True):
    """Two versions to compare, by number and song, the older first."""

    older: int
    newer: int
    before: Song
    after: Song


class Context(Struct, frozen=True):
    """Everything that messages are read and answered with.

    `versions` are newest first; `undo` and `redo` are the numbers of the versions that one step leads to, None for
    none. `compared` are the two versions that a question about changes is about, `run` is the last run. `plan` is the
    waiting plan, and `in_front` says whether the person is looking at it. `project` is the name for `--project` of a
    command, "" for none. `any_language` is set if a model reads the requests.
    """

    song: Song
    palette: Palette
    program: ProgramFacts = ProgramFacts()
    plan: PlanFacts | None = None
    in_front: bool = False
    versions: tuple[Version, ...] = ()
    undo: int | None = None
    redo: int | None = None
    compared: ComparedVersions | None = None
    past: tuple[tuple[int, Song], ...] = ()
    """The numbers and songs of the versions that led to this song, the oldest first; empty unless a question needs
    them."""
    run: RunFacts | None = None
    today: str = ""
    """The date of now in UTC, as YYYY-MM-DD; "" if not known."""
    project: str = ""
    any_language: bool = False


def _bare(words: str) -> str:
    return " ".join(words.split()).casefold().rstrip(".! ")
