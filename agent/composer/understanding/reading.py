"""Reading a request: from words to an intent. Any text is only text here; nothing in it is obeyed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import structs

from agent.composer.tokens import tokens_of
from agent.composer.understanding.blends import Said, by_beat
from agent.composer.understanding.figures import Figures
from agent.composer.understanding.finishing import fulfilled
from agent.composer.understanding.intent import AskedSection, Goal, Intent
from agent.composer.understanding.layout import layout_of
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.open_ends import open_ends, writes_part
from agent.composer.understanding.ordering import OrderReader
from agent.composer.understanding.orders import Orders
from agent.composer.understanding.spelling import respelled
from agent.composer.understanding.tasks import Named, Remove, Rename, Retempo, Task
from agent.composer.understanding.telling import told
from agent.composer.understanding.walking import Walker
from agent.composer.understanding.wishes import Wish

MAX_TOKENS = 6_000
_LETTERS = frozenset("abcd")
_QUOTED = re.compile(r"(?:called|named|titled|name it|call it)\s+[\"“']([^\"”']{1,80})[\"”']", re.IGNORECASE)


def read(request: str, lexicon: Lexicon, *, has_music: bool) -> Intent:
    """The intent of a request. `has_music` says whether the song has notes already."""
    return _Reader(request, lexicon).intent(has_music)


class _Reader:
    """Puts together what the single words, the sections and the orders of a request say."""

    def __init__(self, request: str, lexicon: Lexicon) -> None:
        self._request = request
        self._lexicon = lexicon
        title = _QUOTED.search(request)
        self._title = title[1].strip() if title else ""
        spoken = tokens_of(_QUOTED.sub(" ", request, count=1) if title else request)[:MAX_TOKENS]
        self._spoken, self._read_as = respelled(spoken, lexicon)
        self._tokens = [token.casefold() for token in self._spoken]
        self._figures = Figures(self._spoken, self._tokens, lexicon)
        self._layout = layout_of(self._spoken, lexicon, self._figures)
        self._said = Walker(self._tokens, lexicon, self._figures, self._layout.taken).walk()

    def intent(self, has_music: bool) -> Intent:
        """What everything means together."""
        orders = OrderReader(self._lexicon, self._spoken, self._figures).read()
        goal = self._goal(has_music)
        if goal == "either" and writes_part(orders.tasks, self._tokens, self._lexicon) and not self._said.styles:
            goal = "change"
        return self._changing(orders) if goal == "change" else self._new(goal, orders)

    def _new(self, goal: Goal, orders: Orders) -> Intent:
        """A new piece, or what may be one. What is refused in single places has to wait until there are any."""
        said, sections = self._said, self._layout.sections
        local = [task for task in orders.tasks if isinstance(task.deed, Remove) and not task.scope.whole]
        named = {place.name for task in local for place in task.scope.places if isinstance(place, Named)}
        sections = tuple(section for section in sections if len(sections) > 1 or section.name not in named)
        refused = _without(said.wishes["refuse"], [task.deed.wish for task in local if isinstance(task.deed, Remove)])
        ignored = [word for word in said.ignored if not (sections and set(word) <= _LETTERS)]
        ignored += [f"{told(task)} (ask for it once the piece is there)" for task in local]
        bars = self._figures.bars
        if len(sections) > 1 and all(section.bars for section in sections):
            bars = sum(section.bars for section in sections)
            if self._figures.bars not in (None, bars):
                ignored.append(f"{self._figures.bars} bars (the sections make {bars})")
        wanted = _without(said.wishes["wanted"] + said.wishes["mentioned"], said.wishes["refuse"])
        return self._told(
            goal, by_beat(self._styles(), self._tokens, self._lexicon), bpm=self._figures.bpm, bars=bars,
            sections=sections, wanted=wanted, refused=refused, kept=said.wishes["keep"],
            mentioned=said.wishes["mentioned"], aspects=said.kept, ignored=ignored,
        )

    def _changing(self, orders: Orders) -> Intent:
        """A change of the song that is there."""
        said, stated = self._said, self._figures.bpm
        styles = [one.name for one in self._styles()]
        if styles:
            # the style to go to is said last
            styles = list(dict.fromkeys((styles[-1], *styles)))
        if orders.blend is not None:
            # what a blend says about the weight of its styles beats the order of the words
            styles = list(dict.fromkeys((orders.blend.style, *orders.blend.others, *styles)))
        retempo = next((task.deed for task in orders.tasks if isinstance(task.deed, Retempo)), None)
        if retempo is None and stated is not None:
            orders.tasks.append(Task(Retempo(stated), words=f"{stated:g}"))
        if self._title:
            orders.tasks.append(Task(Rename(self._title), words=self._title))
        orders.tasks, already = fulfilled(orders.tasks, self._lexicon)
        strange = [word for word in said.ignored if word not in orders.explained and any(map(str.isalpha, word))]
        intent = self._told(
            "change", styles, bpm=stated if retempo is None else retempo.bpm, bars=self._figures.bars,
            wanted=_without(said.wishes["wanted"], said.wishes["refuse"]), refused=said.wishes["refuse"],
            kept=orders.kept, mentioned=orders.mentioned, aspects={*said.kept, *orders.aspects}, ignored=strange,
        )
        lacks, options = open_ends(orders, self._request, self._lexicon)
        return structs.replace(
            intent, tasks=tuple(orders.tasks), lacks=lacks, options=options, already=already,
            song_bpm=self._lexicon.song.tempos[0].bpm if self._lexicon.song.note_count else None,
        )

    def _told(
        self, goal: Goal, styles: Sequence[str], *, bpm: float | None, bars: int | None, wanted: Sequence[Wish],
        refused: Sequence[Wish], kept: Sequence[Wish], mentioned: Sequence[Wish], aspects: set[str],
        ignored: Sequence[str], sections: tuple[AskedSection, ...] = (),
    ) -> Intent:
        figures, said = self._figures, self._said
        return Intent(
            goal=goal, style=styles[0] if styles else "", other_styles=tuple(styles[1:]), moods=tuple(said.moods),
            bpm=bpm, tempo_factor=said.tempo_factor, pace=said.pace, tonic=figures.tonic, mode=figures.mode,
            meter=figures.meter, bars=bars, seconds=figures.seconds, size=said.size, title=self._title,
            sections=sections, wanted=_different(wanted), refused=_different(refused),
            kept=_different(kept), mentioned=_different(mentioned), only=said.only and bool(wanted),
            keep_tempo="tempo" in aspects, keep_key="key" in aspects, keep_sounds="sounds" in aspects,
            read_as=self._read_as, ignored=tuple(dict.fromkeys(ignored))[:20],
        )

    def _styles(self) -> list[Said]:
        """The styles that are meant; "waltz" alone is one, beside another or an instrument it is a meter."""
        return self._said.styles or ([] if self._said.wishes["mentioned"] else self._said.dances)

    def _goal(self, has_music: bool) -> Goal:
        goals = self._said.goals
        if "replace" in goals:
            return "replace" if has_music else "compose"
        making = [goal for goal in goals if goal in ("compose", "change", "relative")]
        if not has_music:
            return "change" if "change" in goals and "compose" not in goals else "compose"
        if making and making[0] == "compose" and not {"change", "existing"} & set(goals):
            return "either"
        return "change"


def _without(wishes: Sequence[Wish], refused: Sequence[Wish]) -> list[Wish]:
    return [wish for wish in wishes if wish not in refused]


def _different(wishes: Sequence[Wish]) -> tuple[Wish, ...]:
    return tuple(dict.fromkeys(wishes))
