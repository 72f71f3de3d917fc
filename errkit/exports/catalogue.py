"""`errkit.catalog/1`: loads back as the same registry, or as the part of it that the audience may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errkit.catalog_file import catalog, json_text

if TYPE_CHECKING:
    from errkit.exports.view import View

__all__ = ["write"]


def write(view: View) -> str:
    """The catalogue; a format without comments, so nothing in it says where it comes from."""
    if view.audience == "internal":
        return view.registry.export()
    data = catalog(view.registry)
    shown = {code.code for code in view.codes}
    for domain in data["domains"]:
        domain["codes"] = [code for code in domain["codes"] if code["code"] in shown]
        for code in domain["codes"]:
            if code.get("replaced_by") not in shown:
                code.pop("replaced_by", None)
    data["domains"] = [domain for domain in data["domains"] if domain["codes"]]
    return json_text(data)
