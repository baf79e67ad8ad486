"""The chat of one open project, on a qasync loop that lasts as long as the story."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from qt_fixtures import Loop
from rooms import Room, in_room

from app.ui.chat.panel import ChatPanel
from app.ui.kit.theme import Theme

Story = Callable[[Room, ChatPanel], Awaitable[None]]


@pytest.fixture
def chat(qloop: Loop, theme: Theme, tmp_path: Path) -> Callable[..., None]:
    """Runs a story with the chat in a window of its own, whose actions `act` triggers."""
    def run(story: Story, act: Callable[[str], bool] = lambda _: False) -> None:
        async def work(room: Room) -> None:
            panel = ChatPanel(room.opened, room.kit, act)
            room.views.append(panel)
            panel.resize(336, 500)
            panel.show()
            panel.activateWindow()
            await room.still()
            await story(room, panel)

        qloop.run(in_room(theme, tmp_path, work))

    return run
