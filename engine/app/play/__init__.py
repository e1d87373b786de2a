"""A game in the terminal: its texts, its screen, its files, and what is typed."""
