"""A new piece: form first, then harmony, then the band, then every part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, structs
from msgspec.structs import replace

from agent.composer.choosing import tempo_range
from agent.composer.dice import Dice
from agent.composer.piece_words import Pace
from agent.composer.rows import MASTER, Rows
from agent.composer.styles import SectionStyle, Style
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.note_rules import Close, NoteRules
from agent.composer.writing.band import at_most, choose_band
from agent.composer.writing.cadences import borrowed
from agent.composer.writing.charted import charted, chord_players, key_of_chart, over, with_harmony
from agent.composer.writing.clave import turned_round
from agent.composer.writing.ending_chords import ended_on
from agent.composer.writing.endings import ramped, slowing, turned_tempi
from agent.composer.writing.entrances import with_entrances
from agent.composer.writing.form import MAX_BARS, Harmonies, scenes_of
from agent.composer.writing.frame import Frame, Player, Scene, Turn
from agent.composer.writing.harmony import is_minor, last_chords, themes, with_fixed_chords
from agent.composer.writing.inner_voices import thinned
from agent.composer.writing.left_hand import left_handed
from agent.composer.writing.lengths import bars_of, in_time, too_long
from agent.composer.writing.lift import may_lift, with_lift
from agent.composer.writing.metered_form import (
    home_meter,
    mean_bar,
    mean_of,
    meter_changes,
    metered,
    meters_of,
    section_end,
)
from agent.composer.writing.meters import groups, in_meter
from agent.composer.writing.note_keys import key_of_notes
from agent.composer.writing.note_limits import limited
from agent.composer.writing.performing import perform, stage_of
from agent.composer.writing.phrase_cadences import with_cadences
from agent.composer.writing.piece_form import formed, timed
from agent.composer.writing.solo import plays_alone
from agent.composer.writing.staging import joined_by, spread, staged
from agent.composer.writing.stated import stated_chords
from agent.composer.writing.suspensions import with_suspensions
from agent.composer.writing.track_naming import named_tracks
from agent.composer.writing.tune_manners import tune_of
from agent.composer.writing.turns_of_bars import length_of
from agent.message import msg
from agent.plan.bounds import MAX_NOTES
from agent.plan.errors import PlanError
from agent.song.chord import Chord
from agent.song.key import Key, Mode
from agent.song.palette import Palette
from agent.song.time import PPQ
from agent.theory.chords import chord_symbol
from agent.theory.pitch import pitch_class, usual_tonic

_CHASE = 1.2
_BY_EAR: dict[Pace, tuple[float, float]] = {
    "very slow": (46, 60), "slow": (54, 76), "not fast": (76, 100), "not slow": (92, 126),
    "fast": (140, 168), "very fast": (160, 190),
}
"""Tempi in BPM that are called slow and fast by themselves."""
_PLACES = {
    "very slow": 0.1, "slow": 0.1, "not fast": 0.1, "medium": 0.5, "not slow": 0.7, "fast": 0.92, "very fast": 0.92,
}
"""Where in a range of tempi a pace lies."""
_WHITE_TONICS: dict[Mode, str] = {
    "major": "C", "minor": "A", "dorian": "D", "phrygian": "E", "lydian": "F", "mixolydian": "G",
}
_FIFTHS = (5, 7)


class NewPiece(Struct, frozen=True):
    """All decisions about a new piece, before any note is written. `meter` is (beats, unit), `themes` are the
    progressions by theme, `source` is the style in its original meter."""

    style: Style
    frame: Frame
    meter: tuple[int, int]
    themes: dict[str, tuple[Chord, ...]]
    scenes: tuple[Scene, ...]
    players: tuple[Player, ...]
    source: Style

    @property
    def bars(self) -> int:
        """The number of the piece's bars."""
        return sum(len(scene.bar_starts) for scene in self.scenes)


def decide(style: Style, intent: Intent, palette: Palette, dice: Dice) -> NewPiece:
    """The piece for a request and a seed. Stated tempo, key, meter and length are taken exactly."""
    meter = home_meter(intent, style)
    rules = intent.rules
    own, style = style, in_meter(style, meter)
    style = with_fixed_chords(style) if rules.static else style
    turns_clave = style.clave and dice.of("clave").chance(0.5)
    own, style = (turned_round(own), turned_round(style)) if turns_clave else (own, style)
    bpm = choose_tempo(style, intent, dice.of("tempo"))
    key = choose_key(style, intent, dice.of("key"))
    chart = charted(intent, meter, key)
    bar = mean_bar(intent, meter)
    middle = sum(intent.ramp) / 2 if intent.ramp is not None else bpm
    bars = bars_of(style, intent, middle, bar, chart, dice.of("loop"))
    bpm = in_time(bpm, bars, bar, intent)
    players = tuple(limited(one, intent.rules) for one in choose_band(style, intent, palette, dice.of("band")))
    if chart is not None and not rules.power:
        closed = intent.only or bool(intent.players) or plays_alone(intent) or bool(intent.course)
        players = chord_players(players, palette, open_=not closed)
    turns: tuple[Turn, ...] = ()
    whole = intent.course[0] if len(intent.course) == 1 and intent.course[0].motion != "layered" else None
    if whole is not None:
        sections = formed(style, intent, players, bars, dice, chart)
        turns = spread(whole, sections, key, bpm)
    elif intent.course:
        stages = staged(intent, style, players, key, bpm, bar, bars)
        sections, turns = tuple(stage.section for stage in stages), tuple(stage.turn for stage in stages)
    else:
        sections = timed(style, intent, players, bars, dice, chart, bar / PPQ * 60 / bpm)
    if chart is not None:
        sections = sections if bars is not None or intent.course else chart.in_rounds(sections)
        sections = tuple(structs.replace(one, parts=with_harmony(one.parts, players)) for one in sections)
    if intent.everywhere:
        sections = joined_by(sections, intent.everywhere, players)
    if (many := sum(section.bars for section in sections)) > MAX_BARS:
        raise too_long(many)
    sections = _in_keys(sections, style, intent, bar / PPQ * 60 / bpm, dice.of("lift"))
    under = chart.under(sections, by_name=len(intent.sections) > 1) if chart is not None else ()
    laid = metered(sections, meters_of(sections, under, chart, intent, meter), meter)
    if any(one.meters for one in laid) and not turns:
        bpm = in_time(bpm, bars, mean_of(laid, meter), intent)
    harmonies = _Harmonies(style, dice, rules)
    groove = dice.of("groove").whole(0, 11)
    swing_ticks = int(style.swing_beats * PPQ)
    grouped = tuple(group * 16 // meter[1] for group in intent.grouping) or groups(*meter)
    length, tune = length_of((meter,)), tune_of(style, rules)
    frame = Frame(key, bpm, length, style.swing, swing_ticks, groove, grouped, tune, cadences=style.cadences)
    lift = 0.0 if turns else intent.energy * 0.4
    scenes = scenes_of(laid, style, frame, harmonies.of, lift, turns, ends=intent.rules.close != "loops")
    scenes = _led(scenes, style, frame, dice, plain=chart is not None or _is_plain(rules))
    scenes = over(scenes, under) if under else scenes
    if style.rules is not None and chart is None and not (turns or intent.players or intent.everywhere):
        scenes = with_entrances(scenes, players, dice.of("entrances"))
    scenes = ended_on(rules.ending, scenes)
    used = {name for scene in scenes for name in scene.parts}
    building = any(scene.builds for scene in scenes)
    playing = tuple(p for p in players if p.style.name in used or (p.style.builds and building))
    playing = at_most(intent.most_tracks, playing)
    scenes = _grounded(scenes, playing, intent, charted_=chart is not None)
    return NewPiece(style, frame, meter, harmonies.of(key).themes, scenes, playing, own)


def _led(scenes: tuple[Scene, ...], style: Style, frame: Frame, dice: Dice, *, plain: bool) -> tuple[Scene, ...]:
    """The scenes with cadences where phrases end, unless `plain`, and with suspensions."""
    if not plain:
        lends = bool(style.exchanges.major or style.exchanges.minor)
        scenes = with_cadences(scenes, style.cadences, frame, dice.of("cadences"), lends=lends)
    return with_suspensions(scenes, style.exchanges.suspends, frame, dice.of("suspensions"))


def _is_plain(rules: NoteRules) -> bool:
    """Whether the rules of a request leave no chords but those of the progression."""
    return bool(rules.static or rules.pitched or rules.ease or rules.power)


def _grounded(
    scenes: tuple[Scene, ...], players: Sequence[Player], intent: Intent, *, charted_: bool
) -> tuple[Scene, ...]:
    """The scenes that know what plays in them and around: whether a bass, and whose left hand where nobody does, which
    pads only add to chords, and how strong the scenes beside them are."""
    low = frozenset(player.style.name for player in players if player.style.role == "bass")
    hand = left_handed(players, intent)
    around = [-1.0, *(scene.energy for scene in scenes), -1.0]
    return tuple(
        replace(
            scene, grounded=not charted_ and bool(low.intersection(scene.parts)), left_hand=hand,
            thin=() if charted_ else thinned(players, scene.parts), earlier=around[at], later=around[at + 2],
        )
        for at, scene in enumerate(scenes)
    )


def _in_keys(
    sections: tuple[SectionStyle, ...], style: Style, intent: Intent, seconds: float, dice: Dice
) -> tuple[SectionStyle, ...]:
    """The sections of a piece whose bars last so many `seconds`, each in its key."""
    fixed = intent.chart is not None or intent.rules.static
    if fixed or intent.tonic is not None:
        # chords that are given stay in their key, and a key that is stated is only left for one a fifth away
        near = () if fixed else _FIFTHS
        return tuple(structs.replace(one, up=one.up if one.up in near else 0) for one in sections)
    if style.rules is None or not may_lift(intent):
        return sections
    return with_lift(sections, style, seconds * sum(one.bars for one in sections), dice)


class _Harmonies:
    """The chords of a piece in each of its keys: the same progressions wherever the modes are alike."""

    def __init__(self, style: Style, dice: Dice, rules: NoteRules) -> None:
        self._style = style
        self._close = rules.close
        self._rules = rules
        self._dice = dice
        self._known: dict[Key, Harmonies] = {}

    def of(self, key: Key) -> Harmonies:
        """Those of one key."""
        if key not in self._known:
            harmony = self._dice.of("harmony")
            progressions = themes(self._style, key, harmony, plain=self._rules.pitched or bool(self._rules.ease))
            if self._rules.static:
                progressions = dict.fromkeys(progressions, (_home(progressions["a"], key, self._close),))
            picardy = self._style.ending.picardy and not self._close and is_minor(key.mode)
            progressions["home"] = (_home(progressions["a"], key, "major_chord" if picardy else self._close),)
            fixed = self._rules.static
            last = () if fixed else last_chords(self._style, key, harmony.of("last"))
            if self._rules.power:
                progressions = {name: tuple(map(_bare, chords)) for name, chords in progressions.items()}
                last = tuple(map(_bare, last))
            self._known[key] = Harmonies(progressions, last)
        return self._known[key]


def choose_tempo(style: Style, intent: Intent, dice: Dice) -> float:
    """The stated tempo, otherwise one in the style's range according to pace and moods; "very fast" may exceed the
    range.

    If no style was named, fast and slow are absolute.
    """
    if intent.bpm is not None:
        return intent.bpm
    low, high = style.tempo
    factor = intent.tempo_factor
    for faster in (*(mood.tempo for mood in intent.moods), *(setting.tempo for setting in intent.settings)):
        factor *= faster
    pace = intent.pace or next((setting.pace for setting in intent.settings if setting.pace), None)
    asked = tempo_range(intent)
    plain = _by_ear(intent)
    if asked is not None and plain is not None and intent.pace in ("very slow", "very fast"):
        # "a chase, super fast" is faster than a chase
        asked = asked if plain[0] <= asked[1] and asked[0] <= plain[1] else None
    if asked is not None and intent.style and intent.tempo_between is None:
        # what a piece is for moves no named style out of its range
        asked = min(max(asked[0], low), high), max(min(asked[1], high), low)
    if asked is not None:
        # where the style's own range reaches into the one that is asked for, it lies there
        reached = max(low, asked[0]), min(high, asked[1])
        low, high = reached if reached[0] <= reached[1] else asked
        factor = 1.0
    elif (kind := next((mood.bpm for mood in intent.moods if mood.bpm), None)) is not None:
        # a ballad leaves the style's range
        reached = max(low, kind[0]), min(high, kind[1])
        low, high = reached if reached[0] <= reached[1] else kind
    elif plain is not None:
        beyond = max(low, plain[0]), min(high, plain[1])
        # "a waltz, not too fast" is as slow as waltzes are
        calmest = (low, low) if intent.pace == "not fast" and low > plain[1] and style.meter != (4, 4) else plain
        low, high = beyond if beyond[0] <= beyond[1] else calmest
        factor = 1.0
    place = _PLACES.get(pace or "") or dice.between(0.2, 0.8)
    # a chase leaves the style's range, a calmer or livelier piece does not; a mood leaves no named one's
    fastest = high * factor if factor > _CHASE and not intent.style else high
    return float(round(max(low, min(fastest, (low + (high - low) * place) * factor))))


def _by_ear(intent: Intent) -> tuple[float, float] | None:
    """The tempi that a pace means by itself, in BPM: beside a named style only "very"; None where a range was said."""
    if intent.pace is None or intent.tempo_between is not None:
        return None
    if intent.style and not intent.pace.startswith("very"):
        return None
    return _BY_EAR.get(intent.pace)


def choose_key(style: Style, intent: Intent, dice: Dice) -> Key:
    """The stated key; a tonic without a mode is major, unless mood or style suggest otherwise."""
    said = (*(setting.mode for setting in intent.settings), *(mood.mode for mood in intent.moods))
    suggested = [mode for mode in said if mode]
    if intent.mode is not None:
        mode = intent.mode
    elif suggested:
        fitting = [m for m in style.modes if is_minor(m) == is_minor(suggested[-1])]
        fitting = ["major"] if "major" in fitting else fitting
        mode = dice.pick(fitting) if fitting else suggested[-1]
    elif intent.tonic is not None:
        mode = "major" if "major" in style.modes else style.modes[0]
    else:
        mode = dice.pick(style.modes)
    white = intent.rules.white or intent.rules.five_fingers or intent.rules.ease == "easiest"
    if white and intent.tonic is None:
        # the key that has no black ones
        return Key(_WHITE_TONICS.get(mode, "C"), mode if mode in _WHITE_TONICS else "major")
    named = key_of_notes(intent.rules.named, mode) if intent.tonic is None else None
    if named is not None:
        return named
    if intent.chart is not None and intent.tonic is None:
        return key_of_chart(intent.chart, intent.mode)
    tonic = intent.tonic or usual_tonic(pitch_class(dice.pick(style.tonics)), mode)
    return Key(tonic, mode)


def _bare(one: Chord) -> Chord:
    """A chord of its root and fifth alone."""
    return one if one.quality in ("dim", "aug", "dim7", "m7b5") else Chord(one.root, "5")


def write(piece: NewPiece, intent: Intent, rows: Rows, dice: Dice) -> Iterator[None]:
    """Write the piece as rows; yields after each group of rows so that the caller can show them."""
    frame, style = piece.frame, piece.style
    rows.name(intent.title)
    rows.tempo(frame.bpm, "as you asked" if intent.bpm else f"sits well for {style.label.lower()}")
    said = bool(intent.meter or intent.metered or intent.chart)
    usual = f"usual for {style.label.lower()}"
    rows.meters(meter_changes(piece.scenes, piece.meter), "as you asked" if said else usual)
    rows.key(frame.key, "as you asked" if intent.tonic else _colour(frame.key.mode))
    rows.loudness(style.loudness, f"the usual level of {style.label.lower()}")
    yield
    for scene in piece.scenes:
        key = frame.within(scene).key
        chords = " ".join(dict.fromkeys(chord_symbol(span.chord, key) for span in scene.chords))
        lent = ", ".join(chord_symbol(chord, key) for chord in borrowed([s.chord for s in scene.chords], key))
        where = f" in {key}" if key != frame.key else ""
        if scene.first:
            continue
        why = f"energy {scene.energy:.0%}{where}, over {chords}" + (f"; borrowed: {lent}" if lent else "")
        rows.section(scene.name, scene.start, section_end(piece.scenes, scene), why)
    stated = stated_chords(piece.scenes, piece.players, frame)
    why = "as you asked" if intent.chart is not None else "what every part is written over"
    rows.chords(stated, piece.scenes[-1].end, why)
    yield
    stage = stage_of(style, piece.players, piece.scenes, frame, dice, intent.loudest, intent.rules, piece.source)
    notes, tracks = 0, []
    for player in piece.players:
        tracks.append(perform(player, stage))
        notes += sum(len(passage.tones) for passage in tracks[-1].passages)
        if notes > MAX_NOTES:
            raise PlanError(
                msg("a piece of more than {max_notes:,} notes", max_notes=MAX_NOTES),
                why=msg("{style} has that many in {bars:,} bars", style=style.label, bars=piece.bars),
                fix=msg("ask for fewer bars, or give the style fewer parts or calmer patterns"),
            )
        yield
    for track in named_tracks(piece.players, tracks):
        rows.track(track)
        yield
    turned = turned_tempi(piece.scenes, frame)
    if intent.ramp is not None:
        turned = ramped(intent.ramp, [at for scene in piece.scenes for at in scene.bar_starts])
    for at, bpm in turned if not rows.guard.spans else ():
        rows.tempo_from(at, bpm, "as you asked")
    last = piece.scenes[-1]
    drifts = last.turn is not None and last.turn.ends_at != last.turn.bpm
    held = intent.rules.steady or intent.ramp is not None or intent.rules.close == "abrupt"
    if intent.bpm is None and not rows.guard.spans and last.closing and not (drifts or held):
        # a stated tempo holds to the last bar
        for at, bpm in slowing(style.ending, last, frame):
            rows.tempo_from(at, bpm, "slows down into the last chord")
    for use in style.master:
        rows.effect("master", use, owner="the mix", group=MASTER)
    yield


def _home(chords: tuple[Chord, ...], key: Key, close: Close) -> Chord:
    """The chord to end on: the tonic on its root, as the progression has it, else its plain triad; a bare fifth has
    no third."""
    if close == "major_chord":
        return Chord(key.pitch_class, "maj")
    if close == "bare_fifth":
        return Chord(key.pitch_class, "5")
    if close == "on_tonic":
        return Chord(key.pitch_class, "min" if is_minor(key.mode) else "maj")
    for chord in chords:
        if chord.root == key.pitch_class:
            return structs.replace(chord, bass=None)
    return Chord(key.pitch_class, "min" if is_minor(key.mode) else "maj")


def _colour(mode: Mode) -> str:
    return "a dark colour" if is_minor(mode) else "an open colour"
