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
    """A style that new pieces can have; `words` are what it is called beside its label."""

    name: str
    label: str
    words: tuple[str, ...] = ()


class Version(Struct, frozen=True):
    """A version of the song, as the history lists it; `source` is a word of the database: ai_iteration, edit, …"""

    id: IterationId
    number: int
    label: str
    source: str
    created: str
    request: str = ""
    parent: IterationId | None = None
    run: RunId | None = None


class RowOfRun(Struct, frozen=True):
    """A row of a plan that was run, what became of it, and which tracks it touches by its inputs."""

    step: str
    number: int
    title: str
    why: str
    state: StepState
    reason: str = ""
    tracks: tuple[TrackId, ...] = ()


class RunFacts(Struct, frozen=True):
    """The last run: what was asked, its rows, and the song before it."""

    id: RunId
    request: str
    state: str
    rows: tuple[RowOfRun, ...] = ()
    before: Song = Song()


class PlanFacts(Struct, frozen=True):
    """A plan that waits for an approval, with the song that would come of it where that is known."""

    plan: Plan
    after: Song | None = None

    def was_asked_by(self, words: str) -> bool:
        """Whether words are those that it was first asked for: who says them again wants another plan, not more of this
        one. Remarks stand in lines behind them."""
        return _bare(words) in (_bare(self.plan.request), _bare(self.plan.request.partition("\n")[0]))


class Way(Struct, frozen=True):
    """How an action is done at a door, as a whole sentence; `command` is what is typed, with fields in braces.

    Where it is done elsewhere, `step` says how without saying where, and `where` says that. `there` says how for a
    place of the song, whose first bar it names as `{bar}`.
    """

    sentence: str
    command: str = ""
    step: str = ""
    where: str = ""
    there: str = ""


class ProgramFacts(Struct, frozen=True):
    """What the program is and has here. `planner` says who plans; `exports` and `imports` are file endings.

    `sound_files` says in which quality sound is written.
    """

    styles: tuple[StyleInfo, ...] = ()
    exports: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    sound_files: str = ""
    data: str = ""
    export_folder: str = ""
    planner: str = "the offline composer"
    offline: bool = True
    spent: float | None = 0.0
    locks: tuple[str, ...] = ()
    ways: Mapping[Action, Way] = {}
    """How actions are done at the door that asks."""


class ComparedVersions(Struct, frozen=True):
    """Two versions of the song, the older one first."""

    older: int
    newer: int
    before: Song
    after: Song


class Context(Struct, frozen=True):
    """All that an answer may rest on.

    `versions` are newest first, `undo` and `redo` the numbers of those that one step would bring back. `compared`
    are the two that a question about changes is about. `plan` is the one that waits; `in_front` says whether what is
    said now is about it. `any_language` is set where a model reads the words.
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
    run: RunFacts | None = None
    project: str = ""
    any_language: bool = False


def _bare(words: str) -> str:
    return " ".join(words.split()).casefold().rstrip(".! ")
