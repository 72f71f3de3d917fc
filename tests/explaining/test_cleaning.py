"""Text that steers no terminal."""

from __future__ import annotations

from hypothesis import given, strategies as st

from errkit.explaining import clean

ANYTHING = st.text(st.characters(exclude_categories=()))


@given(text=ANYTHING)
def test_no_text_steers(text: str) -> None:
    """Controls, marks of writing direction and lone surrogates are written out; all else stays."""
    shown = clean(text)
    assert shown.isprintable() or not set(shown) & set("\n\r\x1b\x00\x9b\u202e\u2028")
    shown.encode()
    harmless = "".join(letter for letter in text if letter.isprintable())
    assert clean(harmless) == harmless
    assert clean(shown) == shown


@given(text=ANYTHING)
def test_lines_stay_lines(text: str) -> None:
    """With `lines`, the line breaks of a text are kept, and nothing else that steers."""
    shown = clean(text, lines=True)
    assert shown.count("\n") == text.count("\n")
    assert clean(shown.replace("\n", "")) == shown.replace("\n", "")
