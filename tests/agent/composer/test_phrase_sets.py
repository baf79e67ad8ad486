"""Lists of phrases give the longest of them that stands at a word, however it was written."""

from __future__ import annotations

from agent.composer.phrase_sets import phrase_set
from agent.composer.understanding.phrase_table import PhraseTable

WORDS = ["a", "bit", "more", "of", "a", "bit"]


def test_the_longest_phrase_that_stands_at_a_word_is_found() -> None:
    phrases = phrase_set(("a bit", "A Bit More", "more or less"))
    assert [phrases.length(WORDS, at) for at in range(len(WORDS) + 1)] == [3, 0, 0, 0, 2, 0, 0]


def test_a_table_tells_what_each_phrase_means_the_longest_first() -> None:
    table = PhraseTable.of((("a bit", "slightly"), ("a bit more", "further"), ("more", "again")))
    assert table.at(WORDS, 0) == [(3, "further"), (2, "slightly")]
    assert table.longest_at(WORDS, 4) == (2, "slightly")
    assert not table.at(WORDS, len(WORDS))


def test_a_copy_of_a_table_learns_alone() -> None:
    table = PhraseTable.of((("a bit", "slightly"),))
    own = table.copy()
    own.put(("more",), "again")
    assert own.longest_at(WORDS, 2) == (1, "again")
    assert table.longest_at(WORDS, 2) is None
