"""A file is replaced unasked only if it holds the very bytes that Bandleader last wrote there."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from studio_parts import a_song, the_palette

from agent.fixes import FixKind
from app.services.exporting import Exporter
from app.services.formats import Format
from app.services.rendering import SongRenderer
from app.services.written_files import NotReplaced, WrittenFiles
from app.storage.database import Database

FORMS: tuple[Format, ...] = ("mid", "wav", "stems")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database.open(tmp_path / "data" / "bandleader.db", tmp_path / "backups", synchronous="NORMAL")
    yield opened
    opened.close()


@pytest.fixture
def exporter(tmp_path: Path, database: Database) -> Exporter:
    renderer = SongRenderer(tmp_path / "cache", the_palette())
    return Exporter(tmp_path / "exports", the_palette(), renderer, WrittenFiles(database))


def export(exporter: Exporter, form: Format, path: Path, *, replace: bool = False) -> None:
    asyncio.run(exporter.export(a_song(), form, path, replace=replace))


def inner(path: Path) -> Path:
    """A file of an export."""
    return min(path.iterdir()) if path.is_dir() else path


@pytest.mark.parametrize("form", FORMS)
def test_what_was_exported_is_replaced_until_somebody_changes_it(
    exporter: Exporter, tmp_path: Path, form: Format
) -> None:
    path = tmp_path / f"mine.{form}"
    export(exporter, form, path)
    written = inner(path).read_bytes()
    export(exporter, form, path)
    inner(path).write_bytes(b"my own")
    with pytest.raises(NotReplaced) as caught:
        export(exporter, form, path)
    assert str(inner(path)) in caught.value.what
    assert caught.value.fix == FixKind.KEEP_FILE()
    assert inner(path).read_bytes() == b"my own"
    export(exporter, form, path, replace=True)
    assert inner(path).read_bytes() == written
    export(exporter, form, path)


def test_stems_leave_what_else_is_in_their_folder(exporter: Exporter, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    export(exporter, "stems", tmp_path / "mine")
    export(exporter, "stems", tmp_path / "mine")
    assert (tmp_path / "mine" / "notes.txt").read_text() == "mine"
    export(exporter, "stems", tmp_path / "mine.zip")
    assert (tmp_path / "mine.zip").is_file()
    (tmp_path / "mine.zip").write_bytes(b"PK, mine")
    with pytest.raises(NotReplaced):
        export(exporter, "stems", tmp_path / "mine.zip")


def _a_copy(path: Path, written: Path) -> None:
    path.write_bytes(written.read_bytes())


def _a_link(path: Path, written: Path) -> None:
    path.symlink_to(written)


def _a_link_to_nothing(path: Path, written: Path) -> None:
    path.symlink_to(written.with_name("nothing"))


def _an_empty_file(path: Path, _: Path) -> None:
    path.touch()


def _a_folder(path: Path, _: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("put", [_a_copy, _a_link, _a_link_to_nothing, _an_empty_file, _a_folder])
def test_what_was_not_written_there_stays(
    exporter: Exporter, tmp_path: Path, put: Callable[[Path, Path], None]
) -> None:
    written, path = tmp_path / "a.mid", tmp_path / "b.mid"
    export(exporter, "mid", written)
    put(path, written)
    with pytest.raises(NotReplaced):
        export(exporter, "mid", path)
    assert os.path.lexists(path)
    assert path.is_symlink() == (put in (_a_link, _a_link_to_nothing))


def test_a_place_is_known_by_whatever_way_it_is_reached(exporter: Exporter, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "way").symlink_to(tmp_path / "real")
    name = os.fsdecode(b"odd \xff.mid")
    export(exporter, "mid", tmp_path / "real" / name)
    export(exporter, "mid", tmp_path / "way" / ".." / "real" / name)
    export(exporter, "mid", tmp_path / "way" / name)


def test_a_file_that_comes_while_the_sound_is_rendered_is_not_replaced(
    exporter: Exporter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, render = tmp_path / "late.wav", SongRenderer.render

    async def meanwhile(*arguments: object, **named: object) -> object:
        found = await render(*arguments, **named)  # type: ignore[arg-type]
        path.write_bytes(b"mine")
        return found

    monkeypatch.setattr(SongRenderer, "render", meanwhile)
    with pytest.raises(NotReplaced):
        export(exporter, "wav", path)
    assert path.read_bytes() == b"mine"


@pytest.mark.parametrize("name", ["late.mid", "late.wav", "late.zip"])
def test_a_file_that_comes_while_the_new_one_is_written_is_not_replaced(
    exporter: Exporter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = tmp_path / name
    to_disk = os.fsync

    def meanwhile(file: int) -> None:
        to_disk(file)
        path.write_bytes(b"mine")

    monkeypatch.setattr("app.atomic_write.os.fsync", meanwhile)
    with pytest.raises(NotReplaced):
        export(exporter, {".mid": "mid", ".wav": "wav", ".zip": "stems"}[path.suffix], path)  # type: ignore[arg-type]
    assert path.read_bytes() == b"mine"
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".bandleader")] == []


@pytest.mark.parametrize("form", ["mid", "wav", "stems"])
def test_two_exports_at_once_take_two_places(exporter: Exporter, tmp_path: Path, form: Format) -> None:
    async def both() -> list[Path]:
        made = (exporter.export_new(a_song(), form, "mine", "Song", tmp_path / "out") for _ in range(2))
        return [one.path for one in await asyncio.gather(*made)]

    first, second = asyncio.run(both())
    assert first != second
    assert first.exists()
    assert second.exists()


def test_what_could_not_be_noted_is_written_all_the_same(
    exporter: Exporter, database: Database, tmp_path: Path
) -> None:
    database.write_now(lambda transaction: transaction.exec_driver_sql("DROP TABLE written_file"))
    export(exporter, "mid", tmp_path / "a.mid")
    assert (tmp_path / "a.mid").stat().st_size
