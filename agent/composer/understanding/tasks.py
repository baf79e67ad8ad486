"""Tasks: what is to be done to a song that exists, each with its place, its measure and its condition."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct

from agent.composer.understanding.wishes import Wish

Count = Annotated[int, Meta(ge=1)]


class Bars(Struct, frozen=True, tag=True):
    """Bars `first` to `last`, counted from 1, both included."""

    first: Count
    last: Count


class Named(Struct, frozen=True, tag=True):
    """The sections whose name contains the word `name`; `number` 2 is the second of them, -1 the last, 0 all."""

    name: str
    number: int = 0


class Edge(Struct, frozen=True, tag=True):
    """The first or last `bars` bars of the song."""

    at: Literal["start", "end"]
    bars: Count


Place: TypeAlias = Bars | Named | Edge


class Scope(Struct, frozen=True):
    """Where a task works: in `places` (empty: the whole song), without those `excluded`."""

    places: tuple[Place, ...] = ()
    excluded: tuple[Place, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether the scope is the whole song."""
        return not self.places and not self.excluded


class Condition(Struct, frozen=True):
    """A task's condition: the song has (`present`) or lacks what the wish names."""

    wish: Wish
    present: bool


class Operation(Struct, frozen=True):
    """One kind of change to a song; its fields are the values that the request filled in. Flags of the class say how
    the kind behaves.

    A new piece is written with it from the start (`of_frame`), or it changes the finished piece. Its `wish` is silent
    in its place and may return later (`of_absence`), or begins to play there (`of_entrance`). It happens at its place
    only, like a fermata, rather than from there on (`at_point`). It changes how a new piece sounds, whatever parts it
    has (`of_sound`); asks for another mix (`of_mix`); makes a preceding "simpler" more precise (`says_how`); says what
    remains of the song (`of_whole`); makes sense only for an existing song (`of_song`); or writes for the drum kit,
    whatever part it names (`of_kit`).
    """

    of_frame: ClassVar[bool] = False

    of_absence: ClassVar[bool] = False
    at_point: ClassVar[bool] = False
    of_sound: ClassVar[bool] = False
    of_mix: ClassVar[bool] = False
    """Whether it asks for another mix, so that a mix that is kept is so in all other respects."""
    of_entrance: ClassVar[bool] = False
    says_how: ClassVar[bool] = False
    """Whether it makes a preceding "simpler" more precise, and so replaces it."""
    of_whole: ClassVar[bool] = False
    """Whether it says what remains of the song, so that places to be kept do not narrow it."""
    of_song: ClassVar[bool] = False
    of_kit: ClassVar[bool] = False

    @property
    def newcomer(self) -> Wish | None:
        """The part that the operation adds on a track of its own; None if it adds none. The song may have such a part
        already."""
        return None

    @property
    def bounds(self) -> tuple[int | None, int | None] | None:
        """(lowest, highest) MIDI pitch for the operation's `wish`, None at either end without a limit; None alone if it
        states anything but a pitch range."""
        return None

    def limited_to(self, _wishes: tuple[Wish, ...], /) -> Operation | None:
        """The operation with only the parts `_wishes` playing in what it makes; None if that does not apply to it."""
        return None

    def specifies(self, _before: Operation, /) -> bool:
        """Whether the operation only makes `_before`, the one right before it, more precise, and so replaces it."""
        return False

    def sentence(self, amount: float, bpm: float | None, /) -> str:
        """What the operation does, in a few words for the answer; `amount` is how far (1: usual), `bpm` the song's
        tempo if known."""
        raise NotImplementedError

    def placed(self, said: str, places: str, without: str) -> str:
        """The sentence `said` with the places where it is done (`places`) and not done (`without`) added, each "" for
        none."""
        return said + (f" in {places}" if places else "") + (f", except in {without}" if without else "")


class Task(Struct, frozen=True):
    """An operation with its scope. `amount` is how far it goes: 1 is usual, 0.5 half of that ("a bit", "50 %").

    It is done only under its `condition`, and only in every n-th bar (`every`; None: throughout). `words` is the text
    of the request that asks for it, for display, `clauses` the numbers of the request's clauses that do.
    """

    operation: Operation
    scope: Scope = Scope()
    amount: Annotated[float, Meta(gt=0, le=1.5)] = 1.0
    condition: Condition | None = None
    every: Annotated[int, Meta(ge=1, le=999)] | None = None
    words: str = ""
    clauses: tuple[int, ...] = ()
