"""Playing: buttons, numbers, level."""
