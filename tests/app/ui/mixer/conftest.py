"""A mixer over a real studio, on a qasync loop that lasts as long as the story."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from qt_fixtures import Loop
from rooms import Room, in_room

from agent.song.clip import Clip, Note
from agent.song.ids import MASTER, ClipId, EffectId, NoteId, TrackId
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Automation, Effect, Point, Track
from app.ui.kit.theme import Theme
from app.ui.mixer.panel import MixerPanel
from app.ui.mixer.strip_layout import StripPart

HOSTILE = "<img src=file:///etc/passwd>\N{RIGHT-TO-LEFT OVERRIDE}\0" + "x" * 10_000
CHAIN = (
    Effect(EffectId("e1"), "eq"), Effect(EffectId("e2"), "reverb", (("mix", 0.4), ("room_size", 3.0))),
    Effect(EffectId("e3"), "mystery box", (("knob", 2.0),)),
)
_CLIP = Clip(ClipId("c1"), "", Ticks(0), Ticks(3840), (Note(NoteId("n1"), 60, Ticks(0), Ticks(3840), 90),))
SONG = Song("Story", tracks=(
    Track(TrackId("ta"), "Pad", "organ_drawbar", clips=(_CLIP,), volume_db=-6.0, effects=CHAIN,
          automation=(Automation("e2.damping", (Point(Ticks(0), 0.3),)),)),
    Track(TrackId("tb"), HOSTILE, "nonsense"),
    Track(TrackId("tc"), "Keys", "piano_grand"),
))


class Mixing:
    """An open mixer, and where its parts are."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.panel = MixerPanel(room.opened, room.kit)
        room.views.append(self.panel)
        self.panel.resize(1200, 400)
        self.panel.show()

    @property
    def song(self) -> Song:
        """The working song."""
        return self.room.opened.workspace.song

    @property
    def labels(self) -> list[str]:
        """What the versions since the beginning are called, the newest first."""
        labels = [one.label for one in self.room.opened.versions.iterations.value]
        return [label for label in labels if label not in ("", "begin", "New project")]

    @property
    def previews(self) -> dict[TrackId, tuple[float | None, float | None]]:
        """Faders that are heard elsewhere than they stand in the song."""
        return self.room.opened.playback._previews

    @property
    def turned(self) -> dict[EffectId, object]:
        """Effects that are heard otherwise than they stand in the song."""
        return self.room.opened.playback._turned

    def place(self, track: str, part: StripPart) -> QPoint:
        """The middle of a part of a strip, in the strips' viewport."""
        strips = self.panel.strips
        at = strips.scene.index_of(TrackId(track))
        assert at is not None
        rect = getattr(strips.scene.places, part).translated(strips.scene.rect_of(at).topLeft())
        if part == "fader":
            rect = strips.scene.places.knob(0.5).translated(strips.scene.rect_of(at).topLeft())
        return rect.center()  # type: ignore[no-any-return]

    async def choose_master(self) -> None:
        """Show the effects of the master."""
        self.panel.board.choose(MASTER)
        await self.room.still()


Story = Callable[[Mixing], Awaitable[None]]


@pytest.fixture
def mixing(qloop: Loop, theme: Theme, tmp_path: Path) -> Callable[..., None]:
    """Runs a story about a mixer over a song."""

    def run(story: Story, song: Song = SONG) -> None:
        async def work(room: Room) -> None:
            if song.tracks:
                await room.opened.workspace.replace(song, "edit", "begin")
            one = Mixing(room)
            await room.still()
            await story(one)
            assert not room.told

        qloop.run(in_room(theme, tmp_path, work))

    return run
