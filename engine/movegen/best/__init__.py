"""The best play only, without listing the others: exactly the one that the full ranking puts first.

The idea, in three steps. (1) Every *span* of squares that a play could cover is found with a bound
on what any play there can be worth: the empty squares' effective multipliers, largest first, times
the rack's tiles, dearest first, plus the best leave that so many tiles can leave. (2) Spans wait in
a queue by bound, anchor by anchor; before an anchor is opened its bounds are made sharper: only
subsets of the rack that spell some word together with the letters on the span count, which a
filter in the second-level cache says. (3) A span is worked out by looking its subsets up in the
table of alphagrams and laying the words found on the squares. When no bound reaches the best play
so far the search is over. Ties are decided by the total order of movegen/equity.py, so bounds equal
to the best are still opened.

Where this does not apply (more than nine tiles, more than two blanks, more spans than there is room
for) all plays are generated and the first of them is taken.
"""

from engine.movegen.best.prepare import new_search
from engine.movegen.best.record import B_, LISTED, SEARCH, attach_tables
from engine.movegen.best.search import best_play, list_best

__all__ = ["B_", "LISTED", "SEARCH", "attach_tables", "best_play", "list_best", "new_search"]
