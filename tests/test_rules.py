"""Tile sets, layouts and rules as data, and a user's own."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import NotationError, RulesError
from engine.rules.layouts import find_layout, format_coordinate, parse_coordinate, parse_layout
from engine.rules.rules import Challenge, End, find_rules, rules_names, variant_names
from engine.rules.tiles import BLANK, TileSet, find_tile_set, tile_set_names

# name: kinds without the blank, tiles, points
TOTALS = {
    "english": (26, 100, 187),
    "finnish": (31, 101, 218),
    "polish": (32, 100, 190),
    "hungarian": (38, 100, 235),
    "norwegian": (32, 100, 202),
    "english_super": (26, 200, 381),
    "turkish": (29, 100, 201),
    "slovak": (41, 100, 267),
}


def test_tile_sets_add_up() -> None:
    for name, (letters, total, points) in TOTALS.items():
        tiles = find_tile_set(name)
        assert (tiles.kinds - 1, tiles.total, tiles.points) == (letters, total, points), name
    assert len(tile_set_names()) == 28


def test_tile_sets_are_those_of_the_reference(shared: Path) -> None:
    import json

    table = json.loads((shared / "tiles.json").read_text("utf-8"))
    checked = {
        name: entry
        for name, entry in table.items()
        if name[0] != "_" and "conflict" not in entry.get("notes", "")
    }
    assert set(checked) == set(tile_set_names())
    for name, entry in checked.items():
        tiles = find_tile_set(name)
        rows = zip(tiles.labels, tiles.counts, tiles.values, tiles.vowels, strict=True)
        assert [list(row) for row in rows] == entry["tiles"], name
        assert (tiles.total, tiles.points) == (entry["total"], entry["points"])
    assert find_layout("standard15").squares == tuple(table["_board"]["rows"])


def test_rule_systems_are_those_of_the_rule_texts() -> None:
    expected = {
        "english": (7, End("scoreless", 6), "double", "draw"),
        "classic": (7, End("passes", 2), "double", "before_adjustment"),
        "finnish": (1, End("passes", 2), "points", "draw"),
        "polish": (7, End("passes", 2), "single", "draw"),
        "hungarian": (7, End("passes", 2), "double", "draw"),
        "norwegian": (7, End("scoreless", 6), "single", "draw"),
    }
    assert set(rules_names()) == set(expected)
    for name, (exchange, end, challenge, tie) in expected.items():
        rules = find_rules(name)
        assert (rules.exchange_min_bag, rules.end, rules.tie) == (exchange, end, tie), name
        assert rules.challenge.kind == challenge
        assert (rules.rack_size, rules.bonus[7], sum(rules.bonus)) == (7, 50, 50)
        assert rules.adjustment == "box"
        assert not rules.finish_line
    assert find_rules("finnish").challenge == Challenge("points", 10, "challenger_loses")


def test_variants_combine_with_every_rule_system() -> None:
    assert set(variant_names()) == {
        "nine", "super", "finish-beginner", "finish-intermediate", "finish-expert",
    }  # fmt: skip
    for name in rules_names():
        plain, rules = find_rules(name), find_rules(f"{name}+nine+super+finish-expert")
        assert rules.rack_size == 9
        assert rules.bonus == (0, 0, 0, 0, 0, 0, 0, 50, 50, 50)
        assert (rules.layout.rows, rules.layout.cols) == (21, 21)
        assert rules.tiles.total == 2 * plain.tiles.total
        assert rules.finish_line == {2: 200, 3: 180, 4: 160}
        assert rules.end == plain.end
    assert find_rules("english+super").tiles == find_tile_set("english_super")
    for name in ("english", "polish"):  # a super board's tiles are doubled once
        rules = find_rules(f"{name}+super")
        assert rules.with_variant("super").tiles == rules.tiles
    assert find_rules("english+finish-beginner").finish_line == {2: 70, 3: 60, 4: 50}
    assert find_rules("english+finish-intermediate").finish_line == {2: 120, 3: 100, 4: 90}


def test_premium_squares_of_the_standard_board() -> None:
    squares = "".join(find_layout("standard15").squares)
    assert {mark: squares.count(mark) for mark in "dtDT"} == {"d": 24, "t": 12, "D": 17, "T": 8}
    assert find_layout("standard15").start == (7, 7)


def test_a_variant_is_put_on_once() -> None:
    for name in ("english+nine+nine", "polish+nine+super+nine"):
        with pytest.raises(RulesError, match="variant 'nine' twice, expected once"):
            find_rules(name)


@pytest.mark.parametrize(
    "name",
    ["nobody", "english+nobody", "english+", "", "+nine", "no.toml", "x" * 5000, "no\0.toml", "\n"],
)
def test_unknown_rules_are_one_clear_message(name: str) -> None:
    with pytest.raises(RulesError) as caught:
        find_rules(name)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("find", [find_rules, find_tile_set, find_layout])
def test_a_long_name_is_shortened_in_the_message(find: Callable[[str], object]) -> None:
    with pytest.raises(RulesError, match="xxx\\.\\.\\.'; there are"):
        find("x" * 5000)


# -- as values -----------------------------------------------------------------------------------


def test_rules_and_tile_sets_cannot_be_changed() -> None:
    rules, greek = find_rules("english+finish-expert"), find_tile_set("greek")
    for mapping in (rules.finish_line, greek.aliases):
        before = dict(mapping)
        for change in (
            lambda m: m.update({2: 1}),
            lambda m: m.__setitem__(2, 1),
            lambda m: m.__ior__({2: 1}),
            lambda m: m.pop(2),
            lambda m: m.popitem(),
            lambda m: m.setdefault(9, 1),
            lambda m: m.__delitem__(2),
            lambda m: m.clear(),
        ):
            with pytest.raises(TypeError, match="cannot be changed"):
                change(mapping)
        assert mapping == before
    for value in (rules, greek):
        for again in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
            assert again == value
            assert hash(again) == hash(value)
    given = {2: 50}
    own = replace(rules, finish_line=given)
    given[2] = 1
    assert own.finish_line == {2: 50}
    assert json.loads(json.dumps(asdict(own)))["finish_line"] == {"2": 50}


# -- coordinates ---------------------------------------------------------------------------------


@given(st.integers(0, 98), st.integers(0, 27), st.booleans())
def test_coordinates_read_back(row: int, col: int, across: bool) -> None:
    assert parse_coordinate(format_coordinate(row, col, across)) == (row, col, across)
    assert parse_coordinate(format_coordinate(row, col, across).lower()) == (row, col, across)


@pytest.mark.parametrize("text", ["", "8", "D", "08D", "8DDD", "D0", "8-D", "٣D", "8 D", "D8E"])
def test_what_is_no_coordinate(text: str) -> None:
    assert parse_coordinate(text) is None


# -- tiles as text -------------------------------------------------------------------------------


def test_longer_tiles_stand_in_brackets_unless_they_cannot_be_anything_else() -> None:
    hungarian, catalan = find_tile_set("hungarian"), find_tile_set("catalan")
    cs, c, s = (hungarian.labels.index(label) for label in ("CS", "C", "S"))
    assert hungarian.parse_rack("[CS]CS") == (c, cs, s)
    assert hungarian.format_rack((c, cs, s, 0)) == "C[CS]S?"
    assert hungarian.format_tile(cs | BLANK) == "[cs]"
    ny = catalan.labels.index("NY")
    assert catalan.parse_rack("NY") == catalan.parse_rack("[NY]") == (ny,)
    assert (catalan.format_tile(ny), catalan.format_tile(ny | BLANK)) == ("NY", "ny")
    with pytest.raises(NotationError, match="no tile \\[ZZ\\]"):
        hungarian.parse_rack("[ZZ]")
    with pytest.raises(NotationError, match="character 2 is not closed"):
        hungarian.parse_rack("A[CS")


def test_a_word_in_which_the_longest_tile_would_take_too_much_is_written_with_dots() -> None:
    labels = ("?", "C", "CS", "SZ", "A")
    tiles = TileSet("t", labels, tuple(map(str.lower, labels)), (1,) * 5, (0,) * 5, (False,) * 5)
    word = (1, 3, 4)
    assert tiles.format_word(word) == "C.SZ.A"
    assert tiles.parse_word(tiles.format_word(word)) == word


def test_composed_and_decomposed_letters_are_one() -> None:
    german = find_tile_set("german")
    assert german.parse_rack("A\u0308") == german.parse_rack("Ä")
    assert german.parse_word("ka\u0308fig") == german.parse_word("KÄFIG")


def test_each_language_has_its_own_case() -> None:
    turkish, greek = find_tile_set("turkish"), find_tile_set("greek")
    assert turkish.format_word(turkish.parse_word("ir")) == "İR"
    assert turkish.format_word(turkish.parse_word("ır")) == "IR"
    assert greek.format_word(greek.parse_word("λογος")) == "ΛΟΓΟΣ"


@given(st.data())
def test_racks_and_boards_read_back(data: st.DataObject) -> None:
    tiles = find_tile_set(data.draw(st.sampled_from(tile_set_names())))
    letters = st.lists(st.integers(0, tiles.kinds - 1), max_size=12)
    rack = tuple(sorted(data.draw(letters)))
    assert tiles.parse_rack(tiles.format_rack(rack)) == rack
    for letter in rack:
        for tile in (letter, letter | BLANK) if letter else ():
            text = tiles.format_tile(tile)
            assert tiles.parse_tile(text, 0) == (tile, len(text))


# -- a user's own --------------------------------------------------------------------------------

TILES = 'tiles = [["?", 1, 0, false], ["A", 3, 1, true], ["B", 2, 3, false]]'


def test_an_invented_language_needs_only_files(tmp_path: Path) -> None:
    (tmp_path / "mini.txt").write_text("# a small board\nstart 2B\nT.d\n.D.\nd.T\n.t.\n")
    (tmp_path / "mini.toml").write_text(
        """
name = "mini"
layout = "mini.txt"
rack_size = 4
exchange_min_bag = 1
bonus = { 4 = 25 }
finish_line = { 2 = 99 }
[tiles]
name = "mini"
tiles = [["?", 1, 0, false], ["A", 4, 1, true], ["XA", 2, 5, false], ["Þ", 2, 3, false]]
[end]
kind = "passes"
count = 1
[challenge]
kind = "points"
points = 5
pay = "player_gains"
""",
        "utf-8",
    )
    rules = find_rules(str(tmp_path / "mini.toml"))
    assert (rules.layout.rows, rules.layout.cols, rules.layout.start) == (4, 3, (1, 1))
    assert rules.tiles.labels == ("?", "A", "XA", "Þ")
    assert rules.bonus == (0, 0, 0, 0, 25)
    assert rules.finish_line == {2: 99}
    doubled = find_rules(f"{tmp_path / 'mini.toml'}+super")
    assert doubled.tiles.total == 18


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rack_size = 7", "expected 'tiles' and 'layout'"),
        ('base = "english"\nrack_size = "x"', "rack_size = 'x', expected int"),
        ('base = "english"\nrack_size = 99\nbonus = {}', "expected 1 to 12"),
        ('base = "english"\nrack_size = 13', "rack_size = 13, expected 1 to 12"),
        ('base = "english"\nrack_size = 0', "rack_size = 0, expected 1 to 12"),
        ('base = "english"\nrack_size = 8', "needs its own \\[bonus\\] table"),
        ('base = "english"\nspeed = 1', "unknown key 'speed'"),
        ('base = "english"\nbonus = { 8 = 50 }', "bonus '8' = 50"),
        ('base = "english"\ntie = "coin"', "tie 'coin', expected draw or before_adjustment"),
        ('base = "english"\n[end]\nkind = "never"', "end kind 'never'"),
        ('base = "english"\n[end]\nturns = 6', "\\[end\\] may hold kind, count"),
        ('base = "english"\n[challenge]\npoints = "5"', "points = '5', expected int"),
        ('base = "english"\nfinish_line = { 9 = 50 }', "finish_line 9 = 50"),
        ('base = "english"\nlayout = "none.txt"', "none.txt: No such file"),
        ('base = "english"\nlayout = "round"', "no layout 'round'"),
        ('base = "english"\ntiles = "klingon"', "no tile set 'klingon'"),
        ('base = "english"\n[tiles]\ntiles = [["A", 1, 1, true]]', "expected 1 to 63"),
        ('base = "english"\n[tiles]\ntiles = [["A", 1, 1, true], ["B", 1, 1, true]]', "the blank"),
        ('base = "english"\n[tiles]\ntiles = [["?", 1, 0, false], ["a", 1, 1, true]]', "twice"),
        ('base = "english"\n[tiles]\ntiles = [["?", 1, 0, false], ["A", -1, 1, true]]', "count -1"),
        ('base = "english"\n[tiles]\ntiles = [["?", 1, 0, false], ["A.", 1, 1, true]]', "label"),
        ('base = "english"\n[tiles]\ntiles = [["?", 1, 0]]', "is not \\[label, count"),
        ("= nonsense", "not a TOML file"),
        (f"rack_size = {'9' * 5000}", "not a TOML file"),
        ("a = " + "[" * 5000, "not a TOML file"),
        ('base = "english"\nbonus = 50', "bonus = 50, expected a table of tiles laid = points"),
        (f'base = "english"\n[bonus]\n{"7" * 5000} = 50', "expected tiles laid \\(1 to 7\\)"),
        (f'base = "english"\n[finish_line]\n{"2" * 5000} = 50', "expected players \\(1 to 4\\)"),
        ('base = "english"\n[finish_line]\n2 = 9999999999', "finish_line 9999999999"),
        ('base = "english"\n[end]\ncount = 99999999999', "the end count is 99999999999"),
        ('base = "english"\n[challenge]\nkind = "points"\npoints = -5', "challenge points -5"),
        ('base = "english"\nexchange_min_bag = -1', "exchange_min_bag -1, expected 0 to 101"),
        ('base = "english"\nsuper_tiles = "english_super"', "unknown key 'super_tiles'"),
        ("base = 7", "base = 7, expected a name or a file"),
        ('base = "english"\nname = "a\\u001bb"', "'a\\\\x1bb': a name cannot hold control"),
        ('base = "english"\nlayout = "a\\u0000.txt"', "no file can have such a name"),
        ('base = "english"\ntiles = "a\\u0000.toml"', "no file can have such a name"),
        ('base = "a\\u0000.toml"', "no file can have such a name"),
        (f'base = "english"\ntie = "{"x" * 5000}"', "tie 'xxx[^ ]*\\.\\.\\.', expected draw"),
        ('base = "english"\n[tiles]\nsuper = 3\n' + TILES, "super = 3, expected a text"),
        ('base = "english"\n[tiles]\nsuper = "nobody"\n' + TILES, "no tile set 'nobody'"),
        ('base = "english"\n[tiles]\nsuper = "english_super"\n' + TILES, "of other letters"),
        ('base = "english"\n[tiles]\nname = "a\\n"\n' + TILES, "cannot hold control characters"),
        (f'base = "english"\n[tiles]\n{TILES}\n[tiles.aliases]\nCH = "A"', "alias 'CH': expected"),
        (f'base = "english"\n[tiles]\n{TILES}\n[tiles.aliases]\n"" = "A"', "alias '': expected"),
        (f'base = "english"\n[tiles]\n{TILES}\n[tiles.aliases]\n"." = "A"', "'.': expected one"),
        (f'base = "english"\n[tiles]\n{TILES}\n[tiles.aliases]\na = "B"', "a tile is written so"),
        (f'base = "english"\n[tiles]\n{TILES}\n[tiles.aliases]\nx = "Z"', "'x' = 'Z': expected"),
        (f'base = "english"\n[tiles]\n{TILES}\n[tiles.aliases]\nx = ""', "'x' = '': expected"),
        (f'base = "english"\n[tiles]\n{TILES}\n[tiles.aliases]\nx = 3', "tables of texts"),
        (f'base = "english"\n[tiles]\n{TILES}\n[tiles.blank_forms]\nZ = "z"', "which is no tile"),
        (f'base = "english"\n[tiles]\n{TILES}\n[tiles.blank_forms]\nA = "?"', "be a tile's label"),
        (f'base = "english"\n[tiles]\n{TILES}\n[tiles.blank_forms]\nA = "b"', "written twice"),
    ],
)
def test_a_rules_file_with_a_fault_says_what_and_where(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(RulesError, match=message) as caught:
        find_rules(str(path))
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


def test_bases_are_files_beside_the_rules_file(tmp_path: Path) -> None:
    (tmp_path / "a+b").mkdir()
    (tmp_path / "a+b" / "one.toml").write_text('base = "two.toml+nine"\nexchange_min_bag = 3')
    (tmp_path / "a+b" / "two.toml").write_text('base = "polish"\ntie = "before_adjustment"')
    rules = find_rules(f"{tmp_path / 'a+b' / 'one.toml'}+super")
    assert (rules.rack_size, rules.exchange_min_bag, rules.tie) == (9, 3, "before_adjustment")
    assert (rules.name, rules.tiles.name) == ("one+super", "polish_super")


def test_a_base_that_leads_back_is_one_clear_message(tmp_path: Path) -> None:
    (tmp_path / "self.toml").write_text('base = "self.toml+nine"')
    (tmp_path / "a.toml").write_text('base = "b.toml"')
    (tmp_path / "b.toml").write_text('base = "./c.toml"')
    (tmp_path / "c.toml").write_text('base = "a.toml"')
    (tmp_path / "here").symlink_to(tmp_path)
    (tmp_path / "far.toml").write_text('base = "here/far.toml"')
    for name, message in (
        ("self", "self.toml: its base leads back to itself: .*self.toml -> .*self.toml$"),
        ("a", "a.toml -> .*b.toml -> .*c.toml -> .*a.toml$"),
        ("far", "leads through more than 8 files"),
    ):
        with pytest.raises(RulesError, match=message):
            find_rules(str(tmp_path / f"{name}.toml"))


def test_the_super_variant_goes_by_the_tiles_and_not_by_the_rules(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f'base = "english"\n[tiles]\nname = "few"\n{TILES}')
    tiles = find_rules(f"{path}+super").tiles
    assert (tiles.labels, tiles.counts) == (("?", "A", "B"), (2, 6, 4))
    path.write_text('base = "english"\ntiles = "catalan"')
    assert find_rules(f"{path}+super").tiles == find_tile_set("super_catalan")
    path.write_text('base = "polish"\ntiles = "english"')
    assert find_rules(f"{path}+super").tiles == find_tile_set("english_super")
    path.write_text('base = "english"\ntiles = "super_catalan"')
    assert find_rules(f"{path}+super").tiles == find_tile_set("super_catalan")


def test_a_small_tile_set_keeps_the_usual_exchange_rule(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'layout = "standard15"\n[tiles]\ntiles = [["?", 1, 0, false], ["A", 2, 1, true]]'
    )
    assert find_rules(str(path)).exchange_min_bag == 7
    path.write_text(path.read_text().replace("layout", "exchange_min_bag = 8\nlayout", 1))
    with pytest.raises(RulesError, match="exchange_min_bag 8, expected 0 to 7"):
        find_rules(str(path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no rows"),
        (".", "1 x 1, expected 2 to 21"),
        ("..\n...", "row 2 has 3 squares, not 2"),
        ("..\n.x", "row 2 has 'x'"),
        ("start 9Z\n..\n..", "off the board"),
        ("start here\n..\n..", "is not 'start' and a square"),
        ("\n".join(["." * 22] * 22), "22 x 22"),
    ],
)
def test_a_layout_with_a_fault_says_what_and_where(text: str, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        parse_layout(text, "own")


def test_a_blank_takes_no_value_and_letters_without_a_tile_have_none() -> None:
    norwegian = find_tile_set("norwegian")
    q = norwegian.labels.index("Q")
    assert (norwegian.counts[q], norwegian.values[q]) == (0, 0)
    assert replace(norwegian, name="x").alphabet_hash == norwegian.alphabet_hash
