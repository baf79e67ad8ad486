"""How things are done in the window, for answers that say where."""

from __future__ import annotations

from agent.chat.context import Way
from agent.chat.messages import Action
from app.studio.replies import Ways

_ASK = "Ask for it here, such as “{}”: you get a plan, and nothing changes before you approve it."
WAYS: Ways = dict[Action, Way]({
    "play": Way("Space plays and stops, as does Play in the bar at the top."),
    "stop": Way("Space stops what plays; Plan → Stop (Ctrl+.) stops an answer or a run."),
    "loop": Way("Choose bars in the ruler, then Transport → Loop the selection (Shift+L); L turns it on and off."),
    "solo": Way("S on a track's header, or the key S, lets you hear it alone."),
    "listen_without": Way("M on a track's header, or the key M, mutes it while you listen; M again brings it back."),
    "go_to": Way("Click in the ruler; Home and End go to the song's start and end.",
                 there="Click bar {bar} in the ruler."),
    "zoom": Way("The keys + and −, 0 for the whole song, Z for what is selected; all are in the View menu."),
    "mute": Way("M on a track's header mutes it, or the key M for the track that is selected."),
    "metronome": Way("There is no metronome here: ask for “a count-in of 2 bars” or “a hi-hat on every beat” instead."),
    "speakers": Way("How loud the speakers are is set on your computer; “make everything louder” changes the song."),
    "rename": Way("Edit → Rename (F2) names the clip or track that is selected; a section takes a double click. "
                  "A song keeps the name of its project."),
    "save": Way("There is nothing to save: all is stored at once."),
    "undo": Way("Edit → Undo (Ctrl+Z) takes the last change back, as a new version, also after a restart; nothing is "
                "lost."),
    "redo": Way("Edit → Redo (Ctrl+Shift+Z) brings back what was undone."),
    "restore": Way("Select a version in the history, then Edit → Restore the iteration: it comes back as a new one."),
    "lock": Way("Track → Lock track, Lock clips or Lock bars keeps what is selected from every plan."),
    "unlock": Way("Track → All locks… shows what is locked and lets it go."),
    "export": Way("File → Export… (Ctrl+E) asks for format and place."),
    "print": Way("File → Export… (Ctrl+E) writes a lead sheet, with tune, chords and form, as a page that any browser "
                 "prints or saves as PDF; scores of all parts are for a notation program, which opens MIDI."),
    "remove": Way("Ask for it, such as “remove the bass”, or delete the track by its menu."),
    "import": Way("File → Open MIDI… (Ctrl+O) opens a file as a new song; File → Import MIDI into this song… adds it "
                  "to this one."),
    "new_song": Way("File → New song (Ctrl+N). This one stays in your projects."),
    "open": Way("File → Open project… (Ctrl+Shift+O) lists all of them."),
    "discard": Way("Discard plan under the plan takes it away; nothing of it has run."),
    "approve": Way("Approve and run, under the plan, carries out exactly the rows that are ticked."),
    "reject": Way("Untick a row, or press X in the plan; Shift+X rejects it with a reason."),
    "preview": Way("Hear the plan (H) plays the song as it would become; B switches between song and plan."),
    "compare": Way("Select two versions in the history, then Edit → Compare iterations."),
    "key": Way(_ASK.format("change the key to G major")), "meter": Way(_ASK.format("change to 3/4")),
    "tempo": Way(f"{_ASK.format('tempo 96 bpm')} Or click the tempo in the bar at the top."),
    "volume": Way("Drag the fader in the track's header or in the mixer (Ctrl+3), or ask for it here."),
    "effect": Way("The mixer (Ctrl+3) holds each track's effects. Or ask for it here, such as “more reverb on the "
                  "strings”."),
    "track": Way("Track → Add track… (Ctrl+Shift+T) adds an empty one. Or ask for it here, such as “add strings to the "
                 "chorus”."),
    "notes": Way("Double-click a clip: its notes are written and edited in the piano roll (Ctrl+2)."),
    "model": Way("The button under the request box chooses who plans; keys are kept in File → Settings… (Ctrl+,)."),
    "soundfont": Way("The menu of a track's header has SoundFont of the track and SoundFont of the song, each with "
                     "From a file…; or ask for it here, such as “play the strings from my-bank.sf2”."),
    "shortcuts": Way("Help → Keyboard shortcuts (F1) lists all keys, and changes them."),
    "theme": Way("View → Dark theme or Light theme; more is in File → Settings… (Ctrl+,)."),
    "ask": Way("Write the question here, in the chat."), "compose": Way("Write it here, in the chat."),
    "list_styles": Way("Ask “which styles have you?” here."),
    "list_instruments": Way("Track → Add track… lists all instruments by family."),
    "list_effects": Way("Add an effect in the mixer (Ctrl+3): all of them are listed."),
    "history": Way("Window → Show history lists all versions."),
})
