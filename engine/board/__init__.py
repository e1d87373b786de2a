"""Floor 2: the board, its cross-checks, racks, plays, and their notation."""
