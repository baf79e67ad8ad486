"""What to do about an error, in the words of the window: by what it shows, never by a command."""

from __future__ import annotations

import re

import pytest

from agent.errors import BandleaderError
from agent.fixes import FixKind
from agent.message import msg
from app.i18n import Translations, speaking
from app.viewmodels.texts.fixes import for_window, shown_fix
from app.viewmodels.texts.troubles import trouble_of

_TYPED = re.compile(r"bandleader [a-z-]|(?<![\w-])--[a-z]|[{}]")


@pytest.mark.parametrize("kind", list(FixKind))
def test_each_fix_is_a_sentence_without_commands(kind: FixKind) -> None:
    fix = kind(*("booth" for _ in kind.fields))
    for words in (shown_fix(fix), str(fix)):
        assert words
        assert not _TYPED.search(words), words


def test_what_is_known_of_a_run_stands_in_its_fix() -> None:
    fix = FixKind.FOLLOW_RUN("r-1", "it will {stop} then")
    assert shown_fix(fix) == "it will {stop} then; the plan tells how it goes on"


def test_a_trouble_is_told_in_the_words_of_the_window() -> None:
    error = BandleaderError("the song has changed", fix=FixKind.APPROVE_RUN_AGAIN("r-1"))
    assert trouble_of(error, "plan").fix == "look at the plan again, then approve it"


def test_an_error_from_below_speaks_the_language_of_the_window() -> None:
    words = {
        "the drums cannot go to {feel} time": "das Schlagzeug kann nicht in {feel} spielen",
        "it is {state}": "es ist {state}",
        "no bars": "keine Takte", "{first}; the plan tells how it goes on": "{first}; der Plan sagt, wie es weitergeht",
        "nothing was done twice": "nichts geschah zweimal",
    }
    error = BandleaderError(
        msg("the drums cannot go to {feel} time", feel="half"), why=msg("it is {state}", state=msg("no bars")),
        fix=FixKind.FOLLOW_RUN("r-1", msg("nothing was done twice")),
    )
    with speaking(Translations(text=lambda text: words.get(text, text))):
        told = trouble_of(error, "plan")
    assert (told.what, told.why) == ("das Schlagzeug kann nicht in half spielen", "es ist keine Takte")
    assert told.fix == "nichts geschah zweimal; der Plan sagt, wie es weitergeht"
    assert str(error) == "the drums cannot go to half time (it is no bars)"


def test_a_text_is_said_as_it_is_and_its_absence_is_filled() -> None:
    assert for_window(BandleaderError("x", fix="switch it on")).fix == FixKind.SAY("switch it on")
    assert for_window(BandleaderError("x"), "look at it").fix == FixKind.SAY("look at it")
    assert for_window(BandleaderError("x")).fix is None
    assert shown_fix(None) == ""
