"""The door of every planner: what it is given and what it streams back."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from agent.plan.document import Plan
from agent.plan.plan import Draft, Inputs, Step
from agent.plan.request import RequestText
from agent.plan.tool import ToolSpec
from agent.song.fence import Fence
from agent.song.ids import TrackId
from agent.song.locks import Lock
from agent.song.palette import Palette
from agent.song.song import Song


class ConversationLine(Struct, frozen=True):
    """A line of the project's conversation."""

    by: Literal["you", "bandleader"]
    text: str


class Verdict(Struct, frozen=True):
    """What a person did (`deed`) with a row that was proposed earlier in this project for `request`, and the `reason`
    if they gave one. `changed_to` are the inputs that they put in place of the proposed ones."""

    request: str
    step: Step
    deed: Literal["rejected", "changed"]
    reason: str = ""
    changed_to: Inputs | None = None
    """The inputs that the person put in place of the proposed ones."""


class Revision(Struct, frozen=True):
    """Rows of a plan to be proposed anew; all its other rows stay as they are. `wish` says what is wrong with them."""

    plan: Plan
    steps: tuple[str, ...]
    wish: str = ""


class Removable(Struct, frozen=True):
    """What a request asks to remove: `everything`, or what the tracks in `cells` play in the bars there, counted from
    1."""

    everything: bool = False
    cells: frozenset[tuple[TrackId, int]] = frozenset()

    def allows(self, track: TrackId, bars: Sequence[int]) -> bool:
        """Whether a track may fall silent in these bars. Empty `bars` stand for any bars, as the plan moves them; then
        one allowed bar of the track is enough."""
        if self.everything:
            return True
        if not bars:
            return any(one == track for one, _ in self.cells)
        return all((track, bar) in self.cells for bar in bars)


class SoundFonts(Struct, frozen=True):
    """SoundFont files of the person's own, by their names, and the folder in which they lie."""

    folder: str
    files: tuple[str, ...] = ()


class Brief(Struct, frozen=True):
    """All that a planner may know. `seed` fixes every choice of an offline planner. `said` is the conversation before
    the request, oldest first; `verdicts` are newest first. `fresh` ignores a cached answer to the same brief.
    `revision` asks for some rows of a plan anew, None for a new plan.

    `steering` returns the words that the person typed since it was last called, while the planner works. `fence` is
    where alone the song may change, None for the whole song: a row that touches anything else is an error. `removable`
    is what the request asks to remove, as far as it was read by rule. `intensity`, 0 to 1, is how far a change of the
    song goes: at 1 the usual measure, at 0 nothing changes. `soundfonts` are those that the song and its tracks may
    play from, None if their folder was not read.
    """

    request: RequestText
    song: Song
    palette: Palette
    tools: tuple[ToolSpec, ...]
    seed: int
    locks: tuple[Lock, ...] = ()
    said: tuple[ConversationLine, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    revision: Revision | None = None
    fresh: bool = False
    intensity: float = 1.0
    fence: Fence | None = None
    removable: Removable = Removable()
    soundfonts: SoundFonts | None = None
    steering: Callable[[], tuple[str, ...]] = lambda: ()


class Thinking(Struct, frozen=True):
    """A sentence on what the planner is doing."""

    text: str


class StepProposed(Struct, frozen=True):
    """A row, as soon as it is known; the rows of `DraftReady` are the ones that count."""

    step: Step


class StepsWithdrawn(Struct, frozen=True):
    """All rows proposed so far are void; others follow."""


class Countdown(Struct, frozen=True):
    """The planner waits for its model, for `reason`: `seconds` are left until the next try. Emitted about once a
    second."""

    seconds: float
    reason: str


class Spent(Struct, frozen=True):
    """What planning has used of a `model` so far: `tokens` read and written, and `cost` in US dollars, None where the
    price is unknown."""

    tokens: int
    cost: float | None = None
    model: str = ""


class ClarifyingChoice(Struct, frozen=True):
    """An answer to a question: its `label`, and the full `request` to be planned if the person picks it."""

    label: str
    request: str


class ClarifyingQuestion(Struct, frozen=True):
    """A question to the person, because the request is unclear; the stream ends here, and the person picks one of the
    choices."""

    text: str
    choices: tuple[ClarifyingChoice, ...]


class DraftReady(Struct, frozen=True):
    """The whole plan; the stream ends here."""

    draft: Draft


PlannerEvent: TypeAlias = Thinking | StepProposed | StepsWithdrawn | Countdown | Spent | ClarifyingQuestion | DraftReady


class Planner(Protocol):
    """Turns a brief into a stream of events that ends in a draft or a question; it cannot change a song. Raises
    `PlanError` if there is nothing to plan."""

    @property
    def name(self) -> str:
        """How iterations name this planner."""
        ...

    @property
    def steers(self) -> bool:
        """Whether the planner takes words into account that the person types while it plans."""
        ...

    def plan(self, brief: Brief) -> AsyncGenerator[PlannerEvent, None]:
        """Plan the brief as a stream of events; close the stream to stop planning."""
        ...
