"""The die as geometry (VC-R11 to VC-R13, section "The die")."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.die import (
    CLOCKWISE,
    STANDARD,
    Colour,
    Flip,
    Lie,
    Move,
    all_lies,
    clockwise_from,
    find_lie,
    flips_between,
    mirrored,
    moved,
    moves_between,
    straighten,
)
from companion.errors import Refused

LIES = st.sampled_from(all_lies())
SEATS = st.sampled_from(CLOCKWISE)
MOVES = st.sampled_from(list(Move))
FLIPS = st.sampled_from(list(Flip))

TABLE = """
Y (G) | R > V,B,K . V > B,K,R . B > K,R,V . K > R,V,B
G (Y) | R > K,B,V . K > B,V,R . B > V,R,K . V > R,K,B
R (B) | Y > K,G,V . K > G,V,Y . G > V,Y,K . V > Y,K,G
B (R) | Y > V,G,K . V > G,K,Y . G > K,Y,V . K > Y,V,G
V (K) | Y > R,G,B . R > G,B,Y . G > B,Y,R . B > Y,R,G
K (V) | Y > B,G,R . B > G,R,Y . G > R,Y,B . R > Y,B,G
"""


def rows():
    for line in TABLE.strip().splitlines():
        top, ways = line.split(" | ")
        for way in ways.split(" . "):
            facing, others = way.split(" > ")
            yield top[0], top[3], facing, others.split(",")


@pytest.mark.parametrize(("top", "bottom", "facing", "others"), list(rows()))
def test_all_24_ways_to_lie_are_those_of_the_rules_page(top, bottom, facing, others):
    lie = find_lie(top, facing, "S")
    assert lie == Lie(top, facing, others[0], others[1], others[2], bottom)


def test_there_are_24_ways_to_lie_and_a_mirrored_die_has_none_of_them():
    lies = set(all_lies())
    assert len(lies) == 24
    assert not lies & set(all_lies(mirrored(STANDARD)))


@given(lie=LIES, side=SEATS)
def test_top_and_one_side_fix_the_rest(lie, side):
    assert find_lie(lie.top, lie.towards(side), side) == lie


@given(side=SEATS, top=st.sampled_from(list(Colour)))
def test_a_colour_is_never_beside_itself_or_its_opposite(side, top):
    opposite = next(lie.bottom for lie in all_lies() if lie.top == top)
    for facing in (top, opposite):
        with pytest.raises(Refused) as refused:
            find_lie(top, facing, side)
        assert refused.value.code == "IMPOSSIBLE_FACES"


@given(lie=LIES, move=MOVES, seat=SEATS, flip=FLIPS)
def test_moves_keep_opposite_faces_opposite(lie, move, seat, flip):
    after = moved(lie, move, seat, flip)
    assert after in all_lies()


@given(lie=LIES, seat=SEATS, flip=FLIPS)
def test_four_turns_and_two_flips_bring_the_die_back(lie, seat, flip):
    for move, times in ((Move.CW, 4), (Move.ACW, 4), (Move.FLIP_H, 2), (Move.FLIP_V, 2)):
        after = lie
        for _ in range(times):
            after = moved(after, move, seat, flip)
        assert after == lie


@given(seat=SEATS)
def test_moves_look_alike_from_every_seat(seat):
    """The table "Die moves" of the rules page: facing, left, opposite, right, top, bottom."""
    front, left, far, right = clockwise_from(seat)
    lie = find_lie(Colour.YELLOW, Colour.RED, seat)

    def seen(after):
        return "".join([*(after.towards(side) for side in (front, left, far, right)), after.top, after.bottom])

    assert seen(lie) == "RVBKYG"
    assert seen(moved(lie, Move.CW, seat)) == "KRVBYG"
    assert seen(moved(lie, Move.ACW, seat)) == "VBKRYG"
    assert seen(moved(lie, Move.FLIP_H, seat)) == "RKBVGY"
    assert seen(moved(lie, Move.FLIP_V, seat)) == "BVRKGY"
    assert seen(moved(lie, Move.FLIP_H, seat, Flip.A_SWAPPED)) == "BVRKGY"
    assert seen(moved(lie, Move.FLIP_V, seat, Flip.A_SWAPPED)) == "RKBVGY"
    for flip, vertical in ((Flip.B1, "BVRKGY"), (Flip.B2, "RKBVGY")):
        assert seen(moved(lie, Move.FLIP_H, seat, flip)) == "BKRVYG"
        assert seen(moved(lie, Move.FLIP_V, seat, flip)) == vertical


@given(lie=LIES, move=MOVES, seat=SEATS, flip=FLIPS)
def test_the_move_between_two_lies_is_found_again(lie, move, seat, flip):
    assert moves_between(lie, moved(lie, move, seat, flip), seat, flip) == (move,)


@given(lie=LIES, seat=SEATS)
def test_no_single_move_brings_a_side_up(lie, seat):
    assert {moved(lie, move, seat).top for move in Move} <= {lie.top, lie.bottom}


def test_a_half_turn_about_the_vertical_is_a_flip_of_another_reading():
    half = moved(moved(STANDARD, Move.CW, "S"), Move.CW, "S")
    assert moves_between(STANDARD, half, "S") == ()
    assert flips_between(STANDARD, half, "S") == (Flip.B1, Flip.B2)


@pytest.mark.parametrize(
    ("left_angle", "turn", "angle", "tie"),
    [
        pytest.param(0, Move.ACW, 0, False, id="aligned already"),
        pytest.param(30, Move.ACW, 30, False, id="front-left is nearer"),
        pytest.param(41.9, Move.ACW, 41.9, False, id="just outside the band"),
        pytest.param(42, Move.CW, 48, True, id="inside the band counts as 45"),
        pytest.param(45, Move.CW, 45, True, id="exactly 45"),
        pytest.param(48.1, Move.CW, 41.9, False, id="just beyond the band"),
        pytest.param(90, Move.CW, 0, False, id="aligned to the front-right"),
    ],
)
def test_the_die_is_straightened_by_the_smaller_angle_and_clockwise_at_45(left_angle, turn, angle, tie):
    how = straighten(left_angle, 3)
    assert (how.turn, round(how.angle_deg, 6), how.tie) == (turn, angle, tie)
