"""Settings: keys, servers, models and spending caps of who plans; the services that plans may use."""
