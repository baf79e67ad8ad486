"""What the piano roll paints over each other, from the ground up."""
