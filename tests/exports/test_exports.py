"""The forms that a registry can be written in, and what holds for all of them."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from errkit import Registry
from errkit.catalogs import harness
from errkit.exports import FORMATS, export
from tests.exports.samples import HOSTILE, OUTLET

every_form = pytest.mark.parametrize("form", FORMATS)
REGISTRIES = {"outlet": OUTLET, "traps": HOSTILE, "harness": harness.REGISTRY, "empty": Registry("empty")}
every_registry = pytest.mark.parametrize("name", REGISTRIES)


@every_form
@every_registry
def test_the_same_registry_gives_the_same_text(form: str, name: str) -> None:
    """Twice in one process, and ending in one line break."""
    text = export(REGISTRIES[name], form)
    assert text == export(REGISTRIES[name], form)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_another_process_writes_the_same() -> None:
    """Whatever the hashes of texts are there."""
    script = (
        "import hashlib\nfrom errkit.exports import FORMATS, export\n"
        "from tests.exports.samples import OUTLET\n"
        "print(hashlib.sha256(''.join(export(OUTLET, form) for form in FORMATS).encode()).hexdigest())"
    )
    found = {
        subprocess.check_output([sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, text=True)
        for seed in ("1", "2")
    }
    assert len(found) == 1


@every_form
@every_registry
def test_nothing_steers_what_shows_it(form: str, name: str) -> None:
    """No control character but the line break, and no mark of writing direction, is in any file."""
    text = export(REGISTRIES[name], form)
    assert (
        re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]", text)
        == []
    )


@every_form
@pytest.mark.parametrize("audience", ["internal", "public"])
def test_a_planted_secret_is_in_no_export(form: str, audience: str) -> None:
    """Neither a default, nor an example, nor a text that holds one; a catalogue keeps what people wrote."""
    assert "planted-secret" not in export(OUTLET, form, audience)  # type: ignore[arg-type]
    if form != "json":
        assert "planted-3" not in export(HOSTILE, form, audience)  # type: ignore[arg-type]


@every_form
def test_the_public_sees_only_what_is_public(form: str) -> None:
    """No code that is not public is named, nor its domain, nor does another code point to it."""
    text = export(OUTLET, form, "public")
    assert "Cart is empty" in text
    assert re.findall("lost|vault", text, re.IGNORECASE) == []
    if form != "openapi":
        assert "lost" in export(OUTLET, form, "internal")


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "json"])
@every_registry
def test_a_file_says_which_command_wrote_it(form: str, name: str) -> None:
    """Near its top, the same wherever it was run; a catalogue has no room for comments."""
    head = export(REGISTRIES[name], form)[:600]
    assert f"Written by `errkit export {form}` from the registry " in head
    assert "Do not edit" in head


def test_a_public_catalogue_loads() -> None:
    """What is left of a catalogue is one."""
    from errkit.catalog_file import from_data, json_text  # noqa: F401

    data = json.loads(export(OUTLET, "json", "public"))
    assert [spec.code for spec in Registry.from_catalog(data)] == ["outlet.cart.empty", "outlet.cart.locked"]
    whole = Registry.from_catalog(json.loads(export(OUTLET, "json")))
    assert [spec.code for spec in whole] == [spec.code for spec in OUTLET]
