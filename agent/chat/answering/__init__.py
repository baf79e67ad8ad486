"""Answers from facts: of the song, its versions and runs, the waiting plan, and the program."""
