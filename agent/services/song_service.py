"""The song service: every edit as a tool, and the questions one can ask of a song. Pure."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from agent.plan.inputs import read_inputs
from agent.plan.tool import ToolSpec
from agent.plan.watch import Watch
from agent.services.schemas import input_schema, result_schema
from agent.services.service import Call, Outcome
from agent.services.song_edits import EDIT_KINDS, EditMaker, about
from agent.services.song_reads import READ_TOOLS
from agent.song import edits as e
from agent.song.palette import Palette

_VERSION = "1"
_MADE: dict[type[Struct], tuple[str, str]] = {
    e.CreateTrack: ("track_id", "track_id"),
    e.DuplicateTrack: ("track_id", "new_track_id"),
    e.CreateMidiClip: ("clip_id", "clip_id"),
    e.DuplicateClip: ("clip_id", "new_clip_id"),
    e.SplitClip: ("clip_id", "new_clip_id"),
    e.AddEffect: ("effect_id", "effect_id"),
    e.AddSection: ("section_id", "section_id"),
}
"""For edits that make something: the result's field, and the edit's field that holds the new id."""


class SongService:
    """The service of the tools that edit or read the song; they are derived from the edits and from `READ_TOOLS`."""

    name = "song"
    limit = 1

    def __init__(self, palette: Palette) -> None:
        self._palette = palette
        self._maker = EditMaker(palette)
        self._reads = {tool.name: tool for tool in READ_TOOLS}
        self._questions = {tool.name: input_schema(tool.inputs) for tool in READ_TOOLS}
        self.tools: tuple[ToolSpec, ...] = (*self._edit_tools(), *self._read_tools())

    async def call(self, call: Call) -> Outcome:
        """The outcome that `foresee` gives: an edit has no effect until it is committed."""
        return self.foresee(call)

    def foresee(self, call: Call) -> Outcome:
        """An outcome with the edit that the call describes, or with the answer of a reading tool."""
        question = self._reads.get(call.tool)
        if question is not None:
            read = read_inputs(self._questions[call.tool], call.inputs, watch=Watch(call.cancelled))
            return Outcome(question.ask(read, call.song, self._palette))
        edit = self._maker.edit(call.tool, call.inputs, call.song, call.origin, Watch(call.cancelled))
        return Outcome(_result(edit), (edit,))

    def _edit_tools(self) -> list[ToolSpec]:
        return [
            ToolSpec(
                name, self.name, _VERSION, about(kind), self._maker.schemas[name], _result_of(kind),
                changes_song=True, effect="song", safe_to_repeat=True,
            )
            for name, kind in EDIT_KINDS.items()
        ]

    def _read_tools(self) -> list[ToolSpec]:
        return [
            ToolSpec(
                tool.name, self.name, _VERSION, tool.about,
                self._questions[tool.name], result_schema(tool.result),
                reads_song=tool.reads_song, pure=True, safe_to_repeat=True,
            )
            for tool in READ_TOOLS
        ]


def _result_of(kind: type[Struct]) -> dict[str, Any]:
    fields = [_MADE[kind][0]] if kind in _MADE else []
    properties = {name: {"type": "string"} for name in fields}
    return {"type": "object", "properties": properties, "required": fields}


def _result(edit: e.Edit) -> dict[str, str]:
    if type(edit) not in _MADE:
        return {}
    name, field = _MADE[type(edit)]
    return {name: getattr(edit, field)}
