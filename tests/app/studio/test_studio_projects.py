"""Projects are found by name or id, never by guess."""

from __future__ import annotations

import asyncio

import pytest

from agent.fixes import FixKind
from agent.song.ids import ProjectId
from app.storage import projects
from app.studio.errors import StudioError
from app.studio.studio import Studio


def test_a_project_is_found_by_id_by_name_and_as_the_last_one_used(studio: Studio) -> None:
    async def story() -> None:
        one, two = await studio.projects.create("One"), await studio.projects.create("  Two   songs ")
        assert two.name == "Two songs"
        assert (await studio.projects.find(one.id)).id == one.id
        assert (await studio.projects.find("oNE ")).id == one.id
        assert (await studio.projects.find(None)).id == two.id
        await studio.projects.use(one.id)
        assert (await studio.projects.find(None)).id == one.id

    asyncio.run(story())


def test_no_project_yet_says_how_to_make_one(studio: Studio) -> None:
    with pytest.raises(StudioError) as caught:
        asyncio.run(studio.projects.find(None))
    assert caught.value.fix == FixKind.BEGIN_PROJECT()


def test_a_name_that_two_have_lists_their_ids_and_an_id_still_works(studio: Studio) -> None:
    async def story() -> None:
        for name in ("ptwin1", "ptwin2"):
            await studio.store.write(
                lambda transaction, it=name: projects.create(transaction, ProjectId(it), "Twin")
            )
        with pytest.raises(StudioError) as caught:
            await studio.projects.find("twin")
        assert "ptwin1" in caught.value.advice
        assert "ptwin2" in caught.value.advice
        assert (await studio.projects.find("ptwin2")).id == "ptwin2"

    asyncio.run(story())


def test_an_id_comes_before_a_name(studio: Studio) -> None:
    async def story() -> None:
        one = await studio.projects.create("One")
        await studio.projects.create(one.id)
        assert (await studio.projects.find(one.id)).id == one.id

    asyncio.run(story())


def test_a_draft_takes_a_free_name_and_stores_nothing(studio: Studio) -> None:
    async def story() -> None:
        await studio.projects.create("Calm")
        await studio.projects.create("calm 2")
        assert (await studio.projects.draft("CALM")).name == "CALM 3"
        assert (await studio.projects.draft(" \n ")).name == "Untitled"
        assert len((await studio.projects.draft("x" * 5000)).name) == 100
        assert (await studio.projects.draft("odd \udcff")).name.isprintable()
        assert len(await studio.projects.all()) == 2

    asyncio.run(story())


@pytest.mark.parametrize("name", ["", " \t", "x" * 101, "bad \udcff", "One", "one"])
def test_names_that_cannot_be_given(studio: Studio, name: str) -> None:
    async def story() -> None:
        await studio.projects.create("One")
        with pytest.raises(StudioError) as caught:
            await studio.projects.create(name)
        assert caught.value.advice
        assert len(await studio.projects.all()) == 1

    asyncio.run(story())
