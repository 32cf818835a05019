"""A test of many cases runs all of them, and says which of them fail."""

import pytest

from tests.for_each import for_each


def test_all_cases_are_run_and_those_that_fail_are_named() -> None:
    seen = []

    @for_each(("number", "word"), [(1, "one"), pytest.param(2, "two"), (3, "three"), (4, "four")])
    def none_is_even(number: int, word: str) -> None:
        seen.append(word)
        if number == 4:
            with pytest.raises(ValueError, match="never"):
                pass
        assert number % 2

    with pytest.raises(AssertionError) as failure:
        none_is_even()
    assert seen == ["one", "two", "three", "four"]
    assert failure.value.__notes__ == ["2 of 4 cases fail: 2-two, 4-four"]


def test_cases_multiply_and_leave_fixtures_to_pytest() -> None:
    seen = []

    @for_each("left", [1, 2])
    @for_each("right", "ab", ids=str.upper)
    def all_pairs(left: int, right: str, fixture: str) -> None:
        seen.append((left, right, fixture))

    all_pairs(fixture="given")
    assert seen == [(left, right, "given") for left in (1, 2) for right in "ab"]


def test_no_cases_are_a_mistake() -> None:
    with pytest.raises(AssertionError, match="no cases"):
        for_each("one", [])
