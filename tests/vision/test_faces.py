"""What the faces of a candidate add to how far it is trusted."""

from dataclasses import replace

import drawn_die as drawn
import numpy as np
from die_view import CUBE, PLACES, fit_near, pose_of, view_of

from vision.faces import _BIAS, _WEIGHTS, _logistic, find_clues, find_faces, find_outline_clues, most_trust
from vision.palette import Verdict
from vision.search import Candidate

LIE = drawn.lie_of("red", "purple")


def test_faces_are_seen_in_their_colours_and_even():
    seen = find_faces(view_of(drawn.draw((LIE, *PLACES[0]), seed=2)), pose_of(*PLACES[0]))
    assert [face.name for face in seen] == ["top", "S", "E"]
    assert min(face.even for face in seen) > 0.9
    reddest = [int(np.argmax(face.seen.linear)) == 2 for face in seen]
    assert reddest[0]  # the top is red; BGR


def test_no_faces_make_a_candidate_more_trusted_than_was_assumed_before_it_was_given_up():
    view = view_of(drawn.draw((LIE, *PLACES[0]), seed=2))
    candidate = Candidate(0.5, fit_near(drawn.draw((LIE, *PLACES[0]), seed=2), PLACES[0]))
    most = most_trust(find_outline_clues(view, candidate))
    seen = find_faces(view, candidate.fit.pose)
    rng = np.random.default_rng(3)
    for _ in range(200):
        faces = tuple(replace(face, even=float(rng.random())) for face in seen[: rng.integers(2, 4)])
        verdict = Verdict((), (float(rng.uniform(-90, 30)),), float(rng.exponential()))
        clues = find_clues(view, candidate, faces, verdict, float(rng.random()))
        assert _logistic(_BIAS, _WEIGHTS, clues) <= most


def test_a_face_whose_colour_ends_early_is_sampled_nearer_to_its_middle():
    frame = drawn.draw((LIE, *PLACES[0]), seed=2)
    views = [view_of(frame, replace(CUBE, inset_mm=inset_mm)) for inset_mm in (0.5, 6.0)]
    wide, narrow = (np.ptp(find_faces(view, pose_of(*PLACES[0]))[0].pixels[0]) for view in views)
    assert narrow < 0.8 * wide
