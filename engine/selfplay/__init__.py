"""Floor 7: many games at once, matches, and the records that they leave."""
