"""Floor 0: tile sets, board layouts and rule systems, all of them data."""
