"""Tabs of plain HTML: well formed whatever stands in them."""

from __future__ import annotations

from hypothesis import given, strategies as st

from errkit.sphinx.tabs import source_block, tabs
from tests.sphinx.sites import elements

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30) | st.just('"><script>x')


@given(TEXT, st.lists(TEXT, min_size=1, max_size=4), TEXT)
def test_each_panel_follows_its_label_and_one_is_chosen(legend: str, captions: list[str], group: str) -> None:
    """In one group, each button with its own label, the first one checked; texts come out as they went in."""
    page = tabs(legend, [(caption, f"<p>{at}</p>") for at, caption in enumerate(captions)], group)
    found = elements(page)
    buttons = [each.attributes for each in found if each.tag == "input"]
    assert [each["value"] for each in buttons] == captions
    assert [each.text for each in found if each.tag == "label"] == captions
    assert {each["name"] for each in buttons} == {f"{group}--tabs"}
    assert len({each["id"] for each in buttons}) == len(buttons)
    assert [at for at, each in enumerate(buttons) if "checked" in each] == [0]
    assert [each.text for each in found if each.tag in ("legend", "p")] == [
        legend,
        *map(str, range(len(captions))),
    ]
    tags = [each.tag for each in found if each.tag in ("input", "label", "div")]
    assert tags == ["input", "label", "div"] * len(captions)


@given(st.lists(st.tuples(st.sampled_from(["", "k", '"><b>']), TEXT)))
def test_a_block_of_source_reads_as_its_pieces(pieces: list[tuple[str, str]]) -> None:
    """Colours change no letter."""
    [block] = [each.text for each in elements(source_block(pieces, "python")) if each.tag == "pre"]
    assert block == "".join(text for _, text in pieces) + "\n"
