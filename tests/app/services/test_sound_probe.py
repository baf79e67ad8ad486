"""After a crash the service of sound can tell whether its export is there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from studio_parts import a_song, the_palette

from agent.services.service import Call, Origin, ServiceError
from app.services.exporting import Exporter
from app.services.rendering import SongRenderer
from app.services.sound_service import SoundService
from app.services.written_files import WrittenFiles
from app.storage.database import Database


@pytest.fixture
def service(tmp_path: Path) -> Iterator[SoundService]:
    renderer = SongRenderer(tmp_path / "cache", the_palette())
    database = Database.open(tmp_path / "bandleader.db", tmp_path / "backups")
    exporter = Exporter(tmp_path / "exports", the_palette(), renderer, WrittenFiles(database))
    yield SoundService(renderer, exporter, lambda _project: "One")
    database.close()


def export(form: str) -> Call:
    return Call("export_audio", {"format": form, "name": "Mine"}, a_song(), Origin("h", "s"), "pone")


@pytest.mark.parametrize("form", ["mid", "wav", "stems"])
def test_an_export_is_found_again_and_never_made_twice(service: SoundService, form: str) -> None:
    call = export(form)
    assert asyncio.run(service.probe(call)) is None
    other = replace(call, song=replace(call.song, tracks=call.song.tracks[:1]))
    asyncio.run(service.call(other))
    assert asyncio.run(service.probe(call)) is None
    made = asyncio.run(service.call(call))
    assert asyncio.run(service.probe(call)) == made
    assert asyncio.run(service.probe(other)) != made


def test_of_ogg_nobody_can_tell(service: SoundService) -> None:
    call = export("ogg")
    assert asyncio.run(service.probe(call)) is None
    asyncio.run(service.call(call))
    with pytest.raises(ServiceError, match="may be the file"):
        asyncio.run(service.probe(call))
