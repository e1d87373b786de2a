"""Floor 3: every legal play of a position, what it is worth, and a slow second opinion."""
