"""The levels: their order, what they know, and that a seed fixes them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from games import set_up
from positions import lexicon_of, position

import engine as eng
from engine.app.runs import play_games
from engine.board.play import EXCHANGE, PASS, PLAY
from engine.errors import LexiconFileError, QuixotryError
from engine.game.events import Challenged, Turn
from engine.lexicon.lexicon import Lexicon
from engine.players.levels import SKILLS, Level
from engine.players.names import LEVELS, NAMES, mean_score
from engine.players.roster import find_player
from engine.players.vocabulary import find_vocabulary
from engine.rules.rules import find_rules

pytestmark = pytest.mark.kernels
ENGLISH = find_rules("english")
ORDER = (*SKILLS, "equity")


@pytest.fixture(scope="module")
def english() -> Lexicon:
    return eng.load_lexicon("english")


# -- vocabulary ------------------------------------------------------------------------------------


def test_a_vocabulary_is_the_share_of_the_words_that_cost_least(english: Lexicon) -> None:
    words = random.Random(1).sample(list(english), 4000)
    for share in (0.04, 0.25, 0.8):
        known = find_vocabulary(english, ENGLISH.tiles, share)
        found = [word for word in words if known.knows(word)]
        assert abs(len(found) / len(words) - share) < 0.03
        assert len(found) < len(words)
        most = max(map(known.cost, found))
        assert all(known.cost(word) > most for word in words if word not in set(found))


def test_short_words_of_frequent_tiles_are_known_first(english: Lexicon) -> None:
    known = find_vocabulary(english, ENGLISH.tiles, 0.04)
    for word in ("at", "tea", "no", "rain"):
        assert known.knows(english.parse(word)), word
    for word in ("zyzzyva", "quixotry", "pizzazz"):
        assert not known.knows(english.parse(word)), word
    costs = [known.cost(english.parse(word)) for word in ("ae", "qi", "tea", "za", "train", "fuzz")]
    assert costs[0] < costs[2] < costs[4]
    assert costs[0] < costs[1]
    blank = tuple(letter | 0x80 for letter in english.parse("qi"))
    assert known.cost(blank) == costs[1]


def test_all_words_and_some_words(english: Lexicon) -> None:
    words = lexicon_of(("AA", "QI", "ZZZ"), ENGLISH.tiles)
    every, few = (find_vocabulary(words, ENGLISH.tiles, share) for share in (1.0, 0.0))
    assert all(map(every.knows, words))
    assert all(map(few.knows, words))  # a hundred words are known in any case
    least = find_vocabulary(english, ENGLISH.tiles, 0.0)
    assert 50 < sum(map(least.knows, english)) < 200
    assert not find_vocabulary(lexicon_of((), ENGLISH.tiles), ENGLISH.tiles, 0.5).knows((1, 1))


@pytest.mark.parametrize("name", SKILLS)
def test_words_outside_the_vocabulary_are_never_played(name: str, english: Lexicon) -> None:
    known = find_vocabulary(english, ENGLISH.tiles, SKILLS[name].share)
    game = eng.Game(players=[name, name], lexicon=english, seed=5).run()
    turns = [event for event in game.log if isinstance(event, Turn) and event.play.kind == PLAY]
    assert len(turns) > 10
    assert all(known.knows(word) for turn in turns for word in turn.words)


# -- choosing --------------------------------------------------------------------------------------


def test_the_order_of_strength(english: Lexicon) -> None:
    games = 8
    means = []
    for name in ORDER:
        played = [
            eng.Game(players=[name, name], lexicon=english, seed=2, number=number).run()
            for number in range(games)
        ]
        means.append(sum(sum(game.scores) for game in played) / (2 * games))
    assert means == sorted(means), means
    assert means[0] < means[-1] - 150
    for worse, better in (("level1", "level3"), ("level3", "level5"), ("level4", "equity")):
        wins = 0
        for number in range(games):
            game = eng.Game(players=[worse, better], lexicon=english, seed=3, number=number).run()
            wins += game.scores[1] > game.scores[0]
        assert wins > games / 2, (worse, better, wins)


def test_a_seed_fixes_a_game_and_another_one_changes_it(english: Lexicon) -> None:
    def played(**options: Any) -> Any:
        game = eng.Game(players=["level2", "level4"], lexicon=english, **options)
        return game.run().log

    assert played(seed=4) == played(seed=4)
    assert played(seed=4) != played(seed=5)
    assert played(seed=4) != played(seed=4, number=1)


def test_a_level_chooses_the_same_after_undo_and_leaves_the_position_alone(
    english: Lexicon,
) -> None:
    game = eng.Game(players=["level3", "level3"], lexicon=english, seed=8).run()
    log = game.log
    game.replay(7)
    assert game.run().log == log
    here = position("RETINA?", ("RETINA", "RETAIN", "TRAIN", "IN"))
    before = str(here)
    player = find_player("level3", here.rules, here.lexicon)
    assert player.choose(here) == player.choose(here)
    assert str(here) == before


def test_seeds_differ_in_one_position(english: Lexicon) -> None:
    here = eng.Position.new("english", english, rack="AEINRST")
    chosen = {
        str(find_player("level2", ENGLISH, english, seed=seed).choose(here)) for seed in range(20)
    }
    assert len(chosen) > 5
    assert all(here.judge(text) for text in chosen)


def test_bingos_and_rare_tiles_are_noticed_less(english: Lexicon) -> None:
    def count(name: str, games: int = 6) -> int:
        bingos = 0
        for number in range(games):
            game = eng.Game(players=[name, name], lexicon=english, seed=6, number=number).run()
            bingos += sum(isinstance(e, Turn) and len(e.play.used) == 7 for e in game.log)
        return bingos

    assert count("level1") < count("level5") <= count("equity") + 3
    words = ("ZAP", "ZIP", "ZOO", "TAP", "TIP", "TOO")
    here = position("ZTAIOOP", words)
    rare = 0
    for seed in range(100):
        play = find_player("level1", here.rules, here.lexicon, seed=seed).choose(here)
        rare += here.rules.tiles.labels.index("Z") in play.used
    assert 5 < rare < 45


def test_a_level_with_one_play_makes_it() -> None:
    words = ("AT", *(f"ZZZ{a}{b}" for a in "BCDFGHJ" for b in "BCDFGHJ"))
    here = position("AT", words)
    for name in SKILLS:
        play = find_player(name, here.rules, here.lexicon).choose(here)
        assert sorted(play.used) == [1, 20], name


def test_a_level_that_knows_no_play_exchanges_the_dear_tiles_then_passes(english: Lexicon) -> None:
    here = eng.Position.new("english", english, rack="QZVJXVC")
    level1 = find_player("level1", here.rules, here.lexicon)
    play = level1.choose(here)
    assert play.kind == EXCHANGE
    assert here.rules.tiles.format_rack(play.tiles) == "CJQVVXZ"
    assert here.judge(play)
    assert level1.choose(replace(here, zeros=6)).kind == PASS
    blank = position("VV?JQXZ", ("EE", "IOI"))
    play = find_player("level1", blank.rules, blank.lexicon).choose(blank)
    assert blank.rules.tiles.format_rack(play.tiles) == "JQVVXZ"  # the blank stays


@pytest.mark.parametrize("rules", ["polish+nine", "english+super", "hungarian", "finnish"])
def test_levels_play_under_any_rules(rules: str, language_lexicon: Callable[..., Any]) -> None:
    own = find_rules(rules)
    lexicon = language_lexicon(rules.split("+")[0], own.tiles.name)
    game = eng.Game(own, ["level1", "level3", "level5"], lexicon=lexicon, seed=1).run()
    assert game.over
    game.check()


# -- by name ---------------------------------------------------------------------------------------


def test_level6_is_equity_by_another_name(english: Lexicon) -> None:
    one, other = (
        eng.Game(players=[name, name], lexicon=english, seed=3).run()
        for name in ("level6", "equity")
    )
    assert one.scores == other.scores
    assert one.names == ("level6", "level6")


def test_names_of_players(english: Lexicon) -> None:
    assert tuple(f"level{number}" for number in range(1, 7)) == LEVELS
    for name in NAMES:
        assert find_player(name, ENGLISH, english).name == name
    with pytest.raises(QuixotryError, match=r"no player 'level7'; there are level1, .*, equity"):
        find_player("level7", ENGLISH, english)
    with pytest.raises(LexiconFileError, match="not for the tile set"):
        find_player("level1", find_rules("finnish"), english)


def test_batches_of_games_say_where_levels_play() -> None:
    with pytest.raises(QuixotryError, match=r"'level2' plays in 'quixotry play' and eng.Game only"):
        play_games("level2", "equity", games=1)


def test_measured_scores_rise() -> None:
    for rules in ("english", "finnish", "hungarian", "norwegian", "polish"):
        scores = [mean_score(name, rules) or 0 for name in ORDER]
        assert scores == sorted(scores)
        assert scores[0] > 100
        assert len(set(scores)) == len(scores)
        assert mean_score("level6", rules) == scores[-1]
    assert mean_score("level1", "english+nine") is None


# -- challenges ------------------------------------------------------------------------------------


def test_computers_challenge_every_word_that_is_not_in_the_lexicon(english: Lexicon) -> None:
    game = eng.Game(players=[None, "level1", None], lexicon=english, seed=3)
    rack = game.rules.tiles.format_rack(game.racks[0]).replace("?", "")
    phony = rack[:3]
    assert phony not in english
    game.play(f"8H {phony}")
    game.run()
    (challenge,) = [event for event in game.log if isinstance(event, Challenged)]
    assert (challenge.player, challenge.removed) == (1, True)
    assert game.turn == 2  # level1 has moved too
    assert game.scores[0] == 0
    game.play("pass")
    good = str(game.position.first(1)[0].play)
    game.play(good)
    game.run()
    assert sum(isinstance(event, Challenged) for event in game.log) == 1


def test_computers_challenge_a_last_play_that_is_wrong() -> None:
    given = set_up(("AT",), "QZ/AT", "7AT6", bag="", challenge="double")
    start = replace(given.position, racks=given.racks)
    game = eng.Game(start=start, players=[None, "equity"], challenge="double")
    game.play("9H QZ")
    assert game.waiting
    game.run()
    assert game.log[0].scores[0] > 0
    assert game.scores[0] == 0
    assert any(isinstance(event, Challenged) and event.removed for event in game.log)


def test_nobody_challenges_where_every_word_stands(english: Lexicon) -> None:
    game = eng.Game(players=[None, "level1"], lexicon=english, seed=3, challenge="none")
    rack = game.rules.tiles.format_rack(game.racks[0]).replace("?", "")
    game.play(f"8H {rack[:3]}")
    game.run()
    assert not any(isinstance(event, Challenged) for event in game.log)
    assert game.scores[0] > 0


def test_data_is_part_of_the_package() -> None:
    assert (Path(eng.__file__).parent / "data" / "levels.toml").is_file()


def test_a_level_is_a_value(english: Lexicon) -> None:
    one, same = (find_player("level2", ENGLISH, english) for _ in range(2))
    assert isinstance(one, Level)
    assert one == same
    assert isinstance(one, eng.Player)
