"""Audio: synthesis, effects, mixing, loudness, files."""
