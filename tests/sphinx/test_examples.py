"""Examples are made, never typed: of a real error, by what a program would call."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from errkit import CodedError, dialects
from errkit.codes import ErrorSpec
from errkit.config import default_sources
from errkit.registry import Registry
from errkit.sphinx.examples import (
    NAMES,
    PYTHON,
    caption,
    example_error,
    forms_of,
    plain_text,
)
from tests.sphinx.samples import hostile, shop
from tests.sphinx.sites import Element, Site, elements, section

if TYPE_CHECKING:
    from pathlib import Path


EVERY = [spec for source in default_sources() for spec in source.registry]


def test_each_form_is_what_its_encoder_says() -> None:
    """For every code that errkit ships and every dialect: the example is what would be on the wire."""
    for spec in EVERY:
        error = example_error(spec)
        forms = dict(forms_of(spec, dialects.names()))
        assert set(forms) == (set() if error is None else set(dialects.names()))
        for name, value in forms.items():
            assert value == dialects.get(name).encode(error)
            assert json.loads(plain_text((name, value))) == value


def test_a_site_for_the_public_shows_what_the_public_gets() -> None:
    """In every dialect, whoever it is made for."""
    spec = shop.CartError.LOCKED.spec
    for name, value in forms_of(spec, dialects.names(), "public"):
        assert value == dialects.get(name).encode(example_error(spec), audience="public")
        assert "c-17" not in json.dumps(value)


def test_how_to_catch_a_code_catches_that_code_and_no_other() -> None:
    """The source is run for every code that errkit ships: its own error ends there, another one goes on."""
    for spec in EVERY:
        [form] = forms_of(spec, [PYTHON])
        source = plain_text(form).replace("try:\n    ...", "try:\n    raise thrown")
        compiled = compile(source, spec.code, "exec")
        error = example_error(spec)
        if error is not None:
            exec(compiled, {"thrown": error})
        other = CodedError("shop.of.nobody", "no")
        with pytest.raises(CodedError) as caught:
            exec(compiled, {"thrown": other})
        assert caught.value is other


def test_a_code_of_a_file_is_caught_by_its_text(tmp_path: Path) -> None:
    """There is no class to import."""
    path = tmp_path / "filed.json"
    domain = {"domain": "filed", "codes": [{"const": "LOST", "title": "Lost"}]}
    path.write_text(json.dumps({"format": "errkit.catalog/1", "registry": "filed", "domains": [domain]}))
    [spec] = Registry.load(path)
    [form] = forms_of(spec, [PYTHON])
    assert "from errkit import CodedError\n" in plain_text(form)
    assert 'if error.code != "filed.lost":' in plain_text(form)


def test_secrets_are_hidden_in_every_form() -> None:
    """A value that the declaration calls secret is in none of them."""
    said = [plain_text(form) for form in forms_of(shop.CartError.EMPTY.spec, NAMES)]
    assert len(said) == len(NAMES)
    assert "planted-secret-value" not in "".join(said)


def test_no_example_no_form() -> None:
    """Nothing is invented; how to catch the code can be said all the same."""
    empty = shop.CartError.EMPTY.spec
    lacking = ErrorSpec(code="x", title="X", const="EMPTY", cls=shop.CartError, details=empty.details)
    assert [name for name, _ in forms_of(lacking, NAMES)] == [PYTHON]


# --- on pages -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tabbed(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Two registries with every form there is."""
    conf = f'errkit_registries = ["shop", "hostile"]\nerrkit_examples = {list(NAMES)}\n'
    return Site(tmp_path_factory.mktemp("tabs"), conf)


def test_a_code_has_a_tab_for_each_form(tabbed: Site) -> None:
    """Radio buttons with labels, in a group with a name: for keys and for readers, without a script."""
    built = tabbed.build()
    assert built.warnings == []
    page = built.text("errors/shop.cart.html")
    found = elements(section(page, "err-shop-cart-empty"))
    inputs = [each.attributes for each in found if each.tag == "input"]
    assert [each["type"] for each in inputs] == ["radio"] * (1 + len(NAMES))
    assert ["checked" in each for each in inputs] == [True] + [False] * len(NAMES)
    assert len({each["name"] for each in inputs}) == 1
    labels = {each.attributes["for"]: each.text for each in found if each.tag == "label"}
    assert [labels[each["id"]] for each in inputs] == ["Payload", *map(caption, NAMES)]
    assert [each.text for each in found if each.tag == "legend"] == ["Examples"]
    assert "<script" not in section(page, "err-shop-cart-empty")
    every = [each.attributes["id"] for each in elements_of(page) if "id" in each.attributes]
    assert len(every) == len(set(every))
    [python, problem, *_] = [each.text for each in found if each.tag == "pre"][1:]
    assert "except CartError as error:\n    if error.code != CartError.EMPTY:" in python
    assert json.loads(problem)["details"] == {"cart": "c-17", "token": "[REDACTED]"}
    [nasty] = (built.folder / "errors").rglob("nasty.html")
    shown = [each.text for each in elements_of(nasty.read_text("utf-8")) if each.tag == "pre"]
    assert json.loads(shown[0])["details"]["text"] == hostile.NASTY
    assert "<script>alert" not in nasty.read_text("utf-8")
    for path in built.folder.rglob("*"):
        assert not path.is_file() or b"planted-secret-value" not in path.read_bytes(), path
    assert "iserror" in built.search_index()["terms"]


def elements_of(page: str) -> list[Element]:
    """The elements of the body of a page."""
    return elements(page[page.index("<body") : page.rindex("</body>") + 7])


def test_other_formats_list_the_forms(tabbed: Site) -> None:
    """One below the other, each under its name."""
    built = tabbed.build("text")
    assert built.warnings == []
    text = built.text("errors/shop.cart.txt")
    for name in NAMES:
        assert f"**{caption(name)}**" in text
    assert "except CartError as error:" in text


def test_pages_stay_small_where_nobody_asks_for_more(tmp_path: Path) -> None:
    """Without the setting a code has its payload alone."""
    site = Site(tmp_path, 'errkit_registries = ["shop"]\n')
    page = site.build().text("errors/shop.cart.html")
    assert "errkit-tabs" not in page
    assert '<p class="errkit-caption">Payload</p>' in page


def test_a_changed_setting_reads_the_pages_of_codes(tmp_path: Path) -> None:
    """The tabs come with the next build."""
    site = Site(tmp_path, 'errkit_registries = ["shop"]\n')
    site.build()
    site.write("conf.py", (site.folder / "conf.py").read_text("utf-8") + 'errkit_examples = ["problem"]\n')
    built = site.build()
    assert {"errors/shop.cart", "errors/shop.pay"} <= set(built.read)
    assert "Problem (HTTP)" in built.text("errors/shop.pay.html")
