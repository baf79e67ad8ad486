"""Preferences of a person: kept over starts, sound when what is stored is not, and the latest commands first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from studios import paths_in

from app.bootstrap import open_studio
from app.storage import preferences
from app.storage.errors import Damaged
from app.studio.studio import Studio
from app.viewmodels.preferences import Preferences, PreferenceStore, Shortcut

Story = Callable[[Studio], Awaitable[None]]


@pytest.fixture
def with_studio(tmp_path: Path) -> Callable[[Story], None]:
    async def whole(story: Story) -> None:
        opened = open_studio(paths_in(tmp_path))
        try:
            await story(opened)
        finally:
            await opened.close()

    return lambda story: asyncio.run(whole(story))


def test_habits_are_there_at_the_next_start_and_count_more_than_the_first_looks(with_studio: Callable[[Story],
                                                                                                      None]) -> None:
    async def story(studio: Studio) -> None:
        wanted = Preferences(
            "light", "pseudo", 125, calm=True, notices=False, keys=(Shortcut("edit.undo", ("Ctrl+U",)),)
        )
        book = PreferenceStore(studio.store)
        book.open_with(Preferences("dark"))
        book.take(wanted)
        await book.store()
        again = PreferenceStore(studio.store)
        again.open_with(Preferences("dark"))
        assert again.value.theme == "dark"
        await again.load()
        assert again.value == wanted

    with_studio(story)


@pytest.mark.parametrize("stored", [
    "", "{", "[]", '{"theme": "green"}', '{"zoom": "large"}', '{"keys": [1]}', f'{{"zzz": {"[" * 100_000}',
    f'{{"language": "{"x" * preferences.LARGEST}"}}',
])
def test_habits_that_are_damaged_are_named_and_those_of_now_stay(
    with_studio: Callable[[Story], None], stored: str
) -> None:
    async def story(studio: Studio) -> None:
        await studio.store.write(lambda transaction: preferences.put(transaction, "window.habits", stored))
        book = PreferenceStore(studio.store)
        book.open_with(Preferences("dark"))
        with pytest.raises(Damaged, match=r"the setting window\.habits is damaged"):
            await book.load()
        assert book.value == Preferences("dark")

    with_studio(story)


def test_a_size_that_nobody_could_read_is_not_taken(with_studio: Callable[[Story], None]) -> None:
    async def story(studio: Studio) -> None:
        book = PreferenceStore(studio.store)
        for wanted, zoom in ((5, 80), (900, 200), (110, 110)):
            book.take(Preferences(zoom=wanted))
            assert book.value.zoom == zoom

    with_studio(story)


@given(st.lists(st.sampled_from("abcdefghijkl"), max_size=30))
def test_the_command_that_was_used_last_is_first_and_each_is_there_once(used: list[str]) -> None:
    kept = Preferences()
    for one in used:
        kept = kept.used(one)
    newest = list(dict.fromkeys(reversed(used)))
    assert list(kept.recent) == newest[:8]
