"""A kernel, and a shop that sells nothing: what notebooks are read in; the browser is that of the session.

Kernels take seconds to start, so a module has one.
"""

from __future__ import annotations

import contextlib
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import nbformat
import pytest
from jupyter_core.utils import run_sync
from nbclient import NotebookClient

from errkit import Registry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SHOP = '''
from errkit import CodedError, Details, Reason, Registry, Secret, code

SHOP = Registry("shop", base_url="https://shop.example/docs/")


class CartDetails(Details):
    """Which cart."""

    cart: str
    """The cart's id."""
    token: Secret[str] = "PLANTED-in-default"


class CartError(CodedError, domain="shop.cart", title="Cart", numbers=range(1000, 1100), registry=SHOP):
    """What goes wrong with a cart."""

    EMPTY = code("Cart is empty", CartDetails, number=1001, public=True, hint="Add an item first.",
                 reasons={"sold_out": Reason(title="Sold out", hint="Wait.", retryable=True)},
                 aliases=("E-CART",), example={"cart": "c1", "token": "PLANTED-in-example"})
    """Nothing is in the cart: ``len(items) == 0``.

    The last item sold out.
    """

    SLOW = code("Cart did not answer", number=1002, kind="transient", retry_after=1.5, hint="Try again.")


class TillError(CodedError, domain="shop.till", title="Till", registry=SHOP):
    NO_PAPER = code("Printer has no paper", kind="outcome", hint="Put in a new roll.")
'''
"""A module of errors, as a project has it, with secrets where they can be planted."""

EVIL = (
    "\x1b[31m</style></p></td></table><script>hacked=1</script><img src=x onerror=hacked=1>"
    "\"'><a href=javascript:hacked=1>`x` </details> &lt; ]]>"
)
"""Text that would like to be markup."""

PATIENCE = 300
"""Seconds that a kernel or a browser may take: how long they take says something about the machine alone."""

COLOURS = re.compile(r"\x1b\[[0-9;:]*m")


class Outputs(NamedTuple):
    """What a cell gave."""

    outputs: list[Any]

    @property
    def text(self) -> str:
        """All that a reader without HTML sees, without colours."""
        return COLOURS.sub("", self.coloured)

    @property
    def coloured(self) -> str:
        """The same, with colours."""
        return "\n".join(map(_text, self.outputs))

    @property
    def html(self) -> str:
        """All HTML."""
        return "\n".join(one.data.get("text/html", "") for one in self.outputs if "data" in one)

    @property
    def kinds(self) -> list[str]:
        """What the outputs are, in order."""
        return [one.output_type if one.output_type != "stream" else one.name for one in self.outputs]

    @property
    def traceback(self) -> list[str]:
        """The lines of the traceback, without colours."""
        found = [one for one in self.outputs if one.output_type == "error"]
        return COLOURS.sub("", "\n".join(found[0].traceback)).rstrip("\n").split("\n") if found else []


def _text(output: Any) -> str:
    if output.output_type == "error":
        return "\n".join(output.traceback)
    return str(output.text if output.output_type == "stream" else output.data.get("text/plain", ""))


class Kernel:
    """Runs cells one after the other; what they gave is kept in `seen`."""

    def __init__(self, client: NotebookClient) -> None:
        self.client = client
        self.seen: list[Outputs] = []

    def run(self, *lines: str) -> Outputs:
        """Run one cell."""
        cell = nbformat.v4.new_code_cell("\n".join(lines))
        self.client.nb.cells.append(cell)
        self.client.execute_cell(cell, len(self.client.nb.cells) - 1)
        self.seen.append(Outputs(cell.outputs))
        return self.seen[-1]

    def complete(self, text: str) -> list[str]:
        """What the kernel offers at the end of a text, each as the whole text would be."""
        channel: Any = self.client.kc
        asked = channel.complete(text)
        while True:
            reply = run_sync(channel.get_shell_msg)(timeout=PATIENCE)
            if reply["parent_header"].get("msg_id") == asked:
                break
        content = reply["content"]
        return [text[: content["cursor_start"]] + match for match in content["matches"]]

    def tell_widget(self, model: str, **data: Any) -> None:
        """Send a widget what a browser sends it; the next cell runs after it."""
        channel: Any = self.client.kc
        channel.shell_channel.send(channel.session.msg("comm_msg", {"comm_id": model, "data": data}))

    def heard_from_widget(self) -> Any:
        """The next message of a widget to its browser."""
        channel: Any = self.client.kc
        while True:
            message = run_sync(channel.get_iopub_msg)(timeout=PATIENCE)
            data = message["content"].get("data", {})
            if message["msg_type"] == "comm_msg" and data.get("method") == "custom":
                return data["content"]


@contextlib.contextmanager
def running_kernel(folder: Path) -> Iterator[Kernel]:
    """A fresh kernel in a folder, with `shop_errors` to import."""
    (folder / "shop_errors.py").write_text(SHOP, "utf-8")
    notebook = nbformat.v4.new_notebook()
    client = NotebookClient(
        notebook,
        timeout=PATIENCE,
        startup_timeout=PATIENCE,
        kernel_name="python3",
        allow_errors=True,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    )
    with client.setup_kernel():
        yield Kernel(client)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    """The kernel of a module: `shop_errors` is imported, the extension is loaded."""
    with running_kernel(tmp_path_factory.mktemp("notebook")) as found:
        found.run("from shop_errors import *", "%load_ext errkit")
        yield found


@pytest.fixture(scope="session")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """A catalogue that someone else wrote, with markup in every text that may hold any."""
    reason = {"title": EVIL, "hint": EVIL}
    code = {
        "const": "X",
        "code": "evil.x",
        "title": EVIL,
        "hint": EVIL,
        "description": f"``{EVIL}``\n\n.. raw:: html\n\n   {EVIL}\n\n**{EVIL}**\n\n- {EVIL}\n\n    {EVIL}",
        "details": [{"name": "f", "type": EVIL, "description": EVIL}],
        "reasons": {EVIL: reason},
        "docs": "javascript:hacked=1",
        **dict.fromkeys(("since", "deprecated", "replaced_by"), EVIL),
    }
    domain = {"domain": "evil", "title": EVIL, "description": EVIL, "codes": [code]}
    path = tmp_path_factory.mktemp("evil") / "evil.json"
    path.write_text(
        json.dumps({"format": "errkit.catalog/1", "registry": "evil", "domains": [domain]}), "utf-8"
    )
    return Registry.load(path)
