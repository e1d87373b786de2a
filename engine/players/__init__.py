"""Floor 6: computer players."""
