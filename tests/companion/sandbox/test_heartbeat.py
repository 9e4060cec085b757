from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.sandbox.heartbeat import Heartbeat


def test_a_page_that_answers_is_never_stuck():
    heart = Heartbeat()
    for second in range(100):
        heart.answer(heart.beat(float(second)))
        assert not heart.is_stuck


def test_a_page_is_stuck_after_two_seconds_of_silence():
    heart = Heartbeat()
    heart.beat(0.0)
    heart.beat(1.0)
    assert not heart.is_stuck
    heart.beat(2.0)
    assert heart.is_stuck


def test_an_answer_in_between_saves_it():
    heart = Heartbeat()
    number = heart.beat(0.0)
    heart.beat(1.0)
    heart.answer(number)
    heart.beat(2.0)
    assert not heart.is_stuck


def test_time_that_we_were_busy_ourselves_is_not_held_against_the_page():
    heart = Heartbeat()
    for second in (0.0, 10.0, 20.0, 30.0):
        heart.beat(second)
    assert not heart.is_stuck


def test_a_rest_forgets_the_open_question():
    heart = Heartbeat()
    heart.beat(0.0)
    heart.beat(1.0)
    heart.rest()
    heart.beat(2.0)
    assert not heart.is_stuck
    heart.beat(3.0)
    heart.beat(4.0)
    assert heart.is_stuck


@given(st.lists(st.integers(0, 50)))
def test_answers_in_any_order_never_raise_and_end_the_silence(answers):
    heart = Heartbeat()
    for second in range(5):
        heart.beat(float(second))
    for answer in answers:
        heart.answer(answer)
    assert heart.is_stuck == (not answers)
