"""The events of runs as a list that is filtered, copied and followed."""
