"""Reading a request: from words to an intent. Any text is only text here; nothing in it is obeyed."""

from __future__ import annotations

import re
from typing import Literal, cast

from agent.composer.tokens import tokens_of
from agent.composer.understanding.figures import Figures
from agent.composer.understanding.intent import Goal, Intent, Lack, Pace
from agent.composer.understanding.layout import layout_of
from agent.composer.understanding.lexicon import Lexicon, Match, thing_wish
from agent.composer.understanding.open_ends import open_ends, writes_part
from agent.composer.understanding.ordering import OrderReader
from agent.composer.understanding.playing import played_at
from agent.composer.understanding.tasks import Rename, Retempo, Task
from agent.composer.understanding.wishes import Wish
from agent.composer.vocabulary import Mood
from agent.song.key import Mode

MAX_TOKENS = 6_000
_ADJECTIVES = 3
_LETTERS = frozenset("abcd")
_QUOTED = re.compile(r"(?:called|named|titled|name it|call it)\s+[\"“']([^\"”']{1,80})[\"”']", re.IGNORECASE)
_FACTORS = {"slower": 0.85, "faster": 1.18, "half": 0.5, "double": 2.0}
Binding = Literal["", "refuse", "keep", "only", "add"]


def read(request: str, lexicon: Lexicon, *, has_music: bool) -> Intent:
    """The intent of a request. `has_music` says whether the song has notes already."""
    return _Reader(request, lexicon).intent(has_music)


class _Reader:
    """Walks once through the tokens; what it has understood so far is its state."""

    def __init__(self, request: str, lexicon: Lexicon) -> None:
        self._request = request
        title = _QUOTED.search(request)
        self._title = title[1].strip() if title else ""
        spoken = tokens_of(_QUOTED.sub(" ", request, count=1) if title else request)[:MAX_TOKENS]
        self._spoken = spoken
        self._tokens = [token.casefold() for token in spoken]
        self._lexicon = lexicon
        self._figures = Figures(spoken, self._tokens, lexicon)
        self._layout = layout_of(spoken, lexicon, self._figures)
        self._binding: Binding = ""
        self._bound = 0
        self._goals: list[str] = []
        self._wishes: dict[str, list[Wish]] = {"refuse": [], "keep": [], "wanted": [], "mentioned": []}
        self._last: tuple[str, Wish] | None = None
        self._styles: list[tuple[int, str]] = []
        self._dances: list[tuple[int, str]] = []
        self._moods: list[Mood] = []
        self._inverse = 0
        self._factor = 1.0
        self._strength = 1.0
        self._pace: Pace | None = None
        self._size: Literal["short", "long"] | None = None
        self._kept: set[str] = set()
        self._only = False
        self._ignored: list[str] = []

    def intent(self, has_music: bool) -> Intent:
        """Read everything and say what it means."""
        self._walk()
        orders = OrderReader(self._lexicon, self._spoken, self._figures).read()
        goal = self._goal(has_music)
        if goal == "either" and writes_part(orders.tasks, self._tokens, self._lexicon) and not self._styles:
            goal = "change"
        styles = self._chosen_styles(goal)
        if orders.blend is not None:
            # what a blend says about the weight of its styles beats the order of the words
            styles = list(dict.fromkeys((orders.blend.style, *orders.blend.others, *styles)))
        sections = self._layout.sections if goal != "change" else ()
        figures = self._figures
        bars = figures.bars
        if len(sections) > 1 and all(section.bars for section in sections):
            bars = sum(section.bars for section in sections)
            if figures.bars not in (None, bars):
                self._ignored.append(f"{figures.bars} bars (the sections make {bars})")
        changes = goal == "change"
        retempo = next((task.deed for task in orders.tasks if isinstance(task.deed, Retempo)), None)
        bpm = figures.bpm if not changes or retempo is None else retempo.bpm
        if changes and retempo is None and figures.bpm is not None:
            orders.tasks.append(Task(Retempo(figures.bpm), words=f"{figures.bpm:g}"))
        if changes and self._title:
            orders.tasks.append(Task(Rename(self._title), words=self._title))
        refused = _different(self._wishes["refuse"])
        wanted = self._wishes["wanted"] + (self._wishes["mentioned"] if goal != "change" else [])
        wanted = [wish for wish in wanted if wish not in refused]
        kept = {*self._kept, *(orders.aspects if changes else ())}
        ignored = [word for word in self._ignored if not changes or self._strange(word, orders.explained)]
        ignored = [word for word in ignored if not (sections and set(word) <= _LETTERS)]
        lacks: Lack
        options: tuple[str, ...]
        lacks, options = open_ends(orders, self._request, self._lexicon) if changes else ("", ())
        return Intent(
            goal=goal,
            style=styles[0] if styles else "",
            other_styles=tuple(styles[1:]),
            moods=tuple(self._moods),
            bpm=bpm,
            tempo_factor=round(1 + (self._factor - 1) * self._strength, 4) if self._factor != 1 else 1.0,
            pace=self._pace,
            tonic=figures.tonic,
            mode=figures.mode,
            meter=figures.meter,
            bars=bars,
            seconds=figures.seconds,
            size=self._size,
            title=self._title,
            sections=sections,
            lacks=lacks,
            options=options,
            tasks=tuple(orders.tasks) if changes else (),
            wanted=_different(wanted),
            refused=refused,
            kept=_different(orders.kept if changes else self._wishes["keep"]),
            mentioned=_different(orders.mentioned if changes else self._wishes["mentioned"]),
            only=self._only and bool(wanted),
            keep_tempo="tempo" in kept,
            keep_key="key" in kept,
            keep_sounds="sounds" in kept,
            ignored=tuple(dict.fromkeys(ignored))[:20],
        )

    @staticmethod
    def _strange(word: str, explained: set[str]) -> bool:
        """Whether neither a form nor a sign accounts for a word."""
        return word not in explained and any(letter.isalpha() for letter in word)

    def _walk(self) -> None:
        at = 0
        while at < len(self._tokens):
            if at in self._layout.taken:
                at += 1
                continue
            match = self._lexicon.find(self._tokens, at)
            played = self._played(match, at)
            if played is not None:
                self._name(played[1])
                at += played[0]
                continue
            # "808s" and "80s" name styles although they begin with a number
            named = match is not None and match.length > 1 and "style" in match.senses
            taken = 0 if named else self._figures.take(at)
            if taken:
                at += taken
                self._inverse = 0
                if self._binding != "keep":
                    self._binding = ""
                continue
            if match is None:
                self._unknown(self._tokens[at], at)
                at += 1
            else:
                self._meet(match, at)
                at += match.length

    def _played(self, match: Match | None, at: int) -> tuple[int, Wish] | None:
        """A role and its instrument; "a tune for piano" is a piece, and no role in one."""
        if match is None or self._tokens[at] in self._lexicon.words.goals.works:
            return None
        return played_at(self._tokens, at, self._lexicon)

    def _new_part(self, at: int) -> bool:
        """Whether what follows "new" is a thing of a song, as a bass line or an ending is."""
        works = self._lexicon.words.goals.works
        for ahead in range(at, min(at + _ADJECTIVES, len(self._tokens))):
            if self._tokens[ahead] in works or self._lexicon.sense(self._tokens, ahead, "style") is not None:
                return False
            section = self._lexicon.sense(self._tokens, ahead, "section")
            if section is not None or self._lexicon.wish_at(self._tokens, ahead) is not None:
                return True
        return False

    def _unknown(self, word: str, at: int) -> None:
        if word == ",":
            following = self._tokens[at + 1 : at + 7]
            if self._binding == "refuse" and self._bound and not {"or", "nor"} & set(following):
                self._binding = ""
        elif len(word) == 1 and not word.isalnum():
            self._binding = ""
        else:
            self._ignored.append(word[:40])
            self._binding = ""

    def _meet(self, match: Match, at: int) -> None:
        senses = match.senses
        inverse, self._inverse = self._inverse, max(0, self._inverse - 1)
        wish = self._lexicon.wish(senses)
        colour = "mood" in senses or ("style" in senses and "track" not in senses)
        if wish is not None and not (colour and self._binding == ""):
            self._name(wish)
            return
        if "aspect" in senses and self._binding == "keep":
            self._kept.add(senses["aspect"])
        elif "binding" in senses and not ("goal" in senses and senses["binding"] == "add"):
            self._bind(senses["binding"])
            if "goal" in senses:
                self._goals.append(senses["goal"])
        elif "style" in senses and "meter" in senses:
            # "waltz" is a style of its own, and the meter of "a jazz waltz" and of "a piano waltz"
            self._dances.append((at, senses["style"]))
            self._figures.take_meter(senses["meter"])
        elif "style" in senses:
            self._styles.append((at, senses["style"]))
        elif "mood" in senses:
            self._feel(senses["mood"], inverse > 0)
        elif "tempo" in senses:
            self._pacing(senses["tempo"], inverse > 0)
        elif "inverse" in senses and "goal" not in senses:
            self._inverse = 2
        elif "goal" in senses:
            fresh = senses["goal"] == "fresh"
            part = fresh and self._new_part(at + match.length)
            self._goals.append("relative" if part else "compose" if fresh else senses["goal"])
            self._inverse = 2 if "inverse" in senses else 0
            self._bind(senses.get("binding", ""))
        elif "mode" in senses:
            self._figures.take_mode(cast("Mode", senses["mode"]))
        elif "meter" in senses:
            self._figures.take_meter(senses["meter"])
        elif "size" in senses:
            self._size = cast("Literal['short', 'long']", senses["size"])
        elif "join" in senses:
            self._join(self._tokens[at])

    def _join(self, token: str) -> None:
        if self._binding == "refuse" and self._bound and token in ("a", "an", "&"):
            self._binding = ""

    def _bind(self, binding: str) -> None:
        if binding == "beatless":
            self._wishes["refuse"].append(thing_wish(self._lexicon.words.thing("drums")))
        elif binding == "after_keep":
            if self._last is not None and self._last[0] in ("wanted", "mentioned"):
                self._wishes[self._last[0]].remove(self._last[1])
                self._wishes["keep"].append(self._last[1])
        else:
            self._binding = cast("Binding", binding)
            self._bound = 0

    def _name(self, wish: Wish) -> None:
        place = {"refuse": "refuse", "keep": "keep", "only": "wanted", "add": "wanted", "": "mentioned"}[self._binding]
        self._only = self._only or self._binding == "only"
        self._wishes[place].append(wish)
        self._last = (place, wish)
        self._bound += 1

    def _feel(self, name: str, inverse: bool) -> None:
        mood = self._lexicon.words.mood(name)
        if inverse and not mood.opposite:
            return
        if inverse:
            mood = self._lexicon.words.mood(mood.opposite)
        if mood not in self._moods:
            self._moods.append(mood)

    def _pacing(self, word: str, inverse: bool) -> None:
        if word in _FACTORS:
            self._factor = _FACTORS[word]
            self._goals.append("relative")
        elif word in ("slight", "strong"):
            self._strength = 0.5 if word == "slight" else 1.5
        else:
            # "not too fast" is not slow either
            self._pace = cast("Pace", "medium" if inverse else word)

    def _goal(self, has_music: bool) -> Goal:
        goals = self._goals
        if "replace" in goals:
            return "replace" if has_music else "compose"
        making = [goal for goal in goals if goal in ("compose", "change", "relative")]
        if not has_music:
            return "change" if "change" in goals and "compose" not in goals else "compose"
        if making and making[0] == "compose" and not {"change", "existing"} & set(goals):
            return "either"
        return "change"

    def _chosen_styles(self, goal: Goal) -> list[str]:
        """The style that is meant first: of neighbours the last ("ambient techno"), in a change the last named."""
        if not self._styles and not self._wishes["mentioned"]:
            self._styles = self._dances
        if not self._styles:
            return []
        head = 0 if goal != "change" else len(self._styles) - 1
        while head + 1 < len(self._styles) and self._styles[head + 1][0] - self._styles[head][0] <= 2:
            head += 1
        chosen = self._styles[head][1]
        return [chosen, *dict.fromkeys(name for _, name in self._styles if name != chosen)]


def _different(wishes: list[Wish]) -> tuple[Wish, ...]:
    return tuple(dict.fromkeys(wishes))
