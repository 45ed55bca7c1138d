"""Settings, `open_office()`, start and stop order, command line."""
