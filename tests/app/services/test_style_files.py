"""Style and word files: what ships is sound, what is wrong is named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from agent.composer.styles import StyleError
from app.services.library_files import read_palette
from app.services.style_files import read_styles, read_vocabulary

RESOURCES = Path(__file__).parents[3] / "resources"


def test_every_instrument_effect_and_parameter_of_the_styles_exists():
    palette = read_palette(RESOURCES)
    for style in read_styles(RESOURCES).styles:
        for part in style.parts:
            for name in part.instruments:
                assert palette.instrument(name).is_kit == (part.role in ("drums", "percussion")), (style.name, name)
        for use in [use for part in style.parts for use in part.effects] + list(style.master):
            known = {param.name: param for param in palette.effect(use.effect).params}
            for name, value in use.params.items():
                assert known[name].low <= value <= known[name].high, (style.name, use)


def test_every_thing_and_mood_of_the_words_exists():
    palette, styles = read_palette(RESOURCES), read_styles(RESOURCES)
    words = read_vocabulary(RESOURCES)
    for thing in words.things:
        for name in thing.instruments:
            assert palette.instrument(name)
    for mood in words.moods:
        for name in mood.styles:
            assert styles.style(name)


def test_a_user_style_replaces_one_of_the_same_name(tmp_path):
    text = (RESOURCES / "styles" / "pop.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(text.replace('label = "Pop"', 'label = "My pop"'), encoding="utf-8")
    book = read_styles(RESOURCES, tmp_path)
    assert book.style("pop").label == "My pop"
    assert len(book.styles) == len(read_styles(RESOURCES).styles)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("tempo = [92, 118]", 'tempo = "fast"', "tempo"),
        ("tempo = [92, 118]", "tempo = [118, 92]", "tempo"),
        ('role = "bass"', 'role = "tuba"', "role"),
        ("centre = 38", "center = 38", "center"),
        ('parts = ["Piano", "Guitar"]', 'parts = ["Piano", "Kazoo"]', "Kazoo"),
        ('kick = "X.......x......."', 'kick = "X.......?......."', "grooves[0].lines"),
        ("[progressions]", "[progressions", "TOML"),
    ],
)
def test_a_broken_file_is_named_with_its_key(tmp_path, old, new, named):
    folder = tmp_path / "styles"
    folder.mkdir()
    shutil.copy(RESOURCES / "styles" / "jazz.toml", folder)
    text = (RESOURCES / "styles" / "pop.toml").read_text(encoding="utf-8")
    assert old in text
    (folder / "pop.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(StyleError) as caught:
        read_styles(tmp_path)
    said = f"{caught.value.what} {caught.value.why} {caught.value.fix}"
    assert "pop.toml" in said
    assert named in said


def test_no_styles_at_all_is_an_error(tmp_path):
    with pytest.raises(StyleError, match="holds no"):
        read_styles(tmp_path)
