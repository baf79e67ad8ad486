"""What the person listens to and looks at."""
