"""Asking back: one question with full requests as answers, where a request is unclear.

It begins with what was not understood, and its choices are made from the song at hand; where the same is asked again,
others take their turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec import Struct

from agent.composer.asking_names import choices_of, names_of
from agent.composer.asking_words import AskingWords, Completion, Offered
from agent.composer.piece_words import Setting
from agent.composer.styles import StyleBook
from agent.composer.tokens import tokens_of
from agent.composer.understanding.clause import ReadClause
from agent.composer.understanding.intent import Intent
from agent.composer.vocabulary import Vocabulary
from agent.plan.planning import Brief, ClarifyingChoice, ClarifyingQuestion

_MOST_TOLD = 3
_FIRST = ("lofi", "ambient", "pop", "techno")
_WHAT_MUSIC = "What kind of music would you like?"
_WHAT_CHANGE = "How should this song change?"
_PLAIN = "I cannot do that yet"
_WORD = re.compile(r"\w+")


_BARE = 2
"""Words that may stand beside a name which alone says where to go."""


def needs_question(intent: Intent) -> bool:
    """Whether the request is too unclear to plan: nothing to do was understood, one of several sections is meant, or it
    may mean a new piece although there is music."""
    open_ended = intent.goal == "either" or intent.lacks in ("section", "style", "length", "meter", "chords")
    return open_ended or not (intent.says_something or intent.goal == "replace")


class Asker(Struct, frozen=True):
    """Makes the clarifying question for a request that was read as an intent; `read` reads the text of a choice, so
    that only choices that can be planned are offered."""

    book: StyleBook
    words: Vocabulary
    brief: Brief
    read: Callable[[str], Intent]

    def question(self, intent: Intent) -> ClarifyingQuestion:
        """The question with its choices; the request of every choice can be planned as it stands."""
        match intent.lacks:
            case "style":
                return self._nearest_styles(intent)
            case "length":
                return _length(intent)
            case "meter":
                return _meter(intent)
            case "chords":
                what, fix, *requests = intent.options
                labels = ("Yes, those",) if len(requests) < 2 else _differing(requests)
                return ClarifyingQuestion(f"I {what}; {fix}", tuple(map(ClarifyingChoice, labels, requests)))
        if intent.goal == "either":
            return self._change_or_new(intent)
        direction = self._direction(intent)
        if direction is not None:
            return direction
        if intent.goal == "change" and self.brief.song.note_count:
            return self._about_change(intent)
        styles = [style for style in self.book.styles if style.name in _FIRST] or list(self.book.styles[:4])
        choices = tuple(ClarifyingChoice(style.label, _new(style.words[0])) for style in styles)
        return ClarifyingQuestion(f"{_told(intent)}{_WHAT_MUSIC}", choices)

    def _nearest_styles(self, intent: Intent) -> ClarifyingQuestion:
        name, *requests = intent.options
        genre = next(genre for genre in self.words.genres if genre.name == name)
        return ClarifyingQuestion(
            f"I cannot write {genre.name} yet. Near to it are these, but {genre.differs}. Which one shall it be?",
            tuple(
                ClarifyingChoice(self.book.style(near).label, said)
                for near, said in zip(genre.near, requests, strict=True)
            ),
        )

    def _change_or_new(self, intent: Intent) -> ClarifyingQuestion:
        """A new piece where there is music: the song in that style, or another one, with all that was said of it."""
        label = self.book.style(intent.style).label if intent.style else ""
        changed = ClarifyingChoice(
            f"Turn this song into {label}", f"recompose this song as {self._called(intent.style)}"
        )
        over = ClarifyingChoice(
            "Start over with a new piece", self._asking.start_over.format(request=self.brief.request.strip())
        )
        return ClarifyingQuestion(
            "This song already has music. What should happen to it?", (changed, over) if label else (over,)
        )

    def _direction(self, intent: Intent) -> ClarifyingQuestion | None:
        """What an artist or an era stands for, and how far the music shall go that way."""
        told = [one.text.casefold() for one in intent.clauses if one.outcome == "told"]
        settings = self.words.settings
        named = ((setting, said) for setting in settings for one in told if (said := self._led(setting, one)))
        found = next(named, None)
        if found is None:
            return None
        setting, said = found
        name = self.brief.request[(at := self.brief.request.casefold().find(said)) : at + len(said)]
        styles = [name for name in setting.styles if any(one.name == name for one in self.book.styles)]
        if not self.brief.song.note_count:
            made = (ClarifyingChoice(self.book.style(one).label, _new(self._called(one))) for one in styles)
            return ClarifyingQuestion(
                f"I take {name} as a direction: {setting.about}. Which piece shall it be?", tuple(made)
            )
        kept = self._kept(intent)
        ways = [
            ClarifyingChoice(
                f"Turn it into {self.book.style(one).label}", f"recompose this song as {self._called(one)}{kept}"
            )
            for one in styles
        ]
        if setting.bpm and not intent.keep_tempo:
            bpm = round(sum(setting.bpm) / len(setting.bpm))
            ways.append(ClarifyingChoice(f"Only the tempo, {bpm} BPM", f"set the tempo to {bpm} bpm"))
        asked = f"I take {name} as a direction: {setting.about}. How far shall this song go that way?"
        return ClarifyingQuestion(asked, tuple(ways))

    def _led(self, setting: Setting, clause: str) -> str:
        """The words by which a clause names a direction to take; empty where it speaks of who bears that name: the
        alto stays as Bach left it."""
        said = _named(setting, clause)
        grammar = self.words.grammar
        others = [
            token for token in tokens_of(clause.replace(said, " "))
            if token not in grammar.skip and token not in grammar.empty and token not in grammar.joins
        ]
        likened = any(re.search(rf"\b{re.escape(word)}\b", clause) for word in self._asking.likening)
        return said if said and (likened or len(others) <= _BARE) else ""

    def _about_change(self, intent: Intent) -> ClarifyingQuestion:
        if intent.lacks == "section" and intent.options:
            return ClarifyingQuestion(
                "This song has several of that section. Which one do you mean?",
                tuple(ClarifyingChoice(option[:80], option) for option in dict.fromkeys(intent.options)),
            )
        if intent.lacks == "part":
            return self._asked(f"{_told(intent)}What should be added?", self._asking.added, intent)
        if intent.lacks == "operation" and intent.mentioned:
            label = intent.mentioned[0].label
            asked = f"{_told(intent)}What should happen to the {label}?"
            return self._asked(asked, self._asking.parts, intent, {"part": label})
        completed = self._completed(intent)
        if completed is not None:
            return completed
        is_so = f"This song is {intent.already[0]}. " if intent.already else ""
        return self._asked(f"{_told(intent)}{is_so}{_stays(intent)}{_WHAT_CHANGE}", self._asking.turns, intent)

    def _completed(self, intent: Intent) -> ClarifyingQuestion | None:
        """What an order needs that was said without it; every choice is that order with its end."""
        told = [one.text for one in intent.clauses if one.outcome == "told"]
        said = {word.casefold() for word in _WORD.findall(self.brief.request)}
        known = next((one for one in self._asking.completions if one.cue in said), None) if len(told) == 1 else None
        if known is None:
            return None
        choices = tuple(self._completions(known))
        if not choices:
            return None
        return ClarifyingQuestion(f"{self.brief.request.strip().capitalize()}: {known.question}", choices)

    def _completions(self, known: Completion) -> Sequence[ClarifyingChoice]:
        whole = ((end, f"{self.brief.request.strip().rstrip('.!?')} {end}") for end in known.ends)
        return [ClarifyingChoice(end.capitalize(), said) for end, said in whole if _reads(self.read(said))]

    def _asked(
        self, text: str, turns: Sequence[Sequence[Offered]], intent: Intent, names: dict[str, str] | None = None
    ) -> ClarifyingQuestion:
        """A question with the choices whose turn it is: others than when it was asked before."""
        known = names_of(self.brief.song, self.brief.palette) | (names or {})
        asked = text.rpartition(". ")[2]
        times = sum(one.by == "bandleader" and one.text.endswith(asked) for one in self.brief.said)
        lists = [choices_of(turn, known, self._kept(intent)) for turn in turns]
        filled = [one for one in lists if len(one) > 1]
        return ClarifyingQuestion(text, filled[times % len(filled)] if filled else ())

    def _kept(self, intent: Intent) -> str:
        """What is to stay, as it is said behind a choice."""
        return "".join(f", {self._asking.keep.format(what=what)}" for what in intent.stays)

    def _called(self, style: str) -> str:
        return self.book.style(style).words[0] if style else ""

    @property
    def _asking(self) -> AskingWords:
        assert self.words.asking is not None
        return self.words.asking


def _new(style: str) -> str:
    """The request for a new piece in a style."""
    return f"compose {'an' if style[0] in 'aeiou' else 'a'} {style} piece"


def _length(intent: Intent) -> ClarifyingQuestion:
    asked, made, *requests = intent.options
    return ClarifyingQuestion(
        f"The piece is to have {asked} bars, and its parts make {made}. How long shall it be?",
        tuple(ClarifyingChoice(f"{made} bars, as its parts are", said) for said in requests),
    )


def _meter(intent: Intent) -> ClarifyingQuestion:
    half = len(intent.options) // 2
    ways, requests = intent.options[:half], intent.options[half:]
    return ClarifyingQuestion(
        f"You name {' and '.join(ways[:-1])}, and not where each of them holds. In which meter shall the piece be? "
        "(Or say for example: verse in 7/8, chorus in 4/4.)",
        tuple(map(ClarifyingChoice, (*(f"All of it in {way}" for way in ways[:-1]), ways[-1]), requests)),
    )


def _differing(requests: Sequence[str]) -> tuple[str, ...]:
    """What tells requests from each other that differ in single words."""
    words = [request.split() for request in requests]
    at = next(at for at, said in enumerate(zip(*words, strict=False)) if len(set(said)) > 1)
    return tuple(f"It is {said[at]}" for said in words)


def _named(setting: Setting, told: str) -> str:
    """The words by which a direction stands in what was not understood; empty where it does not."""
    if not setting.about:
        return ""
    return next((said for said in setting.words if re.search(rf"\b{re.escape(said)}\b", told)), "")


def _reads(intent: Intent) -> bool:
    """Whether a request is understood to its last word."""
    return bool(intent.tasks) and not needs_question(intent) and all(one.outcome != "told" for one in intent.clauses)


def _stays(intent: Intent) -> str:
    """That what was only said to stay does."""
    stays = intent.stays
    if not stays:
        return ""
    listed = " and ".join(filter(None, (", ".join(stays[:-1]), stays[-1])))
    return f"The {listed} {'stays as it is' if len(stays) == 1 else 'stay as they are'} in what comes next. "


def _told(intent: Intent) -> str:
    """What nothing could be made of, in its own words, so that the question does not pass over it."""
    told = [one for one in intent.clauses if one.outcome == "told" and one.text.strip()]
    return "".join(f"{_why(one)}. " for one in told[:_MOST_TOLD])


def _why(one: ReadClause) -> str:
    words = one.text.casefold().split()
    if one.reason and all(word in one.reason.casefold() for word in words):
        return one.reason
    return f"“{one.text}”: {one.reason or _PLAIN}"
