"""Looking ahead: what a spread is worth, and what plays lead to."""
