"""What assistive programs find of the painted headers and ruler, and that they can work them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import structs
from PySide6.QtGui import QAccessible, QAccessibleInterface
from timeline_hands import BAR, SONG

from agent.song.ids import TrackId
from agent.song.time import TempoChange, Ticks
from app.viewmodels.timeline.marks import Marker

Run = Callable[..., None]
Text, Role = QAccessible.Text, QAccessible.Role
MARKED = structs.replace(SONG, tempos=(TempoChange(Ticks(0), 120.0), TempoChange(Ticks(4 * BAR), 90.0)))


def below(interface: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    for at in range(interface.childCount()):
        child = interface.child(at)
        yield child
        yield from below(child)


def found(one) -> dict[str, QAccessibleInterface]:
    """All that has a name under the timeline, as a screen reader comes to it from above."""
    one.view.headers.describe()
    one.view.ruler.describe()
    view = QAccessible.queryAccessibleInterface(one.view)
    return {interface.text(Text.Name): interface for interface in below(view) if interface.text(Text.Name)}


def press(interface: QAccessibleInterface) -> None:
    acts = interface.actionInterface()
    acts.doAction(acts.pressAction())


def test_headers_ruler_and_corner_are_found_below_the_timeline(told: Run) -> None:
    async def story(one) -> None:
        interfaces = found(one)
        roles = {name: interface.role() for name, interface in interfaces.items()}
        assert {
            "Mute track Pad": Role.Button, "Solo track Pad": Role.Button, "Lock track Pad against steps": Role.Button,
            "Volume of track Pad in dB": Role.Slider, "Pan of track Pad": Role.Slider, "Level of Pad": Role.ProgressBar,
            "Pad, volume 0.0 dB, pan C, 2 clips": Role.ListItem, "Section Verse, bars 1 to 8": Role.Button,
            "Tempo 90 BPM from bar 5": Role.Button,
        }.items() <= roles.items()
        assert {"Add track", "Follow playhead", "Plan overlay", "Ruler", "Track headers"} <= roles.keys()
        mute = interfaces["Mute track Pad"].rect()
        assert one.view.headers.rect().translated(one.view.headers.mapToGlobal(one.view.headers.rect().topLeft())
                                                  ).contains(mute)

    told(story, song=MARKED)


def test_a_header_tells_its_level_when_it_is_asked_and_not_before(told: Run) -> None:
    async def story(one) -> None:
        interface = found(one)["Level of Pad"]
        silent = interface.text(Text.Value)
        said: list[object] = []
        one.view.headers.accessibility.renewed = lambda *_: said.append(1) or []
        one.view.headers.state.levels.take({TrackId("ta"): (-12.0, -18.0)}, 0.03, 1.0)
        one.view.headers.paint_levels()
        assert interface.text(Text.Value) == "−12.0 dB" != silent
        assert interface.valueInterface().currentValue() == -12.0
        assert not said

    told(story, song=SONG)


def test_switches_are_pressed_and_faders_are_set(told: Run) -> None:
    async def story(one) -> None:
        interfaces = found(one)
        press(interfaces["Mute track Pad"])
        press(interfaces["Solo track Keys"])
        press(interfaces["Lock track Keys against steps"])
        interfaces["Volume of track Pad in dB"].valueInterface().setCurrentValue(-7.5)
        await one.settle(lambda: one.song.tracks[0].volume_db != 0)
        interfaces["Pan of track Pad"].valueInterface().setCurrentValue(-40.0)
        await one.settle(lambda: one.song.tracks[0].pan != 0)
        track = one.song.tracks[0]
        assert (track.mute, track.volume_db, track.pan) == (True, -7.5, -0.4)
        assert one.opened.playback.solo.value == {TrackId("tc")}
        await one.settle(lambda: bool(one.opened.locks.value))
        now = found(one)
        assert "Pad, volume −7.5 dB, pan L 40, muted, 2 clips" in now
        assert [bool(now[name].state().checked) for name in (
            "Mute track Pad", "Solo track Keys", "Lock track Keys against steps", "Solo track Pad",
        )] == [True, True, True, False]
        assert now["Volume of track Pad in dB"].text(Text.Value) == "−7.5"

    told(story, song=SONG)


def test_marks_of_the_ruler_are_pressed(told: Run) -> None:
    async def story(one) -> None:
        interfaces = found(one)
        press(interfaces["Section Verse, bars 1 to 8"])
        assert one.opened.focus.bars.value == (1, 8)
        press(interfaces["Tempo 90 BPM from bar 5"])
        assert one.view.song_actions.marks.now == Marker("tempo", Ticks(4 * BAR))

    told(story, song=MARKED)


def test_tracks_that_are_scrolled_away_and_low_lanes_still_have_their_controls(told: Run) -> None:
    async def story(one) -> None:
        one.view.resize(1100, 96)
        one.view.stage.lane_choice.size.set("small")
        interfaces = found(one)
        assert "Volume of track Keys in dB" in interfaces
        assert interfaces["Mute track Keys"].state().offscreen
        one.view.verticalScrollBar().setValue(one.view.verticalScrollBar().maximum())
        assert not found(one)["Mute track Keys"].state().offscreen

    told(story, song=SONG)


def test_the_header_of_a_curve_hides_it(told: Run) -> None:
    async def story(one) -> None:
        one.view.stage.unfold(TrackId("ta"), "volume_db", on=True)
        press(found(one)["Hide volume of Pad"])
        assert one.view.stage.unfolded[TrackId("ta")] == ()
        assert "Hide volume of Pad" not in found(one)

    told(story, song=SONG)
