"""A report as one HTML file: tables and plots, the plots embedded as PNG."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import QuixotryError
from engine.files import file_fault
from engine.lexicon.files import replace_file

_MOST_BARS = 60  # a histogram of more values is drawn in bins

_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto }}
table {{ border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums }}
th, td {{ padding: .2rem .8rem; border-bottom: 1px solid #ccc; text-align: right }}
th:first-child, td:first-child {{ text-align: left }}
figure {{ margin: 1rem 0; display: inline-block }} img {{ max-width: 100% }}
</style></head><body>
<h1>{title}</h1>
{body}
</body></html>
"""


@dataclass(frozen=True)
class Plot:
    """Histograms in one picture: for each series its values and how often each occurred."""

    title: str
    xlabel: str
    series: Mapping[str, Mapping[int, int]]


def check_report(path: Path | str) -> None:
    """Raise QuixotryError where a report could not be written later: before long work."""
    folder = Path(path).parent
    try:
        if Path(path).is_dir():
            raise QuixotryError(f"{path}: is a folder, expected a file")
        if not folder.is_dir():
            raise QuixotryError(f"{path}: there is no folder {folder}")
    except OSError as error:  # a name that is too long
        raise QuixotryError(file_fault(path, error)) from None
    _figure()


def write_report(
    path: Path | str,
    title: str,
    header: Sequence[object],
    rows: Iterable[Sequence[object]],
    plots: Iterable[Plot],
    notes: Iterable[str] = (),
) -> None:
    """Write a report: a table, lines of text below it, then the plots; whole or not at all.

    Cells are shown as ``str`` gives them. Raises QuixotryError where matplotlib is missing,
    LexiconFileError where the file cannot be written.
    """

    def line(cells: Iterable[object], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(x))}</{tag}>" for x in cells) + "</tr>"

    body = ["<table>", line(header, "th"), *(line(row, "td") for row in rows), "</table>"]
    body += [f"<p>{html.escape(note)}</p>" for note in notes]
    for plot in plots:
        picture = base64.b64encode(_draw(plot)).decode()
        alt = html.escape(plot.title, quote=True)
        body.append(f'<figure><img alt="{alt}" src="data:image/png;base64,{picture}"></figure>')
    page = _PAGE.format(title=html.escape(title), body="\n".join(body))
    replace_file(Path(path), [page.encode()])


def _figure() -> Any:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise QuixotryError(
            "a report needs matplotlib: pip install 'quixotry[plot]' (or matplotlib)"
        ) from None
    figure = Figure(figsize=(6.4, 3.6), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _draw(plot: Plot) -> bytes:
    """A plot as PNG: shares of each series, in bins where there are many values."""
    figure = _figure()
    axes = figure.add_subplot()
    values = [value for counts in plot.series.values() for value in counts] or [0]
    low, high = min(values), max(values)
    step = -(-(high - low + 1) // _MOST_BARS)
    edges = [low + step * i for i in range((high - low) // step + 2)]
    for name, counts in plot.series.items():
        total = sum(counts.values()) or 1
        shares = [0.0] * (len(edges) - 1)
        for value, count in counts.items():
            shares[(value - low) // step] += 100 * count / total
        axes.stairs(shares, [edge - 0.5 for edge in edges], label=name, fill=True, alpha=0.4)
    axes.set_title(plot.title)
    axes.set_xlabel(plot.xlabel)
    axes.set_ylabel("share, %")
    if len(plot.series) > 1:
        axes.legend()
    made = io.BytesIO()
    figure.savefig(made, format="png", dpi=100, metadata={"Software": None})
    return made.getvalue()
