"""What a screen reader finds of the real window: every control has a name, and no two the same."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest
from patience import PATIENCE
from screens import Screen, Thing, a_screen, missing_packages
from system_packages import needs

NAMED = frozenset({
    "push button", "toggle button", "check box", "radio button", "slider", "spin button", "text", "combo box", "table",
    "tree", "tree table", "list", "page tab", "list item", "tree item", "table column header", "menu item",
    "scroll bar", "dialog", "frame",
})
"""What a person works with; what only arranges it (`filler`, `panel`) and pictures need no name."""
ALONE = frozenset({"push button", "toggle button", "check box", "slider", "spin button", "text", "combo box",
                   "page tab", "scroll bar", "table", "tree", "list"})
"""Of these two with one name could not be told apart."""
SAME = frozenset({"Add a key…"})
"""The same command, in the chat and on the start page."""
HEADER = {"Mute track Bass": "push button", "Solo track Bass": "push button",
          "Lock track Bass against steps": "push button", "Volume of track Bass in dB": "slider",
          "Pan of track Bass": "slider"}
CORNER = {"Add track": "push button", "Follow playhead": "check box", "Plan overlay": "check box"}
REQUEST = "a calm lofi beat in D minor at 82 bpm, 8 bars"

LACKING = missing_packages()
pytestmark = needs(*LACKING, available=not LACKING)


def faults(things: list[Thing]) -> list[str]:
    """Controls that can be seen and that nobody could ask for by name."""
    shown = [one for one in things if one.showing]
    found = [f"a {one.role} without a name at {one.place}, path {one.path}" for one in shown
             if one.role in NAMED and not one.name.strip()]
    names = Counter((one.role, one.name, one.path[:1]) for one in shown if one.role in ALONE and one.name not in SAME)
    found += [f"{count} times {role} {name!r}" for (role, name, _), count in names.items() if count > 1 and name]
    return found


def looked_at(screen: Screen, where: str, least: int) -> list[str]:
    """The faults of a place, which must show at least so many controls."""
    time.sleep(0.6)
    things = screen.things()
    controls = sum(one.showing and one.role in NAMED for one in things)
    assert controls >= least, f"{where}: only {controls} controls were found"
    return [f"{where}: {fault}" for fault in faults(things)]


def strips_looked_at(screen: Screen) -> list[str]:
    """What is missing of the painted strips of the mixer."""
    names = {(one.role, one.name) for one in screen.things() if one.showing}
    # Those of the timeline's headers say "track".
    mutes = [name.removeprefix("Mute ") for role, name in names if role == "push button" and name.startswith("Mute ")]
    tracks = [name for name in mutes if not name.startswith("track ")]
    assert tracks, "no strip was found"
    wanted = {
        thing for track in tracks for thing in (
            ("push button", f"Solo {track}"), ("push button", f"Instrument of {track}"), ("label", track),
            ("slider", f"Volume of {track} in dB"), ("slider", f"Pan of {track}"),
            ("progress bar", f"Level of {track}"),
        )
    }
    return [f"mixer: no {role} {name!r}" for role, name in sorted(wanted - names)]


def painted_parts(screen: Screen) -> list[str]:
    """What is missing of the timeline's headers, ruler and corner, and of what pressing them does."""
    things = {one.name: one for one in screen.things() if one.in_sight}
    found = [f"no {role} {name!r}" for name, role in (HEADER | CORNER).items()
             if name not in things or things[name].role != role]
    found += [f"{name!r} shows no number" for name, role in HEADER.items()
              if role == "slider" and name in things and things[name].value is None]
    sections = [one for name, one in things.items() if name.startswith("Section ") and "Press" in one.actions]
    found += [] if sections else ["no section that can be pressed"]
    if found:
        return found
    mute = things["Mute track Bass"]
    screen.press(mute)
    screen.wait("Bass, volume")
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        now = {one.name: one for one in screen.things()}
        if "checked" in now["Mute track Bass"].states and any("muted" in name for name in now):
            return []
        time.sleep(0.3)
    return ["a press on the mute switch of a header does nothing that is told"]


@pytest.mark.slow
def test_every_control_has_a_name_of_its_own(tmp_path: Path) -> None:
    with a_screen(1600, 1000) as screen:
        screen.start(tmp_path / "home")
        found = looked_at(screen, "start page", 30)
        screen.keys("ctrl+l")
        screen.type(REQUEST)
        screen.keys("Return")
        screen.wait("Approve and run", "push button")
        found += looked_at(screen, "plan", 40)
        screen.keys("ctrl+Return")
        screen.gone("Approve and run", "push button")
        found += looked_at(screen, "run", 40)
        found += painted_parts(screen)
        for keys, where in (("ctrl+2", "piano roll"), ("ctrl+3", "mixer"), ("ctrl+4", "events")):
            screen.keys(keys)
            found += looked_at(screen, where, 40)
            if where == "mixer":
                found += strips_looked_at(screen)
        for keys, where in (("ctrl+comma", "settings"), ("F1", "shortcuts"), ("ctrl+e", "export")):
            screen.keys(keys)
            screen.wait("", "dialog")
            found += looked_at(screen, where, 40)
            screen.keys("Escape")
            screen.gone("", "dialog")
        # As a shutdown does it, while a dialog is open.
        screen.keys("ctrl+comma")
        screen.wait("", "dialog")
        screen.end()
    assert not found, "\n".join(found)


def test_what_has_no_name_or_not_one_of_its_own_is_found() -> None:
    place, states = (10, 10, 50, 20), ("showing", "visible")
    alike = [Thing("push button", "Mute", place, states, "", (0, number)) for number in range(2)]
    nameless = Thing("slider", " ", place, states, "", (0, 3))
    hidden = Thing("slider", "", place, ("visible",), "", (0, 4))
    assert len(faults([*alike, nameless, hidden])) == 2
    assert faults([alike[0], Thing("push button", "Mute Bass", place, states)]) == []
