"""What a hand does on the timeline, one class for each kind of drag."""
