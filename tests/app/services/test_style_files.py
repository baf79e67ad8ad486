"""Style and word files: what ships is sound, what is wrong is named, and a user's fault stops nothing."""

from __future__ import annotations

import os
import random
import re
import shutil
import time
from pathlib import Path

import msgspec
import pytest
from damaging import rewritten
from msgspec import inspect

from agent.composer.styles import Style, StyleError
from app.services.library_files import read_palette
from app.services.style_checks import word_faults
from app.services.style_faults import first_fault
from app.services.style_files import gather_styles, own_files, read_own, read_styles, read_vocabulary

ROOT = Path(__file__).parents[3]
RESOURCES = ROOT / "resources"
POP = (RESOURCES / "styles" / "pop.toml").read_text(encoding="utf-8")
PALETTE = read_palette(RESOURCES)


def own(folder: Path, text: str, name: str = "mine.toml") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def renamed(name: str, *words: str) -> str:
    listed = ", ".join(f'"{word}"' for word in words)
    text = POP.replace('name = "pop"', f'name = "{name}"', 1)
    return re.sub(r"^words = .*$", f"words = [{listed}]", text, count=1, flags=re.MULTILINE)


def said(error: StyleError) -> str:
    return f"{error.what} | {error.why} | {error.advice}"


def test_every_style_that_ships_passes_the_checks_of_a_users_file():
    for file in own_files(RESOURCES / "styles"):
        assert read_own(file, PALETTE, read_styles(RESOURCES).styles).name == file.stem


def test_every_thing_and_mood_of_the_words_exists():
    styles, words = read_styles(RESOURCES), read_vocabulary(RESOURCES)
    for thing in words.things:
        for name in thing.instruments:
            assert PALETTE.instrument(name)
    for mood in words.moods:
        for name in mood.styles:
            assert styles.style(name)


def test_no_two_styles_that_ship_share_a_word():
    styles = read_styles(RESOURCES).styles
    assert [fault for style in styles for fault in word_faults(style, styles)] == []


def test_a_style_of_the_user_is_read_beside_those_that_ship(tmp_path):
    own(tmp_path, renamed("harbour", "sea shanty"))
    found = gather_styles(RESOURCES, tmp_path, PALETTE)
    assert (found.own, found.replaced, found.left_out) == (("harbour",), (), ())
    assert found.book.style("harbour").words == ("sea shanty",)
    names = [style.name for style in found.book.styles]
    assert names == sorted(names)
    assert len(names) == len(read_styles(RESOURCES).styles) + 1


def test_a_style_of_the_user_replaces_one_of_the_same_name_and_that_is_said(tmp_path):
    own(tmp_path, POP.replace('label = "Pop"', 'label = "My pop"'))
    found = gather_styles(RESOURCES, tmp_path, PALETTE)
    assert found.book.style("pop").label == "My pop"
    assert (found.own, found.replaced) == (("pop",), ("pop",))
    assert len(found.book.styles) == len(read_styles(RESOURCES).styles)


def test_of_two_files_with_one_name_the_second_is_left_out(tmp_path):
    own(tmp_path, renamed("harbour", "sea shanty"), "a.toml")
    own(tmp_path, renamed("harbour", "quayside"), "b.toml")
    found = gather_styles(RESOURCES, tmp_path, PALETTE)
    assert found.book.style("harbour").words == ("sea shanty",)
    (error,) = found.left_out
    assert "b.toml" in error.what
    assert "a.toml" in error.why


def test_broken_files_are_left_out_and_the_good_one_stays(tmp_path):
    own(tmp_path, renamed("harbour", "sea shanty"), "good.toml")
    own(tmp_path, "tempo = [", "torn.toml")
    own(tmp_path, "", "empty.toml")
    own(tmp_path, "x" * 300_000, "large.toml")
    own(tmp_path, "not read", "notes.txt")
    own(tmp_path, "not read", "._good.toml")
    (tmp_path / "latin.toml").write_bytes(renamed("quay", "quai").encode() + b"# caf\xe9\n")
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "gone.toml").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.toml")
    found = gather_styles(RESOURCES, tmp_path, PALETTE)
    assert found.own == ("harbour",)
    for error, name, why in zip(
        found.left_out, ("empty", "folder", "gone", "large", "latin", "pipe", "torn"),
        ("missing", "folder", "No such file", "256 KB", "UTF-8", "device", "Invalid value"), strict=True,
    ):
        assert f"{name}.toml" in error.what
        assert why in error.why


def test_a_link_to_a_good_file_and_a_byte_order_mark_are_fine(tmp_path):
    target = own(tmp_path / "elsewhere", "\ufeff" + renamed("harbour", "sea shanty"))
    (tmp_path / "styles").mkdir()
    (tmp_path / "styles" / "link.toml").symlink_to(target)
    assert gather_styles(RESOURCES, tmp_path / "styles", PALETTE).own == ("harbour",)


def test_a_styles_folder_that_is_a_file_is_said(tmp_path):
    (tmp_path / "styles").write_text("")
    found = gather_styles(RESOURCES, tmp_path / "styles", PALETTE)
    assert str(tmp_path / "styles") in found.left_out[0].what
    assert found.book == read_styles(RESOURCES)


WRONG = [
    ("tempo = [92, 118]", 'tempo = "fast"', "tempo", "a list of 2"),
    ("tempo = [92, 118]", "tempo = [118, 92]", "tempo", "[low, high]"),
    ("tempo = [92, 118]", "tempo = [92]", "tempo", "a list of 2"),
    ("tempo = [92, 118]", "tempo = [92, inf]", "tempo", "plain number"),
    ("tempo = [92, 118]", "tempo = 1979-05-27", "tempo", "a list of 2"),
    ("tempo = [92, 118]", "tempo = [92, 118]\nmeter = [0, 4]", "meter", "1 to 16"),
    ("tempo = [92, 118]", "tempo = [92, 118]\nmeter = [4, 3]", "meter", "2, 4, 8"),
    ("tempo = [92, 118]\n", "", "tempo", "a list of 2"),
    ("loudness = -13", "loudness = nan", "loudness", "plain number"),
    ("loudness = -13", f"loudness = -{'9' * 400}", "loudness", "smaller"),
    ("loudness = -13", "loudness = -5", "loudness", "from -30 to -8"),
    ('label = "Pop"', 'label = "Pop\\u001b[31m"', "label", "a line"),
    ('name = "pop"', 'name = "My Pop"', "name", "small letters"),
    ('"radio"', '"jazz"', 'words 3', "remove the word"),
    ('"radio"', '"..."', 'words 3', "as people type"),
    ('role = "bass"', 'role = "base"', 'parts 2 "Bass", role', "did you mean bass"),
    ("centre = 38", "center = 38", 'parts 2 "Bass", center', "did you mean centre"),
    ("centre = 38", "centre = 380", 'parts 2 "Bass", centre', "from 12 to 108"),
    ("centre = 38", "centre = true", 'parts 2 "Bass", centre', "from 12 to 108"),
    ("centre = 38", "gate = 0", 'parts 2 "Bass", gate', "above 0, up to 1"),
    ("velocity = [72, 98]", "velocity = [98, 72]", 'parts 2 "Bass", velocity', "[60, 92]"),
    ('name = "Bass"\n', "", "parts 2", "name is text"),
    ('name = "Bass"', 'name = "Drums"', 'parts 1 "Drums"', "rename"),
    ("bass_finger", "bass_fingr", "instruments 1", "did you mean bass_finger"),
    ("kit_black_pearl", "piano_grand", "instruments 1", "kit_jazz"),
    ("bass_finger", "kit_standard", "instruments 1", "a sound with pitches"),
    ('"reverb"', '"revrb"', "effect", "did you mean reverb"),
    ("room_size = 0.5", "rom_size = 0.5", "params, rom_size", "did you mean room_size"),
    ("room_size = 0.5", "room_size = 5", "params, room_size", "0 to 1"),
    ("room_size = 0.5", 'room_size = "big"', "params, room_size", "a number"),
    ('color = "#64B5F6"', 'color = "blue"', "color", "#7CCDEB"),
    ('parts = ["Piano", "Guitar"]', 'parts = ["Piano", "Gitar"]', 'sections 1 "Intro", parts', "did you mean Guitar"),
    ('theme = "b"', 'theme = "z"', 'theme', "a, b"),
    ('theme = "b"', 'groove = "roll"', 'groove', ""),
    ("sections = [\n", "sections = []\nold = [\n", "forms 1, old", "there are sections"),
    ("bars = 4", "bars = 0", "bars", "from 1 to 64"),
    ("I V vi IV", "I V vj IV", "progressions, major 1", "known endings"),
    ("I V vi IV", "", "progressions, major 1", "1 to 32"),
    ('major = ["IV V"', 'major = ["IV X"', "ending, major 1", "write for example"),
    ("meters = [[6, 8]", "meters = [[60, 8]", "meters 1", "1 to 16"),
    ("I V vi IV", "I " * 40, "progressions, major 1", "1 to 32"),
    ('kick = "X.......x......."', 'kick = "X.......?......."', "grooves 1, lines, kick", "docs/styles.md"),
    ('kick = "X.......x......."', 'kick = "X.......R......."', "grooves 1, lines, kick", "X x o g ."),
    ('kick = "X.......x......."', 'kik = "X.......x......."', "grooves 1, lines, kik", "did you mean kick"),
    ('kick = "X.......x......."', 'kick = "X.......x......"', "grooves 1, lines, kick", "whole bars"),
    ('kick = "X.......x......."', 'kick = "X.......x..."', "grooves 1, lines, kick", "same length"),
    ('kick = "X.......x......."', 'kick = " | "', "grooves 1, lines, kick", "whole bars"),
    ("R-------R", "R---9---R", "patterns 1", "R 2 3 4 5 6 7 8 a x"),
    ('snare = "x.xx..xx"', 'snare = "x.xx..xxx.xx..xx"', "fills 1, snare", "half a bar"),
    ('role = "pad"', 'role = "pad"\npatterns = ["x---"]', 'parts 6 "Strings", patterns', "remove"),
    ("[progressions]", "[progressions", "mine.toml", "line"),
    ("[progressions]", f"deep = {'[' * 3000}\n[progressions]", "mine.toml", ""),
]


@pytest.mark.parametrize(("old", "new", "place", "fix"), WRONG)
def test_a_broken_file_is_named_with_place_cause_and_what_to_write(tmp_path, old, new, place, fix):
    assert old in POP
    file = own(tmp_path, POP.replace(old, new, 1))
    with pytest.raises(StyleError) as caught:
        read_own(file, PALETTE, read_styles(RESOURCES).styles)
    assert "mine.toml" in caught.value.what
    assert place in said(caught.value)
    assert fix in said(caught.value)
    assert caught.value.why


def test_more_sections_than_anyone_writes_are_refused(tmp_path):
    section = '{ name = "A", bars = 8, energy = 0.3, parts = ["Piano"] },\n'
    for count, why in ((10_000, "256 KB"), (3000, "3,006 sections"), (50, "56 sections and 440 bars")):
        file = own(tmp_path, POP.replace("sections = [\n", "sections = [\n" + section * count, 1))
        with pytest.raises(StyleError) as caught:
            read_own(file, PALETTE)
        assert why in caught.value.why


@pytest.mark.parametrize(("text", "why"), [
    (f"{'a.' * 100_000}a = 1", "the key of line 1 has more than 32 parts"),
    (f"a = 1\n[{'a . ' * 50_000}a]", "the key of line 2 has more than 32 parts"),
    ("\"a\" .'b'." * 10_000 + "c = 1", "the key of line 1 has more than 32 parts"),
    ("a = " + "{a.b.c.d.e.f = " * 200 + "1" + "}" * 200, "lie too deep"),
    ("a = " + "[" * 100_000, "lie too deep"),
    ("a = " + "[" * 65 + "]" * 65, "lie too deep"),
])
def test_keys_and_tables_that_lie_too_deep_are_refused_before_they_cost_anything(tmp_path, text, why):
    began = time.thread_time()
    with pytest.raises(StyleError) as caught:
        read_own(own(tmp_path, text), PALETTE)
    assert why in caught.value.why
    # A dotted key of 100,000 parts takes the parser a quarter of an hour.
    assert time.thread_time() - began < 5


@pytest.mark.parametrize(("old", "new"), [
    ('parts = ["', f'parts = ["{"x" * 50_000}'), ("tempo = [", f"{'k' * 50_000} = 1\ntempo = ["),
    ("[progressions]", f"[{'t' * 50_000}]\n[{'t' * 50_000}]\n[progressions]"),
])
def test_an_error_does_not_repeat_all_that_a_file_says(tmp_path, old, new):
    with pytest.raises(StyleError) as caught:
        read_own(own(tmp_path, POP.replace(old, new, 1)), PALETTE)
    assert len(str(caught.value)) < 1000


def test_an_error_of_a_language_file_does_not_repeat_all_that_it_says(tmp_path):
    shutil.copytree(RESOURCES / "language", tmp_path / "language")
    words = tmp_path / "language" / "english.toml"
    text = words.read_text(encoding="utf-8").replace('opposite = "', f'opposite = "{"x" * 50_000}', 1)
    words.write_text(text, encoding="utf-8")
    with pytest.raises(StyleError) as caught:
        read_vocabulary(tmp_path)
    assert words.name in caught.value.what
    assert len(str(caught.value)) < 1000


def test_a_key_of_many_parts_in_a_text_is_no_key(tmp_path):
    text = POP.replace('about = "', f'about = "{"a." * 20}')
    assert read_own(own(tmp_path, text.replace("pop", "mine")), PALETTE, ()).about.startswith("a.a.")


@pytest.mark.parametrize("seed", range(12))
def test_any_mutation_gives_a_style_or_one_error_with_a_place(tmp_path, seed):
    dice = random.Random(seed)
    files = own_files(RESOURCES / "styles")
    faults = []
    for _ in range(25):
        text = dice.choice(files).read_text(encoding="utf-8")
        for _ in range(dice.randint(1, 3)):
            text = rewritten(text, dice)
        got = outcome(own(tmp_path, text))
        assert isinstance(got, Style | StyleError)
        faults += [got] if isinstance(got, StyleError) else []
    assert all("mine.toml" in error.what and error.why for error in faults)
    assert len(faults) > 5


def outcome(file: Path) -> Style | StyleError:
    try:
        return read_own(file, PALETTE)
    except StyleError as error:
        return error


def test_whatever_the_form_refuses_is_found_by_our_own_words():
    tables = msgspec.to_builtins(read_styles(RESOURCES).style("pop"))
    form = inspect.type_info(Style)
    dice, refused = random.Random(5), 0
    for _ in range(400):
        broken = msgspec.json.decode(msgspec.json.encode(tables))
        spoil(broken, dice)
        try:
            msgspec.convert(broken, Style)
        except msgspec.ValidationError:
            refused += 1
            assert first_fault(form, broken) is not None
    assert refused > 100


def spoil(tables: object, dice: random.Random) -> None:
    """Put something odd at a place inside."""
    while True:
        keys = list(tables) if isinstance(tables, dict) else list(range(len(tables)))
        key = dice.choice(keys)
        inner = tables[key]
        if isinstance(inner, dict | list) and inner and dice.random() < 0.8:
            tables = inner
            continue
        tables[key] = dice.choice(["?", "", 7, -7, 0.5, 10**6, True, [], {}, ["?"], {"?": 1}])
        return


@pytest.mark.parametrize(("old", "new"), [("tempo = [92, 118]", 'tempo = "fast"'), ('role = "bass"', 'role = "tuba"')])
def test_a_style_that_ships_and_is_broken_stops_the_program(tmp_path, old, new):
    folder = tmp_path / "styles"
    folder.mkdir()
    shutil.copy(RESOURCES / "styles" / "jazz.toml", folder)
    (folder / "pop.toml").write_text(POP.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(StyleError, match=r"pop\.toml"):
        read_styles(tmp_path)
    with pytest.raises(StyleError, match=r"pop\.toml"):
        gather_styles(tmp_path, tmp_path / "mine", PALETTE)


def test_no_styles_at_all_is_an_error(tmp_path):
    with pytest.raises(StyleError, match="holds no"):
        read_styles(tmp_path)


def test_acoustic_styles_play_recorded_kits_and_electronic_ones_electronic_kits() -> None:
    """Orchestras and brushes are the bank's own: no kit was recorded of them."""
    odd: list[str] = []
    for style in read_styles(RESOURCES).styles:
        for part in style.parts:
            if part.role != "drums" or style.character is None:
                continue
            kits = [PALETTE.instrument(name) for name in part.instruments]
            wanted = {"electronic"} if style.character.acoustic <= 0.15 else {"sampled", "orchestral", "brushed"}
            odd += [f"{style.name}: {kit.name}" for kit in kits if not wanted & set(kit.tags)]
    assert odd == []
