"""The timeline: lanes of clips, ghosts of the proposed plan, ruler and track headers."""
