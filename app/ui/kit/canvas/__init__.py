"""What views that paint a stretch of the song and take the pointer themselves have in common."""
