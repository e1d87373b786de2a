"""The expander of Hunspell dictionaries, on small ones made here."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import LexiconFileError
from lexicon_build.hunspell import Affix, Dictionary, Entry, Form, Rule, expand, read_dictionary

AFF = """\
# a comment
SET UTF-8
SFX A Y 3
SFX A 0 s [^sy]
SFX A y ies [^aeo]y
SFX A 0 es s

SFX B N 1
SFX B 0 ly .
PFX u Y 1
PFX u 0 un .
"""


def dictionary(folder: Path, aff: str | bytes, dic: str | bytes) -> Dictionary:
    files = folder / "t.aff", folder / "t.dic"
    for file, text in zip(files, (aff, dic), strict=True):
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_dictionary(*files)


def words(found: Dictionary, word: str) -> list[str]:
    entries = [entry for entry in found.entries if entry.word == word]
    return [form.word for form in expand(entries, found.affixes)]


def test_a_suffix_goes_where_its_condition_fits(tmp_path: Path) -> None:
    found = dictionary(tmp_path, AFF, "4\ncat/A\nfly/A\nboy/A\nbus/A\n")
    assert words(found, "cat") == ["cat", "cats"]
    assert words(found, "fly") == ["fly", "flies"]
    assert words(found, "boy") == ["boy"]
    assert words(found, "bus") == ["bus", "buses"]


def test_prefix_and_suffix_meet_only_if_both_say_so(tmp_path: Path) -> None:
    found = dictionary(tmp_path, AFF, "2\ntie/Au\nkind/Bu\n")
    assert words(found, "tie") == ["tie", "untie", "ties", "unties"]
    assert words(found, "kind") == ["kind", "unkind", "kindly"]


def test_forms_tell_the_rules_that_made_them(tmp_path: Path) -> None:
    found = dictionary(tmp_path, AFF, "1\ntie/Au\n")
    suffix, prefix = found.affixes["A"].rules[0], found.affixes["u"].rules[0]
    entry = Entry("tie", "Au")
    assert list(expand([entry], found.affixes)) == [
        Form("tie", entry),
        Form("untie", entry, None, prefix),
        Form("ties", entry, suffix),
        Form("unties", entry, suffix, prefix),
    ]
    bare = expand([entry], found.affixes, bare=lambda entry: False)
    assert [form.word for form in bare] == ["untie", "ties", "unties"]


def test_aliases_stand_for_flags_and_morphology(tmp_path: Path) -> None:
    aff = (
        "SET UTF-8\nAF 2\nAF AB # 1\nAF u # 2\nAM 2\nAM po:noun ts:NOM\nAM is:PLUR\n"
        "SFX A Y 1\nSFX A 0 s/2 . 2\n"
    )
    found = dictionary(tmp_path, aff, "3\ncat/1\t1\ndog/2\tpo:verb\ncow\n")
    assert found.entries == [
        Entry("cat", "AB", "po:noun ts:NOM"),
        Entry("dog", "u", "po:verb"),
        Entry("cow", ""),
    ]
    assert found.affixes["A"].rules == [Rule("A", "", "s", ".", "u", "is:PLUR")]


def test_flags_are_bytes_and_words_are_text(tmp_path: Path) -> None:
    # the second byte of à in UTF-8, and the flag of one byte, are spaces of Latin-1
    aff = b"SET UTF-8\nSFX \xa0 Y 1\nSFX \xa0 \xc3\xa0 \xc5\x91s \xc3\xa0\n"
    found = dictionary(tmp_path, aff, b"1\nvoil\xc3\xa0/\xa0\n")
    assert words(found, "voilà") == ["voilà", "voilős"]


@pytest.mark.parametrize(("name", "codec"), [("ISO8859-1", "latin-1"), ("ISO8859-2", "iso8859-2")])
def test_the_encoding_is_what_the_file_says(tmp_path: Path, name: str, codec: str) -> None:
    text = "kró" if codec == "iso8859-2" else "båt"
    aff = f"SET {name}\nSFX A Y 1\nSFX A 0 é .\n"
    found = dictionary(tmp_path, aff.encode(codec), f"1\n{text}/A\n".encode(codec))
    assert words(found, text) == [text, text + "é"]


def test_a_hyphen_in_a_condition_is_a_hyphen(tmp_path: Path) -> None:
    aff = "SET UTF-8\nSFX A Y 2\nSFX A 0 x [^b-d]\nSFX A 0 y -\n"
    found = dictionary(tmp_path, aff, "3\nac/A\nab/A\na-/A\n")
    assert words(found, "ac") == ["ac", "acx"]
    assert words(found, "ab") == ["ab"]
    assert words(found, "a-") == ["a-", "a-y"]


@pytest.mark.parametrize(
    ("aff", "dic", "file"),
    [
        ("SFX A\n", "", "t.aff"),
        ("SFX A Y 1\nSFX A 0\n", "", "t.aff"),
        ("SFX A Y 1\nSFX A 0 s\n", "", "t.aff"),
        ("SET nonsense\nSFX A Y 1\nSFX A 0 s .\n", "", "t.aff"),
        ("SET\n", "", "t.aff"),
        ("AF 1\nAF A\n", "1\ncat/7\n", "t.dic"),
        ("AF 1\nAF A\n", "1\ncat/A\n", "t.dic"),
    ],
)
def test_what_is_no_dictionary_is_an_error_that_names_the_file(
    tmp_path: Path, aff: str, dic: str, file: str
) -> None:
    with pytest.raises(LexiconFileError, match=re.escape(str(tmp_path / file))):
        dictionary(tmp_path, aff, dic)


def naive_forms(entry: Entry, affixes: dict[str, Affix]) -> list[str]:
    """Every form: each rule is tried on the whole word."""

    def ways(suffix: bool) -> list[tuple[Rule | None, bool]]:
        rules = [
            (rule, affixes[flag].cross)
            for flag in entry.flags
            if affixes[flag].suffix is suffix
            for rule in affixes[flag].rules
        ]
        return [(None, True), *rules]

    found = []
    for (before, before_crosses), (after, after_crosses) in itertools.product(
        ways(False), ways(True)
    ):
        word = entry.word
        if before and after and not (before_crosses and after_crosses):
            continue
        if after:
            if not (re.fullmatch(f".*{after.condition}", word) and word.endswith(after.strip)):
                continue
            word = word[: len(word) - len(after.strip)] + after.add
        if before:
            if not re.match(before.condition, entry.word):
                continue
            if not (word.startswith(before.strip) and entry.word.startswith(before.strip)):
                continue
            word = before.add + word[len(before.strip) :]
        found.append(word)
    return sorted(found)


TEXTS = st.text("ab", max_size=2)
CONDITIONS = st.lists(st.sampled_from(["a", "b", ".", "[ab]", "[^a]"]), min_size=1, max_size=3)
RULES = st.builds(Rule, st.just("?"), TEXTS, TEXTS, CONDITIONS.map("".join))
AFFIXES = st.builds(Affix, st.booleans(), st.booleans(), st.lists(RULES, max_size=4))


@given(
    st.dictionaries(st.sampled_from("ABC"), AFFIXES),
    st.lists(st.text("ab", min_size=1, max_size=4), max_size=4),
)
def test_forms_are_those_of_the_plain_way(affixes: dict[str, Affix], texts: list[str]) -> None:
    for flag, affix in affixes.items():
        affix.rules = [Rule(flag, rule.strip, rule.add, rule.condition) for rule in affix.rules]
    entries = [Entry(text, "".join(affixes)) for text in texts]
    forms = list(expand(entries, affixes))
    for entry in entries:
        found = [form.word for form in forms if form.entry is entry]
        assert sorted(found) == naive_forms(entry, affixes)
