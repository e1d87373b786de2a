"""Every play of the reference positions, generated, scored, with equity, unsorted, one thread.

python bench/plays.py
"""

from __future__ import annotations

import measure
import numpy as np

import engine as eng
from engine.movegen import generate
from engine.movegen.ranking import Table


def main() -> None:
    lexicon = eng.load_lexicon(measure.SHARED / "oracle" / "enable.txt")
    leaves = eng.load_leaves(measure.SHARED / "oracle" / "leaves.klv2")
    tables: list[Table] = []
    for record in measure.english_records():
        tables.append(eng.Position.from_cgp(record["cgp"], "english", lexicon, leaves)._table)
    states = [(table.state(), table.most_exchanged) for table in tables]
    out = np.empty(4 * 65_536, np.uint64)
    graph, root, wide = lexicon.graph, lexicon.gaddag_root, lexicon.wide

    def run() -> int:
        return sum(generate.generate(s[0], graph, root, wide, out, most) for s, most in states)

    plays = run()
    rates = []
    for _ in range(7):
        unit = measure.yardstick(3)
        seconds = measure.cpu_seconds(run, 5)[2]
        rates.append(plays / seconds * unit)
        print(
            f"yardstick {unit:.4f} s, {plays} plays in {seconds:.4f} s"
            f" ({seconds / plays * 1e9:.0f} ns a play): {rates[-1]:,.0f} plays per yardstick"
        )
    print(f"median {measure.median(rates):,.0f} plays per yardstick")


if __name__ == "__main__":
    main()
