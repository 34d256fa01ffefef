import pytest

from companion.die import Lie, all_lies, mirrored
from companion.errors import BadInput
from vision.layout import learn_layout

TEAL_UP = ("teal", {"S": "lime", "W": "white"})
ODD = [("pink", {"N": "grey", "E": "teal", "S": "white", "W": "gold"}), ("lime", {})]


def test_the_rulebooks_die_needs_only_a_top_and_a_side():
    layout = learn_layout([("yellow", {"S": "red"})])
    assert (layout.west, layout.bottom) == ("violet", "green")


def test_purple_is_the_name_for_violet_where_it_is_used():
    assert learn_layout([("purple", {"S": "red"})]).faces >= {"purple", "green"}


def test_the_mirror_image_is_told_by_a_third_face():
    assert learn_layout([("yellow", {"S": "red", "W": "black"})]) == mirrored(learn_layout([("yellow", {"S": "red"})]))


def test_any_six_colours_are_learnt_from_two_views():
    assert (learn_layout(ODD).top, learn_layout(ODD).bottom) == ("pink", "lime")


def test_any_six_colours_are_learnt_from_three_corners():
    layout = learn_layout([("pink", {"W": "gold", "S": "white"}), ("lime", {"W": "gold", "S": "grey"}), TEAL_UP])
    assert Lie("pink", south="white", west="gold", north="grey", east="teal", bottom="lime") in all_lies(layout)


def test_two_opposite_corners_leave_three_dice_until_a_third_view_links_them():
    opposite = [("pink", {"W": "gold", "S": "white"}), ("lime", {"N": "teal", "E": "grey"})]
    with pytest.raises(BadInput, match="3 dice possible"):
        learn_layout(opposite)
    assert learn_layout(opposite, {"top": "teal", "S": "white", "W": "pink"}).bottom == "lime"


@pytest.mark.parametrize(
    ("named", "given"),
    [
        pytest.param([("yellow", {"S": "green"})], None, id="opposite faces that meet"),
        pytest.param([("pink", {"S": "white"})], None, id="too little of a strange die"),
        pytest.param([("yellow", {"S": "red"})], {"top": "yellow"}, id="layout without sides"),
        pytest.param([*ODD, ("pink", {"S": "gold", "W": "white"})], None, id="views that contradict"),
    ],
)
def test_names_that_make_no_die_are_refused(named, given):
    with pytest.raises(BadInput, match="expected"):
        learn_layout(named, given)
