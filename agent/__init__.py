"""The mind of Bandleader: it proposes and decides order; it touches no disk, sound, database or window."""
