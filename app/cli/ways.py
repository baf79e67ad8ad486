"""How things are done at the command line, for answers that name what to type."""

from __future__ import annotations

from agent.chat.context import Way
from agent.chat.messages import Action
from app.studio.replies import Ways

_WINDOW = "`bandleader` opens it"


def _in_window(sentence: str, there: str = "") -> Way:
    """Something that only the window does."""
    return Way(
        f"{sentence} in the window ({_WINDOW}); there is no command for it.", step=f"{sentence.rstrip(',')}.",
        where=f"In the window ({_WINDOW}):", there=there,
    )


_COMPOSE = 'bandleader compose {request}{project}'
WAYS: Ways = dict[Action, Way]({
    "play": _in_window("Space plays and stops, as does Play in the bar at the top,"),
    "stop": _in_window("Space stops what plays"),
    "loop": _in_window("Choose the bars in the ruler, then Transport → Loop the selection (Shift+L),"),
    "solo": _in_window("S on a track's header, or the key S, lets you hear it alone"),
    "listen_without": _in_window("M on a track's header, or the key M, mutes it while you listen (M again undoes it),"),
    "go_to": _in_window("Click in the ruler, or press Home or End,", "Click bar {bar} in the ruler."),
    "zoom": _in_window("The keys + and − zoom, 0 shows the whole song, Z what is selected,"),
    "mute": _in_window("M on a track's header mutes it, or the key M for the track that is selected,"),
    "rename": _in_window("Edit → Rename (F2) names what is selected, and a section takes a double click,"),
    "metronome": Way("There is no metronome here: ask for “a count-in of 2 bars” or “a hi-hat on every beat” instead."),
    "speakers": Way("How loud the speakers are is set on your computer; “make everything louder” changes the song."),
    "save": Way("There is nothing to save: all is stored at once."),
    "undo": Way("Undo brings the version before back, and nothing is lost, also after a restart.",
                "bandleader restore {undo}{project}"),
    "redo": Way("Redo brings the version back that was undone.", "bandleader restore {redo}{project}"),
    "restore": Way("An earlier version comes back as a new one.", "bandleader restore {version}{project}"),
    "lock": Way("A lock is given with a request.", 'bandleader compose {request} --lock {lock}{project}'),
    "unlock": Way("At the command line a lock lasts for one request: leave --lock out.", _COMPOSE),
    "export": Way("The song is written to a file.", "bandleader export {format}{project}"),
    "print": Way("A lead sheet (tune, chords and form) is one page for any browser, which prints it or saves it as "
                 "PDF. Scores of all parts are for a notation program such as MuseScore, which opens MIDI.",
                 "bandleader export leadsheet{project}"),
    "remove": Way("Ask for it.", 'bandleader compose "remove the bass"{project}'),
    "import": Way("A MIDI file becomes the song of a project.", "bandleader import FILE{project}"),
    "new_song": Way("A new song is a new project.", "bandleader projects new NAME"),
    "open": Way("A project is named with --project; all are listed.", "bandleader projects"),
    "discard": Way("A plan changes nothing before you run it, so it can be left; of the queue it is taken so.",
                   "bandleader runs cancel ID"),
    "approve": Way("A plan is run by its hash, as `plan` shows it.", "bandleader run PLAN.json --approve HASH"),
    "reject": _in_window("Untick a row of the plan, or press X,"),
    "preview": _in_window("Hear the plan (H) plays the song as it would become"),
    "compare": Way("Two versions are compared note by note.", "bandleader diff A B{project}"),
    "key": Way("Ask for it.", 'bandleader compose "change the key to G major"{project}'),
    "meter": Way("Ask for it.", 'bandleader compose "change to 3/4"{project}'),
    "tempo": Way("Ask for it.", 'bandleader compose "tempo 96 bpm"{project}'),
    "volume": Way("Ask for it.", 'bandleader compose "make the bass louder"{project}'),
    "effect": Way("Ask for it.", 'bandleader compose "more reverb on the strings"{project}'),
    "track": Way("Ask for it.", 'bandleader compose "add strings to the chorus"{project}'),
    "notes": _in_window("A double click on a clip opens its notes in the piano roll"),
    "soundfont": Way("A part, or the whole song, plays from a SoundFont file.",
                     "bandleader soundfont set FILE{project}"),
    "shortcuts": Way("Keys are those of the window: F1 lists them there."),
    "model": Way("A model is chosen with --provider and --model, once its key is set.", "bandleader keys set PROVIDER"),
    "theme": _in_window("View → Dark theme or Light theme, and File → Settings… (Ctrl+,),"),
    "ask": Way("Questions are answered.", 'bandleader ask "QUESTION"{project}'),
    "compose": Way("This command plans it.", _COMPOSE),
    "list_styles": Way("All styles are listed.", "bandleader list styles"),
    "list_instruments": Way("All instruments are listed.", "bandleader list instruments"),
    "list_effects": Way("All effects are listed.", "bandleader list effects"),
    "history": Way("All versions are listed.", "bandleader history{project}"),
})
