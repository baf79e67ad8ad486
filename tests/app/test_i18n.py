"""Texts in the language of the person: catalogues, the pseudo language, and what a bad translation costs."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from hypothesis import given
from hypothesis import strategies as st

from app.i18n import Translations, speaking, tr, trn
from app.languages import PLAIN, PSEUDO, SYSTEM, LanguageError, catalogues, language, pseudo
from scripts.words import FOLDER, as_text, renew, template


def german(folder: Path) -> Path:
    """A folder with a small catalogue in it, as resources are."""
    catalog = Catalog(locale="de")
    catalog.add("Mute {name}", "{name} stumm schalten")
    catalog.add(("{count} note", "{count} notes"), ("{count} Note", "{count} Noten"))
    catalog.add("Solo {name}", "Solo {track}")
    made = folder / "translations" / "de.mo"
    made.parent.mkdir(parents=True)
    with made.open("wb") as file:
        write_mo(file, catalog)
    return folder


def test_a_catalogue_gives_texts_plurals_and_english_for_the_rest(tmp_path: Path) -> None:
    with speaking(language("de", german(tmp_path), [])):
        assert tr("Mute {name}", name="Drums") == "Drums stumm schalten"
        assert [trn("{count} note", "{count} notes", count) for count in (1, 2, 0.5)] == [
            "1 Note", "2 Noten", "0.5 Noten",
        ]
        assert tr("Not translated {what}", what="yet") == "Not translated yet"


def test_a_translation_with_a_wrong_value_is_left_for_the_english_text(tmp_path: Path) -> None:
    with speaking(language("de", german(tmp_path), [])):
        assert tr("Solo {name}", name="Drums") == "Solo Drums"


@pytest.mark.parametrize(
    ("choice", "spoken", "german_found"),
    [
        (SYSTEM, ["de-CH", "en"], True), (SYSTEM, ["en-GB", "de"], False), (SYSTEM, ["fr", "de"], True),
        (SYSTEM, [], False), (PLAIN, ["de"], False), ("de", [], True), ("xx", ["de"], False),
    ],
)
def test_the_system_is_followed_unless_a_language_is_chosen(
    tmp_path: Path, choice: str, spoken: list[str], german_found: bool
) -> None:
    found = language(choice, german(tmp_path), spoken)
    with speaking(found):
        assert (tr("Mute {name}", name="X") != "Mute X") is german_found


@pytest.mark.parametrize("content", [b"", b"not a catalogue", b"\xde\x12\x04\x95" + b"\xff" * 40])
def test_a_damaged_catalogue_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "translations").mkdir()
    (tmp_path / "translations" / "de.mo").write_bytes(content)
    with pytest.raises(LanguageError, match=r"de\.mo"):
        language("de", tmp_path, [])


class Secretive:
    """A value that tells when something is asked of it."""

    def __str__(self) -> str:
        return "Drums"

    def __getattr__(self, name: str) -> str:
        raise AssertionError(name)

    def __getitem__(self, key: object) -> str:
        raise AssertionError(key)


@pytest.mark.parametrize("said", [
    "{name.secret}", "{name[0]}", "{name!r}", "{name:>99999999}", "{name.__class__.__mro__}", "{0}", "{}", "{", "}",
    "{{name}}", "{name:{name}}", "{other}", "{name", "name}",
])
def test_a_translation_learns_and_decides_nothing_about_a_value(said: str) -> None:
    with speaking(Translations(lambda _: said, lambda *_: said)):
        assert tr("Mute {name}", name=Secretive()) == "Mute Drums"
        assert trn("Mute {name}", "Mute {count:,} of {name}", 2000, name=Secretive()) == "Mute 2,000 of Drums"


def test_a_translation_may_leave_values_out_and_forms_may_take_those_of_each_other() -> None:
    with speaking(Translations(lambda _: "stumm", lambda *_: "{count:,} mal {name}")):
        assert tr("Mute {name}", name="Drums") == "stumm"
        assert trn("Mute {name}", "Mute {count:,} of {name}", 1, name="Drums") == "1 mal Drums"


@pytest.mark.parametrize("rule", ["n%0", "n/0", "99"])
def test_a_rule_of_plurals_that_is_nonsense_gives_the_english_form(tmp_path: Path, rule: str) -> None:
    made = german(tmp_path) / "translations" / "de.mo"
    catalog = Catalog(locale="de")
    catalog.add(("{count} note", "{count} notes"), ("{count} Note", "{count} Noten"))
    with made.open("wb") as file:
        write_mo(file, catalog)
    made.write_bytes(made.read_bytes().replace(b"plural=(n != 1)", f"plural=({rule:>6})".encode()))
    with speaking(language("de", tmp_path, [])):
        for count in (0, 1, 2, 0.5, float("inf"), float("nan")):
            assert trn("{count} note", "{count} notes", count) == f"{count} note{'' if count == 1 else 's'}"


@given(text=st.text(string.ascii_letters + " ,.…", min_size=1), value=st.text())
def test_the_pseudo_language_is_longer_marked_and_keeps_its_values(text: str, value: str) -> None:
    with speaking(pseudo()):
        said = tr(text + " {value}", value=value)
    letters = sum(map(str.isalpha, text))
    if letters:
        assert (said[0], said[-1]) == ("⟦", "⟧")
        assert len(said) >= len(text) + len(value) + round(letters * 0.4)
    assert value in said


def test_the_pseudo_language_is_chosen_by_its_name(tmp_path: Path) -> None:
    with speaking(language(PSEUDO, tmp_path, [])):
        assert trn("{count} step", "{count} steps", 2).startswith("⟦2 š")
    assert catalogues(tmp_path) == {}


def test_the_list_of_texts_is_that_of_the_code() -> None:
    assert (FOLDER / "bandleader.pot").read_bytes() == as_text(template()), "run `make words`"


def test_a_translators_file_is_brought_up_to_date_and_compiled(tmp_path: Path) -> None:
    texts = Catalog()
    texts.add("Play")
    texts.add(("{count} clip", "{count} clips"))
    old = Catalog(locale="de")
    old.add("Play", "Abspielen")
    old.add("Gone", "Weg")
    (tmp_path / "de.po").write_bytes(as_text(old))
    assert renew(tmp_path, texts)[1] == "de.po: 1 of 2 translated"
    assert b"clips" in (tmp_path / "de.po").read_bytes()
    (tmp_path / "translations").mkdir()
    (tmp_path / "de.mo").rename(tmp_path / "translations" / "de.mo")
    with speaking(language("de", tmp_path, [])):
        assert tr("Play") == "Abspielen"
        assert tr("Gone") == "Gone"
