"""A word list to a lexicon: CPU time and peak memory, kernels compiled before.

python bench/compile.py TILES LIST        e.g. english ../shared/oracle/enable.txt
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

import measure

from engine.rules.tiles import find_tile_set
from lexicon_build.compile import compile_lexicon
from lexicon_build.wordlist import read_word_list


def main() -> None:
    tiles, path = find_tile_set(sys.argv[1]), Path(sys.argv[2])
    sizes = {}

    def run() -> None:
        words = read_word_list(path, tiles)
        lexicon = compile_lexicon(words, tiles, name="bench")
        sizes["words"], sizes["graph"] = len(lexicon), lexicon.graph.nbytes

    unit = measure.yardstick()
    seconds = measure.median(measure.cpu_seconds(run, 3))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{path.name}: {sizes['words']} words, graph {sizes['graph'] / 1e6:.2f} MB,"
        f" {seconds:.2f} s CPU = {seconds / unit:.0f} yardsticks (of {unit:.4f} s),"
        f" peak memory {peak:.0f} MB"
    )


if __name__ == "__main__":
    main()
