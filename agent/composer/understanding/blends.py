"""Blends: which of several styles gives a new piece its beat, and which its harmony and sounds."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.composer.styles import RHYTHMIC, Drum, Groove, Style
from agent.composer.understanding.lexicon import Lexicon

_SIGNS = ("/", "-", "&")
_KICKS, _BACKBEATS = 4.0, 2.0
_BAR = 16
_RANKS = {"beat": 0, "": 1, "colour": 2}


class StyleMention(Struct, frozen=True):
    """A style that a request names, and the tokens `start` to `end` (not included) that name it."""

    name: str
    start: int
    end: int


def by_beat(said: Sequence[StyleMention], tokens: Sequence[str], lexicon: Lexicon) -> list[str]:
    """The names of the styles `said`, first the one for the beat, then the one for harmony and sounds.

    "Bossa nova chords" give no beat, "trap drums" do. Of adjacent names the last gives it ("jazzy hip hop"), of "techno
    with jazz" the first, of equals ("jazz and trap") the one with the busiest drums. A style without drums never gives
    it.
    """
    if len({one.name for one in said}) < 2:
        return list(dict.fromkeys(one.name for one in said))
    parts = [_part(one, tokens, lexicon) for one in said]
    split = sorted(range(len(said)), key=lambda at: _RANKS[parts[at]])
    ranked = split if any(parts) else _meant(said, tokens, lexicon)
    names = list(dict.fromkeys(said[at].name for at in ranked))
    beats = [name for name in names if _drive(lexicon.styles.style(name)) >= 0]
    return [*beats[:1], *(name for name in names if name not in beats[:1])]


def _part(said: StyleMention, tokens: Sequence[str], lexicon: Lexicon) -> str:
    """Whether a style is said of drums, or of what sounds above them."""
    wish = lexicon.wish_at(tokens, said.end) if said.end < len(tokens) else None
    if wish is None or tokens[said.end] in lexicon.words.goals.works or lexicon.sense(tokens, said.end, "style"):
        return ""
    return "beat" if wish[1].role in (*RHYTHMIC, "bass") else "colour"


def _meant(said: Sequence[StyleMention], tokens: Sequence[str], lexicon: Lexicon) -> list[int]:
    head = 0
    while head + 1 < len(said) and all(token in _SIGNS for token in tokens[said[head].end : said[head + 1].start]):
        head += 1
    rest = [at for at in range(len(said)) if at != head]
    if head or set(tokens[said[0].end : said[1].start]) & set(lexicon.words.bindings.add):
        return [head, *rest]
    return sorted(range(len(said)), key=lambda at: -_drive(lexicon.styles.style(said[at].name)))


def _drive(style: Style) -> float:
    """How much the drums drive: kicks and backbeats of its fullest groove; -1 where it has none or loses them."""
    grooves = [groove for groove in style.grooves if not groove.name]
    if not grooves or style.dissolves:
        return -1.0
    fullest = max(grooves, key=lambda groove: groove.energy)
    return min(_KICKS, _hits(fullest, "kick")) + min(_BACKBEATS, _hits(fullest, "snare") + _hits(fullest, "clap"))


def _hits(groove: Groove, drum: Drum) -> float:
    """Full hits of a drum in a bar of sixteen steps."""
    steps = [step for step in groove.lines.get(drum, "") if step not in "| "]
    return sum(step in "Xx" for step in steps) * _BAR / len(steps) if steps else 0.0
