"""Docstrings under codes, under fields and in classes are found wherever Python can say where they stand."""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
import py_compile
import subprocess
import sys
import textwrap
import warnings
import zipfile
from itertools import count
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from hypothesis import given, strategies as st

from errkit.codes import Details, ErrorSpec, code
from errkit.errors import CodedError
from errkit.prose import Prose, code_prose, details_prose, domain_prose, field_prose
from errkit.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEAD = """\
from errkit.codes import Details, Secret, code
from errkit.errors import CodedError
from errkit.registry import Registry

REG = Registry("prose")
"""
_NUMBERS = count()


class Loader(Protocol):
    """Writes a module, imports it, and gives it back."""

    def __call__(self, body: str, *, head: str = ..., encoding: str = ..., newline: str = ...) -> Any:
        """The module with this source below the usual imports."""


def import_file(path: Path) -> ModuleType:
    """The module in a file, registered in sys.modules as an import would."""
    name = f"errkit_prose_probe_{next(_NUMBERS)}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    with warnings.catch_warnings():
        # Some sources here are doubtful on purpose.
        warnings.simplefilter("ignore")
        spec.loader.exec_module(module)
    return module


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Loader]:
    """Modules made from source; they are forgotten after the test."""
    before = set(sys.modules)

    def load(body: str, *, head: str = HEAD, encoding: str = "utf-8", newline: str = "\n") -> Any:
        path = tmp_path / f"module_{next(_NUMBERS)}.py"
        source = head + textwrap.dedent(body)
        path.write_bytes(source.replace("\n", newline).encode(encoding))
        return import_file(path)

    yield load
    for name in set(sys.modules) - before:
        if name.startswith("errkit_prose_probe_"):
            del sys.modules[name]


def text(prose: Prose | None) -> str | None:
    """Only the words."""
    return None if prose is None else prose.text


def line_of(prose: Prose) -> str:
    """The source line to which the prose points."""
    with open(prose.file, encoding="utf-8") as file:
        return file.read().splitlines()[prose.line - 1]


# --- codes ------------------------------------------------------------------------------------------


def test_the_string_under_a_code_is_its_prose(load: Loader) -> None:
    """The string literal that follows a declaration is the code's prose, however the call is laid out."""
    module = load('''
        class E(CodedError, domain="a.b", registry=REG):
            ONE = code("One")
            """The first."""
            TWO = code(
                "Two",
                hint="Do this.",
            )

            # A comment and an empty line do not part them.
            """The second,

                indented
            over lines.
            """
            THREE: object = code("Three")
            "The third, " 'in parts.'
            FOUR = code("Four")
            FIVE = code("Five")
            """ \t
            """
            SIX = code("Six")
            x = 1
            """Under x, not under six."""
    ''')
    assert {spec.const: text(code_prose(spec)) for spec in module.REG} == {
        "ONE": "The first.",
        "TWO": "The second,\n\n    indented\nover lines.",
        "THREE": "The third, in parts.",
        "FOUR": None,
        "FIVE": None,
        "SIX": None,
    }


def test_prose_points_to_the_line_on_which_its_text_starts(load: Loader) -> None:
    """File and line name the first line of the text, also where the quotes stand on a line of their own."""
    module = load('''
        class E(CodedError, domain="a.b", registry=REG):
            """
            Of the domain.
            """
            ONE = code("One")
            """Right here."""
            TWO = code("Two")
            """

            After a gap."""
            THREE = code("Three")
            """\\
            After a joined line."""
    ''')
    one, two, three = (code_prose(spec) for spec in module.REG)
    domain = domain_prose(module.E.__domain__)
    assert one
    assert two
    assert three
    assert domain
    assert {prose.file for prose in (one, two, three, domain)} == {module.__file__}
    assert [line_of(prose).strip(' "') for prose in (one, two, three, domain)] == [
        "Right here.",
        "After a gap.",
        "After a joined line.",
        "Of the domain.",
    ]


def test_classes_in_classes_and_functions_are_found(load: Loader) -> None:
    """Nested classes and those made by a function have their prose, each its own."""
    module = load('''
        class Outer:
            class E(CodedError, domain="outer", registry=REG):
                """Outer domain."""
                ONE = code("One")
                """Of the outer."""

        def make():
            if REG:
                class E(CodedError, domain="local", registry=REG):
                    """Local domain."""
                    ONE = code("One")
                    """Of the local."""
            return E

        class E(CodedError, domain="top", registry=REG):
            """Top domain."""
            ONE = code("One")
            """Of the top."""

        make()
    ''')
    assert [text(code_prose(spec)) for spec in module.REG] == [
        "Of the outer.",
        "Of the top.",
        "Of the local.",
    ]
    assert [text(domain_prose(domain)) for domain in module.REG.domains] == [
        "Outer domain.",
        "Top domain.",
        "Local domain.",
    ]


def test_two_classes_of_one_name_are_told_apart_by_line(load: Loader) -> None:
    """Where a name is defined in several branches, the branch that ran counts."""
    module = load('''
        if len(REG) == 0:
            class E(CodedError, domain="a", registry=REG):
                """The branch that ran."""
                ONE = code("One")
                """Ran."""
        else:
            class E(CodedError, domain="a", registry=REG):
                """The other branch."""
                ONE = code("One")
                """Did not run."""
    ''')
    assert text(code_prose(module.E.ONE.spec)) == "Ran."
    assert text(domain_prose(module.E.__domain__)) == "The branch that ran."


def test_codes_in_branches_of_a_class_body_are_found(load: Loader) -> None:
    """A code may stand under `if`, `try` or `with` in its class; the assignment that ran counts."""
    module = load('''
        class E(CodedError, domain="a", registry=REG):
            if len(REG) > 0:
                ONE = code("One")
                """Not this."""
            elif True:
                ONE = code("One")
                """But this."""
            try:
                TWO = code(1 / 0)
                """Not this either."""
            except ZeroDivisionError:
                TWO = code("Two")
                """The handler's."""
            finally:
                THREE = code("Three")
                """At last."""
            match len(REG):
                case 0:
                    FOUR = code("Four")
                    """By a case."""
    ''')
    assert [text(code_prose(spec)) for spec in module.REG] == [
        "But this.",
        "The handler's.",
        "At last.",
        "By a case.",
    ]


def test_inherited_and_shared_codes_keep_the_prose_of_their_owner(load: Loader) -> None:
    """A subclass, a class bound to a code, a facade and another registry show the owner's prose."""
    module = load('''
        class E(CodedError, domain="a", registry=REG):
            ONE = code("One")
            """Of the owner."""

        class Sub(E):
            """A docstring of the subclass alone."""

        class Bound(E, of=E.ONE):
            """A docstring of the bound class alone."""

        class ErrorCodes(E, facade=True):
            """A facade."""

        OTHER = Registry("other")
        OTHER.include(REG)
    ''')
    codes = [module.E.ONE, module.Sub.ONE, module.Bound.ONE, module.ErrorCodes.ONE]
    specs = [*(code.spec for code in codes), module.OTHER["a.one"]]
    assert {text(code_prose(spec)) for spec in specs} == {"Of the owner."}


def test_a_code_made_by_a_helper_is_found_through_its_class(load: Loader) -> None:
    """The line of the `code()` call may lie in a helper function; the class tells where the prose stands."""
    module = load('''
        def public(title):
            return code(title, public=True)

        class E(CodedError, domain="a", registry=REG):
            ONE = public("One")
            """Beside the helper."""
    ''')
    assert text(code_prose(module.E.ONE.spec)) == "Beside the helper."


def test_a_renamed_class_is_found_by_line(load: Loader) -> None:
    """A class whose qualified name was changed after its body ran keeps the prose of its codes."""
    module = load('''
        class E(CodedError, domain="a", registry=REG):
            ONE = code("One")
            """Still here."""

        E.__qualname__ = E.__name__ = "Renamed"
    ''')
    assert text(code_prose(module.E.ONE.spec)) == "Still here."


def test_an_explicit_description_wins(load: Loader) -> None:
    """What a catalogue file says of a code or a domain goes before the source."""
    module = load('''
        class E(CodedError, domain="a", registry=REG, description="  Given.\\n"):
            """Written."""
            ONE = code("One")
            """Written."""
    ''')
    spec = ErrorSpec(
        code="a.one",
        title="One",
        const="ONE",
        cls=module.E,
        file=module.__file__,
        line=9,
        description="\n  Given.\n",
    )
    assert code_prose(spec) == Prose(text="Given.", file=module.__file__, line=9, escaped=True)
    assert text(domain_prose(module.E.__domain__)) == "Given."


def test_prose_can_be_given_with_the_declaration() -> None:
    """A code that a program makes has no string under it; what is given wins and goes into an export."""
    registry = Registry("made")
    codes = {name: code(name.title(), description=f"  What {name} means.\n") for name in ("ONE", "TWO")}
    cls = type("MadeError", (CodedError,), codes, domain="made", registry=registry)
    assert [text(code_prose(spec)) for spec in registry] == ["What ONE means.", "What TWO means."]
    assert Registry.from_catalog(json.loads(registry.export())) == registry
    assert cls.__module__ == __name__


def test_a_domain_without_a_docstring_has_no_prose(load: Loader) -> None:
    """The docstring of `CodedError`, or of a base in between, is not the domain's."""
    module = load('''
        class Base(CodedError, registry=REG):
            """Of the base."""

        class E(Base, domain="a"):
            ONE = code("One")
    ''')
    assert domain_prose(module.E.__domain__) is None


# --- details ----------------------------------------------------------------------------------------


def test_details_and_their_fields_have_prose_through_their_bases(load: Loader) -> None:
    """Fields come with the text written under them, bases first; a subclass may write its own."""
    module = load('''
        class Base(Details):
            """Of the base."""
            path: str
            """Where."""
            op: str = "read"
            """What was tried."""
            silent: int = 0

        class Sub(Base):
            op: str = "write"
            path: str
            """Where else."""
            token: Secret[str]
            """A secret."""
            LIMIT = 3
            """No field."""
            _private: int = 1
            """No field."""

            def helper(self) -> None:
                """No field."""
                local: int = 1
                """No field."""
    ''')
    assert dict(field_prose(module.Base)) == {"path": "Where.", "op": "What was tried."}
    assert list(field_prose(module.Sub).items()) == [
        ("path", "Where else."),
        ("op", "What was tried."),
        ("token", "A secret."),
    ]
    assert text(details_prose(module.Base)) == "Of the base."
    assert details_prose(module.Sub) is None


def test_bases_from_other_modules_are_read_there(load: Loader) -> None:
    """Each class along the bases is looked up in its own file."""
    base = load('''
        class Base(Details):
            path: str
            """Elsewhere."""
    ''')
    module = load(f'''
        from {base.__name__} import Base

        class Sub(Base):
            op: str
            """Here."""
    ''')
    assert dict(field_prose(module.Sub)) == {"path": "Elsewhere.", "op": "Here."}


# --- every text ---------------------------------------------------------------------------------------

_LAYOUT = st.text(alphabet=" \t\nab\\.é", max_size=60)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all examples of a property."""
    return tmp_path_factory.mktemp("prose")


def details_in(folder: Path, source: str) -> type[Details]:
    """A Details class `Probe` that claims to stand in a file with this source; the file is never run."""
    path = folder / f"text_{next(_NUMBERS)}.py"
    path.write_text(source, "utf-8")
    name = f"errkit_prose_text_{path.stem}"
    sys.modules[name] = ModuleType(name)
    sys.modules[name].__file__ = str(path)
    return type("Probe", (Details,), {"__module__": name, "__qualname__": "Probe"})


@given(raw=_LAYOUT)
def test_text_is_cleaned_as_inspect_does(folder: Path, raw: str) -> None:
    """Any docstring comes out as `inspect.cleandoc` gives it, up to blank ends; one without words is none."""

    def seen(words: str) -> list[str]:
        return "\n".join(line.rstrip() for line in words.split("\n")).strip("\n").split("\n")

    prose = details_prose(details_in(folder, f"class Probe:\n    {raw!r}\n"))
    assert seen(text(prose) or "") == seen(inspect.cleandoc(raw))


@given(
    before=st.integers(0, 5),
    gap=st.integers(0, 4),
    quote=st.sampled_from(['"""', "'''"]),
    prefix=st.sampled_from(["", "r", "u"]),
)
def test_the_line_is_right_for_any_layout(
    folder: Path, before: int, gap: int, quote: str, prefix: str
) -> None:
    """The first line of the text is where `line` says, for any number of empty lines around the quotes."""
    newlines = "\n" * gap
    cls = details_in(
        folder,
        f"{'#' + chr(10)}" * before + f"class Probe:\n\n  {prefix}{quote}{newlines}  Text.\n  {quote}\n",
    )
    prose = details_prose(cls)
    assert prose
    assert line_of(prose).strip("\"' ru") == "Text."


# --- where the source is ------------------------------------------------------------------------------

SOURCE = HEAD + textwrap.dedent('''
    class D(Details):
        """Of the details."""
        path: str
        """Of the field."""

    class E(CodedError, domain="a", registry=REG):
        """Of the domain."""
        ONE = code("One", D)
        """Of the code."""
''')
ALL = ["Of the code.", "Of the domain.", "Of the details.", "Of the field."]


def everything(module: Any) -> list[str | None]:
    """All four kinds of prose of a module with SOURCE."""
    found = [code_prose(module.E.ONE.spec), domain_prose(module.E.__domain__), details_prose(module.D)]
    return [*map(text, found), field_prose(module.D).get("path")]


def test_a_changed_file_is_read_again(load: Loader) -> None:
    """Prose follows the file when it changes, so a long-running site build or notebook is never stale."""
    module = load("", head=SOURCE)
    assert everything(module) == ALL
    with open(module.__file__, "w", encoding="utf-8") as file:
        file.write(SOURCE.replace("Of the", "Now of the"))
    assert everything(module) == [words.replace("Of the", "Now of the") for words in ALL]


def test_an_unchanged_file_is_parsed_once(load: Loader) -> None:
    """Asking again gives the very same text: the file is neither read nor parsed a second time."""
    module = load("", head=SOURCE)
    first, second = code_prose(module.E.ONE.spec), code_prose(module.E.ONE.spec)
    assert first
    assert second
    assert first.text is second.text


def breakages() -> dict[str, bytes | None]:
    """What may have become of a source file since it was imported; None deletes it."""
    return {
        "deleted": None,
        "empty": b"",
        "syntax error": b"class E(:\n",
        "binary": bytes(range(256)),
        "null bytes": b"x = 1\0\n",
        "unknown encoding": b"# -*- coding: klingon -*-\n",
        "not in its encoding": b"x = '\xff\xfe'\n",
        "nested too deep": b"x = " + b"(" * 5_000 + b")" * 5_000,
    }


@pytest.mark.parametrize("kind", breakages())
def test_no_readable_source_means_no_prose(load: Loader, kind: str) -> None:
    """A source that is gone or broken takes its prose along, and raises nothing."""
    module = load("", head=SOURCE)
    os.remove(module.__file__)
    content = breakages()[kind]
    if content is not None:
        with open(module.__file__, "wb") as file:
            file.write(content)
    assert everything(module) == [None] * 4


def test_a_class_without_a_module_has_no_prose() -> None:
    """Classes made at run time, in no file or in a folder, have no prose."""
    for module, file in (
        ("errkit_prose_nowhere", ""),
        ("errkit_prose_nowhere", os.getcwd()),
        ("builtins", "<string>"),
    ):
        cls: Any = type("E", (Details,), {"__module__": module})
        spec = ErrorSpec(code="a", title="A", const="ONE", cls=cls, file=file)
        assert (code_prose(spec), details_prose(cls), dict(field_prose(cls))) == (None, None, {})
    assert code_prose(ErrorSpec(code="a", title="A")) is None


@pytest.mark.parametrize(
    ("encoding", "first_line", "newline"),
    [
        ("utf-8-sig", "", "\n"),
        ("latin-1", "# -*- coding: latin-1 -*-\n", "\n"),
        ("utf-8", "", "\r\n"),
    ],
)
def test_any_encoding_and_line_end_is_read(
    load: Loader, encoding: str, first_line: str, newline: str
) -> None:
    """Byte order marks, declared encodings and Windows line ends make no difference."""
    head = first_line + SOURCE.replace("Of the", "Über the")
    module = load("", head=head, encoding=encoding, newline=newline)
    assert everything(module) == [words.replace("Of the", "Über the") for words in ALL]
    prose = code_prose(module.E.ONE.spec)
    assert prose
    assert prose.line == head[: head.index("Über the code")].count("\n") + 1


def test_a_doubtful_escape_costs_no_prose(load: Loader) -> None:
    """Under `-W error` an invalid escape would be a syntax error; prose is found all the same."""
    module = load("", head=SOURCE.replace("Of the code.", r"Of \a\d\code."))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert text(code_prose(module.E.ONE.spec)) == "Of \a\\d\\code."


def test_long_chains_in_a_file_cost_no_prose(load: Loader) -> None:
    """A chain of elif nests its branches; it must not exhaust the stack of the reader."""
    chain = "if REG is None:\n    pass\n" + "".join(f"elif REG == {n}:\n    pass\n" for n in range(1_500))
    module = load("", head=SOURCE + chain)
    assert everything(module) == ALL


def test_source_in_a_zip_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package imported from a zip file has its prose."""
    archive = tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("errkit_prose_zipped.py", SOURCE)
    monkeypatch.syspath_prepend(archive)
    module = importlib.import_module("errkit_prose_zipped")
    try:
        assert everything(module) == ALL
    finally:
        del sys.modules["errkit_prose_zipped"]


def test_bytecode_without_source_has_no_prose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module shipped as .pyc alone works, without prose."""
    source = tmp_path / "errkit_prose_compiled.py"
    source.write_text(SOURCE, "utf-8")
    py_compile.compile(str(source), cfile=str(tmp_path / "errkit_prose_compiled.pyc"), doraise=True)
    source.unlink()
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("errkit_prose_compiled")
    try:
        assert everything(module) == [None] * 4
    finally:
        del sys.modules["errkit_prose_compiled"]


NOTEBOOK = """
from IPython.core.interactiveshell import InteractiveShell
from errkit.prose import *
shell = InteractiveShell.instance()
cell = {source!r}
cells = [cell, "x = 1", cell.replace("Of the", "Now of the")]
for text in cells:
    result = shell.run_cell(text, store_history=True)
    result.raise_error()
    E, D = shell.user_ns["E"], shell.user_ns["D"]
    found = [code_prose(E.ONE.spec), domain_prose(E.__domain__), details_prose(D)]
    print([prose and prose.text for prose in found] + [field_prose(D).get("path")])
"""


def test_cells_of_a_notebook_are_read(tmp_path: Path) -> None:
    """In a notebook prose comes from the cell that defined the class last."""
    script = tmp_path / "notebook.py"
    script.write_text(NOTEBOOK.format(source=SOURCE), "utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "IPYTHONDIR": str(tmp_path), "PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    changed = [words.replace("Of the", "Now of the") for words in ALL]
    assert done.stdout.splitlines()[-3:] == [str(ALL), str(ALL), str(changed)]


def test_fields_of_a_catalogue_file_bring_their_texts(tmp_path: Path) -> None:
    """A registry read from a file shows under its fields what the file says there."""
    file = tmp_path / "shop.json"
    field = {"name": "cart", "type": "str", "description": "Its id."}
    code = {"const": "EMPTY", "title": "Cart is empty", "details": [field]}
    domain = {"domain": "shop.cart", "title": "Cart", "codes": [code]}
    file.write_text(json.dumps({"format": "errkit.catalog/1", "registry": "shop", "domains": [domain]}))
    (spec,) = Registry.load(file)
    assert spec.details is not None
    assert field_prose(spec.details) == {"cart": "Its id."}
