"""Hearing a song that exists: roles, key, chords, sections, feel, and the style it is nearest to."""
