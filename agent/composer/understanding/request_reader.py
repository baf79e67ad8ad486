"""The reader of one request: single words, sections and orders put together. Any text is only text here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from msgspec import structs

from agent.composer.tokens import tokens_of
from agent.composer.understanding.blends import StyleMention, by_beat
from agent.composer.understanding.choir_voices import choir_named
from agent.composer.understanding.clause import ReadClause
from agent.composer.understanding.course_reading import Course, course_of
from agent.composer.understanding.figures import Figures
from agent.composer.understanding.finishing import fulfilled, handed_on
from agent.composer.understanding.finishing_tasks import numbered, places_itself, within
from agent.composer.understanding.gathered import RequestFindings
from agent.composer.understanding.given_chords import SaidChords, said_chords
from agent.composer.understanding.intent import AskedSection, Goal, Intent, Lack
from agent.composer.understanding.layout import Layout, layout_of
from agent.composer.understanding.left_over import said_nothing_of
from agent.composer.understanding.metered import only_metered, open_meters, staged_meters, unknown_meters
from agent.composer.understanding.new_or_change import begins_new
from agent.composer.understanding.open_ends import open_ends, writes_part
from agent.composer.understanding.open_lengths import contradicting, with_length
from agent.composer.understanding.operations import Remove, Rename, Repeat, Retempo
from agent.composer.understanding.ordering import OrderReader
from agent.composer.understanding.orders import Orders
from agent.composer.understanding.piece_shapes import shape_of
from agent.composer.understanding.said_meters import said_meters
from agent.composer.understanding.scoring import scoring_of
from agent.composer.understanding.settings import settings_in
from agent.composer.understanding.slot_filling import SlotReading
from agent.composer.understanding.spelled_request import SpelledRequest
from agent.composer.understanding.tasks import Named, Task
from agent.composer.understanding.techniques import techniques_in
from agent.composer.understanding.walking import Walker
from agent.composer.understanding.wishes import Wish, different, without

_LETTERS = frozenset("abcd")
_OF_SONG = ("form", "meter", "mix", "length")
"""Aspects of a song that no task may change where they are kept."""
_BEGINS = 4
"""Tokens before a section with which a request begins."""


class RequestReader:
    """Combines what single words, sections and orders of a request say."""

    def __init__(
        self, text: SpelledRequest, readings: Mapping[str, SlotReading], passed: frozenset[int] = frozenset(), *,
        has_music: bool,
    ) -> None:
        """`passed` are the numbers of tokens that said something already, read as pauses; `has_music` says whether the
        song has notes."""
        self._text = text
        self._passed = passed
        self._has_music = has_music
        self._lexicon = text.lexicon
        self._readings = readings
        self._spoken = ["," if at in passed else token for at, token in enumerate(text.spoken)]
        self._tokens = [token.casefold() for token in self._spoken]
        self._figures = Figures(self._spoken, self._tokens, self._lexicon)
        self._meters = said_meters(self._tokens, self._lexicon)

    @cached_property
    def _layout(self) -> Layout:
        return layout_of(self._spoken, self._lexicon, self._figures)

    @cached_property
    def _orders(self) -> Orders:
        text = self._text
        reader = OrderReader(self._lexicon, self._readings, self._spoken, self._figures, text.names, text.written)
        return reader.read()

    def passing(self, passed: frozenset[int]) -> RequestReader:
        """A reader of the same request that ignores the tokens with the indices `passed` too; the same reader if it
        does so already."""
        every = self._passed | passed
        same = every == self._passed
        return self if same else RequestReader(self._text, self._readings, every, has_music=self._has_music)

    @property
    def is_new(self) -> bool:
        """Whether the request certainly asks for a new piece, before its orders are read: the song has no notes, and
        the request speaks of no change or describes a piece first."""
        found = (self._lexicon.find(self._tokens, at) for at in range(len(self._tokens)))
        changing = any(one is not None and one.senses.get("goal") == "change" for one in found)
        return not self._has_music and (not changing or begins_new(self._tokens, self._lexicon))

    @property
    def tokens(self) -> Sequence[str]:
        """The tokens of the request, casefolded and with misspellings corrected."""
        return self._tokens

    @property
    def spoken(self) -> Sequence[str]:
        """The tokens in their original case, with misspellings corrected; same length as `tokens`."""
        return self._spoken

    def chords(self) -> list[SaidChords]:
        """The chords that the request writes down."""
        def in_key(at: int) -> bool:
            return self._figures.key_at(at) is not None

        return said_chords(self._text.untitled, self._text.tokens, self._spoken, self._lexicon, in_key)

    def clauses_at(self, said: frozenset[int]) -> tuple[ReadClause, ...]:
        """The tokens with the indices `said`, each run of neighbours as a clause with the outcome "understood"."""
        runs = [at for at in sorted(said) if at - 1 not in said]
        ends = [at + 1 for at in sorted(said) if at + 1 not in said]
        return self.spelled([ReadClause(first, last, "understood") for first, last in zip(runs, ends, strict=True)])

    def told_at(self, tunes: Sequence[range]) -> tuple[ReadClause, ...]:
        """The existing melodies named at the token ranges `tunes`, each as a clause with the outcome "told", as they
        cannot be played."""
        words = self._lexicon.words.tunes
        reason = words.reason if words is not None else ""
        return self.spelled([ReadClause(one.start, one.stop, "told", reason=reason) for one in tunes])

    @cached_property
    def intent(self) -> Intent:
        """The intent of the whole request."""
        orders = self._orders
        # what is done to a finished piece says nothing of its frame
        quiet = (frozenset(orders.finishing) - self._style_tokens) | self._meters.tokens
        after = orders.placed if self._has_music else quiet
        self._said = Walker(self._tokens, self._lexicon, self._figures, self._layout.taken | after).walk()
        goal = self._goal()
        if goal == "change" and not orders.tasks and self._said.styles and not self._said.goals:
            # it describes a piece and asks for no change
            goal = "either"
        if goal == "either" and writes_part(orders.tasks, self._tokens, self._lexicon) and not self._said.styles:
            goal = "change"
        return self._changing(orders) if goal == "change" else self._new(goal, orders)

    def _bars(self, sections: Sequence[AskedSection]) -> int | None:
        """The length of a new piece that its figures, or those of all its sections, say."""
        if len(sections) > 1 and all(section.bars for section in sections):
            return sum(section.bars for section in sections)
        alone = self._figures.bars is None and len(sections) == 1 and self._is_the_piece()
        return sections[0].bars or None if alone else self._figures.bars

    def _is_the_piece(self) -> bool:
        """Whether the request begins with a section, so that no more is wanted: "an 8 bar breakdown, 140"."""
        begin = self._layout.places[0].start
        return begin <= _BEGINS and not {*self._tokens[:begin]} & {*self._lexicon.words.bindings.add}

    def _new(self, goal: Goal, orders: Orders) -> Intent:
        """A new piece, or what may be one. What is refused in single places has to wait until there are any."""
        course = self._course()
        self._said = said = self._of_whole(course, orders)
        sections = () if course.stages or only_metered(self._layout, self._meters) else self._layout.sections
        local = [
            task for task in orders.tasks
            if isinstance(task.operation, Remove) and not task.scope.whole and not within(task, orders, course.tokens)
            and places_itself(task, orders)
        ]
        named = {place.name for task in local for place in task.scope.places if isinstance(place, Named)}
        sections = tuple(section for section in sections if len(sections) > 1 or section.name not in named)
        resting = [task.operation.wish for task in local if isinstance(task.operation, Remove)]
        refused = without(said.wishes["refuse"], resting)
        letters = {at for at, word in enumerate(self._tokens) if sections and set(word) <= _LETTERS}
        settings = settings_in(self._tokens, said.owned, self._lexicon)
        staged = [wish for stage in course.stages for wish in (*stage.alone, *stage.enters)]
        gone = [wish for stage in course.stages for wish in stage.leaves if wish not in staged]
        scoring = scoring_of(
            self._tokens, self._lexicon, (*said.wishes["refuse"], *gone), course.acts | said.passed,
            styled=bool(said.styles), only=said.only, staged=course.later,
        )
        played = techniques_in(self._tokens, said.owned | orders.finishing, self._lexicon, self._readings)
        owned = said.owned | letters | settings.tokens | scoring.tokens | played.tokens
        owned |= self._meters.tokens
        owned = (owned - course.tokens) | (orders.finishing - course.tokens) | course.owned
        if self._styles():
            # beside a style that is written, one that is not is told
            owned -= {at for genre in said.genres for at in range(genre.start, genre.end)}
        clauses = self.spelled((*said_nothing_of(self._tokens, owned, self._lexicon), *unknown_meters(self._meters)))
        ignored = [clause.text for clause in clauses if clause.outcome == "told"]
        bars = self._bars(sections)
        wanted = without(said.wishes["wanted"] + said.wishes["mentioned"], said.wishes["refuse"] + [*scoring.displaced])
        playing = (*scoring.players, *staged, *played.wishes)
        wanted += [wish for wish in playing if not any(_same(wish, one) for one in wanted)]
        if scoring.players:
            # in "a tune for two recorders" the tune is the piece
            wanted = [wish for wish in wanted if not (wish.whole_role and wish.role == "lead")]
        lacks, options = self._style_lacking()
        if not lacks:
            lacks, options = self._length_open([part.bars for part in course.stages or sections], course.tokens)
        if not (lacks or course.stages):
            lacks, options = open_meters(self._meters, self._text.request, self._text.tokens)
        intent = self._told(
            goal, by_beat(self._styles(), self._tokens, self._lexicon), bpm=self._figures.bpm, bars=bars,
            sections=sections, wanted=wanted, refused=refused, kept=said.wishes["keep"],
            mentioned=said.wishes["mentioned"], aspects=said.kept, ignored=ignored, clauses=clauses,
        )
        finishing = [*self._finishing(orders, course.tokens | course.acts | scoring.tokens, sections)]
        finishing += [*local, *played.tasks]
        clauses = tuple(numbered(one, orders, finishing) for one in clauses)
        return structs.replace(
            intent, lacks=lacks, options=options, tasks=tuple(finishing), clauses=clauses, settings=settings.found,
            players=scoring.players, only=intent.only or bool(scoring.players), metered=self._meters.metered,
            course=staged_meters(course.stages, course.spans, self._meters),
            course_tokens=course.spans, loudest=course.loudest, shape=shape_of(self._tokens, self._lexicon.words),
        )

    def _finishing(
        self, orders: Orders, said: frozenset[int], sections: Sequence[AskedSection]
    ) -> Iterator[Task]:
        """What is done to the piece once it is written; what the tokens `said` is its stages and players."""
        long = any(one.bars for one in sections)
        for task in orders.tasks:
            own = task.operation.of_frame or self._is_style(task) or (long and isinstance(task.operation, Repeat))
            if not own and (task.operation.of_sound or not within(task, orders, said)):
                yield task

    def _course(self) -> Course:
        """How the piece goes on; what the person plays is no player who comes in."""
        tokens = ["," if at in self._said.own else token for at, token in enumerate(self._tokens)]
        return course_of(tokens, self._spoken, self._lexicon, self._layout)

    def _of_whole(self, course: Course, orders: Orders) -> RequestFindings:
        """What is said of the whole piece: all but the words of its stages."""
        whole = self._said
        if not course.stages and not course.acts:
            return whole
        self._figures = Figures(self._spoken, self._tokens, self._lexicon)
        taken = (frozenset(orders.finishing) - self._style_tokens) | course.tokens
        taken |= self._meters.tokens | (course.acts if not course.stages else frozenset())
        head = Walker(self._tokens, self._lexicon, self._figures, taken).walk()
        head.passed.update(whole.own)
        if not course.figures:
            return replace(head, goals=whole.goals)
        first = course.figures[0]
        for figures in course.figures:
            self._figures.meter = self._figures.meter or figures.meter
        if self._figures.tonic is None and self._figures.mode is None:
            # what the first stage is in, the piece is in
            self._figures.tonic, self._figures.mode = first.tonic, first.mode
        self._figures.bpm = self._figures.bpm or first.bpm
        return replace(
            head, pace=head.pace or course.stages[0].pace, goals=whole.goals, styles=whole.styles, dances=whole.dances,
            genres=whole.genres,
        )

    @property
    def _style_tokens(self) -> frozenset[int]:
        """The tokens that name a style, whatever else their words can mean."""
        found = [(at, self._lexicon.sense(self._tokens, at, "style")) for at in range(len(self._tokens))]
        return frozenset(at + ahead for at, style in found if style is not None for ahead in range(style[0]))

    def _is_style(self, task: Task) -> bool:
        """Whether the words of a task name a style: "a swing piece" is one."""
        return self._lexicon.sense([token.casefold() for token in tokens_of(task.words)], 0, "style") is not None

    def _length_open(self, parts: Sequence[int], passed: frozenset[int]) -> tuple[Lack, tuple[str, ...]]:
        """Whether the parts of the piece make another length than it is to have, and the request with theirs."""
        made = contradicting(parts, self._figures.bars) if len(parts) > 1 else None
        if made is None or self._figures.bars is None:
            return "", ()
        taken = passed | self._layout.taken
        said = with_length(self._text.request, self._text.tokens, taken, self._lexicon, self._figures.bars, made)
        return "length", (str(self._figures.bars), str(made), *said)

    def _style_lacking(self) -> tuple[Lack, tuple[str, ...]]:
        """Whether only a kind of music is named that no style writes, and the request with each style near to it."""
        if not self._said.genres or self._styles():
            return "", ()
        said = self._said.genres[0]
        if self._lexicon.words.genre(said.name).voices and choir_named(self._tokens, self._lexicon):
            return "", ()
        request, tokens = self._text.request, self._text.tokens
        start, end = tokens[said.start].start, tokens[said.end - 1].end
        genre = self._lexicon.words.genre(said.name)
        # a waltz that stands for a jig keeps the jig's meter
        meter = f", in {genre.meter}" if genre.meter and self._figures.meter is None else ""
        words = [style.words[0] for name in genre.near for style in self._lexicon.styles.styles if style.name == name]
        return "style", (said.name, *(f"{request[:start]}{word}{request[end:]}{meter}" for word in words))

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
        retempo = next((task.operation for task in orders.tasks if isinstance(task.operation, Retempo)), None)
        if stated is not None and not any(hasattr(task.operation, "bpm") for task in orders.tasks):
            self._state_tempo(stated, orders)
        if self._text.title:
            orders.tasks.append(Task(Rename(self._text.title), words=self._text.title))
        orders.tasks, already = fulfilled(handed_on(orders.tasks, self._lexicon), self._lexicon)
        clauses = self.spelled(orders.clauses)
        intent = self._told(
            "change", styles, bpm=stated if retempo is None else retempo.bpm, bars=self._figures.bars,
            wanted=without(said.wishes["wanted"], said.wishes["refuse"]), refused=said.wishes["refuse"],
            kept=orders.kept, mentioned=[wish for wish in orders.mentioned if self._lexicon.has(wish)],
            aspects={*said.kept, *orders.aspects},
            ignored=[clause.text for clause in clauses if clause.outcome == "told"], clauses=clauses,
        )
        lacks, options = open_ends(orders, self._text.request, self._lexicon)
        return structs.replace(
            intent, tasks=tuple(orders.tasks), lacks=lacks, options=options, already=already,
            song_bpm=self._lexicon.song.bpm if self._lexicon.song.note_count else None,
        )

    def _state_tempo(self, bpm: float, orders: Orders) -> None:
        """A tempo that no form took: where it is called one, or is all that its clause says, as in "112 maybe".

        Any other number in a clause that was not understood counts something else: "brass ff at 33".
        """
        at = self._figures.tempo_token
        holding = next((one for one in orders.clauses if one.first <= at < one.last), None)
        alone = holding is not None and holding.outcome == "told" and self._says_only(holding, at)
        if not alone and not self._figures.counts_tempo:
            return
        number = 1 + max((one.number for one in orders.clauses), default=-1)
        orders.tasks.append(Task(Retempo(bpm), words=f"{bpm:g}", clauses=(number,)))
        if alone and holding is not None:
            orders.clauses = tuple(
                structs.replace(one, outcome="understood", number=number, reason="") if one is holding else one
                for one in orders.clauses
            )

    def _says_only(self, clause: ReadClause, at: int) -> bool:
        """Whether a clause says nothing but the number at a token, nearly or not."""
        words = self._lexicon.words
        nothing = {*words.grammar.skip, *words.grammar.empty, *words.grammar.light, *words.lengths.hedging}
        return nothing.issuperset(self._tokens[clause.first : at] + self._tokens[at + 1 : clause.last])

    def _told(
        self, goal: Goal, styles: Sequence[str], *, bpm: float | None, bars: int | None, wanted: Sequence[Wish],
        refused: Sequence[Wish], kept: Sequence[Wish], mentioned: Sequence[Wish], aspects: set[str],
        ignored: Sequence[str], sections: tuple[AskedSection, ...] = (), clauses: tuple[ReadClause, ...] = (),
    ) -> Intent:
        figures, said = self._figures, self._said
        return Intent(
            goal=goal, style=styles[0] if styles else "", other_styles=tuple(styles[1:]), moods=tuple(said.moods),
            bpm=bpm, tempo_factor=said.tempo_factor, pace=said.pace, tonic=figures.tonic, mode=figures.mode,
            tempo_between=figures.between, grouping=figures.grouping if figures.meter else (),
            meter=figures.meter, bars=bars, seconds=figures.seconds, size=said.size, title=self._text.title,
            sections=sections, wanted=different(wanted), refused=different(refused),
            kept=different(kept), mentioned=different(mentioned), only=said.only and bool(wanted),
            keep_tempo="tempo" in aspects, keep_key="key" in aspects, keep_sounds="sounds" in aspects,
            kept_aspects=tuple(one for one in _OF_SONG if one in aspects),
            read_as=self._text.read_as, clauses=clauses, ignored=tuple(dict.fromkeys(ignored))[:20],
        )

    def spelled(self, clauses: Sequence[ReadClause]) -> tuple[ReadClause, ...]:
        """The clauses with their text and character positions in the request."""
        spans = [self._text.span(clause.first, clause.last) for clause in clauses]
        return tuple(
            structs.replace(clause, text=self._text.request[start:end], start=start, end=end)
            for clause, (start, end) in zip(clauses, spans, strict=True)
        )

    def _styles(self) -> list[StyleMention]:
        """The styles that are meant; "waltz" alone is one, beside another or an instrument it is a meter."""
        return self._said.styles or ([] if self._said.wishes["mentioned"] else self._said.dances)

    def _is_about_something(self) -> bool:
        """Whether a request for nothing that exists first says what the music is for: "hold music, make it bland"."""
        begins = self._lexicon.sense(self._tokens, 0, "goal") if self._tokens else None
        return begins is None and bool(settings_in(self._tokens, self._said.owned, self._lexicon).found)

    def _goal(self) -> Goal:
        goals = self._said.goals
        if "replace" in goals:
            return "replace" if self._has_music else "compose"
        making = [goal for goal in goals if goal in ("compose", "change", "relative")]
        if not self._has_music:
            described = bool(self._said.styles) and self._figures.seconds is not None
            described = described or self._is_about_something() or bool(self._passed)
            changes = "change" in goals and "compose" not in goals and not described
            return "change" if changes and not begins_new(self._tokens, self._lexicon) else "compose"
        if making and making[0] == "compose" and not {"change", "existing"} & set(goals):
            return "either"
        return "change"


def _same(one: Wish, other: Wish) -> bool:
    return (one.role, one.instruments, one.pieces) == (other.role, other.instruments, other.pieces)
