"""The score of every request, and what they come to together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from msgspec import Struct

from agent.song.song import Song
from agent.theory.gate import Flaw, findings, remarks
from tests.benchmarks.music.asking import Answer, Desk
from tests.benchmarks.music.checks import Change, Check, Kind, Melody, NewPiece, Request, Roots, Untouched, kind_of
from tests.benchmarks.music.excerpts import rest_of
from tests.benchmarks.music.judging import failure
from tests.benchmarks.music.result import Result

QUICK = 0.3
"""Seconds that planning may take."""
TARGETS = {"gate": 0.98, "binding": 1.0, "measure": 1.0, "identity": 1.0, "rows": 1.0, "quick": 1.0}
"""Least shares."""


class Outcome(Struct, frozen=True):
    """How one check came out: empty `reason` when it holds."""

    kind: Kind
    check: str
    reason: str = ""


class Score(Struct, frozen=True):
    """A request judged. `trouble` says why there was no plan, `flaws` what the gate found."""

    number: int
    words: str
    song: str
    seconds: float
    outcomes: tuple[Outcome, ...]
    flaws: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    trouble: str = ""
    busy: float = 0.0

    @property
    def reasons(self) -> tuple[str, ...]:
        """All that is wrong; without a plan only why there is none."""
        if self.trouble:
            return (self.trouble,)
        broken = [f"{one.kind}: {one.check}: {one.reason}" for one in self.outcomes if one.reason]
        return (*(f"gate: {flaw}" for flaw in self.flaws), *broken, *(f"idle row: {row}" for row in self.idle))


class Totals(Struct, frozen=True):
    """Shares of requests (gate, rows, quick) and of checks (the others) that hold; planning times in seconds."""

    requests: int
    whole: int
    """Requests with nothing wrong at all."""
    shares: dict[str, float]
    counts: dict[str, tuple[int, int]]
    median_seconds: float
    p95_seconds: float
    p95_busy: float
    """The same of the time that the processor worked, which other programs do not lengthen."""

    @property
    def missed(self) -> tuple[str, ...]:
        """Targets that are not reached."""
        return tuple(name for name, least in TARGETS.items() if self.shares.get(name, 1.0) < least)


def score(number: int, request: Request, desk: Desk, songs: dict[str, Song]) -> Score:
    """Ask, and judge the answer."""
    song = songs[request.song] if isinstance(request, Change) else Song()
    locks = request.locks if isinstance(request, Change) else ()
    answer = desk.ask(request.words, song, request.seed, locks)
    if answer.seconds > QUICK:
        # another program may have had the processor: the quicker of two is the composer's own time
        answer = min(answer, desk.ask(request.words, song, request.seed, locks), key=lambda one: one.seconds)
    checks = all_checks(request, song)
    name = request.song if isinstance(request, Change) else ""
    if answer.trouble:
        lost = tuple(Outcome(kind_of(check), _called(check), "no plan") for check in checks)
        return Score(number, request.words, name, answer.seconds, lost, trouble=answer.trouble)
    result = Result(
        song, answer.song, answer.draft, desk.palette, desk.styles,
        lambda words: desk.ask(words, song, request.seed, locks).song,
    )
    outcomes = tuple(Outcome(kind_of(check), _called(check), _failure(check, result)) for check in checks)
    flaws = tuple(f"{flaw.rule}: {flaw.message}" for flaw in new_flaws(song, answer, desk))
    return Score(number, request.words, name, answer.seconds, outcomes, flaws, answer.idle, busy=answer.busy)


def all_checks(request: Request, song: Song) -> tuple[Check, ...]:
    """Those of the request, and for a change those of its identity."""
    if isinstance(request, NewPiece):
        return request.checks
    kept: list[Check] = [Melody()] if request.melody else []
    kept += [Roots()] if request.roots else []
    kept += [Untouched(rest_of(song.bars, request.scope))] if request.scope else []
    return (*request.checks, *kept)


def new_flaws(before: Song, answer: Answer, desk: Desk) -> tuple[Flaw, ...]:
    """What the gate finds in the result and neither found nor remarked in the song that was given."""
    given = (*findings(before, desk.palette), *remarks(before, desk.palette)) if before.tracks else ()
    old = {(flaw.rule, flaw.where) for flaw in given}
    return tuple(flaw for flaw in findings(answer.song, desk.palette) if (flaw.rule, flaw.where) not in old)


def totals(scores: Sequence[Score]) -> Totals:
    """All scores together. A request without a plan fails all that was asked of it."""
    counts = {
        "gate": _count(not one.trouble and not one.flaws for one in scores),
        "rows": _count(not one.idle for one in scores),
        "quick": _count(one.seconds <= QUICK for one in scores),
    }
    kinds: tuple[Kind, ...] = ("binding", "measure", "identity")
    for kind in kinds:
        counts[kind] = _count(not o.reason for one in scores for o in one.outcomes if o.kind == kind)
    times = sorted(one.seconds for one in scores) or [0.0]
    busy = sorted(one.busy for one in scores if not one.trouble) or [0.0]
    return Totals(
        len(scores), sum(not one.reasons for one in scores),
        {name: good / of if of else 1.0 for name, (good, of) in counts.items()}, counts,
        median(times), times[int(0.95 * (len(times) - 1))], busy[int(0.95 * (len(busy) - 1))],
    )


def _count(held: Iterable[bool]) -> tuple[int, int]:
    all_ = list(held)
    return sum(all_), len(all_)


def _failure(check: Check, result: Result) -> str:
    try:
        return failure(check, result)
    except StopIteration:
        return "a track that it names is gone"


def _called(check: Check) -> str:
    values = (getattr(check, field) for field in check.__struct_fields__)
    words = ", ".join(str(value) for value in values if value not in ((), "", None))
    return f"{type(check).__name__}({words})"
