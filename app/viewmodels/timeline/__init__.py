"""The timeline without its painting: layout, lanes, marks, words."""
