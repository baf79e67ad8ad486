"""Charts: chords as people write them down, with bars, sections and repeats."""
