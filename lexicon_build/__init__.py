"""Makes the data files: word lists to lexicons, and later self-play to leave values."""
