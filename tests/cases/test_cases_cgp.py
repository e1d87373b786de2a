"""CGP faults that other programs really had, each with the right answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from positions import EMPTY, lexicon_of, position

from engine.errors import NotationError, RulesError
from engine.game.position import Position
from engine.rules.layouts import Layout
from engine.rules.rules import Challenge, find_rules
from engine.rules.tiles import find_tile_set

WORDS = ("CAT", "CATS", "AT", "ACT")


def _read(cgp: str) -> Position:
    return Position.from_cgp(cgp, lexicon=lexicon_of(WORDS, find_tile_set("english")))


@pytest.mark.parametrize("cgp", ["", EMPTY, f"{EMPTY} /", f"{EMPTY} / 0/0", "   "])
def test_cg01_too_few_fields_say_what_is_expected(cgp: str) -> None:
    with pytest.raises(NotationError, match="expected 4 fields"):
        _read(cgp)


def test_cg03_a_failed_parse_changes_nothing() -> None:
    good = _read(f"{EMPTY} AEINSTU/ 10/20 0")
    before = str(good)
    with pytest.raises(NotationError):
        _read(f"{EMPTY} AEIN%TU/ 10/20 0")
    assert str(good) == before == str(_read(before))


def test_cg04_spaces_and_semicolons_are_read_freely_and_written_in_one_way() -> None:
    at = _read(f"{EMPTY}  AEINSTU/  0/0  0  lex CSW21; ld english;bdn CrosswordGame")
    assert str(at) == f"{EMPTY} AEINSTU/ 0/0 0 lex CSW21; ld english; bdn CrosswordGame;"
    assert _read(str(at)) == at
    assert str(_read(str(at))) == str(at)


def test_cg06_the_position_before_a_play_is_still_the_one_that_was_read() -> None:
    text = "15/15/15/15/15/15/15/6CAT6/15/15/15/15/15/15/15 S/A 7/3 0"
    at = _read(text)
    after = at.apply("8G CATS")
    assert str(at) == text
    assert str(after) == text.replace("CAT6", "CATS5").replace("S/A 7/3", "A/ 3/13")


def test_cg07_a_bracketed_tile_is_one_square_and_a_lower_case_rack_is_refused() -> None:
    rules = replace(find_rules("english"), tiles=find_tile_set("spanish"))
    row = f"{'15/' * 7}7[CH]A6{'/15' * 7}"
    at = position(f"{row} [CH]?A/ 0/0 0", ("CHA", "ACHA"), rules, check_tiles=False)
    spanish = rules.tiles
    assert at.board[7][7:9] == (spanish.labels.index("CH"), spanish.labels.index("A"))
    assert str(at) == f"{row} A[CH]?/ 0/0 0"
    with pytest.raises(NotationError, match="lower case; a blank on a rack is '\\?'"):
        position(f"{row} [CH]?a/ 0/0 0", ("CHA",), rules, check_tiles=False)


@pytest.mark.parametrize(
    ("cgp", "message"),
    [
        (f"{'15/' * 13}15 A/ 0/0 0", "14 rows of 15 squares, expected 15 of 15"),
        (f"{'15/' * 14}14 A/ 0/0 0", "row 15 has 14 squares, the first has 15"),
        (f"{'15/' * 14}16 A/ 0/0 0", "row 15 has 16 squares"),
        (f"{'15/' * 14}99 A/ 0/0 0", "more than 21 squares"),
        (f"{'15/' * 14}14$ A/ 0/0 0", "row 15: .*no tile '\\$'"),
        (f"{'15/' * 14}14? A/ 0/0 0", "row 15: a blank on the board is a lower-case letter"),
        (f"{'15/' * 14}14[A A/ 0/0 0", "bracket at character 3 is not closed"),
        (f"{EMPTY} AEINSTUX/ 0/0 0", "8 tiles, at most 7"),
        (f"{EMPTY} A/ 0/x 0", "expected numbers like"),
        (f"{EMPTY} A/ 0/0/0 0", "2 racks but 3 scores"),
        (f"{EMPTY} A/B/C/D/E 0/0/0/0/0 0", "expected 1 to 4 racks"),
        (f"{EMPTY} A/ 0/0 -1", "number of scoreless turns"),
        (f"{EMPTY} A/ 0/0 0 bb x;", "bb 'x': expected a number"),
        (f"{EMPTY} A/ 0/0 0 etl 999;", "etl '999': expected a number from 0 to 100"),
        (f"{EMPTY} A/ 0/0 0 bb {'9' * 5000};", "bb '999[9]*\\.\\.\\.': expected a number"),
        (f"{EMPTY} A/ 0/0 0 etl {'9' * 5000};", "etl '999[9]*\\.\\.\\.': expected a number"),
        (f"{EMPTY} A/ 0/0 0 mcnz {'9' * 5000};", "mcnz '999[9]*\\.\\.\\.': expected a number"),
        (f"{EMPTY} A/ 0/0 {'9' * 5000}", "zeros '999[9]*\\.\\.\\.': expected the number"),
        (f"{EMPTY} A/ 0/{'9' * 5000} 0", "scores '0/99[9]*\\.\\.\\.': expected numbers"),
        (f"{EMPTY} {'A' * 5000}/ 0/0 0", "rack AAA[A]*\\.\\.\\.: 5000 tiles, at most 7"),
        (f"{EMPTY} {'A/' * 5000}/ 0/0 0", "racks 'A/A[A/]*\\.\\.\\.': expected 1 to 4"),
        (f"{EMPTY} A/ 0/0 0 cr quadruple;", "cr 'quadruple': expected"),
        (f"{EMPTY} A/ 0/0 0 cr {'x' * 5000};", "cr 'xxx[x]*\\.\\.\\.': expected"),
        (f"{EMPTY} A/ 0/0 0 ld {'x' * 5000};", "ld 'xxx[x]*\\.\\.\\.': no such"),
        (f"{EMPTY} A/ 0/0 0 bdn {'x' * 5000};", "bdn 'xxx[x]*\\.\\.\\.': expected"),
        (f"{EMPTY} A/ 0/0 0 {'x' * 5000}; {'x' * 5000};", "'xxx[x]*\\.\\.\\.' is given twice"),
        (f"{EMPTY} A/ 0/0 0 ld klingon;", "no such tile set"),
        (f"{EMPTY} A/ 0/0 0 bdn Round;", "bdn 'Round': expected"),
        (f"{EMPTY} A/ 0/0 0 var wordsmog;", "var 'wordsmog': expected"),
        (f"{EMPTY} A/ 0/0 0 lex A; lex B;", "'lex' is given twice"),
        ("15/15/15/15/15/15/15/7ZA6/15/15/15/15/15/15/15 Z/ 0/0 0", "Z: 2 used, 1 exists"),
        (f"{EMPTY} ???????/ 0/0 0", "\\?: 7 used, 2 exist"),
    ],
)
def test_a_cgp_that_cannot_be_used_is_one_clear_message(cgp: str, message: str) -> None:
    with pytest.raises(NotationError, match=message) as caught:
        _read(cgp)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 600


def test_a_triple_challenge_risks_the_game() -> None:
    assert _read(f"{EMPTY} A/ 0/0 0 cr triple;").rules.challenge == Challenge("triple")


def test_opcodes_change_the_rules_and_are_all_kept() -> None:
    opcodes = (
        "lex X; bb 35; etl 1; mcnz 4; cr 5pt; gid abc; lm 8D.WORD; oru; tmr 1000/-20; ti 5; to 9;"
    )
    at = _read(f"{EMPTY} A/ 0/0 0 {opcodes}")
    assert str(at) == f"{EMPTY} A/ 0/0 0 {opcodes}"
    assert at.rules.bonus == (0, 0, 0, 0, 0, 0, 0, 35)
    assert (at.rules.exchange_min_bag, at.rules.end.count) == (1, 4)
    challenge = at.rules.challenge
    assert (challenge.kind, challenge.points, challenge.pay) == ("points", 5, "player_gains")
    assert "lm" not in dict(at.apply("pass").opcodes)


def test_the_super_board_is_named_by_bdn_or_var() -> None:
    board = "/".join(["21"] * 21)
    for opcode in ("bdn SuperCrosswordGame;", "var classic_super;"):
        at = _read(f"{board} A/ 0/0 0 {opcode}")
        assert (at.rules.layout.name, at.rules.tiles.total) == ("super21", 200)
    catalan = find_tile_set("super_catalan")
    lexicon = lexicon_of(("NYAC",), catalan)
    at = Position.from_cgp(f"{board} NYA/ 0/0 0 ld super_catalan; bdn SuperCrosswordGame;",
                           lexicon=lexicon)  # fmt: skip
    assert at.rules.tiles == catalan
    assert str(at).split()[1] == "ANY/"


def test_a_layout_that_does_not_start_in_the_centre() -> None:
    layout = Layout("corner", ("...", "..."), (0, 0))
    rules = replace(find_rules("english"), layout=layout)
    at = position("3/3 CAT/ 0/0 0", ("CAT",), rules)
    assert [str(p) for p in at.plays() if p.play.kind == "play"] == ["1A CAT"]


def test_layouts_that_multiply_too_far_are_refused() -> None:
    with pytest.raises(RulesError, match="could score"):
        replace(find_rules("english+nine"), layout=Layout("q", ("Q" * 21,) * 21, (0, 0)))
