"""Floor 4: what people hold in their hands: positions (and later games)."""
