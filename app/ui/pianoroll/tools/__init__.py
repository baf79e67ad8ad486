"""What the pointer does in the piano roll: which drag a press begins, and the drags."""
