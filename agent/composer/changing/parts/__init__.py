"""Parts that come or change hands: where they play, the room they have, their sound and their range."""
