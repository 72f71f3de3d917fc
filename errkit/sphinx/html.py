"""The HTML of what a registry says: plain data in, escaped text out.

Everything that comes from a registry passes `escape` here exactly once, and no text is parsed. Nothing in
this room knows an application: where another code is, the caller's `link` says.

The classes, the `data-` attributes of table rows and the order of what a code shows are promises to style
sheets and scripts.
"""

from __future__ import annotations

import json
import re
from html import escape
from typing import TYPE_CHECKING, Any, Final

from errkit.sphinx.examples import PYTHON, caption
from errkit.sphinx.labels import column, kind_meaning, label, size_of
from errkit.sphinx.tabs import source_block, tabs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from errkit.sphinx.rows import Badges, CodeRow, DomainRow

    Link = Callable[[str, str, str], str | None]
    """(kind, registry, name) -> address relative to the page, or None if it is not documented.

    Kinds are `code` and `domain`, and of Python objects, with the module in place of the registry, `py` for
    what is written about one and `source` for its source."""
    Translate = Callable[[str], str]

__all__ = [
    "MANY",
    "badges",
    "code_literal",
    "codes_table",
    "deprecation",
    "domains_table",
    "facts",
    "json_block",
    "safe_address",
    "size_line",
    "spans",
]

MANY: Final = 10
"""A code that is raised in more places is raised nearly everywhere: no more of them are named."""
_WEB: Final = re.compile(r"(?:https?://|mailto:)[^\s<>\"]+", re.IGNORECASE)


def code_literal(text: str) -> str:
    """A code or name, in the classes that themes know and translators of pages leave alone."""
    return f'<code class="literal notranslate">{escape(text)}</code>'


def safe_address(address: str) -> bool:
    """Whether an address from data may become a link: a script would not."""
    return _WEB.fullmatch(address) is not None


def spans(text: str) -> list[tuple[bool, str]]:
    """A line of documentation as (is literal, text): the one piece of markup that hints and fields have.

    A literal stands between single or double backquotes; as in Markdown, a space inside them at both ends
    is no part of it. An unpaired mark stays as it is.
    """
    found, end = [], 0
    for literal in _LITERAL.finditer(text):
        found += [(False, text[end : literal.start()]), (True, _PADDED.sub(r"\1", literal[2]))]
        end = literal.end()
    return [(is_literal, part) for is_literal, part in (*found, (False, text[end:])) if part]


_LITERAL: Final = re.compile(r"(?<!`)(`{1,2})(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_PADDED: Final = re.compile(r"^ (?=.*[^ ])(.*) $", re.DOTALL)


def badges(code: Badges) -> str:
    """The line under the heading: number, kind, retry, alert, audience, since when and until when."""
    kind = escape(code.kind)
    shown = [
        f'<span class="errkit-kind errkit-{kind}" title="{escape(kind_meaning(code.kind))}">{kind}</span>'
    ]
    if code.number is not None:
        shown.insert(0, f"<span>{label('number')} {code.number}</span>")
    shown += [
        f"<span>{label(name)}</span>"
        for name in (
            "retry" if code.retryable else "no_retry",
            "alert" if code.alert else "no_alert",
            "public" if code.public else "internal",
        )
    ]
    if code.since:
        shown.append(f"<span>{escape(label('since_badge') % code.since)}</span>")
    if code.deprecated:
        shown.append(f'<span class="errkit-gone">{label("deprecated")}</span>')
    return f'<p class="errkit-badges">{" ".join(shown)}</p>\n'


def deprecation(code: Badges, link: Link) -> str:
    """The note of a deprecated code: since when, and what to use instead; empty for any other."""
    if not code.deprecated:
        return ""
    text = f"<strong>{escape(label('deprecated_badge') % code.deprecated)}</strong>"
    if code.replaced_by:
        address = link("code", code.registry, code.replaced_by)
        text += f" {label('replaced_by')}: {_linked(code_literal(code.replaced_by), address)}"
    return f'<p class="errkit-deprecation">{text}</p>\n'


def facts(code: Mapping[str, Any], link: Link, translate: Translate, group: str = "err") -> str:
    """All that a code shows besides its heading, its hint and its prose.

    Parameters
    ----------
    code
        The facts, as `render.py` gathers them.
    link, translate
        Where other things are, and how texts read in the language of the page.
    group
        A name that nothing else of the page has.
    """
    parts = [_rows(code, link)]
    if code["fields"]:
        parts.append(_fields(code["fields"], translate))
    if code["reasons"]:
        parts.append(_reasons(code["reasons"], translate))
    parts.append(_examples(code, group))
    return "".join(parts)


def _examples(code: Mapping[str, Any], group: str) -> str:
    payload = None if code["example"] is None else json_block(code["example"])
    if not code["forms"]:
        return "" if payload is None else f'<p class="errkit-caption">{label("example")}</p>\n{payload}'
    panels = [] if payload is None else [(label("example"), payload)]
    for name, value in code["forms"]:
        panels.append((caption(name), source_block(value, name) if name == PYTHON else json_block(value)))
    return tabs(label("examples"), panels, group)


def _rows(code: Mapping[str, Any], link: Link) -> str:
    found: list[tuple[str, str]] = []
    if code["http_status"] is not None:
        found.append(("http_status", str(code["http_status"])))
    if code["retry_after"] is not None:
        found.append(("retry_after", label("seconds") % f"{code['retry_after']:g}"))
    if code["replaced_by"] and not code["deprecated"]:
        address = link("code", code["registry"], code["replaced_by"])
        found.append(("replaced_by", _linked(_name(code["replaced_by"]), address)))
    if code["aliases"]:
        found.append(("aliases", ", ".join(map(_name, code["aliases"]))))
    if code["docs"]:
        found.append(("docs", _external(code["docs"], escape(code["docs"]))))
    found.append(("declared", _declared(code, link)))
    if code["raised"]:
        found.append(("raised", _raised(code["raised"], link)))
    rows = "".join(f"<dt>{label(name)}</dt><dd>{text}</dd>\n" for name, text in found)
    return f'<dl class="errkit-facts">\n{rows}</dl>\n'


def _declared(code: Mapping[str, Any], link: Link) -> str:
    text = _object(code["declared"], code["class"], code["source_url"], link)
    if code["edit_url"]:
        text = f"{text} {_edit(code['edit_url'])}"
    if "prose" in code:
        name, address = code["prose"]
        text = f"{text}<br>\n{_name(name)} {_edit(address)}"
    return text


def _edit(address: str) -> str:
    return _external(address, f"[{label('edit')}]")


def _raised(places: Sequence[Mapping[str, Any]], link: Link) -> str:
    shown = [_object(each["name"], each["at"], each["source_url"], link) for each in places[:MANY]]
    if len(places) > MANY:
        shown.append(escape(label("more_places") % (len(places) - MANY)))
    return "<br>\n".join(shown)


def _object(name: str, at: Sequence[str], source_url: str, link: Link) -> str:
    """A Python object with a link to what is written about it, and one to its source."""
    documented = link("py", *at) if at else None
    source = "" if source_url or not at else link("source", *at)
    text = _linked(_name(name), documented)
    if source_url:
        return f"{text} {_external(source_url, '[' + label('source') + ']')}"
    return f"{text} {_linked('[' + label('source') + ']', source)}" if source else text


def _external(address: str, content: str) -> str:
    if not safe_address(address):
        return content
    return f'<a class="reference external" href="{escape(address)}">{content}</a>'


def _name(text: str) -> str:
    """A name inside a table."""
    return f'<code class="literal">{escape(text)}</code>'


def _linked(content: str, address: str | None) -> str:
    return content if address is None else f'<a href="{escape(address)}">{content}</a>'


def _line(text: str) -> str:
    """A text in which only literals are markup."""
    return "".join(code_literal(part) if literal else escape(part) for literal, part in spans(text))


def _fields(fields: Iterable[Mapping[str, Any]], translate: Translate) -> str:
    rows = []
    for field in fields:
        need = label("required") if field["required"] else _name(field["default"] or "")
        if field["secret"]:
            need += f' <span class="errkit-secret">{label("secret")}</span>'
        text = _line(translate(field["description"]))
        rows.append((_name(field["name"]), _name(field["type"]), need, text))
    return _table("details", ("field", "type", "default", "meaning"), rows)


def _reasons(reasons: Iterable[Mapping[str, Any]], translate: Translate) -> str:
    rows = [
        (
            _name(reason["name"]),
            escape(translate(reason["title"])),
            _line(translate(reason["hint"])),
            "" if reason["retryable"] is None else label("yes" if reason["retryable"] else "no"),
        )
        for reason in reasons
    ]
    return _table("reasons", ("reason", "title", "hint", "retry"), rows)


def _open_table(name: str) -> str:
    return f'<div class="errkit-scroll"><table class="errkit-table errkit-{name}"'


def _table(name: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{column(each)}</th>" for each in columns)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>\n" for row in rows)
    return (
        f"{_open_table(name)}><caption>{label(name)}</caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table></div>\n"
    )


# --- tables of codes and domains ------------------------------------------------------------------------


def codes_table(
    rows: Iterable[CodeRow],
    columns: Sequence[str],
    link: Link,
    translate: Translate,
    hooks: Callable[[CodeRow], str],
    anchors: Iterable[Sequence[str]] = (),
) -> str:
    """A table with one row a code.

    `hooks` gives the attributes of a row (`filter_hooks`, or none); `anchors` holds those of each in turn.
    """
    each = iter(anchors)
    head = "".join(f'<th scope="col" data-column="{name}">{column(name)}</th>' for name in columns)
    body = "".join(_code_row(row, columns, link, translate, hooks, next(each, ())) for row in rows)
    return (
        f'{_open_table("codes")} data-errkit="codes">\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}</tbody></table></div>\n"
    )


def filter_hooks(row: CodeRow) -> str:
    """What a script may filter the rows of a table by."""
    data = {
        "registry": row.registry,
        "domain": row.domain,
        "kind": row.kind,
        "retry": "yes" if row.retryable else "no",
        "audience": "public" if row.public else "internal",
    }
    return "".join(f' data-{name}="{escape(value)}"' for name, value in data.items())


def no_hooks(row: CodeRow) -> str:
    """For a table that is too small to filter."""
    return ""


def _code_row(
    row: CodeRow,
    columns: Sequence[str],
    link: Link,
    translate: Translate,
    hooks: Callable[[CodeRow], str],
    anchors: Sequence[str],
) -> str:
    retry = "yes" if row.retryable else "no"
    cells = {
        "code": lambda: _linked(_name(row.code), link("code", row.registry, row.code)),
        "number": lambda: "" if row.number is None else str(row.number),
        "title": lambda: escape(translate(row.title)),
        "kind": lambda: escape(row.kind),
        "retry": lambda: label(retry),
        "alert": lambda: label("yes" if row.alert else "no"),
        "audience": lambda: label("public" if row.public else "internal"),
        "status": lambda: "" if row.http_status is None else str(row.http_status),
        "domain": lambda: _linked(_name(row.domain), link("domain", row.registry, row.domain)),
        "registry": lambda: escape(row.registry),
    }
    gone = ' class="errkit-gone"' if row.deprecated else ""
    own = f' id="{escape(anchors[0])}"' if anchors else ""
    others = "".join(f'<span id="{escape(anchor)}"></span>' for anchor in anchors[1:])
    content = "</td><td>".join(str(cells[name]()) for name in columns)
    return f"<tr{gone}{own}{hooks(row)}><td>{others}{content}</td></tr>\n"


def domains_table(rows: Iterable[DomainRow], link: Link, translate: Translate) -> str:
    """A table with one row a domain."""
    head = "".join(f'<th scope="col">{column(name)}</th>' for name in ("domain", "title", "codes", "numbers"))
    body = []
    for row in rows:
        name = _linked(_name(row.domain), link("domain", row.registry, row.domain))
        numbers = "" if row.numbers is None else f"{row.numbers[0]}\N{EN DASH}{row.numbers[1] - 1}"
        cells = (name, escape(translate(row.title)), str(row.codes), numbers)
        body.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>\n")
    return (
        f'{_open_table("domains")} data-errkit="domains">\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{''.join(body)}</tbody></table></div>\n"
    )


def size_line(count: int, numbers: tuple[int, int] | None) -> str:
    """The line that says how large a domain is."""
    return f'<p class="errkit-range">{escape(size_of(count, numbers))}</p>\n'


# --- JSON -----------------------------------------------------------------------------------------------


def json_block(value: object) -> str:
    """A JSON value as a highlighted block, in the classes that Pygments gives it.

    The value is data already, so it is written out once instead of being written, read and coloured again.
    """
    return (
        '<div class="highlight-json notranslate"><div class="highlight"><pre>'
        f"{_json(value, 0)}\n</pre></div></div>\n"
    )


def _json(value: object, depth: int) -> str:
    inner, outer = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict) and value:
        items = [
            f'{inner}<span class="nt">{_text(str(key))}</span>: {_json(item, depth + 1)}'
            for key, item in value.items()
        ]
        return "{\n" + ",\n".join(items) + f"\n{outer}}}"
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"{inner}{_json(item, depth + 1)}" for item in value) + f"\n{outer}]"
    if isinstance(value, str):
        return f'<span class="s2">{_text(value)}</span>'
    if value is None or isinstance(value, bool):
        return f'<span class="kc">{json.dumps(value)}</span>'
    if isinstance(value, (int, float)):
        return f'<span class="m{"f" if isinstance(value, float) else "i"}">{json.dumps(value)}</span>'
    return _text(value) if not isinstance(value, (dict, list)) else json.dumps(value)


def _text(value: object) -> str:
    return escape(json.dumps(value, ensure_ascii=False), quote=False)
