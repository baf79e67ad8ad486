"""docs/styles.md: it names every key there is, and its example is a style that composes a sound piece."""

from __future__ import annotations

import asyncio
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from msgspec import inspect, structs

from agent.composer.composer import Composer
from agent.composer.styles import Drum, PartStyle, Role, SectionStyle, Style, StyleError
from agent.plan.document import Plan
from agent.plan.planning import Brief, DraftReady
from agent.review.review import review
from agent.services.registry import Registry
from agent.services.song_service import SongService
from agent.song.key import Mode
from agent.song.song import Song
from agent.theory.gate import findings
from app.services.library_files import read_palette
from app.services.style_files import gather_styles, read_own, read_vocabulary
from app.services.toml_files import LARGEST

ROOT = Path(__file__).parents[3]
RESOURCES = ROOT / "resources"
PAGE = (ROOT / "docs" / "styles.md").read_text(encoding="utf-8")


def keys_of(kind: inspect.Type) -> Iterator[tuple[str, str]]:
    """(table, key) of everything that can stand in a file of that form."""
    match kind:
        case inspect.StructType(fields=fields):
            for field in fields:
                yield kind.cls.__name__, field.encode_name
                yield from keys_of(field.type)
        case inspect.VarTupleType(item_type=inner):
            yield from keys_of(inner)


def example() -> str:
    (found,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def default_of(words: str) -> object:
    """The value of a cell of the last column, where it is one."""
    try:
        return tomllib.loads(f"value = {words.strip().strip('`').replace('−', '-')}")["value"]
    except tomllib.TOMLDecodeError:
        return words.strip().strip("`")


def test_every_key_is_named():
    words = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
    named = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`]+)`", words))))
    keys = list(keys_of(inspect.type_info(Style)))
    assert ("PartStyle", "late_ms") in keys
    assert [(table, key) for table, key in keys if key not in named] == []


@pytest.mark.parametrize("names", [get_args(Drum), get_args(Role), get_args(Mode)])
def test_every_drum_role_and_mode_is_named(names):
    assert {name for name in names if not re.search(rf"\b{name}\b", PAGE)} == set()


@pytest.mark.parametrize(("kind", "after"), [(Style, "## Keys"), (SectionStyle, "## A form"), (PartStyle, "## A part")])
def test_defaults_are_those_of_the_program(kind, after):
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", PAGE.split(after)[1].split("\n## ")[0], re.MULTILINE))
    for field in structs.fields(kind):
        said = rows.get(field.encode_name)
        if said is None:
            continue
        assert (said == "needed") == field.required, field.name
        if isinstance(field.default, bool | int | float):
            assert default_of(said) == field.default, field.name


def test_the_example_composes_a_piece_that_passes_the_gate(tmp_path):
    (tmp_path / "harbour.toml").write_text(example(), encoding="utf-8")
    palette = read_palette(RESOURCES)
    found = gather_styles(RESOURCES, tmp_path, palette)
    assert (found.own, found.left_out) == (("harbour",), ())
    registry = Registry([SongService(palette)])
    composer = Composer(found.book, read_vocabulary(RESOURCES))
    for seed in range(3):
        song = composed(composer, registry, f"a sea shanty in D major, {16 + 8 * seed} bars", seed)
        # the part "Tune" is called after who plays it
        (tune,) = {track.name for track in song.tracks} - {"Guitar", "Bass", "Drums"}
        assert tune in {"Accordion", "Whistle"}
        assert 84 <= song.tempos[0].bpm <= 96
        assert findings(song, palette) == ()


def composed(composer: Composer, registry: Registry, request: str, seed: int) -> Song:
    palette = read_palette(RESOURCES)
    brief = Brief(request, Song(), palette, tuple(registry.tools.values()), seed)

    async def last() -> object:
        return [event async for event in composer.plan(brief)][-1]

    ready = asyncio.run(last())
    assert isinstance(ready, DraftReady)
    assert "style: Harbour" in ready.draft.understood
    judged = review(Plan(steps=tuple(ready.draft.steps), project="p", asks=ready.draft.asks), Song(), registry, palette)
    assert judged.preview is not None
    return judged.preview.song


def test_the_error_that_the_page_shows_is_the_one_that_is_told(tmp_path):
    file = tmp_path / "harbour.toml"
    file.write_text(re.sub(r"centre = 72", "center = 72", example()), encoding="utf-8")
    with pytest.raises(StyleError) as caught:
        read_own(file, read_palette(RESOURCES))
    assert 'parts 4 "Tune", center (there is no such key)' in str(caught.value)
    assert "(there is no such key); try: did you mean centre?" in PAGE


def test_the_largest_file_is_as_said():
    assert f"at most {LARGEST // 1024} KB" in PAGE
