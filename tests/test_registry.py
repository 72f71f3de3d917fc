"""Registries: what they refuse, how they change, how they are found, and that many threads may use one."""

from __future__ import annotations

import copy
import importlib
import pickle
import subprocess
import sys
import threading
from contextlib import suppress
from types import ModuleType, new_class
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given, strategies as st

from errkit import REGISTRY, CodedError, Details, ErrkitError, ErrorCode, ErrorSpec, Registry, code, facade
from errkit.declaring import fold
from errkit.registry import find_registry, find_spec
from tests.hostile import every_hostile_object

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from errkit import DomainSpec


def domain(
    registry: Registry, name: str, numbers: range | None = None, label: str = "", **codes: dict[str, Any]
) -> Any:
    """A domain class of its own, with codes by constant; a dict gives the facts of a code."""
    body = {const: code(**{"title": const, **facts}) for const, facts in codes.items()}
    keywords: dict[str, Any] = {"domain": name, "numbers": numbers, "registry": registry}
    label = label or name.title().replace(".", "")
    return new_class(label, (CodedError,), keywords, lambda scope: scope.update(body, __module__=__name__))


def clash(make: Callable[[], object]) -> CodedError:
    """The error of two owners of one thing: it names both by file and line."""
    with pytest.raises(CodedError) as caught:
        make()
    error = caught.value
    assert error.code == "errkit.clash"
    assert error.message.count("test_registry.py:") == 2
    assert error.details_problem is None
    assert not error.retryable
    return error


# --- looking up -----------------------------------------------------------------------------------------


def test_a_registry_is_a_container_of_specs() -> None:
    """It iterates in order of declaration, has a length, knows its codes, and finds by code and alias."""
    registry = Registry("shop")
    cart = domain(registry, "cart", EMPTY={"aliases": ("E-CART", "basket.empty")}, FULL={})
    order = domain(registry, "order", LOST={})
    assert [spec.code for spec in registry] == ["cart.empty", "cart.full", "order.lost"]
    assert len(registry) == 3
    assert "cart.empty" in registry
    assert cart.EMPTY in registry
    for unknown in ("basket.empty", "cart", "", None, 3, ["cart.empty"]):
        assert unknown not in registry
    assert registry.get("basket.empty") is registry["E-CART"] is cart.EMPTY.spec
    assert registry.get("cart") is None
    assert registry.get(cast("Any", ["cart.empty"])) is None
    assert [found.domain for found in registry.domains] == ["cart", "order"]
    assert registry.domain("order") is order.__domain__
    assert registry.domain("shop") is None
    assert repr(registry) == "<Registry 'shop': 2 domains, 3 codes>"


def test_codes_are_a_read_only_mapping() -> None:
    """`registry.codes` maps code to spec, for look-ups as quick as a dict, and can't be written to."""
    registry = Registry()
    cart = domain(registry, "cart", EMPTY={"aliases": ("old",)})
    assert registry.codes == {"cart.empty": cart.EMPTY.spec}
    assert registry.codes["cart.empty"] is cart.EMPTY.spec
    with pytest.raises(TypeError):
        registry.codes["x"] = cart.EMPTY.spec  # type: ignore[index]  # pyright: ignore[reportIndexIssue]


def test_an_unknown_code_is_an_error_that_helps() -> None:
    """`registry[...]` of an unknown code is `errkit.unknown_code`, and names what looks alike."""
    registry = Registry("shop")
    domain(registry, "cart", NOT_FOUND={}, FULL={})
    with pytest.raises(
        CodedError, match=r"registry 'shop' has no code 'cart.notfound'; did you mean"
    ) as caught:
        registry["cart.notfound"]
    assert caught.value.code == "errkit.unknown_code"
    assert caught.value.details["near"][0] == "cart.not_found"
    assert (caught.value.details["wanted"], caught.value.details["registry"]) == ("cart.notfound", "shop")
    assert caught.value.details_problem is None
    for odd in (None, 3, ["a"], "x" * 10_000):
        with pytest.raises(CodedError, match="has no code"):
            registry[cast("Any", odd)]


def test_numbers_lead_to_codes_and_ranges_to_domains() -> None:
    """A number finds its code; any number of a range finds the domain, whether a code has it or not."""
    registry = Registry()
    cart = domain(registry, "cart", range(10, 20), EMPTY={"number": 10}, FULL={"number": 19})
    domain(registry, "order", LOST={})
    assert registry.by_number(10) is cart.EMPTY.spec
    assert registry.by_number(11) is None
    assert [registry.range_of(number) for number in (9, 10, 15, 19, 20)] == [None, cart, cart, cart, None]


def test_the_name_defaults_to_the_module() -> None:
    """A registry that is not named is called like the last part of the module that makes it."""
    assert Registry().name == "test_registry"
    scope: dict[str, Any] = {"__name__": "shop.web.errors", "Registry": Registry}
    exec("found = Registry()", scope)
    assert scope["found"].name == "errors"
    assert (REGISTRY.name, REGISTRY.markup, REGISTRY.base_url) == ("errkit", "rst", "")
    assert (Registry("a", markup="md", base_url="x").markup, Registry("a", base_url="x").base_url) == (
        "md",
        "x",
    )


# --- what is refused ------------------------------------------------------------------------------------


def test_an_unknown_markup_is_refused_where_the_registry_is_made() -> None:
    """Nobody could read its prose; what there is is named."""
    with pytest.raises(
        CodedError, match=r"test_registry.py:\d+: markup is rst, md, text, and not 'html'"
    ) as caught:
        Registry("wrong", markup="html")
    assert caught.value.code == "errkit.bad_declaration"
    assert find_registry("wrong") is None


def test_a_domain_belongs_to_one_class() -> None:
    """Two classes can't own one domain, nor two domains that fold to one page name; both places are named.
    https://github.com/openclaw/openclaw/pull/33457
    """
    registry = Registry()
    domain(registry, "shop.cart")
    error = clash(lambda: domain(registry, "shop.cart", label="Other"))
    assert "domain 'shop.cart'" in error.message
    assert "shop.Cart" in clash(lambda: domain(registry, "shop.Cart", label="Other")).message
    assert "shop_cart" in clash(lambda: domain(registry, "shop_cart")).message
    assert [found.domain for found in registry.domains] == ["shop.cart"]


@pytest.mark.parametrize("code_string", ["a.x", "A.X", "a_x", "A_x"])
def test_codes_that_fold_to_one_anchor_are_refused(code_string: str) -> None:
    """`a.x`, `a_x` and `A.X` would share the anchor `err-a-x`; one of them would be lost in silence.
    https://github.com/samchon/ttsc/issues/821
    """
    registry = Registry()
    domain(registry, "a", X={})
    error = clash(lambda: domain(registry, "b", Y={"code": code_string}))
    assert f"code {code_string!r}" in error.message
    assert "'a.x'" in error.message
    assert ("anchor" in error.message) == (code_string != "a.x")
    clash(lambda: domain(registry, "c", P={"code": "q.z"}, Q={"code": "q_z"}))
    assert len(registry) == 1


@pytest.mark.parametrize("alias", ["a.x", "old.x", "OLD-X", "a-x"])
def test_aliases_share_the_space_of_codes(alias: str) -> None:
    """An alias clashes with codes and aliases, folded like a code; an alias of the code itself does not."""
    registry = Registry()
    domain(registry, "a", X={"aliases": ("old.x", "A-X")})
    assert repr(alias) in clash(lambda: domain(registry, "b", Y={"aliases": (alias,)})).message
    assert registry.get(alias) is (registry["a.x"] if alias in ("a.x", "old.x") else None)


def test_a_number_belongs_to_one_code() -> None:
    """A number can't be given twice, in one domain or, by way of `include`, in two."""
    registry = Registry()
    error = clash(lambda: domain(registry, "a", range(5), X={"number": 1}, Y={"number": 1}))
    assert "number 1 of a.y" in error.message
    assert "a.x at" in error.message
    assert len(registry) == 0


@pytest.mark.parametrize(
    ("numbers", "fits"),
    [
        (range(5, 10), True),
        (range(20, 30), True),
        (range(19, 20), False),
        (range(10, 11), False),
        (range(12, 13), False),
        (range(30), False),
    ],
)
def test_ranges_do_not_overlap(numbers: range, fits: bool) -> None:
    """Ranges of two domains may touch; a single shared number is refused, with both ranges named."""
    registry = Registry()
    domain(registry, "a", range(10, 20))
    if fits:
        domain(registry, "b", numbers)
    else:
        error = clash(lambda: domain(registry, "b", numbers))
        assert f"range {numbers.start} to {numbers.stop - 1}" in error.message
        assert "range 10 to 19" in error.message


def test_what_was_removed_stays_reserved() -> None:
    """A retired code, in any spelling that folds to it, and a retired number can't be registered again."""
    registry = Registry()
    registry.retire("a.gone", numbers=[7])
    registry.retire("b.gone")
    for facts in ({"code": "a.gone"}, {"code": "A_GONE"}, {"aliases": ("a-gone",)}, {"code": "b.gone"}):
        with pytest.raises(CodedError, match="a removed code, which stays reserved for ever") as caught:
            domain(registry, "c", X=facts)
        assert caught.value.code == "errkit.clash"
        assert "test_registry.py:" in caught.value.message
    with pytest.raises(CodedError, match=r"number 7 .*a removed code, whose number stays reserved"):
        domain(registry, "c", range(10), X={"number": 7})
    domain(registry, "c", range(10), X={"number": 6})


def test_what_is_registered_cannot_be_retired() -> None:
    """Retiring a living code or number is a clash, and retires nothing."""
    registry = Registry()
    domain(registry, "a", range(10), X={"number": 1, "aliases": ("old",)})
    for codes, numbers in ((["a.x"], []), (["OLD"], []), ([], [1])):
        with pytest.raises(CodedError, match="reserved for ever"):
            registry.retire("b.gone", *codes, numbers=numbers)
    domain(registry, "b", GONE={})


def test_registration_is_all_or_nothing() -> None:
    """A domain whose last code is refused leaves no trace: no code, alias, number, range or domain."""
    registry = Registry()
    domain(registry, "a", X={})
    before = state(registry)
    clash(
        lambda: domain(registry, "b", range(10), OK={"number": 3, "aliases": ("fine",)}, BAD={"code": "a_x"})
    )
    assert state(registry) == before
    assert registry.get("fine") is None
    assert registry.by_number(3) is None
    assert registry.range_of(3) is None
    domain(registry, "b", range(10), OK={"number": 3, "aliases": ("fine",)})


def state(registry: Registry) -> tuple[list[ErrorSpec], tuple[DomainSpec, ...], list[ErrorSpec | None]]:
    """All that a registry shows."""
    return list(registry), registry.domains, [registry.by_number(number) for number in range(20)]


NAMES = st.lists(st.sampled_from(["a", "b", "A", "a.b", "a_b", "c"]), min_size=1, max_size=3)


@given(st.lists(st.tuples(st.sampled_from("pqr"), NAMES, st.lists(NAMES, max_size=1)), max_size=6))
def test_what_a_registry_holds_is_always_consistent(
    steps: list[tuple[str, list[str], list[list[str]]]],
) -> None:
    """Whatever is tried, each look-up gives what iteration gives, and nothing folds together."""
    registry = Registry("tried")
    for name, codes, aliases in steps:
        facts: dict[str, Any] = {f"C{number}": {"code": text} for number, text in enumerate(codes)}
        facts["C0"]["aliases"] = [f"old.{alias}" for found in aliases for alias in found]
        with suppress(ErrkitError):
            domain(registry, name, **facts)
    specs = list(registry)
    assert len(registry) == len(specs) == len(registry.codes)
    assert all(registry[spec.code] is registry.codes[spec.code] is spec for spec in specs)
    assert all(registry[alias] is spec for spec in specs for alias in spec.aliases)
    owners: dict[str, ErrorSpec] = {}
    for spec in specs:
        for spelling in (spec.code, *spec.aliases):
            assert owners.setdefault(fold(spelling), spec) is spec
    assert specs == [spec for found in registry.domains for spec in found.codes]


# --- again and again ------------------------------------------------------------------------------------


def write(folder: Path, text: str) -> None:
    """A module of that text; importing it never meets a stale cache."""
    (folder / "reloaded.py").write_text(
        "from errkit import CodedError, Registry, code\n"
        "REG = globals().get('REG') or Registry('reloaded')\n" + text,
        "utf-8",
    )
    importlib.invalidate_caches()


@pytest.fixture
def reload_as(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Imports the module `reloaded` with a text, or reloads it with another one."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def load(text: str) -> ModuleType:
        write(tmp_path, text)
        module = sys.modules.get("reloaded")
        return importlib.import_module("reloaded") if module is None else importlib.reload(module)

    yield load
    sys.modules.pop("reloaded", None)


FIRST = """
class CartError(CodedError, domain="cart", numbers=range(10), registry=REG):
    EMPTY = code("Empty", number=1, aliases=("old",))
    FULL = code("Full", number=2)
class OrderError(CodedError, domain="order", registry=REG):
    LOST = code("Lost")
class CartEmpty(CartError, of=CartError.EMPTY, default=True):
    pass
"""


def test_a_reloaded_module_takes_the_place_of_the_old(reload_as: Any) -> None:
    """The same module and qualified name may register again, and keeps its place in the order.
    https://github.com/prometheus/client_python/issues/537
    """
    before = reload_as(FIRST)
    old_class, error = before.CartError, before.CartError.EMPTY("e")
    module = reload_as(FIRST.replace('"Empty"', '"Really empty"'))
    assert module.CartError is not old_class
    assert [spec.code for spec in module.REG] == ["cart.empty", "cart.full", "order.lost"]
    assert module.REG["cart.empty"].title == "Really empty"
    assert module.REG["cart.empty"].cls is module.CartError
    assert type(module.CartError.EMPTY()) is module.CartEmpty
    assert module.CartError.EMPTY.match(error) is not None
    assert not isinstance(error, module.CartError)


def test_errors_from_before_a_reload_revive_as_the_new_class(reload_as: Any) -> None:
    """Code strings decide, so what was pickled before a reload is caught by the class after it.
    https://github.com/python/cpython/issues/96858
    """
    pickled = pickle.dumps(reload_as(FIRST).CartError.EMPTY("e"))
    module = reload_as(FIRST)
    revived = pickle.loads(pickled)
    assert type(revived) is module.CartEmpty
    assert isinstance(revived, module.CartError)


def test_a_domain_may_come_back_smaller_larger_or_renamed(reload_as: Any) -> None:
    """What the new form no longer declares is gone: codes, aliases, numbers and the old name."""
    reload_as(FIRST)
    module = reload_as(
        """
class CartError(CodedError, domain="basket", numbers=range(5), registry=REG):
    FULL = code("Full", number=1, code="cart.full")
    NEW = code("New", number=2)
"""
    )
    registry = module.REG
    assert [spec.code for spec in registry] == ["cart.full", "basket.new", "order.lost"]
    assert registry.get("old") is None
    assert registry.by_number(1) is registry["cart.full"]
    assert registry.range_of(7) is None
    assert registry.domain("cart") is None


def test_a_reload_that_is_refused_changes_nothing(reload_as: Any) -> None:
    """If the new form clashes, the old one stays registered, whole and usable."""
    module = reload_as(FIRST)
    before = state(module.REG)
    with pytest.raises(CodedError, match=r"order\.lost"):
        reload_as(FIRST.replace('"Full", number=2', '"Full", code="order.lost"'))
    assert state(module.REG) == before
    assert module.REG["old"].code == "cart.empty"


def test_a_module_that_makes_its_registry_anew_is_found_by_its_new_one(reload_as: Any) -> None:
    """After a reload, pickles that name the registry meet the new one, though the old one still lives."""
    old = reload_as(FIRST).REG
    del sys.modules["reloaded"]
    module = reload_as(FIRST)
    assert module.REG is not old
    assert find_registry("reloaded") is module.REG
    assert type(pickle.loads(pickle.dumps(module.CartError.FULL()))) is module.CartError


def test_classes_that_a_function_makes_are_told_apart_by_their_domain() -> None:
    """A factory may make many domains; the same domain again is a new form of the old."""
    registry = Registry()

    def make(name: str) -> Any:
        class Made(CodedError, domain=name, registry=registry):
            X = code("X")

        return Made

    first, second = make("a"), make("b")
    assert [spec.cls for spec in registry] == [first, second]
    again = make("a")
    assert [spec.cls for spec in registry] == [again, second]


# --- bound classes --------------------------------------------------------------------------------------


class Bound:
    """A registry with a domain and classes bound to its codes."""

    def __init__(self) -> None:
        self.registry = Registry("bound")
        self.cls: Any = domain(self.registry, "route", LOST={}, FOUND={})

    def bind(self, name: str, *, of: str = "LOST", default: bool = False) -> Any:
        """A subclass that is bound to a code."""
        keywords = {"of": getattr(self.cls, of), "default": default}
        return new_class(name, (self.cls,), keywords, lambda scope: scope.update(__module__=__name__))


def test_a_name_picks_among_the_classes_of_a_code() -> None:
    """The class bound under a name, the default, the domain's class: in that order, and by no other name."""
    bound = Bound()
    one, two = bound.bind("One"), bound.bind("Two", default=True)
    lost, found = bound.cls.LOST.spec, bound.cls.FOUND.spec
    names = ("One", "Two", "Route", "Nobody", None)
    assert [bound.registry.class_of(lost, name) for name in names] == [one, two, bound.cls, two, two]
    assert bound.registry.class_of(found, "One") is bound.cls
    assert bound.registry.class_of(ErrorSpec(code="a", title="A")) is None


def test_two_classes_of_one_name_or_two_defaults_are_refused() -> None:
    """A code has one class of a name, and one default; the message names both by file and line."""
    bound = Bound()
    bound.bind("One", default=True)

    def rival() -> Any:
        body = {"__qualname__": "Elsewhere.One", "__module__": __name__}
        return new_class("One", (bound.cls,), {"of": bound.cls.LOST}, lambda scope: scope.update(body))

    assert "the class name One for route.lost" in clash(rival).message
    assert "default=True for route.lost" in clash(lambda: bound.bind("Two", default=True)).message
    assert bound.registry.class_of(bound.cls.LOST.spec, "Two") is not None
    assert type(bound.cls.LOST()).__name__ == "One"
    assert bound.bind("One", default=True) is bound.registry.class_of(bound.cls.LOST.spec, "One")


def test_bound_classes_belong_to_the_registry_of_their_code() -> None:
    """Every registry that shares a code knows the classes bound to it, whenever they are made."""
    bound = Bound()
    other, late = Registry("other").include(bound.registry), Registry("late").include(bound.cls)
    one = bound.bind("One", default=True)
    for registry in (bound.registry, other, late):
        assert registry.class_of(bound.cls.LOST.spec, "One") is one
        assert registry.class_of(bound.cls.LOST.spec) is one
    with other.scoped():
        pass
    assert type(bound.cls.LOST()) is one


# --- sharing --------------------------------------------------------------------------------------------


def test_include_shares_specs() -> None:
    """Domains of registries and single classes come in, in order, as the same objects; twice is once."""
    shop, plant = Registry("shop"), Registry("plant")
    cart, order = domain(shop, "cart", EMPTY={}), domain(shop, "order", LOST={})
    pump = domain(plant, "pump", DRY={})
    both = Registry("both")
    assert both.include(order, plant) is both
    both.include(shop, order, plant)
    assert [spec.code for spec in both] == ["order.lost", "pump.dry", "cart.empty"]
    assert both["cart.empty"] is shop["cart.empty"]
    assert (both["pump.dry"].registry, pump.DRY().spec.registry) == ("plant", "plant")
    assert cart.__domain__ in both.domains


def test_include_is_all_or_nothing() -> None:
    """If one of several sources clashes, none of them comes in."""
    one, two, target = Registry("one"), Registry("two"), Registry("target")
    domain(one, "a", range(10), X={"number": 1})
    domain(two, "b", range(5, 15))
    domain(two, "c")
    added: list[str] = []
    target.on_add(lambda found: added.append(found.domain))
    clash(lambda: target.include(one, two))
    assert (len(target), target.domains, added) == (0, (), [])
    assert target.by_number(1) is None
    assert target.get("a.x") is None
    target.include(one)
    assert added == ["a"]


def test_only_domains_can_be_shared() -> None:
    """A class that is no domain is refused with its place; `register` gives the class back."""
    registry, home = Registry("r"), Registry("home")
    cart = domain(home, "cart", EMPTY={})

    class Base(CodedError, registry=home):
        pass

    for take in (registry.include, registry.register, facade):
        with pytest.raises(
            CodedError, match=r"Base at .*test_registry\.py:\d+: the class is no domain"
        ) as caught:
            cast("Any", take)(Base)
        assert caught.value.code == "errkit.bad_declaration"
    assert registry.register(cart) is cart
    assert "cart.empty" in registry


def test_a_base_sets_the_registry_for_its_domains() -> None:
    """`registry=` on a base holds for all that derives from it; else a class is in the default registry."""
    registry = Registry()

    class Base(CodedError, registry=registry):
        pass

    class Middle(Base):
        pass

    with REGISTRY.scoped():

        class Inside(Middle, domain="inside"):
            X = code("X")

        class Outside(CodedError, domain="outside"):
            X = code("X")

        assert (Inside.X in registry, Inside.X in REGISTRY) == (True, False)
        assert (Outside.X in registry, Outside.X in REGISTRY) == (False, True)
        assert (Inside.X.spec.registry, Outside.X.spec.registry) == ("test_registry", "errkit")


def test_listeners_hear_of_whole_domains() -> None:
    """A listener gets each domain once it is in, with its constants in place."""
    registry = Registry()
    heard: list[tuple[bool, type]] = []

    def listen(found: DomainSpec) -> None:
        heard.append((found.codes[0] in list(registry), type(cast("Any", found.cls).X)))

    registry.on_add(listen)
    domain(registry, "a", X={})
    assert heard == [(True, ErrorCode)]


# --- for a while ----------------------------------------------------------------------------------------


def test_a_scope_unregisters_what_came_in() -> None:
    """At its end, also after an exception, a registry is what it was: by code, alias and number."""
    registry = Registry()
    domain(registry, "a", range(10), X={"number": 1})
    before = state(registry)

    def register_and_fail() -> None:
        with registry.scoped() as same:
            assert same is registry
            cls = domain(registry, "b", range(10, 20), Y={"number": 11, "aliases": ("old",)})
            registry.retire("c.gone")
            assert registry.by_number(11) is cls.Y.spec
            raise KeyError

    with pytest.raises(KeyError):
        register_and_fail()
    assert state(registry) == before
    assert registry.get("old") is registry.get("b.y") is registry.by_number(11) is None
    domain(registry, "c", range(10, 20), GONE={"number": 11, "aliases": ("old",)})


def test_scopes_nest() -> None:
    """An inner scope ends on its own."""
    registry = Registry()
    with registry.scoped():
        domain(registry, "a", X={})
        with registry.scoped():
            domain(registry, "b", X={})
            assert len(registry) == 2
        assert [spec.code for spec in registry] == ["a.x"]
    assert len(registry) == 0


def test_a_scope_restores_what_codes_build() -> None:
    """A default class that came in a scope goes at its end; one that was there before comes back."""
    bound = Bound()
    lost: str = bound.cls.LOST
    spec: ErrorSpec = bound.cls.LOST.spec
    with bound.registry.scoped():
        one = bound.bind("One", default=True)
        assert type(bound.cls.LOST()) is one
    assert type(bound.cls.LOST()) is bound.cls
    assert [bound.registry.class_of(spec, "One")] == [bound.cls]
    first = bound.bind("First", default=True)
    with bound.registry.scoped():
        again = bound.bind("First", default=True)
        assert type(bound.cls.LOST()) is again
    assert type(bound.cls.LOST()) is first
    assert lost == bound.cls.LOST


def test_a_code_outlives_its_scope_in_errors() -> None:
    """Errors made inside a scope keep their facts after it, also through a pickle."""
    registry = Registry("outlived")
    with registry.scoped():
        cls = domain(registry, "a", X={"kind": "transient", "hint": "Wait."})
        error = cls.X("x")
    assert (error.retryable, error.hint, error.code) == (True, "Wait.", "a.x")
    revived = pickle.loads(pickle.dumps(error))
    assert (revived.code, revived.retryable, revived.hint) == ("a.x", True, "Wait.")


# --- threads --------------------------------------------------------------------------------------------


def test_many_threads_may_register_and_read() -> None:
    """Readers see whole domains and never a change in the middle of an iteration; every writer gets in."""
    registry = Registry("threads")
    start, done = threading.Barrier(8), threading.Event()
    problems: list[object] = []

    def write_domains(number: int) -> None:
        start.wait()
        for step in range(25):
            first = (number * 25 + step) * 10
            facts: dict[str, Any] = {f"C{index}": {"number": first + index} for index in range(5)}
            domain(registry, f"d{number}.s{step}", range(first, first + 10), **facts)

    def read_everything() -> None:
        start.wait()
        while not done.is_set():
            specs = list(registry)
            problems.extend(spec for spec in specs if registry[spec.code] is not spec)
            problems.extend(spec for spec in specs if registry.by_number(spec.number or 0) is not spec)
            if len(specs) % 5:
                problems.append(len(specs))
            if any(type(getattr(spec.cls, spec.const)) is not ErrorCode for spec in specs[-5:]):
                problems.append("half a class")

    def guarded(function: Callable[..., None], *arguments: int) -> None:
        try:
            function(*arguments)
        except Exception as error:
            problems.append(error)

    writers = [threading.Thread(target=guarded, args=(write_domains, number)) for number in range(4)]
    readers = [threading.Thread(target=guarded, args=(read_everything,)) for _ in range(4)]
    for thread in writers + readers:
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    for thread in readers:
        thread.join()
    assert problems == []
    assert (len(registry), len(registry.domains)) == (500, 100)


def test_of_many_threads_with_one_code_one_wins() -> None:
    """Racing for the same code, one class is registered and all others are refused."""
    registry = Registry()
    start = threading.Barrier(8)
    outcomes: list[str] = []

    def claim(number: int) -> None:
        start.wait()
        try:
            domain(registry, f"d{number}", X={"code": "the.same"})
            outcomes.append("in")
        except CodedError as error:
            outcomes.append(error.code)

    threads = [threading.Thread(target=claim, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["errkit.clash"] * 7 + ["in"]
    assert len(registry) == 1


# --- identity, names, equality --------------------------------------------------------------------------


def test_a_registry_is_copied_and_pickled_by_name() -> None:
    """Copies are the registry itself; a pickle finds the one of that name in the process that reads it."""
    registry = Registry("unique.name")
    assert copy.copy(registry) is copy.deepcopy(registry) is registry
    assert pickle.loads(pickle.dumps(registry)) is registry
    assert pickle.loads(pickle.dumps(REGISTRY)) is REGISTRY


def test_registries_of_one_name_are_told_apart_by_their_codes() -> None:
    """Where several registries share a name, a code is looked for in each of them."""
    one, two = Registry("same.name"), Registry("same.name")
    first, second = domain(one, "a", X={}), domain(two, "b", Y={})
    assert find_spec("same.name", "a.x") is first.X.spec
    assert find_spec("same.name", "b.y") is second.Y.spec
    assert find_spec("same.name", "c") is None
    assert find_spec("nobody", "a.x") is None
    assert type(pickle.loads(pickle.dumps(first.X()))) is first
    assert type(pickle.loads(pickle.dumps(second.Y()))) is second


def test_a_registry_nobody_uses_is_forgotten() -> None:
    """Names keep no registry alive, nor its classes (in a process without Hypothesis, which does)."""
    program = """
import gc, weakref
from errkit import CodedError, Registry
from errkit.registry import find_registry
registry = Registry("short.lived")
class A(CodedError, domain="a", registry=registry): pass
reference = weakref.ref(A)
del registry, A
gc.collect()
assert reference() is None
assert find_registry("short.lived") is None
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_equality_is_that_of_the_contract() -> None:
    """Two registries are equal if they declare the same, in whatever classes; equal ones hash alike."""

    def make(title: str) -> Registry:
        registry = Registry("equal")
        new_class(
            "Cart",
            (CodedError,),
            {"domain": "cart", "registry": registry},
            lambda scope: scope.update(EMPTY=code(title), __module__=title),
        )
        return registry

    one, same, other = make("Empty"), make("Empty"), make("Void")
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != "equal"
    assert one == one


# --- facades --------------------------------------------------------------------------------------------


def test_a_facade_of_registries_finds_codes_by_constant() -> None:
    """`facade(...)` gathers registries and classes that are known at run time only."""
    shop, plant = Registry("shop"), Registry("plant")
    cart, pump = domain(shop, "cart", EMPTY={}, FULL={}), domain(plant, "pump", DRY={})
    codes = facade(shop, pump)
    assert codes["EMPTY"] is cart.EMPTY
    assert cast("Any", codes).DRY is pump.DRY
    assert type(codes["DRY"]("dry")) is pump
    assert (len(codes), list(codes), "FULL" in codes, "LOST" in codes) == (
        3,
        ["cart.empty", "cart.full", "pump.dry"],
        True,
        False,
    )
    assert {"EMPTY", "FULL", "DRY"} <= set(dir(codes))
    assert repr(codes) == "<Facade: 3 codes>"
    assert list(copy.copy(codes)) == list(codes)
    with pytest.raises(KeyError):
        codes["LOST"]
    with pytest.raises(AttributeError, match="LOST"):
        cast("Any", codes).LOST  # noqa: B018


def test_a_facade_follows_its_codes() -> None:
    """A default class that comes later is what the facade builds from then on."""
    bound = Bound()
    codes = facade(bound.registry)
    one = bound.bind("One", default=True)
    assert type(codes["LOST"]()) is one


def test_a_facade_of_registries_refuses_collisions() -> None:
    """Two codes of one constant are refused, with both places; one code from two sources is one."""
    shop, plant = Registry("shop"), Registry("plant")
    cart = domain(shop, "cart", EMPTY={})
    domain(plant, "tank", EMPTY={})
    assert len(facade(shop, cart, Registry("r").include(shop))) == 1
    error = clash(lambda: facade(shop, plant))
    assert "the constant EMPTY of tank.empty" in error.message
    assert "cart.empty at" in error.message


def test_codes_of_details_classes_stay_typed_through_a_registry() -> None:
    """A code found at run time builds and matches like the constant it is."""

    class CartDetails(Details):
        cart: str

    registry = Registry()
    cls = domain(registry, "cart", EMPTY={"details": CartDetails})
    found = facade(registry)["EMPTY"]
    assert found.match(found(cart="c1")) == CartDetails(cart="c1")
    assert found is cls.EMPTY


@every_hostile_object
def test_any_object_may_be_asked_for(value: Any) -> None:
    """`in` and `get` answer, whatever the object answers to a look-up."""
    assert value not in Registry()
    assert Registry().get(value) is None
