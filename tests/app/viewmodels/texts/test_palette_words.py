"""What the palette calls its instruments and effects is shown in the person's language, and found in it."""

from __future__ import annotations

from app.i18n import speaking
from app.languages import pseudo
from app.paths import find_paths
from app.services.library_files import read_palette
from app.viewmodels.edits.choices import effect_choices, found, instrument_choices
from scripts.words import template


def test_instruments_and_effects_are_chosen_by_translated_words() -> None:
    palette = read_palette(find_paths().resources)
    with speaking(pseudo()):
        for one in (*instrument_choices(palette), *effect_choices(palette)):
            assert one.label.startswith("⟦")
            assert one.group.startswith("⟦")
            assert not one.about or one.about.startswith("⟦")
    assert next(one.key for one in found(instrument_choices(palette), "grand piano")) == "piano_grand"


def test_the_list_for_translators_has_every_text_of_the_palette() -> None:
    palette, texts = read_palette(find_paths().resources), {str(one.id) for one in template()}
    wanted = {one.label for one in (*palette.instruments, *palette.effects)}
    wanted |= {parameter.about for one in palette.effects for parameter in one.params if parameter.about}
    wanted |= {tag for one in palette.instruments for tag in one.tags}
    assert wanted <= texts
