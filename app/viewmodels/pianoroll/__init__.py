"""The piano roll without its painting: grid, notes, operations."""
