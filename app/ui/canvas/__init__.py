"""What views that paint a stretch of the song and take the pointer themselves are made of."""
