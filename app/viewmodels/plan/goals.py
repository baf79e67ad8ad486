"""Rows that are left to a model, in words: what they may do, and what was called for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from agent.plan.plan import Json, Step
from agent.plan.references import is_reference, references_in
from agent.song.ids import MASTER
from agent.song.song import Song
from app.i18n import lazy, tr, trn

_MOST_TOOLS = 4
_MOST_TRACKS = 6
_OWN_TRACKS = lazy("tracks that it makes")


class GoalCall(Struct, frozen=True):
    """One call of `tool` that a model made for a row left to it. `ok` is False for a refused call; `told` is its
    result, or why it was refused."""

    tool: str
    ok: bool
    told: str = ""


def left_to_model(step: Step) -> bool:
    """Whether a row states a goal for a model instead of exact inputs."""
    return step.by == "model"


def limits_words(step: Step, song: Song | None, numbers: Mapping[str, int]) -> str:
    """What may be done for the goal: "May modify clip on Pad and tracks that it makes, at most 40 edits."

    `song` is the one that the row sees, `numbers` are those of the plan's rows by step id.
    """
    tools = _joined([_bare(tool) for tool in _texts(step.inputs.get("tools"))], _MOST_TOOLS, "or")
    tracks = [track_words(track, song, numbers) for track in _texts(step.inputs.get("tracks"))]
    where = _joined([*tracks[:_MOST_TRACKS], *_rest(tracks), tr(_OWN_TRACKS)], len(tracks) + 2, tr("and"))
    most = trn("{count:,} edit", "{count:,} edits", step.max_edits or 0)
    return tr("May {tools} on {where}, at most {most}.", tools=tools or tr("do nothing"), where=where, most=most)


def acceptance_words(step: Step) -> str:
    """That the row cannot be auditioned yet, and whether its edits wait for approval or are kept at once."""
    if accepted(step):
        return tr("It cannot be heard yet. Its edits are kept without another look.")
    return tr("It cannot be heard yet. Its edits wait for your approval before they reach the song.")


def accepted(step: Step) -> bool:
    """Whether the row's edits are accepted in advance, within its limits."""
    return step.inputs.get("accept") is True


def track_words(track: str, song: Song | None, numbers: Mapping[str, int]) -> str:
    """What a person calls a track that a model may change: its name, "the track of step 2", "the master effects".
    `numbers` are the row numbers by step id."""
    if track == MASTER:
        return tr("the master effects")
    if is_reference(track):
        sources = [numbers[one.source] for one in references_in(track) if one.source in numbers]
        return tr("the track of step {number}", number=sources[0]) if sources else tr("a track of another step")
    known = None if song is None else next((one for one in song.tracks if one.id == track), None)
    return track if known is None else known.name


def calls_words(calls: Sequence[GoalCall]) -> str:
    """ "3 calls: modify clip ×2, add effect, 1 refused"; empty for none."""
    if not calls:
        return ""
    made = Counter(_bare(call.tool) for call in calls if call.ok)
    named = [f"{tool} ×{count}" if count > 1 else tool for tool, count in made.items()]
    others = len(named) - _MOST_TOOLS
    more = [trn("{count} other tool", "{count} other tools", others)] if others > 1 else []
    refused = sum(not call.ok for call in calls)
    bad = [trn("{count} refused", "{count} refused", refused)] if refused else []
    parts = [*(named[:_MOST_TOOLS] if more else named), *more, *bad]
    all_calls = trn("{count:,} call", "{count:,} calls", len(calls))
    return f"{all_calls}: {', '.join(parts)}"


def calls_in(result: Json) -> tuple[GoalCall, ...]:
    """The calls that a row's stored result lists; empty if it lists none."""
    stored = result.get("calls", ()) if isinstance(result, dict) else ()
    return tuple(
        GoalCall(str(one.get("tool", "")), bool(one.get("ok")), str(one.get("reason", "")))
        for one in stored if isinstance(one, dict)
    )


def _texts(value: Json) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list | tuple) else []


def _bare(tool: str) -> str:
    """A tool as a verb: "modify clip"."""
    return tool.rpartition(".")[2].replace("_", " ").replace("midi", "MIDI")


def _rest(names: Sequence[str]) -> list[str]:
    more = len(names) - _MOST_TRACKS
    return [trn("{count:,} more track", "{count:,} more tracks", more)] if more > 0 else []


def _joined(names: Sequence[str], most: int, word: str) -> str:
    shown = list(names) if len(names) <= most else [*names[:most], tr("{count} more", count=len(names) - most)]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {word} {shown[-1]}" if shown else ""
