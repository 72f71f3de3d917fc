"""What is shown: any text, without anything that steers a terminal."""

from __future__ import annotations

import pytest

pytest.importorskip("rich")

from errkit.cli.screen import complain, note, show, show_table


def test_in_a_pipe_text_is_plain(capsys: pytest.CaptureFixture[str]) -> None:
    """Results go to standard output, the rest to standard error; rows are lines with tabs between cells."""
    show("[bold]a[/bold] :smile:", "bold")
    note("beside")
    show_table(["A", "B"], [("x\ty", None), ("1", 2)])
    complain(ValueError("bad\x1b"))
    out, err = capsys.readouterr()
    assert out == "[bold]a[/bold] :smile:\nx y\t\n1\t2\n"
    assert err.startswith("beside\n[internal] bad\\x1b\nHint: ")


def test_markup_is_text_at_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing in a text is taken for markup of rich, and words are not coloured by guessing."""
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    show("[red]1 'a' https://x[/red] :smile:")
    show_table(["A"], [("[red]b[/red]",)], title="[red]t[/red]")
    out, _ = capsys.readouterr()
    assert out.startswith("[red]1 'a' https://x[/red] :smile:\n")
    assert "[red]t[/red]" in out
    assert "[red]b[/red]" in out
