"""No two codes are explained with the same sentence, in all catalogues and ready-made domains together.

What distinguishes one code from the next by name alone (its code, its constant, its title) is masked first:
a sentence that only swaps the name counts as the same sentence.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from typing import TYPE_CHECKING

import pytest

import errkit.catalogs
import errkit.domains
from errkit import own
from errkit.catalogs import agent_core, agent_device, harness
from errkit.prose import code_prose
from errkit.registry import REGISTRY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errkit.codes import ErrorSpec

SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
MASK = "…"


def ready_made() -> Iterator[ErrorSpec]:
    """The codes of errkit itself and of the domains that come with it; other tests may register more."""
    for module in pkgutil.iter_modules(errkit.domains.__path__, "errkit.domains."):
        importlib.import_module(module.name)
    homes = (own.__name__, f"{errkit.domains.__name__}.")
    return (spec for spec in REGISTRY if spec.cls is not None and spec.cls.__module__.startswith(homes))


def own_words(spec: ErrorSpec) -> list[str]:
    """Every spelling of a code's name, longest first: a title may hold the constant."""
    spellings = {
        spec.code,
        spec.const,
        spec.title,
        spec.const.replace("_", " "),
        spec.code.rpartition(".")[2],
    }
    return sorted(filter(None, spellings), key=len, reverse=True)


def masked_sentences(spec: ErrorSpec, text: str) -> list[str]:
    """The sentences of a prose without the code's own words, in one case and with single spaces."""
    for word in own_words(spec):
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", MASK, text, flags=re.IGNORECASE)
    flat = " ".join(text.replace("`", "").split()).casefold()
    return SENTENCE_END.split(flat)


@pytest.fixture(scope="module")
def explained() -> list[tuple[str, ErrorSpec, str]]:
    """All codes with the name of their registry and their prose, unexplained ones with none."""
    sources = [
        *(
            (registry.name, spec)
            for registry in (agent_core.REGISTRY, agent_device.REGISTRY, harness.REGISTRY)
            for spec in registry
        ),
        *(("errkit", spec) for spec in ready_made()),
    ]
    proses = [(name, spec, code_prose(spec)) for name, spec in sources]
    return [(name, spec, "" if prose is None else prose.text) for name, spec, prose in proses]


def test_all_sources_are_read(explained: list[tuple[str, ErrorSpec, str]]) -> None:
    """The three catalogues and errkit's ready-made domains all take part."""
    assert {name for name, _, _ in explained} == {"agent_core", "agent_device", "harness", "errkit"}
    assert {"os_fs", "os_process", "storage", "wire"} <= {
        spec.cls.__module__.rpartition(".")[2] for name, spec, _ in explained if name == "errkit" and spec.cls
    }


def test_every_code_is_explained(explained: list[tuple[str, ErrorSpec, str]]) -> None:
    """There is prose under every code."""
    assert [f"{name}:{spec.code}" for name, spec, text in explained if not text] == []


def test_no_sentence_is_shared(explained: list[tuple[str, ErrorSpec, str]]) -> None:
    """With a code's own words masked, each sentence stands in the prose of one code only."""
    seen: dict[str, str] = {}
    shared: list[str] = []
    for name, spec, text in explained:
        owner = f"{name}:{spec.code}"
        shared.extend(
            f"{seen[sentence]} and {owner}: {sentence}"
            for sentence in masked_sentences(spec, text)
            if sentence and seen.setdefault(sentence, owner) != owner
        )
    assert shared == []


def test_the_mask_finds_a_template() -> None:
    """Two proses that differ in the code's own words alone do share a sentence, so the test can fail."""
    first, second = agent_core.REGISTRY["os.fs.not_found"], agent_core.REGISTRY["storage.locked"]
    template = "The failure ``{code}`` ({const}) means: {title}. Look at the log."
    masked = [
        masked_sentences(spec, template.format(code=spec.code, const=spec.const, title=spec.title))
        for spec in (first, second)
    ]
    assert masked[0] == masked[1]
