"""Finding things in the library: all that is given must fit, and what ships stands beside the user's own files."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from studio_parts import the_palette

from agent.plan.inputs import BadInput
from agent.services.service import Call, Origin
from agent.song.song import Song
from app.services.library.library_service import LibraryService
from app.services.library.shelf import shelf_of
from app.storage.library_index import FileKind, LibraryFile

FILES = (
    LibraryFile("/m/a.mid", "/m", "midi", "a.mid", 1, 1, ("bass", "night"), 96.0, "F# minor", "4/4", 10.0, 20),
    LibraryFile("/m/b.mid", "/m", "midi", "b.mid", 1, 1, ("lead",), 128.0, "D major", "3/4", 10.0, 20),
    LibraryFile("/m/bad.mid", "/m", "midi", "bad.mid", 1, 1, ("bass",), fault="broken"),
    LibraryFile("/m/k.wav", "/m", "sample", "Kick_90bpm.wav", 1, 1, ("kick", "Drums"), 90.0, None, None, 0.5),
    LibraryFile("/m/r.wav", "/m", "sample", "rain.wav", 1, 1, ("noise",), None, None, None, 3.0),
)


class Index:
    """Keeps the files above, and more that fit anything."""

    def __init__(self, more: int = 0) -> None:
        extra = (LibraryFile(f"/x/{n}.wav", "/x", "sample", f"{n}.wav", 1, 1, ("extra",)) for n in range(more))
        self._files = (*FILES, *extra)

    def files(self, kinds: Sequence[FileKind]) -> tuple[LibraryFile, ...]:
        return tuple(file for file in self._files if file.kind in kinds)


def asked(more: int = 0, **inputs: Any) -> Any:
    service = LibraryService(lambda: shelf_of(the_palette()), Index(more))
    call = Call("query_library", inputs, Song(), Origin("hash", "s1"), "pone")
    outcome = service.foresee(call)
    assert asyncio.run(service.call(call)) == outcome
    return outcome.result


def names(**inputs: Any) -> list[str]:
    return [item["name"] for item in asked(**inputs)["items"]]


@pytest.mark.parametrize(("wanted", "found"), [
    ({"kind": "midi"}, ["a.mid", "b.mid"]), ({"kind": "sample"}, ["Kick_90bpm.wav", "rain.wav"]),
    ({"key": "Gb minor"}, ["a.mid"]), ({"key": "f#m"}, ["a.mid"]), ({"key": "D"}, ["b.mid"]), ({"key": "Bm"}, []),
    ({"tempo_from": 96, "tempo_to": 128}, ["a.mid", "b.mid"]), ({"tempo_to": 95.9}, ["Kick_90bpm.wav"]),
    ({"tempo_from": 97}, ["b.mid"]), ({"kind": "midi", "tags": ["night", "BASS"]}, ["a.mid"]),
    ({"kind": "sample", "text": "KICK drums"}, ["Kick_90bpm.wav"]), ({"kind": "midi", "text": "night lead"}, []),
    ({"kind": "style", "key": "D"}, []),
])  # fmt: skip
def test_all_that_is_given_must_fit(wanted: dict[str, Any], found: list[str]) -> None:
    assert names(**wanted) == found


def test_what_ships_is_found_as_before() -> None:
    assert "pad_warm" in names(kind="instrument", text="warm pad")
    assert names(kind="effect", text="reverb") == [one.name for one in the_palette().effects if "reverb" in one.name]
    assert {item["kind"] for item in asked(text="drums")["items"]} >= {"kit", "sample"}


def test_a_file_tells_where_it_is_and_what_is_known() -> None:
    [item] = asked(kind="midi", key="D")["items"]
    assert item == {
        "kind": "midi", "name": "b.mid", "label": "b", "tags": ("lead",), "path": "/m/b.mid", "tempo": 128.0,
        "key": "D major", "meter": "3/4", "bars": 7, "seconds": 10.0, "notes": 20,
    }


def test_a_file_that_cannot_be_read_is_never_offered() -> None:
    assert "bad.mid" not in names(text="bass")


def test_at_most_four_hundred_items_and_the_rest_is_counted() -> None:
    result = asked(500, kind="sample")
    assert (len(result["items"]), result["left_out"]) == (400, 102)
    assert asked(kind="sample")["left_out"] == 0


def test_a_key_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput, match="no key"):
        asked(key="loud")
