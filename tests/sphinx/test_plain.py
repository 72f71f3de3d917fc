"""The reference as plain text, and errors.json as all that a client needs for a view of its own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema

from errkit.cli import main
from tests.sphinx.sites import SAMPLES, Built, Site

if TYPE_CHECKING:
    import pytest


def test_a_text_says_what_errkit_explain_says(
    shop: Built, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same lines for a terminal without errkit, but for the path of the source file on this machine."""
    monkeypatch.syspath_prepend(str(SAMPLES))
    for entry in shop.json()["codes"]:
        assert main(["explain", entry["code"], "shop"]) == 0
        told = capsys.readouterr().out
        mine = shop.text(entry["text"])
        assert without_place(mine) == without_place(told)
        assert str(SAMPLES) not in mine


def without_place(text: str) -> list[str]:
    """The lines of an explanation without the place of the declaration."""
    return [line for line in text.splitlines() if not line.startswith("Declared:")]


def test_a_name_with_several_owners_tells_of_all(both: Built) -> None:
    """In the order of the registries."""
    text = both.text("e/shop.cart.empty/index.txt")
    assert text.index("Cart is empty") < text.index("Cart carries nothing")
    assert text.count("Registry:") == 2


def test_the_listing_leads_to_every_text(both: Built) -> None:
    """`llms.txt`: a heading for each domain, a link for each code."""
    lines = both.text("llms.txt").splitlines()
    assert lines[0] == "# Site"
    assert "## shop.cart: Carts in the depot (depot)" in lines
    assert "- [shop.cart.empty](e/shop.cart.empty/index.txt): Cart is empty. Add an item first." in lines
    linked = {line.partition("](")[2].partition(")")[0] for line in lines if line.startswith("- [")}
    assert linked == {entry["text"] for entry in both.json()["codes"]}
    assert all((both.folder / path).is_file() for path in linked)


def test_secrets_and_controls_reach_no_text(shop: Built, hostile: Built) -> None:
    """Nor does the terminal of a reader hear a command."""
    for built in (shop, hostile):
        for path in (*built.folder.rglob("e/*/index.txt"), built.folder / "llms.txt"):
            text = path.read_text("utf-8")
            assert "planted-secret-value" not in text
            assert not {letter for letter in text if ord(letter) < 32} - {"\n"}


def test_texts_follow_their_codes_and_their_audience(tmp_path: Any) -> None:
    """A changed code has a changed text, no other is written again; what is gone or not public has none."""
    site = Site(tmp_path, 'errkit_registries = ["mine"]\n', mine=(SAMPLES / "shop.py").read_text("utf-8"))
    first = site.build()
    stays = first.folder / "e/shop.cart.gone/index.txt"
    written = stays.stat().st_mtime_ns
    site.edit("mine.py", "The bank said no.", "The bank declined.")
    second = site.build()
    assert "The bank declined." in second.text("e/shop.pay.declined/index.txt")
    assert stays.stat().st_mtime_ns == written
    third = site.build(errkit_audience="public")
    texts = {path.parent.name for path in third.folder.rglob("e/*/index.txt")}
    assert texts == {"shop.cart.empty", "shop.cart.gone", "shop.pay.declined"}
    assert "locked" not in third.text("llms.txt")


def test_errors_json_is_enough_for_a_view_of_ones_own(both: Built) -> None:
    """A client that knows the schema lists domains, codes, hints, reasons and links, and needs no page."""
    index, schema = both.json(), json.loads(both.text("errors.schema.json"))
    jsonschema.Draft202012Validator(schema).validate(index)
    view = {
        (domain["registry"], domain["title"]): [
            (entry["code"], entry.get("hint", ""), [reason["title"] for reason in entry.get("reasons", ())])
            for entry in index["codes"]
            if (entry["registry"], entry["domain"]) == (domain["registry"], domain["domain"])
        ]
        for domain in index["domains"]
    }
    assert view["shop", "Cart"][1] == (
        "shop.cart.locked", "Try again in a moment.", ["A checkout is under way", "An audit holds the cart"],
    )  # fmt: skip
    assert [code for code, _, _ in view["depot", "Carts in the depot"]] == [
        "shop.cart.empty",
        "shop.cart.broken",
    ]
    assert sum(map(len, view.values())) == len(index["codes"])
    for thing in (*index["codes"], *index["domains"]):
        assert (both.folder / thing["url"].partition("#")[0]).is_file()
