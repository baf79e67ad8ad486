"""The plan saved as a file and opened again; files that are no plan, or one for another song."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtWidgets import QFileDialog

from agent.plan.document import read_plan
from agent.plan.plan import Step
from agent.song.edits import SetTempo

if TYPE_CHECKING:
    Reviewed = Any

ROWS = (
    Step("s1", "set_tempo", {"bpm": 84.0}, group="Frame"),
    Step("s2", "create_track", {"name": "Pad", "instrument": "pad_warm"}, group="Harmony"),
)


def test_what_would_run_is_saved_and_opened_again(told: Callable[..., None], tmp_path: Path) -> None:
    path = tmp_path / "calm.plan.json"

    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        await one.opened.reviewing.reject(["s2"])
        wanted = one.proposal.judged.plan
        one.panel.plan_actions.do("save")
        dialog = one.panel.plan_actions.files.dialog
        assert (dialog.acceptMode(), dialog.defaultSuffix()) == (QFileDialog.AcceptMode.AcceptSave, "plan.json")
        dialog.fileSelected.emit(str(path))
        dialog.close()
        await one.settle()
        assert one.panel.notice.text == "Saved 1 step in calm.plan.json."
        assert read_plan(path.read_bytes(), "it").hash == wanted.hash
        one.panel.plan_actions.files.read(str(path))
        await one.settle()
        assert one.panel.notice.text == "Opened 1 step from calm.plan.json."
        assert (one.proposal.judged.plan.hash, one.proposal.decisions) == (wanted.hash, ())
        one.opened.reviewing.discard()
        await one.opened.edit([SetTempo(bpm=99)], "By hand")
        one.panel.plan_actions.files.read(str(path))
        await one.settle()
        assert "made for another song or version" in one.panel.notice.text
        await one.run()
        assert one.opened.workspace.song.tempos[0].bpm == 84

    told(story)


def _plan(**more: object) -> str:
    return json.dumps({"steps": [{"id": "x", "tool": "set_tempo", "inputs": {"bpm": 84}}], **more})


@pytest.mark.parametrize("text", [
    "", "[]", "{}", "\x00\xff", "[" * 100_000, _plan(version=3), _plan(unknown=1),
    json.dumps({"steps": [{"id": "x", "tool": 7}]}),
])
def test_a_file_that_is_no_plan_changes_nothing(told: Callable[..., None], tmp_path: Path, text: str) -> None:
    path = tmp_path / "odd.json"
    path.write_bytes(text.encode("latin-1"))

    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        before = one.proposal
        for name in (path, tmp_path, tmp_path / "none.json"):
            one.panel.plan_actions.files.read(str(name))
            await one.settle()
            assert one.proposal is before
            assert str(name) in one.panel.notice.text

    told(story)


def test_a_plan_changed_by_hand_shows_its_errors_in_place(told: Callable[..., None], tmp_path: Path) -> None:
    path = tmp_path / "hand.json"
    path.write_text(json.dumps({
        "hash": "0" * 64, "project": "elsewhere", "song_revision": "other",
        "steps": [
            {"id": "x", "tool": "set_tempo", "inputs": {"bpm": -5}, "title": "<img src=file:///etc/passwd>"},
            {"id": "y", "tool": "erase_disk", "inputs": {}},
            {"id": "z", "tool": "create_track", "inputs": {"name": "Pad", "instrument": "pad_warm"}},
        ],
    }))

    async def story(one: Reviewed) -> None:
        one.panel.plan_actions.files.read(str(path))
        await one.settle()
        assert (one.text("x"), one.text("y")) == ("Wrong inputs", "Unknown tool")
        assert not one.panel.footer.proposed.run_button.isEnabled()
        assert one.proposal.plan.project == one.opened.workspace.project
        await one.opened.reviewing.reject(["x", "y"])
        await one.settle()
        assert one.panel.footer.proposed.run_button.isEnabled()

    told(story)
