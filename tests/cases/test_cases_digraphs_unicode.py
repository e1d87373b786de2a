"""Faults with tiles of several characters and with Unicode that other programs really had."""

from __future__ import annotations

import unicodedata

import pytest
from positions import on_board, placements, position, reason, with_tiles

from engine.app.library import load_lexicon
from engine.rules.tiles import find_tile_set


def test_du01_the_tiles_c_and_h_do_not_make_the_tile_ch() -> None:
    spanish = find_tile_set("spanish")
    assert "CH" in spanish.labels
    at = position("[CH]OOCH", ("CHOCHO",), with_tiles(spanish))
    assert len(at.lexicon) == 1
    assert placements(at) == {}
    for move in ("8E [CH]OCHO", "8E [CH]O[CH]O"):
        assert reason(at, move)


def test_du03_the_longest_tile_wins_in_catalan_words() -> None:
    catalan = find_tile_set("catalan")
    words = ("ANY", "COL·LA", "QUE")
    assert [len(catalan.parse_word(word)) for word in words] == [2, 4, 2]
    at = position("A[NY]", words, with_tiles(catalan))
    assert all(word in at.lexicon for word in words)
    assert set(placements(at).values()) == {22}
    assert len(placements(at)) == 2


def test_du04_length_is_counted_in_tiles() -> None:
    from lexicon_build.wordlist import word_list

    german, catalan = find_tile_set("german"), find_tile_set("catalan")
    word = "ÜBERÄÖÜÄÖÜÄÖÜÄÖ"
    assert len(word_list([word], german)) == 1
    assert word in load_lexicon([word], tiles=german)
    digraphs = "[QU]" * 15
    assert len(word_list([digraphs], catalan)) == 1
    assert digraphs in load_lexicon([digraphs], tiles=catalan)
    for tiles, long in ((german, word + "Ä"), (catalan, digraphs + "[QU]")):
        refused = word_list([long], tiles)
        assert (len(refused), refused.rejections) == (0, 1)


def test_du06_a_shortened_rack_is_cut_between_tiles() -> None:
    for name, rack in (("swedish", "ÅÄÖÅÄÖ?"), ("hungarian", "[CS][GY]Á[SZ]Ő?")):
        tiles = find_tile_set(name)
        letters = tiles.parse_rack(rack)
        for width in range(len(letters) + 1):
            text = tiles.format_rack(letters[:width])
            assert tiles.parse_rack(text.encode("utf-8").decode("utf-8")) == letters[:width]


def test_du07_played_through_marks_count_tiles() -> None:
    spanish = with_tiles("spanish")
    at = on_board(("TURROS", "OS", "ARROS"), "TUOA[RR]", "7S7", rules=spanish)
    for text in ("8D TU[RR]O.", "8D TU[RR]O(S)", "8D TU[RR]OS"):
        assert str(at.judge(text).play) == "8D TU[RR]O."
    after = at.apply("8D TU[RR]O.")
    assert "3TU[RR]OS" in str(after)
    through = on_board(("TURROS", "ARROS"), "AOS", "3TU[RR]OS7", rules=spanish)
    assert set(placements(through)) == {"F7 A.OS"}
    assert str(through.judge("F7 A([RR])OS").play) == "F7 A.OS"


def test_du07_every_digraph_play_reads_back() -> None:
    at = on_board(("TURROS", "OS", "ARROS", "RRO"), "TUOA[RR]?", "7S7", rules=with_tiles("spanish"))
    found = [p for p in at.plays() if p.play.kind == "play"]
    assert found
    for ranked in found:
        judged = at.judge(str(ranked.play))
        assert (judged.play, judged.score) == (ranked.play, ranked.score)


def test_du09_composed_and_decomposed_forms_are_one_word() -> None:
    composed = unicodedata.normalize("NFC", "KÄFIG")
    decomposed = unicodedata.normalize("NFD", "KÄFIG")
    assert composed != decomposed
    lexicon = load_lexicon([composed, decomposed], tiles=find_tile_set("german"))
    assert len(lexicon) == 1
    assert composed in lexicon
    assert decomposed in lexicon
    assert decomposed.lower() in lexicon
    assert "KAFIG" not in lexicon


def test_du10_turkish_dotted_and_dotless_i() -> None:
    turkish = find_tile_set("turkish")
    lexicon = load_lexicon(["İZ", "IR"], tiles=turkish)
    assert len(lexicon) == 2
    assert len(turkish.parse_word("İZ")) == 2
    for word in ("iz", "ır", "İZ", "IR", "İz"):
        assert word in lexicon
    for word in ("ız", "ir", "IZ", "İR"):
        assert word not in lexicon


@pytest.mark.parametrize("blank", ["i", "ı"])
def test_du10_a_blank_reads_back_as_the_same_letter(blank: str) -> None:
    turkish = find_tile_set("turkish")
    tile, end = turkish.parse_tile(blank, 0)
    assert (turkish.format_tile(tile), end) == (blank, 1)


def test_du12_a_word_given_twice_is_one_word() -> None:
    at = on_board(("AT", "CAT", "CAT"), "C", "7AT6")
    assert len(at.lexicon) == 2
    assert placements(at) == {"8G C..": 5}
