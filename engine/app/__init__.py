"""The top floor: the only place that prints, exits, or puts the others together."""
