"""What a hand does in the piano roll, one class for each kind of drag."""
