"""Which notes sound past the end of the song, where a loop cuts them off."""

from __future__ import annotations

from agent.chat.answering.asked import words_of
from agent.chat.answering.asked_notes import part_names
from agent.chat.answering.wording import counted, listed, number, spelled
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.pitch import pitch_name
from agent.theory.sounding import TOGETHER, Sounding, sounding

_CUT = frozenset({
    "cut", "cuts", "ring", "rings", "ringing", "hang", "hangs", "hanging", "tail", "tails", "spill", "spills",
    "chopped", "overlap", "overlaps", "overhang", "truncated", "click", "clicks", "clicking", "pop", "pops",
})
_MOST = 4


def asks_past_end(words: str) -> bool:
    """Whether the words ask what sounds past the end, or is cut off there."""
    return bool(words_of(words) & _CUT)


def past_end(song: Song) -> tuple[int, str]:
    """How many notes sound past the last bar by more than a 1/64, and a sentence that says so, with the first of each
    part and how far it goes."""
    end = int(song.bar_map.start_of(song.bars + 1))
    over = [note for note in sounding(song) if note.start < end and note.end - end > TOGETHER]
    if not over:
        return 0, f"No note sounds past the end of bar {song.bars}, so none is cut off there; a reverb may ring on."
    names = part_names(song)
    first: dict[str, Sounding] = {}
    for note in over:
        first.setdefault(names[note.track], note)
    said = [
        f"{spelled(pitch_name(note.pitch, song.key))} of {name} by {_beats(note.end - end)}"
        for name, note in [*first.items()][:_MOST]
    ]
    more = [counted(len(first) - _MOST, "more part")] if len(first) > _MOST else []
    sound = "note sounds" if len(over) == 1 else "notes sound"
    return len(over), f"{len(over):,} {sound} past the end of bar {song.bars}: {listed([*said, *more])}."


def _beats(ticks: int) -> str:
    beats = number(round(ticks / PPQ, 2))
    return f"{beats} beat{'' if beats == '1' else 's'}"
