"""Lists of codes that nobody here wrote, as catalogues; and what is said of the gaps."""

from __future__ import annotations

import gzip
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from errkit import CodedError, Registry
from errkit.imports import READERS, import_list
from errkit.imports.draft import Entry, draft

if TYPE_CHECKING:
    from errkit.imports import Draft


def imported(folder: Path, form: str, name: str, text: str, **names: str) -> Draft:
    """A file of this text, taken over; the catalogue loads, or the test fails."""
    path = folder / name
    path.write_text(text, "utf-8")
    made = import_list(form, [str(path)], names=names)
    Registry.from_catalog(made.catalogue)
    return made


def refused(folder: Path, form: str, name: str, text: str, **names: str) -> str:
    """The message with which a file is refused."""
    with pytest.raises(CodedError) as raised:
        imported(folder, form, name, text, **names)
    assert raised.value.code == "errkit.bad_import"
    assert not raised.value.details_problem
    return str(raised.value)


def codes(made: Draft) -> dict[str, dict[str, Any]]:
    """The codes of a draft by their code."""
    return {code["code"]: code for domain in made.catalogue["domains"] for code in domain["codes"]}


def rules(made: Draft) -> set[tuple[str, str]]:
    """What was noted of which code."""
    return {(each.rule, each.code) for each in made.notes}


LIST = """
errors:
  - name: cart-empty
    message: The cart is empty
    status: 409
    fix: Add an item.
    category: cart
  - {name: cart_empty, message: Again, category: cart}
  - {name: "caf\u00e9 closed", number: 3, category: caf, retryable: true}
"""


def test_fields_are_guessed(tmp_path: Path) -> None:
    """A name is a code, a message is a title, a fix is a hint; gaps and choices are noted."""
    made = imported(tmp_path, "list", "shop.yaml", LIST)
    found = codes(made)
    first = found["cart_empty"]
    assert (first["title"], first["hint"], first["http_status"]) == ("The cart is empty", "Add an item.", 409)
    assert first["aliases"] == ["cart-empty"]
    assert found["caf_closed"]["kind"] == "transient"
    assert made.catalogue["registry"] == "shop"
    assert made.catalogue["domains"][1]["numbers"] == [3, 3]
    assert {("collision", "cart.cart_empty"), ("title", "caf_closed"), ("hint", "cart.cart_empty")} <= rules(
        made
    )
    assert ("hint", "cart_empty") not in rules(made)
    [place] = [each.place for each in made.notes if each.rule == "collision"]
    assert place == "errors[1]"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '[{"code": "A_B", "title": "Ab"}]'),
        ("a.json", '{"A_B": {"message": "Ab"}}'),
        ("a.json", '{"A_B": "Ab"}'),
        ("a.json", '{"codes": {"group": {"A_B": {"text": "Ab"}}}}'),
        ("a.json", '{"group": [{"id": "A_B", "summary": "Ab"}]}'),
        ("a.toml", '[[errors]]\nkey = "A_B"\nlabel = "Ab"'),
        ("a.toml", '[A_B]\nmsg = "Ab"'),
        ("a.yml", "A_B: Ab"),
        ("a", "- errorCode: A_B\n  Message: Ab"),
        ("a.csv", "Code,Title\nA_B,Ab\n"),
    ],
)
def test_the_shape_of_a_list_is_found(name: str, text: str, tmp_path: Path) -> None:
    """A list, an object by code, a group of them, in any of four formats."""
    made = imported(tmp_path, "list", name, text)
    assert {code: each["title"] for code, each in codes(made).items()} == {"A_B": "Ab"}


def test_fields_are_told(tmp_path: Path) -> None:
    """Where the guess is wrong; a field that is not there is refused."""
    text = '[{"k": "A", "name": "Ab", "was": "tun"}]'
    [code] = codes(imported(tmp_path, "list", "a.json", text, code="k", title="name", hint="was")).values()
    assert (code["code"], code["title"], code["hint"]) == ("A", "Ab", "tun")
    assert "no object has the field 'x'" in refused(tmp_path, "list", "a.json", text, code="x")
    assert "'colour' is none of code, title" in refused(tmp_path, "list", "a.json", text, colour="k")


@pytest.mark.parametrize(
    ("form", "name", "text", "said"),
    [
        ("list", "a.json", "[", "can't be parsed"),
        ("list", "a.json", "[1]", "[0]: expected an object"),
        ("list", "a.json", "[]", "holds no code"),
        ("list", "a.yaml", "a: [", "line 1: is no YAML"),
        ("list", "a.yaml", "!!python/object/apply:os.system ['true']", "is no YAML"),
        ("list", "a.toml", "a =", "can't be parsed"),
        ("list", "a.json", "[" * 200 + "]" * 200, "nested deeper than 64"),
        ("list", "a.json", '{"a": ' * 90 + "1" + "}" * 90, "nested deeper than 64"),
        ("ruff", "a.json", "{}", "expected a list of rules"),
        ("pylint", "a.txt", "nothing", "holds no code"),
        ("mypy", "a.py", "def", "is no Python"),
        ("botocore", "a.json", "{}", "expected a model of botocore"),
        ("openapi", "a.json", "[]", "expected an OpenAPI document"),
        ("http", "a.csv", "a,b", "holds no code"),
    ],
)
def test_what_is_refused(form: str, name: str, text: str, said: str, tmp_path: Path) -> None:
    """With the file, the place in it and the reason; nothing in it is run."""
    assert said in refused(tmp_path, form, name, text)


def test_a_giant_of_aliases_is_refused(tmp_path: Path) -> None:
    """YAML can say in ten lines what fills the memory."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    assert "holds more than" in refused(tmp_path, "list", "a.yaml", "\n".join(lines))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """No file, no UTF-8, no gzip."""
    (tmp_path / "a.json").write_bytes(b"\xff")
    (tmp_path / "a.json.gz").write_bytes(b"\xff")
    for name, said in {
        "none": "No such file",
        "a.json": "byte 0: expected UTF-8",
        "a.json.gz": "can't be read",
    }.items():
        with pytest.raises(CodedError, match=said):
            import_list("list", [str(tmp_path / name)])


# --- tools ----------------------------------------------------------------------------------------------


def test_ruff(tmp_path: Path) -> None:
    """Every rule, found by its code and its name; headings are noted."""
    command = [str(Path(sys.executable).with_name("ruff")), "rule", "--all", "--output-format", "json"]
    text = subprocess.check_output(command, text=True)
    made = imported(tmp_path, "ruff", "ruff.json", text)
    assert made.size == len(json.loads(text))
    registry = Registry.from_catalog(made.catalogue)
    assert registry["unused-import"].code == "F401"
    assert (registry.headings, registry.markup, registry["F401"].kind) == ("bold", "md", "outcome")
    assert ("headings", "F401") in rules(made)


def test_pylint(tmp_path: Path) -> None:
    """Every message that it lists."""
    text = subprocess.check_output([sys.executable, "-m", "pylint", "--list-msgs"], text=True)
    made = imported(tmp_path, "pylint", "pylint.txt", text)
    assert made.size == text.count("\n:")
    registry = Registry.from_catalog(made.catalogue)
    assert registry["unused-import"].code == "W0611"
    assert registry["C0103"].title == '%s name "%s" doesn\'t conform to %s'
    assert "naming rules associated to its type" in str(registry["C0103"].description)


def test_mypy(tmp_path: Path) -> None:
    """Every code that the module declares, read without importing it."""
    package = importlib.util.find_spec("mypy")
    assert package is not None
    assert package.origin is not None
    text = Path(package.origin).with_name("errorcodes.py").read_text("utf-8")
    registry = Registry.from_catalog(imported(tmp_path, "mypy", "errorcodes.py", text).catalogue)
    assert registry["attr-defined"].code == "attr_defined"
    assert registry["truthy-bool"].hint == "Enable it with `--enable-error-code truthy-bool`."


def test_botocore(tmp_path: Path) -> None:
    """The errors of a service, with their details; from a packed file, too."""
    package = importlib.util.find_spec("botocore")
    assert package is not None
    assert package.origin is not None
    folder = Path(package.origin).parent / "data" / "s3"
    [packed] = folder.glob("*/service-2.json.gz")
    made = import_list("botocore", [str(packed)])
    registry = Registry.from_catalog(made.catalogue)
    assert registry["s3.NoSuchBucket"].title == "No Such Bucket"
    text = gzip.decompress(packed.read_bytes()).decode()
    assert imported(tmp_path, "botocore", "service-2.json", text).size == made.size > 10


OPENAPI = """
openapi: 3.1.0
paths:
  /carts/{id}:
    get:
      operationId: getCart
      tags: [Cart]
      responses:
        200: {description: fine}
        404: {description: "No such cart\\n\\nIt may have expired."}
        503: {$ref: "#/components/responses/Busy"}
    delete:
      tags: [Cart]
      responses:
        "503": {$ref: "#/components/responses/Busy"}
components:
  responses:
    Busy: {description: Try again later}
"""


def test_openapi(tmp_path: Path) -> None:
    """Responses from 400 on; a shared one is one code."""
    found = codes(imported(tmp_path, "openapi", "api.yaml", OPENAPI))
    assert sorted(found) == ["cart.get_cart_404", "shared.busy"]
    assert (found["cart.get_cart_404"]["title"], found["cart.get_cart_404"]["http_status"]) == (
        "No such cart",
        404,
    )
    assert (found["shared.busy"]["title"], found["shared.busy"]["kind"]) == ("Try again later", "transient")


def test_http(tmp_path: Path) -> None:
    """Statuses from 400 on that mean something, by number."""
    text = 'Value,Description,Reference\n200,OK,x\n404,Not Found,"[RFC9110, Section 15.5.5]"\n'
    text += "418,(Unused),x\n430,Unassigned,\n503,Service Unavailable,[RFC9110]\n"
    registry = Registry.from_catalog(imported(tmp_path, "http", "http.csv", text).catalogue)
    assert [(spec.number, spec.const, spec.kind) for spec in registry] == [
        (404, "NOT_FOUND", "terminal"),
        (503, "SERVICE_UNAVAILABLE", "transient"),
    ]


# --- whatever a list says -------------------------------------------------------------------------------

texts = st.one_of(
    st.sampled_from(
        ["", "a", "A", "a.b", "a-b", "class", "md", "__x__", "a" * 200, "items", "\u202e", "NOT_FOUND"]
    ),
    st.text(max_size=12),
)
facts = st.fixed_dictionaries(
    {},
    optional={
        "number": st.integers(),
        "http_status": st.integers(0, 700),
        "kind": texts,
        "hint": texts,
        "description": texts,
        "since": texts,
        "replaced_by": texts,
        "docs": texts,
        "retry_after": st.floats(0, 100),
        "public": st.booleans(),
    },
)
entries = st.builds(
    Entry,
    code=texts,
    place=st.just("here"),
    domain=texts,
    domain_title=texts,
    title=texts,
    facts=facts,
    aliases=st.lists(texts, max_size=3),
    details=st.lists(
        st.fixed_dictionaries({"name": texts, "type": texts, "required": st.booleans()}), max_size=3
    ),
)


@settings(max_examples=40)
@given(st.lists(entries, min_size=1, max_size=5))
def test_whatever_a_list_says_the_catalogue_loads(found: list[Entry]) -> None:
    """And no entry is lost without a note."""
    made = draft("any", [*found, Entry(code="SOUND", place="last")], "any.json")
    registry = Registry.from_catalog(made.catalogue)
    lost = sum(1 for each in made.notes if each.rule == "code")
    assert len(registry) == made.size == len(found) + 1 - lost


def test_every_format_is_told_by_the_help() -> None:
    """In one sentence each."""
    assert all(reader.about.endswith(".") for reader in READERS.values())
