"""Playing: a role together with the instrument that is to play it, such as "a counter-melody for strings"."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.phrase_sets import phrase_set
from agent.composer.styles import RHYTHMIC
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.wishes import Wish


def played_at(words: Sequence[str], at: int, lexicon: Lexicon) -> tuple[int, Wish] | None:
    """The number of words of a role with the instrument that plays it ("a counter-melody for strings") at index `at`,
    and a wish for both together; None for none."""
    role = lexicon.wish_at(words, at)
    if role is None or role[1].role in (None, *RHYTHMIC) or not (role[1].whole_role or role[1].role == "counter"):
        return None
    end = at + role[0]
    lead = phrase_set(lexicon.words.grammar.played).length(words, end)
    if not lead:
        return None
    end += lead
    articles = {*lexicon.words.grammar.afresh, *lexicon.words.places.articles}
    while end < len(words) and words[end] in articles:
        end += 1
    player = lexicon.wish_at(words, end)
    if player is None or player[1].whole_role or player[1].role in RHYTHMIC:
        return None
    return end + player[0] - at, _both(role[1], player[1])


def _both(role: Wish, player: Wish) -> Wish:
    label = player.label if role.label in player.label else f"{player.label} {role.label}"
    return structs.replace(player, label=label, role=role.role, tracks=())
