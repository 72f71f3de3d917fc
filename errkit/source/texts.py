"""What stands in messages and should not: secrets, words of foreign exceptions, output of processes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from errkit.redaction.names import is_secret_key, words_of
from errkit.source.facts import Caught
from errkit.source.places import found_at
from errkit.source.raising import around_of, named_code
from errkit.source.walking import classes_named, last_name
from errkit.typed import secret_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errkit.source.facts import Context, Outline
    from errkit.source.raising import Reading, Site
    from errkit.source.rules import Found

__all__ = ["find_foreign_texts", "find_processes", "find_secrets"]

_SAME_TEXT: Final = frozenset(
    "ascii decode encode format lower lstrip repr rstrip str strip title upper".split()
)
"""Functions and methods that give the text of what they are given."""
_CREDENTIALS: Final = frozenset(
    """access admin api app auth bearer bot client csrf github gitlab id jwt login oauth refresh secret
    security session slack sso user xsrf""".split()
)
"""What a token that is secret is called by."""
_OUTPUT: Final = frozenset({"returncode", "stderr", "stdout"})


def find_secrets(reading: Reading) -> Iterator[Found]:
    """Messages that are built with a secret, of coded errors and of others."""
    for site in reading.sites:
        if site.how == "built" and site.call is not None:
            message = _message(site, site.call)
            yield from _secrets(message, _declared_secrets(site, site.call), site.outline, site.call)
    built = {id(site.call) for site in reading.sites}
    for outline in reading.program.outlines:
        for node, _, _ in outline.raises:
            call = node.exc
            if isinstance(call, ast.Call) and call.args and id(call) not in built:
                yield from _secrets(call.args[0], {}, outline, node)


def _secrets(
    message: ast.expr | None, declared: dict[str, str], outline: Outline, node: ast.stmt | ast.expr
) -> Iterator[Found]:
    if message is None:
        return
    for part in spoken(message):
        name = name_of(part)
        field = declared.get(ast.dump(part)) if declared else None
        if field is not None or (name and is_secret_key(name) and not _is_parsers(name)):
            shown = name or field or ""
            declared_so = f", which goes into the secret field {field}" if field else ""
            text = f"the message holds {shown!r}{declared_so}"
            yield found_at("secret-in-message", outline, node, text, what=shown)


def _is_parsers(name: str) -> bool:
    """Whether a name speaks of tokens as parsers do; one that is secret says what it is for."""
    words = words_of(name)
    return words[-1:] == ["token"] and not _CREDENTIALS & {*words}


def _declared_secrets(site: Site, call: ast.Call) -> dict[str, str]:
    """The values that go into fields marked `Secret`, as they are written, and the names of the fields."""
    secret = frozenset[str]().union(*(secret_names(spec.details) for spec in site.code.specs))
    if not secret:
        return {}
    return {
        ast.dump(keyword.value): keyword.arg
        for keyword in call.keywords
        if keyword.arg in secret and not isinstance(keyword.value, ast.Constant)
    }


def _message(site: Site, call: ast.Call) -> ast.expr | None:
    """The message that an error is built with."""
    is_text = last_name(call.func) != site.code.spec.const and named_code(call) is not None
    position = 1 if is_text else 0
    return call.args[position] if len(call.args) > position else None


def spoken(node: ast.expr, depth: int = 0) -> Iterator[ast.expr]:
    """The expressions whose text ends up in a message."""
    if depth > 50:
        return
    match node:
        case ast.JoinedStr(values=parts):
            inner = [part.value for part in parts if isinstance(part, ast.FormattedValue)]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            inner = [left, right]
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod(), right=right):
            inner = [*right.elts] if isinstance(right, ast.Tuple) else [right]
            inner = [*right.values] if isinstance(right, ast.Dict) else inner
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format")):
            inner = [*node.args, *(keyword.value for keyword in node.keywords)]
        case ast.Call(func=ast.Name(id=name), args=[only]) if name in _SAME_TEXT:
            inner = [only]
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _SAME_TEXT:
            inner = [value]
        case ast.IfExp(body=body, orelse=orelse):
            inner = [body, orelse]
        case _:
            yield node
            return
    for part in inner:
        yield from spoken(part, depth + 1)


def name_of(node: ast.expr) -> str:
    """What a value is called: a name, an attribute, a key."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            return key
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(key)), *_]):
            return key
        case ast.Call(func=function, args=[ast.Constant(value=str(key)), *_]) if (
            last_name(function) == "getenv"
        ):
            return key
        case _:
            return last_name(node)


# --- foreign texts ----------------------------------------------------------------------------------


def find_foreign_texts(reading: Reading) -> Iterator[Found]:
    """Public codes whose message quotes what a handler caught."""
    for site in reading.sites:
        if site.how != "built" or site.call is None or not any(spec.public for spec in site.code.specs):
            continue
        message = _message(site, site.call)
        for part in () if message is None else spoken(message):
            caught = _caught(part, site.context)
            if caught is not None and not _is_coded(caught, site, reading):
                text = f"the message of {site.code.spec.code} quotes {caught.name}, which came from elsewhere"
                yield found_at("foreign-text", site.outline, site.call, text, what=site.code.spec.code)


def _caught(node: ast.expr, context: Context | None) -> Caught | None:
    """The handler whose exception an expression gives the text of."""
    match node:
        case ast.Name(id=name):
            pass
        case ast.Attribute(value=ast.Name(id=name), attr="args" | "message" | "msg" | "reason"):
            pass
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr="args")):
            pass
        case _:
            return None
    around = (found for found in around_of(context) if isinstance(found, Caught))
    return next((caught for caught in around if caught.name == name), None)


def _is_coded(caught: Caught, site: Site, reading: Reading) -> bool:
    """Whether a handler catches coded errors only, whose messages are ours."""
    return all(
        node is not None
        and reading.known.coded(reading.program.resolve(node, site.scope, site.outline)) is not None
        for node in classes_named(caught.type)
    )


# --- processes --------------------------------------------------------------------------------------


def find_processes(reading: Reading) -> Iterator[Found]:
    """Errors that are given the output or the exit code of a process by hand."""
    for site in reading.sites:
        if site.how != "built" or site.call is None:
            continue
        part = next(_outputs(site.call), None)
        if part is not None:
            text = f"{site.code.spec.code} is given {part} of a process by hand"
        elif _failed_process(site.context):
            text = f"{site.code.spec.code} is raised by hand for a process that failed"
        else:
            continue
        yield found_at("process-by-hand", site.outline, site.call, text, what=site.code.spec.code)


def _outputs(call: ast.Call) -> Iterator[str]:
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        for node in ast.walk(argument):
            if isinstance(node, ast.Attribute) and node.attr in _OUTPUT and last_name(node.value) != "sys":
                yield node.attr


def _failed_process(context: Context | None) -> bool:
    return any(
        last_name(node) == "CalledProcessError"
        for around in around_of(context)
        if isinstance(around, Caught)
        for node in classes_named(around.type)
    )
