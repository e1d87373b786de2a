"""Floor 1: lexicons and leave values in memory, and their file formats."""
