"""Versions as steps of a plan: what is foreseen is what happens, and inputs that do not fit are refused."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from studio_parts import a_song

from agent.plan.inputs import BadInput
from agent.services.service import Call, Origin
from agent.song.apply import apply_all
from agent.song.revision import song_revision
from agent.song.song import Song
from app.services.library.library_service import LibraryService
from app.services.versions_service import VersionsService


class NoFiles:
    """A library without files of the user's own."""

    def files(self, kinds: object) -> tuple[()]:
        return ()


class Shelf:
    """Keeps one old song."""

    def __init__(self, old: Song) -> None:
        self._old = old

    def song_of(self, project: str, iteration: str) -> Song:
        assert (project, iteration) == ("pproject", "iold")
        return self._old


def a_call(tool: str, **inputs: Any) -> Call:
    return Call(tool, inputs, Song(name="new"), Origin("hash", "s1"), "pproject")


@pytest.mark.parametrize("call", [
    a_call("restore", iteration="iold"), a_call("branch", iteration="iold", name="Another way"),
    a_call("compare", a="iold"), a_call("save_iteration", label="Verse"),
])  # fmt: skip
def test_a_call_does_what_was_foreseen(call: Call) -> None:
    service = VersionsService(Shelf(a_song()))
    foreseen = service.foresee(call)
    assert asyncio.run(service.call(call)) == foreseen
    if foreseen.edits:
        assert song_revision(apply_all(call.song, foreseen.edits)) == song_revision(a_song())


@pytest.mark.parametrize("call", [
    a_call("restore", iteration=7), a_call("branch", iteration="iold"), a_call("compare", a=None),
    a_call("save_iteration"), a_call("save_iteration", label="Verse", colour="red"),
])  # fmt: skip
def test_inputs_that_do_not_fit_are_an_error_of_the_row(call: Call) -> None:
    with pytest.raises(BadInput):
        VersionsService(Shelf(a_song())).foresee(call)
    with pytest.raises(BadInput):
        LibraryService(lambda: (), NoFiles()).foresee(a_call("query_library", kind="recipe"))
