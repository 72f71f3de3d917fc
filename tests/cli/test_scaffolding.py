"""What a new domain starts with."""

from __future__ import annotations

import ast
import keyword

import pytest
from hypothesis import given, strategies as st

from errkit.cli.scaffolding import Scaffold, class_stem, files_of, free_range, overlap

SEGMENTS = st.from_regex(r"[a-z][a-z0-9_]{0,12}", fullmatch=True)
RANGES = st.builds(lambda start, size: range(start, start + size), st.integers(0, 5000), st.integers(1, 500))


@pytest.mark.parametrize(
    ("domain", "stem"),
    [
        ("shop.cart", "Cart"),
        ("shop.gift_card", "GiftCard"),
        ("shop.connection", "ShopConnection"),
        ("timeout", "TimeoutDomain"),
        ("shop.HTTP", "HTTP"),
    ],
)
def test_a_class_hides_no_class_of_python(domain: str, stem: str) -> None:
    """It is named after the last segment, or after all where Python has that error."""
    assert class_stem(domain) == stem


@given(
    segments=st.lists(SEGMENTS, min_size=1, max_size=3),
    numbers=st.none() | RANGES,
    details=st.booleans(),
    registry=st.sampled_from([("", ""), ("shop.errors", "REGISTRY")]),
    markup=st.sampled_from([("rst", ".rst"), ("md", ".md"), ("text", ".txt")]),
)
def test_every_file_is_sound(
    segments: list[str],
    numbers: range | None,
    details: bool,
    registry: tuple[str, str],
    markup: tuple[str, str],
) -> None:
    """Whatever the domain is called: Python parses it, lines end well, and nothing is named twice."""
    plan = Scaffold(
        domain=".".join(segments),
        package="shop.errors",
        module="_".join(segments),
        stem=class_stem(".".join(segments)),
        numbers=numbers,
        details=details,
        registry=registry,
        prose="texts",
        markup=markup[0],
    )
    files = dict(files_of(plan))
    assert f"texts/{plan.domain}/{plan.code}{markup[1]}" in files
    for name, text in files.items():
        assert text.endswith("\n")
        assert not text.endswith("\n\n")
        assert all(line == line.rstrip() for line in text.splitlines())
        if name.endswith(".py"):
            ast.parse(text)
    assert not keyword.iskeyword(plan.stem)
    assert ("Details" in files[f"shop/errors/{plan.module}.py"]) == details


@given(st.lists(RANGES, max_size=5), st.sets(st.integers(0, 6000), max_size=20), st.data())
def test_proposed_numbers_are_free(taken: list[range], retired: set[int], data: st.DataObject) -> None:
    """They share no number with another domain and none with what was taken back."""
    own = data.draw(st.lists(st.sampled_from(taken))) if taken else []
    found = free_range(taken, retired, own)
    assert (found is None) == (not own)
    if found is not None:
        assert not any(overlap(found, other) for other in taken)
        assert not retired & set(found)
        assert len(found) == len(max(own, key=lambda numbers: numbers.stop))


@given(RANGES, RANGES)
def test_ranges_overlap_where_they_share_a_number(one: range, other: range) -> None:
    """As sets do."""
    assert overlap(one, other) == bool(set(one) & set(other))
