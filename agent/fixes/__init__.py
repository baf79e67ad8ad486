"""What to do about an error, as data: the command line and the window each word it in one place of their own."""
