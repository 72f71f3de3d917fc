"""What is raised where: from `raise` statements, helper functions, translators and tables to places.

A place is the function whose call ends with the error. A helper that only returns the error is not one, as
soon as somebody raises what it returns; a translator is one for each code of its rules.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from errkit.fields import Record
from errkit.source.facts import Caught
from errkit.source.known import Code, Coded, Known, Missing, packages_of
from errkit.source.reading import find_files, without_pauses
from errkit.source.resolving import Builtin, Class, External, Function, Program, Result
from errkit.source.walking import last_name

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from errkit.registry import Registry
    from errkit.source.facts import Context, Covered, Outline, Scope, Tried
    from errkit.source.resolving import Thing

__all__ = ["Place", "Raised", "Reading", "Site", "raisers"]

_KEPT_BY: Final = frozenset({"add_note", "override", "with_traceback"})
"""Methods that give back the error that they are called on (`add_note` gives nothing, but is found so)."""
_READERS: Final = frozenset(
    """code_prose error_info find_spec format get getattr hasattr is_error_code isinstance issubclass len
    match near print raises_code repr str""".split()
)
"""Functions that look at a code and raise nothing with it."""


class Place(Record):
    """A function that raises a code."""

    module: str
    qualname: str
    """Empty for code that stands in no function; the name of a translator or a table for its codes."""
    file: str
    line: int


class Plain(NamedTuple):
    """An exception without a code is raised."""

    name: str
    thing: Thing


class Translated(NamedTuple):
    """What a translator gives is raised: a coded error, or a cancellation as it came."""


class Again(NamedTuple):
    """What was caught is raised again."""


class Kind(NamedTuple):
    """An instance of a class of coded errors is raised whose code is not written there."""

    coded: Coded


Raised: TypeAlias = Code | Missing | Plain | Translated | Again | Kind


class Site(NamedTuple):
    """A place in the source where a code is used to build an error, or given to whatever does."""

    code: Code
    how: str
    """`built`, `passed` or `kept`."""
    node: ast.expr
    call: ast.Call | None
    outline: Outline
    scope: Scope
    context: Context | None


class Reading:
    """A program and the codes of some registries: who uses which, and what is raised.

    Parameters
    ----------
    files
        The files that were asked for.
    registries
        The registries whose codes count.
    roots
        More folders that absolute imports may start from.
    """

    def __init__(
        self, files: Iterable[str], registries: Sequence[Registry], roots: Iterable[str] = ()
    ) -> None:
        self.program = Program(files, packages_of(registries))
        self.program.add_roots(roots)
        self.known = Known(self.program, registries)
        self.missing: list[tuple[Missing, ast.expr, Outline, Scope]] = []
        """Constants that no domain has, with the place."""
        self.sites: list[Site] = []
        self.unknown: list[tuple[str, ast.Call, Outline, Scope]] = []
        """Codes given as text that no registry has, with the call."""
        self._returned: dict[int, list[Raised | Function]] = {}
        for outline in self.program.outlines:
            self._read(outline)

    def _read(self, outline: Outline) -> None:
        for use in outline.uses:
            code = self.known.reference(use.node, use.scope, outline)
            if isinstance(code, Missing):
                self.missing.append((code, use.node, outline, use.scope))
            elif code is not None and use.how != "read" and not _only_looks(use.how, use.call):
                self.sites.append(Site(code, use.how, use.node, use.call, outline, use.scope, use.context))
        for call, scope, context in outline.calls:
            code = self.code_of_call(call, scope, outline)
            if code is not None:
                self.sites.append(Site(code, "built", call.func, call, outline, scope, context))
            elif text := self.text_of_call(call, scope, outline):
                self.unknown.append((text, call, outline, scope))

    # --- calls ----------------------------------------------------------------------------------------

    def code_of_call(self, call: ast.Call, scope: Scope, outline: Outline) -> Code | None:
        """The code of an error that a class or a function of errkit builds, where it is written there."""
        found = self._class_called(call, scope, outline)
        if found is not None and found.of is not None:
            return found.of
        text = self.text_of_call(call, scope, outline)
        return None if text is None else self.known.by_text(text)

    def text_of_call(self, call: ast.Call, scope: Scope, outline: Outline) -> str | None:
        """The code that a call gives as text, as `CodedError("some.code", "message")` does."""
        name = last_name(call.func)
        if name in ("as_coded", "make_payload"):
            function = self.program.resolve(call.func, scope, outline)
            return _text(_code_argument(call, name)) if is_errkits(function) else None
        found = self._class_called(call, scope, outline)
        return named_code(call) if found is not None and found.of is None else None

    def _class_called(self, call: ast.Call, scope: Scope, outline: Outline) -> Coded | None:
        return self.known.coded(self.program.resolve(call.func, scope, outline))

    # --- raise ----------------------------------------------------------------------------------------

    def raised(
        self, node: ast.expr, scope: Scope, outline: Outline, context: Context | None, depth: int = 0
    ) -> Iterator[Raised | Function]:
        """What an expression behind `raise` can give, and the helper functions that it came from."""
        if depth > 20:
            return
        match node:
            case ast.IfExp(body=body, orelse=orelse):
                inner: list[ast.expr] = [body, orelse]
            case ast.BoolOp(values=values):
                inner = values
            case ast.Await(value=value) | ast.NamedExpr(value=value):
                inner = [value]
            case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in _KEPT_BY:
                inner = [value]
            case _:
                yield from self._raised(node, scope, outline, context, depth)
                return
        for part in inner:
            yield from self.raised(part, scope, outline, context, depth + 1)

    def _raised(
        self, node: ast.expr, scope: Scope, outline: Outline, context: Context | None, depth: int
    ) -> Iterator[Raised | Function]:
        if isinstance(node, ast.Call):
            yield from self._called(node, scope, outline, depth)
            return
        if isinstance(node, ast.Name) and is_caught(node.id, context):
            yield Again()
            return
        thing = self.program.resolve(node, scope, outline)
        if isinstance(thing, Result):
            yield from self._called(thing.call, thing.scope, thing.outline, depth + 1)
        else:
            yield from self._instance(thing)

    def _called(
        self, call: ast.Call, scope: Scope, outline: Outline, depth: int
    ) -> Iterator[Raised | Function]:
        code = self.known.reference(call.func, scope, outline)
        if code is None:
            code = self.code_of_call(call, scope, outline)
        if code is not None:
            yield code
            return
        thing = self.program.resolve(call.func, scope, outline)
        if isinstance(thing, Function):
            yield thing
            yield from self.returned(thing, depth + 1)
        elif isinstance(thing, Result):
            made_by = self.program.resolve(thing.call.func, thing.scope, thing.outline)
            if is_errkits(made_by) and last_name(thing.call.func) == "Translator":
                yield Translated()
        else:
            yield from self._instance(thing)

    def returned(self, function: Function, depth: int = 0) -> list[Raised | Function]:
        """What a function can return, of what can be raised, and the helpers that it asks for that."""
        key = id(function.scope)
        if key not in self._returned:
            self._returned[key] = []
            self._returned[key] = [
                found
                for node in function.scope.returns
                for found in self.raised(node, function.scope, function.outline, None, depth)
            ]
        return self._returned[key]

    def _instance(self, thing: Thing | None) -> Iterator[Raised]:
        coded = self.known.coded(thing)
        if coded is not None:
            yield coded.of or Kind(coded)
        elif isinstance(thing, (Builtin, External, Class)) and is_class(thing):
            name = thing.scope.qualname if isinstance(thing, Class) else thing.name
            yield Plain(name.rpartition(".")[2], thing)

    # --- places ---------------------------------------------------------------------------------------

    def places(self) -> dict[int, list[Place]]:
        """Identity of a spec -> the places that raise it, in order of their files and lines."""
        found: dict[int, dict[tuple[str, str], Place]] = defaultdict(dict)
        replaced: set[tuple[int, int]] = set()
        for outline in self.program.outlines:
            for node, scope, context in outline.raises:
                outcomes = list(self.raised(node.exc, scope, outline, context)) if node.exc else []
                helpers = [outcome for outcome in outcomes if isinstance(outcome, Function)]
                for code in (outcome for outcome in outcomes if isinstance(outcome, Code) and helpers):
                    for spec in code.specs:
                        _add(found[id(spec)], outline, scope, node.lineno)
                        replaced.update((id(spec), id(helper.scope)) for helper in helpers)
        # A table is named only where nothing better is known of a code.
        for site in sorted(self.sites, key=_is_in_table):
            for spec in site.code.specs:
                if _is_in_table(site) and found[id(spec)]:
                    continue
                if (id(spec), id(site.scope.function)) not in replaced:
                    _add(found[id(spec)], site.outline, site.scope, site.node.lineno)
        return {key: sorted(places.values(), key=_order) for key, places in found.items()}


def raisers(
    paths: Iterable[str | os.PathLike[str]], registries: Iterable[Registry]
) -> Mapping[tuple[str, str], tuple[Place, ...]]:
    """The functions that raise each code: (name of the registry, code) -> places.

    Found in the source, without importing any of it. A file is parsed again only when its content changed.

    Parameters
    ----------
    paths
        Python files, and folders of them.
    registries
        The registries whose codes count. A code that nobody raises is not among the keys.
    """
    known = list(registries)
    with without_pauses():
        found = Reading(find_files(paths), known).places()
    return {
        (registry.name, spec.code): tuple(found[id(spec)])
        for registry in known
        for spec in registry
        if id(spec) in found
    }


# --- small questions ----------------------------------------------------------------------------------------


def is_caught(name: str, context: Context | None) -> bool:
    """Whether a name stands for an exception that is being handled."""
    return any(isinstance(around, Caught) and around.name == name for around in around_of(context))


def around_of(context: Context | None) -> Iterator[Tried | Covered | Caught]:
    """What surrounds something, innermost first."""
    while context is not None:
        yield context.around
        context = context.outer


def is_class(thing: Builtin | External | Class) -> bool:
    """Whether a thing is a class of exceptions, as far as can be told."""
    if isinstance(thing, Class):
        return True
    if isinstance(thing, Builtin):
        return thing.name in EXCEPTIONS
    last = thing.name.rpartition(".")[2].lstrip("_")
    return last[:1].isupper() and not last.isupper()


def named_code(call: ast.Call) -> str | None:
    """The code that `CodedError("some.code", "message")` names; None where the text is a message."""
    from errkit.declaring import check_code

    text = _text(call.args[0]) if call.args else None
    if text is None or check_code(text):
        return None
    has_more = len(call.args) > 1 or any(keyword.arg == "details" for keyword in call.keywords)
    return text if has_more or "." in text else None


def _code_argument(call: ast.Call, name: str) -> ast.expr | None:
    if name == "make_payload":
        return call.args[0] if call.args else None
    return next((keyword.value for keyword in call.keywords if keyword.arg == "fallback"), None)


def _text(node: ast.AST | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def is_errkits(thing: Thing | None) -> bool:
    if isinstance(thing, External):
        return thing.name.startswith("errkit.")
    outline = getattr(thing, "outline", None)
    return outline is not None and f"{outline.module}.".startswith("errkit.")


def _is_in_table(site: Site) -> bool:
    return site.how == "kept" and site.scope.function is None


def _only_looks(how: str, call: ast.Call | None) -> bool:
    return how == "passed" and call is not None and last_name(call.func) in _READERS


def _add(places: dict[tuple[str, str], Place], outline: Outline, scope: Scope, line: int) -> None:
    key = outline.file, scope.qualname
    if key not in places or places[key].line > line:
        places[key] = Place(module=outline.module, qualname=scope.qualname, file=outline.file, line=line)


def _order(place: Place) -> tuple[str, int]:
    return place.file, place.line


def _exceptions() -> frozenset[str]:
    import builtins

    return frozenset(
        name
        for name, value in vars(builtins).items()
        if isinstance(value, type) and issubclass(value, BaseException)
    )


EXCEPTIONS: Final = _exceptions()
"""The names of Python's own exception classes."""
