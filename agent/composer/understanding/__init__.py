"""What a request means: words, figures, scopes and conditions read into an intent."""
