"""Text to positions and plays, and back."""
