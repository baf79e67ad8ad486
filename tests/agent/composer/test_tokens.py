"""A phrase has the tokens that the same words of a request have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.composer.tokens import phrase_tokens, tokens_of


@given(st.text("ab mé'-–1.,#&;\n", max_size=20))
def test_a_phrase_is_read_as_a_request_is(phrase: str) -> None:
    assert phrase_tokens(phrase) == tuple(tokens_of(phrase))


@pytest.mark.parametrize("phrase", ["warm", "more of it", "hi-hat", "the 70's", "mm. 4", "", " ", "a  b", " a"])
def test_so_are_words_signs_and_gaps(phrase: str) -> None:
    assert phrase_tokens(phrase) == tuple(tokens_of(phrase))
