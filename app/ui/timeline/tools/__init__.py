"""What the pointer does on the timeline: which drag a press begins, and the drags."""
