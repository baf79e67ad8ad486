"""What assistive programs find of the painted strips: every control, what it is at, and a way to work it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace
from PySide6.QtGui import QAccessible, QAccessibleActionInterface, QAccessibleInterface

from tests.app.ui.mixer.conftest import Mixing

Run = Callable[..., None]
Role, Text = QAccessible.Role, QAccessible.Text


def inside(interface: QAccessibleInterface) -> list[QAccessibleInterface]:
    return [interface.child(at) for at in range(interface.childCount())]


def outline(one: Mixing) -> list[QAccessibleInterface]:
    found = inside(QAccessible.queryAccessibleInterface(one.panel.strips.viewport()))
    return [interface for interface in found if interface.role() == Role.ListItem]


def control(one: Mixing, name: str) -> QAccessibleInterface:
    found = [part for strip in outline(one) for part in inside(strip) if part.text(Text.Name) == name]
    assert len(found) == 1, name
    return found[0]


def act(interface: QAccessibleInterface) -> None:
    interface.actionInterface().doAction(QAccessibleActionInterface.pressAction())


def test_each_strip_is_found_with_all_its_controls(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        strips = outline(one)
        assert [strip.text(Text.Name).split(",")[0] for strip in strips][::2] == ["Pad", "Keys"]
        found = {part.text(Text.Name): part.role() for part in inside(strips[2])}
        assert found == {
            "Keys": Role.StaticText, "Instrument of Keys": Role.Button, "Pan of Keys": Role.Slider,
            "Volume of Keys in dB": Role.Slider, "Level of Keys": Role.ProgressBar, "Mute Keys": Role.Button,
            "Solo Keys": Role.Button,
        }
        fader = control(one, "Volume of Pad in dB")
        assert fader.text(Text.Value) == "−6.0"
        view = one.panel.strips.viewport()
        assert fader.rect().contains(view.mapToGlobal(one.place("ta", "fader")))
        assert fader.rect().isValid()
        names = [part.text(Text.Name) for strip in strips for part in inside(strip)]
        assert len(set(names)) == len(names)
        assert max(map(len, names)) < 300

    mixing(story)


def test_controls_are_pressed_and_set(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        mute = control(one, "Mute Keys")
        assert not mute.state().checked
        act(mute)
        await one.room.still()
        assert one.song.tracks[2].mute
        assert control(one, "Mute Keys").state().checked
        act(control(one, "Solo Pad"))
        assert one.room.opened.playback.solo.value == {"ta"}
        control(one, "Volume of Pad in dB").valueInterface().setCurrentValue(-12.0)
        await one.room.still()
        control(one, "Pan of Pad").valueInterface().setCurrentValue(900.0)
        await one.room.still()
        assert (one.song.tracks[0].volume_db, one.song.tracks[0].pan) == (-12.0, 1.0)
        assert control(one, "Volume of Pad in dB").valueInterface().currentValue() == -12.0
        assert one.labels == ["Pan of Pad", "Volume of Pad", "Mute Keys"]
        act(outline(one)[2])
        assert one.room.opened.focus.track.value == "tc"
        assert [bool(strip.state().selected) for strip in outline(one)] == [False, False, True]

    mixing(story)


def test_what_is_gone_is_not_found_and_what_came_is(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        assert len(outline(one)) == 3
        kept = control(one, "Mute Keys")
        await one.room.opened.workspace.replace(
            replace(one.song, tracks=(replace(one.song.tracks[2], name="Organ"),)), "edit", "fewer"
        )
        await one.room.still()
        assert [strip.text(Text.Name).split(",")[0] for strip in outline(one)] == ["Organ"]
        assert control(one, "Mute Organ") is kept
        assert kept.parent().parent().indexOfChild(kept.parent()) >= 0

    mixing(story)
