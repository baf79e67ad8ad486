"""A song as a lead sheet: its tune, its chords and its form on paper."""
