"""What a hand changes outside the piano roll: the edits that a gesture becomes."""
