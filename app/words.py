"""The words that a person reads, in their language: every text of the window goes through here.

A text is its own key: what has no translation is shown as it stands, in English. Values stand in braces, by name, so
that another language may put them in another order: `tr("{count} rows of {name}", count=3, name="Drums")`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


def _same(text: str) -> str:
    return text


def _english(count: float) -> int:
    return 0 if count == 1 else 1


@dataclass(frozen=True)
class Language:
    """Translations of texts. `plural` says which form a count takes; `forms` gives all forms of a text, or none."""

    text: Callable[[str], str] = _same
    forms: Callable[[str], tuple[str, ...]] = lambda _: ()
    plural: Callable[[float], int] = _english


ENGLISH = Language()
# A person has one language: handing it to every widget and sentence would be in the way of everything else.
_spoken = [ENGLISH]


def tr(text: str, /, **values: object) -> str:
    """The text in the person's language, with its values put in."""
    found = _spoken[-1].text(text)
    return found.format_map(values) if values else found


def trn(one: str, many: str, count: float, /, **values: object) -> str:
    """The form that fits a count, which is also the value `count` where none is given."""
    language = _spoken[-1]
    forms = language.forms(one)
    at = language.plural(count)
    found = forms[at] if at < len(forms) else language.text(one if count == 1 else many)
    return found.format_map({"count": count, **values})


def speak(language: Language) -> None:
    """Use a language from now on, in this program; what is shown already stays as it is."""
    _spoken[0] = language


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Use a language within."""
    _spoken.append(language)
    try:
        yield
    finally:
        _spoken.pop()
