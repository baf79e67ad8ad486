"""Settings of models: keys, servers, models and spending caps, a page for each provider."""
