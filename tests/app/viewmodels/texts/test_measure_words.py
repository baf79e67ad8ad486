"""What a run measured, as a person reads it."""

from __future__ import annotations

from app.viewmodels.texts.measure_words import figure_words, measure_words


def test_figures_have_words_and_values_their_form() -> None:
    assert measure_words("onsets_per_bar:Drums") == "onsets per bar of Drums"
    assert measure_words("something_new") == "something new"
    assert figure_words("key", "Bb harmonic minor") == "B♭ harmonic minor"
    assert figure_words("key", "no key") == "no key"
    assert (figure_words("meter", "4/4"), figure_words("pan", None)) == ("4/4", "?")
    assert (figure_words("tempo", 82.0), figure_words("level:Bass", -3.0)) == ("82 BPM", "−3 dB")
