"""`[tool.errkit]`, the sources that it names, and the registries of installed packages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from errkit.catalogs import harness
from errkit.config import (
    Config,
    Exemption,
    Source,
    default_sources,
    discover,
    load_registries,
    load_sources,
    read_config,
)
from errkit.errors import CodedError
from errkit.message import format_error
from errkit.registry import REGISTRY, Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Write = Callable[[str, str], Path]

ROOT = Path(__file__).parent.parent


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file below the temporary folder."""

    def write_file(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    return write_file


@pytest.fixture
def modules(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes modules that can be imported; what they register and load is forgotten at the end."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    with REGISTRY.scoped():
        yield write
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


def refusal(call: Callable[[], object], code: str) -> Any:
    """The error that a call is refused with."""
    with pytest.raises(CodedError) as caught:
        call()
    assert caught.value.code == code
    assert caught.value.details_problem is None
    return caught.value


# --- settings -----------------------------------------------------------------------------------------------

SETTINGS = """
[project]
name = "shop"

[tool.errkit]
registries = ["shop.errors", { registry = "catalog.toml", prefix = "old/shop", name = "old" }]
prose = "docs/errors"
markup = "md"
docs = "build/site"
base_url = "https://example.com/errors"
lock = "codes.lock"
exempt = [{ code = "shop.gone", check = "docs", reason = "internal tool" }]
"""


def test_all_settings_are_read(write: Write, tmp_path: Path) -> None:
    """Each setting arrives checked, with paths that start from the file's folder."""
    path = write("pyproject.toml", SETTINGS)
    assert read_config(tmp_path) == Config(
        root=tmp_path,
        path=path,
        registries=("shop.errors", {"registry": "catalog.toml", "prefix": "old/shop", "name": "old"}),
        prose=tmp_path / "docs/errors",
        markup="md",
        docs=tmp_path / "build/site",
        base_url="https://example.com/errors",
        lock=tmp_path / "codes.lock",
        exempt=(Exemption(code="shop.gone", check="docs", reason="internal tool"),),
    )


def test_the_nearest_table_counts(write: Write, tmp_path: Path) -> None:
    """The search goes upwards, past files that say nothing of errkit, also from a file."""
    write("pyproject.toml", SETTINGS)
    write("packages/shop/pyproject.toml", "[project]\nname = 'x'")
    module = write("packages/shop/src/errors.py", "")
    write("other/pyproject.toml", "[tool.errkit]\nmarkup = 'rst'")
    assert read_config(module).root == tmp_path
    assert read_config(module.parent).markup == "md"
    assert read_config(tmp_path / "other").markup == "rst"


def test_without_a_table_all_is_default(tmp_path: Path) -> None:
    """No project means no path, no registries and default settings, and no error."""
    found = read_config(tmp_path)
    assert (found.path, found.registries, found.markup, found.exempt) == (None, (), "rst", ())
    assert found.lock == tmp_path / "errors.lock.json"


def test_a_broken_file_of_others_is_passed_over(write: Write, tmp_path: Path) -> None:
    """A pyproject.toml that does not mention errkit is not even parsed."""
    write("pyproject.toml", "[[[")
    assert read_config(tmp_path).path is None


@pytest.mark.parametrize(
    ("text", "key", "problem"),
    [
        ("[tool.errkit", "tool.errkit", "no TOML"),
        ("[tool]\nerrkit = 3", "tool.errkit", "expected a table, found a number"),
        ("[tool.errkit]\nregistires = []", "tool.errkit.registires", "did you mean 'registries'?"),
        ("[tool.errkit]\nxyz = []", "tool.errkit.xyz", "there are registries, prose"),
        ("[tool.errkit]\nregistries = 'a'", "tool.errkit.registries", "write ['a']"),
        ("[tool.errkit]\nregistries = [3]", "tool.errkit.registries[0]", "found int"),
        ("[tool.errkit]\nregistries = [' ']", "tool.errkit.registries[0]", "is empty"),
        ("[tool.errkit]\nregistries = [{}]", "tool.errkit.registries[0].registry", "expected a module"),
        (
            "[tool.errkit]\nregistries = [{ registry = 'a', prefix = '../b' }]",
            "tool.errkit.registries[0].prefix",
            "found '../b'",
        ),
        (
            "[tool.errkit]\nregistries = ['a', { registry = 'a', nmae = 'b' }]",
            "tool.errkit.registries[1].nmae",
            "there are registry, prefix, name",
        ),
        ("[tool.errkit]\nprose = 1", "tool.errkit.prose", "expected text, found a number"),
        ("[tool.errkit]\ndocs = ''", "tool.errkit.docs", "is empty"),
        ("[tool.errkit]\nmarkup = 'html'", "tool.errkit.markup", "found 'html'"),
        ("[tool.errkit]\nbase_url = 'example.com'", "tool.errkit.base_url", "https://"),
        ("[tool.errkit]\nexempt = {}", "tool.errkit.exempt", "expected a list, found a table"),
        ("[tool.errkit]\nexempt = [1]", "tool.errkit.exempt[0]", "expected a table"),
        (
            "[tool.errkit]\nexempt = [{ code = 'a', check = 'b' }]",
            "tool.errkit.exempt[0].reason",
            "is missing",
        ),
        (
            "[tool.errkit]\nexempt = [{ code = 'a', check = 'b', reason = ' ' }]",
            "tool.errkit.exempt[0].reason",
            "is empty",
        ),
        (
            "[tool.errkit]\nexempt = [{ code = 'a', check = 'b', reason = 'c', d = 'e' }]",
            "tool.errkit.exempt[0].d",
            "there are code, check, reason",
        ),
    ],
)
def test_a_wrong_setting_is_named(text: str, key: str, problem: str, write: Write, tmp_path: Path) -> None:
    """The refusal names the file, the key, what stands there and what belongs there."""
    path = write("pyproject.toml", text)
    error = refusal(lambda: read_config(tmp_path), "errkit.bad_config")
    assert (error.details["path"], error.details["key"]) == (str(path), key)
    assert problem in error.details["problem"]
    assert str(path) in error.message


@given(
    table=st.dictionaries(
        st.sampled_from(["registries", "prose", "markup", "docs", "base_url", "lock", "exempt", "x"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=2)
                | st.dictionaries(st.sampled_from(["registry", "prefix", "name", "code"]), inner)
            ),
            max_leaves=4,
        ),
    )
)
def test_no_table_raises_anything_else(table: dict[str, Any]) -> None:
    """Whatever stands in the table: it is read, or refused as `errkit.bad_config`."""
    from errkit.config.settings import _config

    try:
        _config(ROOT, table)
    except CodedError as error:
        found = error
        assert refusal(lambda: _config(ROOT, table), "errkit.bad_config").message == found.message


def test_the_room_needs_the_standard_library_only() -> None:
    """Settings can be read in a bare interpreter, and reading them imports no source."""
    script = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from errkit.config import read_config
read_config("/")
foreign = {{name.partition(".")[0] for name in sys.modules}} - set(sys.stdlib_module_names)
print(sorted(foreign), "errkit.catalogs" in sys.modules, "importlib.metadata" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["['__main__',", "'errkit']", "False", "False"]


# --- sources ------------------------------------------------------------------------------------------------

DOMAIN = """
from errkit import CodedError, code

class {name}Error(CodedError, domain="{domain}"):
    ONE = code("One of {domain}")
"""
REGISTRY_MODULE = """
from errkit import CodedError, Registry, code

REG = Registry("own_name", markup="md")

class Base(CodedError, registry=REG): ...
class OneError(Base, domain="one"):
    A = code("A")
class TwoError(Base, domain="two"):
    B = code("B")
class Codes(OneError, TwoError, facade=True): ...
"""
CATALOG = '{"format": "errkit.catalog/1", "registry": "filed", "domains": [{"domain": "filed"}]}'


def codes(item: object, root: Path | None = None) -> list[str]:
    """The codes of the one registry that an item names."""
    (registry,) = load_registries([item], root=root)
    return [spec.code for spec in registry]


def test_a_module_with_one_registry_gives_that(modules: Write) -> None:
    """The registry itself comes, not a copy."""
    modules("with_registry.py", REGISTRY_MODULE)
    (source,) = load_sources(["with_registry"])
    assert source.registry is sys.modules["with_registry"].REG
    assert (source.prefix, source.item) == (None, "with_registry")


def test_a_module_without_a_registry_gives_its_domains(modules: Write) -> None:
    """All domains defined in a module come under its last name, and none that it only imports."""
    modules(
        "bare.py", DOMAIN.format(name="Bare", domain="bare") + "from errkit import ErrkitError, REGISTRY\n"
    )
    (registry,) = load_registries(["bare"])
    assert registry.name == "bare"
    assert registry is not REGISTRY
    assert [spec.code for spec in registry] == ["bare.one"]
    assert registry["bare.one"] is REGISTRY["bare.one"]


def test_a_package_gives_the_domains_of_its_submodules(modules: Write) -> None:
    """Submodules are imported, nested ones too, but never `__main__`; a name that looks alike stays out."""
    modules("pack/__init__.py", "")
    modules("pack/__main__.py", "raise SystemExit('never run')")
    modules("pack/cart.py", DOMAIN.format(name="Cart", domain="pack.cart"))
    modules("pack/deep/__init__.py", "")
    modules("pack/deep/till.py", DOMAIN.format(name="Till", domain="pack.till"))
    modules("pack_other.py", DOMAIN.format(name="Other", domain="pack_other"))
    load_sources(["pack_other"])
    assert codes("pack") == ["pack.cart.one", "pack.till.one"]


def test_a_package_that_fills_its_registry_elsewhere(modules: Write) -> None:
    """A registry that is still empty is filled by importing the submodules."""
    modules("filled/__init__.py", "from errkit import Registry\nREG = Registry('filled')\n")
    modules(
        "filled/cart.py",
        "from errkit import CodedError, code\nfrom filled import REG\n"
        "class CartError(CodedError, domain='cart', registry=REG):\n    ONE = code('One')\n",
    )
    assert codes("filled") == ["cart.one"]


def test_a_facade_module_gives_what_it_gathers(modules: Write) -> None:
    """A module that defines no domain but imports some stands for those."""
    modules("parts.py", DOMAIN.format(name="Part", domain="part"))
    modules(
        "front.py",
        "from errkit import ErrkitError\nfrom parts import PartError\n"
        "class Codes(PartError, facade=True): ...\n",
    )
    assert codes("front") == ["part.one"]


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [
        ("REG", ["one.a", "two.b"]),
        ("OneError", ["one.a"]),
        ("Codes", ["two.b", "one.a"]),
        ("Base", ["one.a", "two.b"]),
    ],
)
def test_an_attribute_may_be_a_registry_or_a_class(
    attribute: str, expected: list[str], modules: Write
) -> None:
    """`module:attribute` takes a registry, a domain, a facade, or the common base of some domains."""
    modules("with_registry.py", REGISTRY_MODULE)
    assert sorted(codes(f"with_registry:{attribute}")) == sorted(expected)
    (registry,) = load_registries([f"with_registry:{attribute}"])
    assert registry.markup == "md"


def test_a_catalogue_path_starts_from_the_root(write: Write, tmp_path: Path) -> None:
    """A path to JSON or TOML is relative to the root, and may be absolute."""
    path = write("data/filed.json", CATALOG)
    for item in ("data/filed.json", str(path)):
        (registry,) = load_registries([item], root=tmp_path)
        assert registry.name == "filed"


def test_a_table_gives_prefix_and_name(modules: Write) -> None:
    """A name makes another registry with the same specs; the one that the module holds keeps its own."""
    modules("with_registry.py", REGISTRY_MODULE)
    first, second = load_sources(
        ["with_registry", {"registry": "with_registry", "prefix": "a/b", "name": "again"}]
    )
    assert (first.registry.name, second.registry.name, second.prefix) == ("own_name", "again", "a/b")
    assert second.registry["one.a"] is first.registry["one.a"]
    assert second.registry.markup == "md"


def test_a_registry_is_its_own_source() -> None:
    """A live registry may stand in the list, also in a table."""
    assert load_sources([harness.REGISTRY, {"registry": REGISTRY, "prefix": "p"}]) == [
        Source(registry=harness.REGISTRY, item="harness"),
        Source(registry=REGISTRY, prefix="p", item="errkit"),
    ]


@pytest.mark.parametrize("markup", ["rst", "md", "text"])
def test_the_markup_of_the_project_reaches_gathered_domains(
    markup: str, modules: Write, write: Write, tmp_path: Path
) -> None:
    """Domains of the default registry are written in the markup that the configuration says."""
    write("pyproject.toml", f"[tool.errkit]\nmarkup = '{markup}'\n")
    modules("bare.py", DOMAIN.format(name="Bare", domain="bare"))
    (source,) = load_sources(["bare"], markup=read_config(tmp_path).markup)
    assert source.registry.markup == markup


def test_a_module_in_src_is_found_and_the_way_to_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project that is not installed keeps its modules where Python does not look."""
    (tmp_path / "src" / "till_of_src").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    error = refusal(lambda: load_sources(["till_of_src.errors"]), "errkit.bad_source")
    assert f"there is no module 'till_of_src'; {Path('src', 'till_of_src')} is not on" in str(error)
    assert "PYTHONPATH=src" in str(error)


def test_without_a_project_there_are_errkit_and_the_catalogues() -> None:
    """The defaults are the default registry with the ready-made domains, and the three catalogues."""
    sources = default_sources()
    assert [source.registry.name for source in sources] == ["errkit", "agent_core", "agent_device", "harness"]
    assert sources[0].registry is REGISTRY
    assert {"errkit.bad_source", "internal"} <= set(REGISTRY.codes)


@pytest.mark.parametrize(
    ("item", "problem"),
    [
        ("no_such_modul", "there is no module 'no_such_modul'"),
        ("errkit.catalogs.harnes", "did you mean 'errkit.catalogs.harness'?"),
        ("errkit.catalog.harness", "there is no module 'errkit.catalog'; did you mean 'errkit.catalogs'"),
        ("errkit.catalogs.harness:REGISTR", "did you mean 'REGISTRY'?"),
        ("errkit.catalogs.harness:REGISTRY.nam", "did you mean 'name'?"),
        ("errkit.catalogs.harness:HarnessDetails", "expected a Registry or a class with domain="),
        ("errkit.fields", "declares no code"),
        ("errkit.catalogs", "list its modules one by one"),
        ("src/shop/errors.py", "did you mean the module 'src.shop.errors'?"),
        ("bare.py", "did you mean 'bare'?"),
        ("a b", "neither a module nor a catalogue file"),
        ("filde.json", "did you mean 'filed.json'?"),
        ("bad.json", "line 1, column 2"),
        ("needy", "needs the module 'not_installed_anywhere', which is not installed"),
        ("broken", "ZeroDivisionError: division by zero (at "),
        ("leaves", "SystemExit: 3 (at "),
        ("syntax", "SyntaxError"),
        ("unsound", "[errkit.bad_declaration]"),
        ("broken_pack", "broken_pack.inner can't be imported: RuntimeError: inside"),
        (3, "expected a module, module:attribute, a catalogue path"),
        ("", "is empty"),
        ({"registry": 3}, "registry: expected a module"),
        ({"registry": "errkit", "prefx": "x"}, "prefx: is no key here"),
    ],
)
def test_a_source_that_fails_says_why(item: Any, problem: str, modules: Write, tmp_path: Path) -> None:
    """Each way to fail is refused with the item, the reason, and what may have been meant."""
    modules("bare.py", DOMAIN.format(name="Bare", domain="bare"))
    modules("filed.json", CATALOG)
    modules("bad.json", "{")
    modules("needy.py", "import not_installed_anywhere")
    modules("broken.py", "x = 1\ny = 1 / 0")
    modules("leaves.py", "raise SystemExit(3)")
    modules("syntax.py", "x =")
    modules("unsound.py", DOMAIN.format(name="Bad", domain="not a domain"))
    modules("broken_pack/__init__.py", "")
    modules("broken_pack/inner.py", "raise RuntimeError('inside')")
    error = refusal(lambda: load_sources([item], root=tmp_path), "errkit.bad_source")
    assert problem in error.details["problem"]
    assert error.details["item"] in error.message
    assert error.hint


def test_an_address_is_no_file_and_keeps_its_password(tmp_path: Path) -> None:
    """As a path it would lose a slash, and nobody would take it for an address any more."""
    item = "https://u:hunter2@h.example/catalogue.json"
    error = refusal(lambda: load_sources([item], root=tmp_path), "errkit.bad_source")
    assert "is an address" in error.details["problem"]
    assert "hunter2" not in format_error(error, verbose=True)


def test_a_fault_names_the_line_of_the_user(modules: Write) -> None:
    """The place of a failed import is in the user's own file, and the failure itself is the cause."""
    path = modules("broken.py", "x = 1\ny = 1 / 0")
    error = refusal(lambda: load_sources(["broken"]), "errkit.bad_source")
    assert f"(at {path}:2)" in error.details["problem"]
    assert isinstance(error.__cause__, ZeroDivisionError)


def test_the_hint_of_a_coded_cause_is_kept(write: Write, tmp_path: Path) -> None:
    """A broken catalogue is refused with the advice for catalogues."""
    write("bad.json", "{")
    error = refusal(lambda: load_sources(["bad.json"], root=tmp_path), "errkit.bad_source")
    assert error.hint == error.__cause__.hint


@pytest.mark.parametrize(
    ("module", "hint"),
    [
        ("import not_installed_anywhere.inner", "Install not_installed_anywhere where errkit runs."),
        ("x =", 'Correct what fails there; python -c "import failing" shows all of it.'),
        ("raise SystemExit(3)", 'Correct what fails there; python -c "import failing" shows all of it.'),
    ],
)
def test_the_hint_fits_the_failure_of_a_module(module: str, hint: str, modules: Write) -> None:
    """Who named the right module is not told to name one."""
    modules("failing.py", module)
    assert refusal(lambda: load_sources(["failing"]), "errkit.bad_source").hint == hint


def test_two_registries_of_one_name_are_refused(modules: Write) -> None:
    """Names must tell registries apart; the refusal says how to give another."""
    modules("one/__init__.py", "")
    modules("two/__init__.py", "")
    modules("one/errors.py", DOMAIN.format(name="One", domain="one.errors"))
    modules("two/errors.py", DOMAIN.format(name="Two", domain="two.errors"))
    error = refusal(lambda: load_sources(["one.errors", "two.errors"]), "errkit.bad_source")
    assert "from one.errors" in error.details["problem"]
    named = {"registry": "two.errors", "name": "two"}
    assert [source.registry.name for source in load_sources(["one.errors", named])] == ["errors", "two"]


# --- discovery ----------------------------------------------------------------------------------------------


def announce(write: Write, folder: str, distribution: str, *lines: str) -> None:
    """Lay down the metadata of an installed package that announces registries."""
    home = f"{folder}/{distribution}-1.0.dist-info"
    write(f"{home}/METADATA", f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    write(f"{home}/entry_points.txt", "\n".join(["[errkit.registries]", *lines]))


def test_installed_registries_are_found(
    modules: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Registries come sorted by name; a broken one is an error in its place; a repeat counts once.
    https://github.com/python/importlib_metadata/issues/280, https://github.com/PyCQA/flake8/issues/701
    """
    modules("with_registry.py", REGISTRY_MODULE)
    modules("bare.py", DOMAIN.format(name="Bare", domain="bare"))
    announce(modules, "site1", "zeta", "alpha = with_registry:REG [extra]", "broken = not_there:REG")
    announce(modules, "site1", "eta", "beta = bare")
    announce(modules, "site2", "Zeta", "alpha = with_registry:REG", "stale = not_there_either")
    for folder in ("site2", "site1"):
        monkeypatch.syspath_prepend(tmp_path / folder)
    found = discover()
    assert [name for name, _ in found] == ["alpha", "beta", "broken"]
    (_, alpha), (_, beta), (_, broken) = found
    assert alpha is sys.modules["with_registry"].REG
    assert isinstance(beta, Registry)
    assert beta.name == "bare"
    assert isinstance(broken, CodedError)
    assert broken.code == "errkit.bad_source"


def test_discovery_forgets_its_failures(
    modules: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package that could not be loaded is tried again (EleutherAI/lm-evaluation-harness/issues/4203)."""
    announce(modules, "site1", "late", "late = late_module:REG")
    monkeypatch.syspath_prepend(tmp_path / "site1")
    ((_, first),) = discover()
    assert isinstance(first, CodedError)
    modules("late_module.py", REGISTRY_MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    ((_, second),) = discover()
    assert isinstance(second, Registry)
