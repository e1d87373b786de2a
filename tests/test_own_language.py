"""A language of one's own: the files of README's guide, and invented ones, through every command.

All files lie in a temporary folder; no code knows the language.
"""

from __future__ import annotations

import json
import random
import re
import shlex
from pathlib import Path
from typing import Any

import naive
import pytest
from positions import key

import engine as eng
from engine.app.cli import main
from engine.rules.rules import Rules, find_rules

README = (Path(__file__).resolve().parents[1] / "README.md").read_text("utf-8")
GUIDE = README.partition("## Your own language")[2].partition("\n## ")[0]

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def chana(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder with the guide's files, as the current one."""
    words, board = re.findall(r"^```txt\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
    (rules,) = re.findall(r"^```toml\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
    for name, text in (("chana.txt", words), ("board.txt", board), ("chana.toml", rules)):
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUIXOTRY_DATA", str(tmp_path / "data"))
    return tmp_path


def _run(capsys: Capture, command: str) -> str:
    """What a command prints; it must go well and have nothing to complain of."""
    capsys.readouterr()
    assert main(shlex.split(command)) == 0, command
    out, err = capsys.readouterr()
    assert "error" not in err
    assert "warning" not in err
    return out


def test_the_commands_of_the_guide_run(chana: Path, capsys: Capture) -> None:
    block = GUIDE.partition("<!-- ci: own language -->\n```sh\n")[2].partition("```")[0]
    build, best, selfplay, match = re.findall("^quixotry (.*)$", block, re.MULTILINE)
    assert "chana: 9 words of up to 5 tiles" in _run(capsys, build)
    assert (chana / "data" / "lexicons" / "chana.qlx").is_file()
    out = _run(capsys, best)
    assert "rack A[CH]NOR?" in out
    assert "[CH]" in out
    assert len(out.splitlines()[-1].split()) >= 4
    _run(capsys, selfplay)
    assert sorted(path.name for path in (chana / "games").iterdir())
    assert "equity" in _run(capsys, match)


def test_tiles_of_the_guide_are_read_as_it_says(chana: Path, capsys: Capture) -> None:
    _run(capsys, "lexicon build chana.txt --rules chana.toml --name chana")
    out = _run(capsys, "lexicon list chana")
    assert "[CH]ANA" in out.split() or "CHANA" in out.split()
    lengths = {len(word) for word in eng.load_lexicon("chana")}
    assert lengths == {2, 3, 4, 5}
    rules = find_rules("chana.toml")
    assert (rules.rack_size, rules.bonus, rules.exchange_min_bag) == (6, (0,) * 5 + (20, 40), 6)
    assert (rules.end.kind, rules.end.count, rules.challenge.kind) == ("scoreless", 4, "double")
    assert rules.tiles.labels == ("?", "A", "C", "CH", "H", "LL", "N", "O", "R")
    assert rules.tiles.total == 43


def test_a_position_of_the_guide_in_python(chana: Path, capsys: Capture) -> None:
    _run(capsys, "lexicon build chana.txt --rules chana.toml --name chana")
    position = eng.Position.new(rules="chana.toml", rack="ANO[CH]R?")
    best = position.plays(top=1)[0]
    assert best.score == position.judge(best.play).score
    after = position.apply(best.play)
    again = eng.Position.from_cgp(str(after), rules="chana.toml")
    assert str(again) == str(after)
    with pytest.raises(eng.IllegalPlay, match="NA"):
        position.judge("E5 NA")


def test_what_is_no_word_of_the_language_is_listed(chana: Path, capsys: Capture) -> None:
    with (chana / "chana.txt").open("a") as file:
        file.write("quixotry\n")
    assert main(["lexicon", "check", "chana.txt", "--rules", "chana.toml"]) == 1
    out, err = capsys.readouterr()
    assert "'quixotry' (line 10)" in out
    assert "chana.txt: 1 of 10 lines are no words" in err


def test_without_its_lexicon_the_message_says_what_to_do(chana: Path, capsys: Capture) -> None:
    assert main(["best", "--rules", "chana.toml", "--rack", "ANO"]) == 1
    err = capsys.readouterr().err
    assert "no lexicon 'chana'" in err
    assert len(err.splitlines()) == 1


# -- an invented language with words enough for whole games ----------------------------------------

_LABELS = ["A", "E", "Ï", "Ø", "KV", "L·L", "M", "N’", "SZ", "T", "Ŭ"]


@pytest.fixture(scope="module")
def language(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, set[tuple[int, ...]]]:
    """A folder with kvalë.toml, board.txt and words.txt, and the words as letters."""
    folder = tmp_path_factory.mktemp("language")
    rng = random.Random(17)
    board = [[rng.choice("......dtDTq") for _ in range(11)] for _ in range(8)]
    (folder / "board.txt").write_text("start 3C\n" + "\n".join(map("".join, board)), "utf-8")
    rows = ",\n".join(
        f'["{label}", {2 + 5 * (label in "AEÏØ")}, {1 + 3 * (len(label) - 1)},'
        f" {str(label in 'AEÏØ').lower()}]"
        for label in _LABELS
    )
    (folder / "tiles.toml").write_text(
        f'name = "kvalë"\ntiles = [["?", 3, 0, false],\n{rows}]\n', "utf-8"
    )
    (folder / "kvalë.toml").write_text(
        'tiles = "tiles.toml"\nlayout = "board.txt"\nrack_size = 5\nexchange_min_bag = 1\n'
        'tie = "before_adjustment"\nadjustment = "tournament"\n[bonus]\n4 = 10\n5 = 30\n'
        '[end]\nkind = "passes"\ncount = 2\n',
        "utf-8",
    )
    words = set()
    while len(words) < 400:
        length = rng.randint(2, 6)
        words.add(tuple(rng.choice([1, 2, 3, 4, rng.randint(1, 11)]) for _ in range(length)))
    lines = [".".join(_LABELS[x - 1] for x in word).lower() for word in sorted(words)]
    (folder / "words.txt").write_text("\n".join(lines), "utf-8")
    return folder, words


def _text(rack: tuple[int, ...]) -> str:
    return "".join(f"[{_LABELS[tile - 1]}]" if tile else "?" for tile in rack)


@pytest.fixture
def inside(
    language: tuple[Path, set[tuple[int, ...]]], monkeypatch: pytest.MonkeyPatch
) -> set[tuple[int, ...]]:
    """The words; their folder is the current one."""
    monkeypatch.chdir(language[0])
    return language[1]


_GIVEN = "--rules kvalë.toml --lexicon kvalë.qlx"


@pytest.fixture
def built(inside: set[tuple[int, ...]], capsys: Capture) -> set[tuple[int, ...]]:
    out = _run(capsys, "lexicon build words.txt --rules kvalë.toml -o kvalë.qlx")
    assert "kvalë: 400 words of up to 6 tiles" in out
    assert "0 rejected" in out
    return inside


def test_plays_of_an_invented_language_are_those_of_a_naive_lister(
    built: set[tuple[int, ...]],
) -> None:
    rules = find_rules("kvalë.toml")
    lexicon = eng.load_lexicon("kvalë.qlx")
    rng = random.Random(5)
    position = eng.Position.new(rules=rules, lexicon=lexicon)
    laid = 0
    for _ in range(12):
        rack = _draw(rng, rules)
        position = position.with_rack(_text(rack), check_tiles=False)
        expected = naive.plays(position.board, rack, built, rules)
        found = {key(p.play): p.score for p in position.plays() if p.play.kind == "play"}
        assert found == expected
        if expected:
            position = position.apply(position.plays(top=1)[0].play)
            laid += 1
    assert laid > 6


def _draw(rng: random.Random, rules: Rules) -> tuple[int, ...]:
    bag = [tile for tile, count in enumerate(rules.tiles.counts) for _ in range(count)]
    return tuple(sorted(rng.sample(bag, rules.rack_size)))


def test_best_ranks_plays_of_an_invented_language(
    built: set[tuple[int, ...]], capsys: Capture
) -> None:
    kv, sz = (_LABELS.index(label) + 1 for label in ("KV", "SZ"))
    word = min(word for word in built if kv in word and sz in word and len(word) <= 5)
    rack = _text((*(0 if tile == sz else tile for tile in word),))
    out = _run(capsys, f'best {_GIVEN} --rack "{rack}" --top 0 --json')
    plays: list[dict[str, Any]] = [json.loads(line) for line in out.splitlines()]
    assert [play["rank"] for play in plays] == list(range(1, len(plays) + 1))
    assert plays[-1]["play"] == "pass"
    equities = [play["equity"] for play in plays[:-1]]
    assert equities == sorted(equities, reverse=True)
    laid = [play["play"] for play in plays if play["score"]]
    assert "3C AKVszKVÏ" in laid  # no brackets: this set has no K, V, S or Z alone


def test_games_of_an_invented_language_are_played_to_the_end(
    built: set[tuple[int, ...]], capsys: Capture, tmp_path: Path
) -> None:
    given = f"selfplay {_GIVEN} --players equity,greedy --games 30 --seed 3 --json"
    figures = json.loads(_run(capsys, f"{given} --out {tmp_path}/games").splitlines()[-1])
    assert figures["games"] == 30
    assert list((tmp_path / "games").iterdir())
    match = f"match equity greedy {_GIVEN} --pairs 20 --no-sprt --json"
    found = json.loads(_run(capsys, match).splitlines()[-1])
    assert found["pairs"] == 20
    assert found["won"] + found["drawn"] + found["lost"] == 40
    assert min(found["score"]) > 0
