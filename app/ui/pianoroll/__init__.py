"""The notes of one clip, drawn and changed by hand: a piano roll, and a grid for drums."""
