"""Throws hostile objects and hostile payloads at everything that must never raise, and says how it went.

    python benchmarks/hostile.py [--objects 2000] [--payloads 2000] [--seed 1] [--jobs 2] [--turns]

Each object and each payload is made from the seed and its own number, so a fault can be repeated alone:
`--first NUMBER --objects 1 --payloads 0 --jobs 1`. Everything goes through every function; with `--turns` the
dialects, the audiences and the functions that walk the whole object take turns, so that a million of each
take minutes. Of each function the report gives calls, the
mean and the worst time, and the largest output. Exit status 1 if there was a fault: an exception, output that
is no strict JSON or is over the bound, or a call that took longer than ten seconds. A call that can't be
stopped ends the script after a minute, and the traceback is shown.
"""

from __future__ import annotations

import argparse
import collections.abc
import concurrent.futures
import datetime
import decimal
import faulthandler
import json
import pathlib
import resource
import signal
import sys
import time
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Final

from errkit import (
    CodedError,
    Details,
    Registry,
    Secret,
    Translator,
    Verdict,
    as_coded,
    classify,
    code,
    format_error,
    from_payload,
    loads,
    redact,
    to_payload,
    unwrap_cause,
)
from errkit.boundary import Rule
from errkit.dialects import get, names
from errkit.errors import bare
from errkit.safe import BOUNDS, to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_CHARS: Final = 8 * BOUNDS.chars
"""Characters of JSON that any output may have: what a text is in memory may be longer in writing."""
MAX_SECONDS: Final = 10.0
CLASSES: Final = 800
TEXTS: Final = 2_000
SIZES: Final = (2, 3, 3, 4, 5, 5, 8, 8, 10, 12, 15, 20, 30, 100)
"""Values that one object is made of."""
MEMORY: Final = 3 << 30
EXACT: Final = (dict, list, str, int, float, bool, type(None))
HERE: Final = pathlib.Path(__file__).resolve().parent

REG: Final = Registry("hostile")


class ThingDetails(Details):
    path: str
    count: int = 0
    token: Secret[str] = ""


class ThingError(CodedError, domain="thing", registry=REG, numbers=range(100, 200)):
    LOST = code("Thing is lost", ThingDetails, number=101, public=True, hint="Look again.", http_status=404)
    BUSY = code("Thing is busy", number=102, kind="transient", retry_after=2.0)
    BROKEN = code("Thing is broken", ThingDetails, kind="bug", aliases=("thing.kaput",))


to_thing_error: Final = Translator(
    ThingError,
    [Rule(ThingError.BUSY, errno="EAGAIN"), Rule(ThingError.LOST, status=404)],
    fallback=ThingError.BROKEN,
)


# --- hostile classes ------------------------------------------------------------------------------------

HOOKS: Final = """
    __str__ __repr__ __format__ __len__ __bool__ __iter__ __next__ __eq__ __hash__ __lt__ __getattr__ __int__
    __float__ __index__ __bytes__ __fspath__ __reduce__ __reduce_ex__ __getitem__ __contains__ __call__
    __get__ __add__
    __instancecheck__ __subclasscheck__ __dir__ __missing__ __reversed__ __sizeof__ __neg__ __and__ __sub__
    items keys values get item isoformat total_seconds tolist copy startswith split strip encode lower replace
    """.split()
"""Methods that a reporter may call, knowingly or not."""
ATTRIBUTES: Final = """
    __class__ __dict__ __cause__ __context__ __notes__ __traceback__ __suppress_context__ __module__ __doc__
    code message details args exceptions hint retryable retry_after retries_spent supported_on diagnostic_id
    log_path number name kind alert docs spec status errno dtype secondary value _fields _facts _spec _details
    __dataclass_fields__ __domain__ response cause group
    """.split()
"""Attributes that a reporter may read."""
FAILURES: Final[tuple[type[Exception], ...]] = (
    RuntimeError,
    RecursionError,
    MemoryError,
    AttributeError,
    KeyError,
    TypeError,
    StopIteration,
    AssertionError,
    UnicodeError,
)
BASES: Final[tuple[type, ...]] = (
    object,
    dict,
    list,
    tuple,
    str,
    int,
    float,
    bytes,
    set,
    frozenset,
    collections.abc.Mapping,
    datetime.date,
    datetime.timedelta,
    decimal.Decimal,
    pathlib.PurePosixPath,
    Exception,
    ValueError,
    OSError,
    KeyError,
    UnicodeDecodeError,
    ExceptionGroup,
    CodedError,
)
ODD_TEXTS: Final = (
    "",
    "\ud800",
    "a\udfffb",
    "\x00" * 40,
    "\u2028\x85\r\n",
    "{0} %s {x!r}",
    "password=hunter2",
    "https://bob:hunter2@h/?api_key=0a1b2c3d",
    "Authorization: Bearer abcdefghijklmnop",
    "thing.lost",
    "thing.kaput",
    "internal",
    "__class__",
    "[Circular]",
    "[REDACTED]",
    "...",
    "NaN",
    "-----BEGIN RSA PRIVATE KEY-----",
    '{"v":1,"code":"thing.lost","message":"m"}',
    "\U0001f4a5" * 30,
)
PLAIN: Final[tuple[Any, ...]] = (
    None,
    True,
    False,
    0,
    -1,
    2**63,
    2**64,
    -(10**400),
    10**5000,
    1e308,
    float("nan"),
    float("inf"),
)
ODD: Final[tuple[Any, ...]] = (
    b"\xff\x00",
    bytearray(b"token=abc"),
    range(10**12),
    ...,
    NotImplemented,
    object(),
    int,
    len,
    1j,
    Random,
)
NATIVE_KEYS: Final = """
    v code message retryable number name kind alert retry_after retries_spent hint docs details supported_on
    diagnostic_id log_path notes group secondary cause elided type title status detail instance data error
    errors jsonrpc id content structuredContent isError msg reason domain metadata @type details_ debug
    request_id context password token api_key "" ... v\ud800
    """.split()


def trap(rng: Random) -> Callable[..., Any]:
    """A method that does what no caller expects."""
    failure = rng.choice(FAILURES)
    answer: Any = rng.choice(
        (None, 5, -1, "text", "\ud800", 10**5000, float("nan"), b"\xff", [], {}, object())
    )

    def fails(*_arguments: Any, **_keywords: Any) -> Any:
        raise failure("trap")

    def answers(*_arguments: Any, **_keywords: Any) -> Any:
        return answer

    def itself(self: Any, *_arguments: Any, **_keywords: Any) -> Any:
        return self

    def again(self: Any, *_arguments: Any, **_keywords: Any) -> Any:
        return again(self)

    many_times = rng.choice((300, 300, 300, 50_000))

    def many(*_arguments: Any, **_keywords: Any) -> Iterator[Any]:
        for number in range(many_times):
            yield number if number % 2 else ("k", number)

    return rng.choices((fails, answers, itself, again, many), (10, 8, 3, 1, 2))[0]


def hostile_class(rng: Random) -> type:
    """A class whose instances fight back, in a way of its own."""
    base = rng.choice(BASES)
    body: dict[str, Any] = {name: trap(rng) for name in rng.sample(HOOKS, rng.randint(0, 8))}
    for name in rng.sample(ATTRIBUTES, rng.randint(0, 4)):
        body[name] = property(trap(rng)) if rng.random() < 0.7 else rng.choice(ODD_TEXTS)
    if rng.random() < 0.03:
        body["__getattribute__"] = trap(rng)
    kind: Any = type(base)
    if rng.random() < 0.1:
        meta = rng.sample(
            ("__str__", "__repr__", "__eq__", "__hash__", "__getattr__", "__instancecheck__"), 2
        )
        kind = type("Meta", (kind,), {name: trap(rng) for name in meta})
    name = rng.choice(("Odd", "password=hunter2", "x" * 300, "CodedError", "RemoteTraceback", "naïve"))
    try:
        made: type = kind(name, (base,), {**body, "__module__": __name__})
    except Exception:
        return base
    return made


# --- hostile objects ------------------------------------------------------------------------------------


class Stock:
    """What objects are put together from, made once: a piece takes longer to make than to use."""

    def __init__(self, seed: int, classes: int = CLASSES) -> None:
        rng = Random(f"{seed} texts")
        self.classes = [hostile_class(Random(f"{seed} class {number}")) for number in range(classes)]
        self.texts = [self._text(rng) for _ in range(TEXTS)]

    def _text(self, rng: Random) -> str:
        chosen = rng.random()
        if chosen < 0.4:
            return rng.choice(ODD_TEXTS)
        if chosen < 0.97:
            return "".join(
                chr(rng.choice((32, 61, 97, 0, 0xD800, 0x10FFFF, 0xFF, 39))) for _ in range(rng.randrange(12))
            )
        return rng.choice(ODD_TEXTS) * rng.randrange(200)


class Maker:
    """Makes one object after another; what it makes depends on its generator and the stock alone."""

    def __init__(self, rng: Random, stock: Stock, run: Run) -> None:
        self.rng = rng
        self.run = run
        self.stock = stock
        self.made: list[Any] = []
        self.left = rng.choice(SIZES)

    def text(self) -> str:
        rng = self.rng
        if rng.random() < 0.9995:
            return rng.choice(self.stock.texts)
        return (rng.choice(ODD_TEXTS) or "x") * rng.choice((5_000, 20_000))

    def scalar(self) -> Any:
        rng = self.rng
        chosen = rng.random()
        if chosen < 0.35:
            return self.text()
        return rng.choice(PLAIN) if chosen < 0.7 else rng.choice(ODD)

    def instance(self) -> Any:
        """Of a hostile class, if it lets itself be made."""
        cls = self.rng.choice(self.stock.classes)
        for arguments in (
            (),
            (self.text(),),
            (7,),
            ("g", [ValueError("x")]),
            ("utf-8", b"x", 0, 1, "bad"),
            (2026, 1, 1),
        ):
            try:
                made = cls(*arguments)
            except Exception:
                continue
            if self.rng.random() < 0.4:
                self.attach(made)
            if self.rng.random() < 0.1:
                self.give(made, code=self.rng.choice(("internal", "thing.lost")), message=self.text())
            return made
        return cls

    def attach(self, made: Any) -> None:
        """Attributes that the object may or may not take."""
        plain = [name for name in ATTRIBUTES if not name.startswith("__") or name == "__notes__"]
        for name in self.rng.sample(plain, 4):
            # The interpreter itself reads `args` to the end, which an endless one does not have.
            self.give(made, **{name: (self.value(),) if name == "args" else self.value()})

    def give(self, made: Any, **attributes: Any) -> None:
        """Set what lets itself be set."""
        for name, value in attributes.items():
            try:
                object.__setattr__(made, name, value)
            except Exception:
                continue

    def value(self) -> Any:
        rng = self.rng
        self.left -= 1
        if self.left <= 0:
            return self.scalar()
        if self.made and rng.random() < 0.06:
            return rng.choice(self.made)
        chosen = rng.random()
        for maker, share in MAKERS:
            if chosen < share:
                return maker(self)
        return self.deep()

    def first(self) -> Any:
        """What is thrown: an error mostly, for whose sake all this is."""
        return self.error() if self.rng.random() < 0.6 else self.value()

    def sequence(self) -> Any:
        found: list[Any] = []
        self.made.append(found)
        found += [self.value() for _ in range(self.rng.randrange(6))]
        if self.rng.random() < 0.02:
            found *= 1_000
        chosen = self.rng.random()
        return found if chosen < 0.6 else tuple(found) if chosen < 0.9 else (item for item in found)

    def mapping(self) -> Any:
        found: dict[Any, Any] = {}
        self.made.append(found)
        for _ in range(self.rng.randrange(6)):
            key = self.rng.choice(NATIVE_KEYS) if self.rng.random() < 0.6 else self.value()
            try:
                found[key] = self.value()
            except Exception:
                found["unhashable"] = key
        return found

    def deep(self) -> Any:
        found = self.scalar()
        for _ in range(self.rng.choice((50, 2_000, 20_000))):
            found = [found] if self.rng.random() < 0.5 else {"cause": found}
        return found

    def error(self) -> Any:
        rng = self.rng
        self.left -= 1
        chosen = rng.random()
        made: Any
        if chosen < 0.4:
            made = self.coded()
        elif chosen < 0.6:
            made = self.builtin()
        elif chosen < 0.75:
            members = [self.raisable() for _ in range(rng.randrange(1, 5))]
            made = BaseExceptionGroup(self.text(), members)
        else:
            made = self.instance()
        self.made.append(made)
        if issubclass(type(made), BaseException):
            self.link(made)
        return made

    def builtin(self) -> BaseException:
        kinds = (ValueError, OSError, KeyError, SystemExit, KeyboardInterrupt, ImportError, StopIteration)
        arguments = [self.value() for _ in range(self.rng.randrange(4))]
        try:
            return self.rng.choice(kinds)(*arguments)
        except Exception as error:
            # OSError looks its first argument up.
            return error

    def coded(self) -> Any:
        rng = self.rng
        details = {
            rng.choice(("path", "count", "token", "reason", *NATIVE_KEYS)): self.value()
            for _ in range(rng.randrange(5))
        }
        build: Any = rng.choice((ThingError.LOST, ThingError.BUSY, ThingError.BROKEN))
        if rng.random() < 0.7:
            error = self.run("a code, called", coded, build, self.value(), **details)
        else:
            error = self.run("CodedError", coded, CodedError, self.value(), self.text(), details=details)
        if error is None:
            return ThingError.BUSY()
        if rng.random() < 0.3:
            said: Any = {
                name: self.value()
                for name in ("hint", "retryable", "retry_after", "retries_spent", "supported_on")
            }
            self.run("override", coded, error.override, **said)
        if rng.random() < 0.2:
            error.note_facts(diagnostic_id=self.text(), log_path=self.text())
        return error

    def raisable(self) -> BaseException:
        made = self.error() if self.left > 0 else ValueError(self.scalar())
        return made if issubclass(type(made), BaseException) else RuntimeError(made)

    def link(self, error: Any) -> None:
        """Causes, contexts and notes; some of them in a circle."""
        rng = self.rng
        try:
            if rng.random() < 0.4:
                error.__cause__ = self.raisable()
            if rng.random() < 0.2:
                error.__context__ = self.raisable()
            if rng.random() < 0.3:
                error.__notes__ = [self.value(), self.text()] if rng.random() < 0.7 else self.value()
            others = [made for made in self.made if issubclass(type(made), BaseException)]
            if others and rng.random() < 0.15:
                rng.choice(others).__cause__ = error
            if rng.random() < 0.01:
                for number in range(rng.choice((30, 3_000))):
                    outer = ValueError(number)
                    outer.__cause__ = error.__cause__
                    error.__cause__ = outer
        except Exception:
            return


MAKERS: Final = (
    (Maker.scalar, 0.41),
    (Maker.instance, 0.56),
    (Maker.sequence, 0.69),
    (Maker.mapping, 0.84),
    (Maker.error, 0.9995),
)
"""What a value is made by, and up to which share of all."""


# --- hostile payloads -----------------------------------------------------------------------------------


def mutate(rng: Random, form: Any, make: Maker) -> Any:
    """The form with a few things in it replaced, removed, doubled, moved or closed to a circle."""
    places = list(_places(form))
    for _ in range(rng.choice((0, 1, 1, 2, 3, 8))):
        owner, key = rng.choice(places) if places else (None, None)
        chosen = rng.random()
        if owner is None or chosen < 0.03:
            form = rng.choice(([form], {"error": form}, {"cause": form, "code": "x"}, make.value()))
        elif chosen < 0.45:
            owner[key] = make.value()
        elif chosen < 0.55 and isinstance(owner, dict):
            owner.pop(key, None)
        elif chosen < 0.7 and isinstance(owner, dict):
            owner[rng.choice(NATIVE_KEYS)] = make.value()
        elif chosen < 0.85:
            owner[key] = rng.choice((form, owner, *(place[0] for place in places[:5])))
        else:
            other, place = rng.choice(places)
            try:
                owner[key], other[place] = other[place], owner[key]
            except (KeyError, IndexError):
                continue
    return form


def _places(form: Any) -> Iterator[tuple[Any, Any]]:
    waiting = [form]
    while waiting:
        owner = waiting.pop()
        if type(owner) is dict:
            yield from ((owner, key) for key in owner)
            waiting += owner.values()
        elif type(owner) is list:
            yield from ((owner, index) for index in range(len(owner)))
            waiting += owner


def spoilt_text(rng: Random, text: str) -> str | bytes:
    """JSON text with some characters changed, cut off or repeated."""
    for _ in range(rng.randrange(4)):
        at = rng.randrange(len(text) + 1)
        to = min(len(text), at + rng.randrange(20))
        put = rng.choice(
            (
                "",
                "[",
                '"',
                "NaN",
                "1e999",
                "\\ud800",
                "[" * 3_000,
                "9" * 5_000,
                text[at:to] * 3,
                "{}",
                ":",
                ",",
            )
        )
        text = text[:at] + put + text[to:]
    return (
        text if rng.random() < 0.6 else text.encode("utf-8", "surrogatepass")[: rng.randrange(len(text) + 1)]
    )


# --- running --------------------------------------------------------------------------------------------


class Stuck(BaseException):
    """A call did not come back in time; no reporter may take it for a failure of the object."""


class Fault:
    """A problem: how often it came up, in which functions, and where it can be seen."""

    def __init__(self, seen_at: str) -> None:
        self.seen_at = seen_at
        self.times = 0
        self.functions: dict[str, None] = {}


class Figures:
    """What was seen of one function."""

    def __init__(self) -> None:
        self.calls = 0
        self.seconds = 0.0
        self.worst = 0.0
        self.worst_at = ""
        self.chars = 0
        self.chars_at = ""

    def add(self, other: Figures) -> None:
        """Take over what another process has seen."""
        self.calls += other.calls
        self.seconds += other.seconds
        if other.worst > self.worst:
            self.worst, self.worst_at = other.worst, other.worst_at
        if other.chars > self.chars:
            self.chars, self.chars_at = other.chars, other.chars_at


class Run:
    """Calls functions, checks what comes back, and keeps the figures."""

    def __init__(self) -> None:
        self.figures: dict[str, Figures] = {}
        self.faults: dict[str, Fault] = {}
        self.thrown = {"object": 0, "payload": 0}
        self.what = ""
        self.number = 0

    def add(self, other: Run) -> None:
        """Take over what another process has seen."""
        for kind, count in other.thrown.items():
            self.thrown[kind] += count
        for name, figures in other.figures.items():
            self.figures.setdefault(name, Figures()).add(figures)
        for problem, fault in other.faults.items():
            mine = self.faults.setdefault(problem, Fault(fault.seen_at))
            mine.times += fault.times
            mine.functions |= fault.functions

    def fault(self, function: str, problem: str) -> None:
        fault = self.faults.setdefault(problem, Fault(f"{self.what} {self.number}"))
        fault.times += 1
        fault.functions[function] = None

    def __call__(
        self,
        name: str,
        check: Callable[[Any], int],
        function: Callable[..., Any],
        /,
        *arguments: Any,
        **keywords: Any,
    ) -> Any:
        """What the function returns; None after a fault."""
        figures = self.figures.setdefault(name, Figures())
        # Again each second: one that strikes in a finalizer is passed over by the interpreter.
        signal.setitimer(signal.ITIMER_REAL, MAX_SECONDS, 1.0)
        start = time.perf_counter()
        try:
            found = function(*arguments, **keywords)
        except Stuck:
            self.fault(name, f"did not come back in {MAX_SECONDS:.0f} s")
            return None
        except BaseException as error:
            self.fault(name, f"raised {_told(error)}")
            return None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            took = time.perf_counter() - start
            figures.calls += 1
            figures.seconds += took
            if took > figures.worst:
                figures.worst, figures.worst_at = took, f"{self.what} {self.number}"
        try:
            chars = check(found)
        except Exception as error:
            self.fault(name, f"gave a bad answer: {_told(error)}")
            return None
        if chars > figures.chars:
            figures.chars, figures.chars_at = chars, f"{self.what} {self.number}"
        if chars > MAX_CHARS:
            self.fault(name, f"gave more than {MAX_CHARS:,} characters")
        return found


def _told(error: BaseException) -> str:
    """Where it was: all exceptions from one line of errkit are one problem, and so are all of one check."""
    place, trace = "", error.__traceback__
    while trace is not None:
        path = pathlib.Path(trace.tb_frame.f_code.co_filename)
        if HERE.parent / "errkit" in path.parents:
            place = f" at {path.relative_to(HERE.parent)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"an exception{place}" if place else f"{type(error).__name__}: {str(error)[:40]}"


def strict(found: Any) -> int:
    """Characters of strict JSON of exact types."""
    waiting = [found]
    while waiting:
        item = waiting.pop()
        if type(item) not in EXACT:
            raise TypeError(f"holds a {type(item)}")
        if type(item) is dict:
            if not all(type(key) is str for key in item):
                raise TypeError("holds a key that is no text")
            waiting += item.values()
        elif type(item) is list:
            waiting += item
    text = json.dumps(found, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    well_formed(text)
    return len(text)


def well_formed(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("holds a lone surrogate") from None


def exact_text(found: Any) -> int:
    """Characters of an exact, well-formed text."""
    if type(found) is not str:
        raise TypeError(f"is a {type(found)}")
    well_formed(found)
    return len(found)


def coded(found: Any) -> int:
    """That it is a coded error, whose code and message are exact texts."""
    if not issubclass(type(found), CodedError):
        raise TypeError(f"is a {type(found)}")
    # A class with a property of that name answers for itself; junk in the place of facts is none.
    view = bare(found)
    if type(view) in (CodedError, ThingError) and {type(view.code), type(view.message)} != {str}:
        raise TypeError("has a code or a message that is no exact text")
    return 0


def verdict(found: Any) -> int:
    """That a verdict holds exact values."""
    if type(found) is not Verdict:
        raise TypeError(f"is a {type(found)}")
    flags: list[Any] = [found.retryable, found.alert]
    wait: Any = found.retry_after
    if {type(flag) for flag in flags} != {bool} or type(wait) not in (float, int, type(None)):
        raise TypeError("holds values of other types")
    return strict([found.code, found.kind, wait])


def raisable(found: Any) -> int:
    """That it can be raised."""
    if not issubclass(type(found), BaseException):
        raise TypeError(f"is a {type(found)}")
    return 0


def anything(_found: Any) -> int:
    """No promise but that it came back."""
    return 0


AUDIENCES: Final = ("internal", "public")


def throw_object(run: Run, rng: Random, stock: Stock, number: int, *, turns: bool) -> None:
    """A hostile object through every function, and what comes of it back again."""
    value = Maker(rng, stock, run).first()
    every = [(name, audience) for name in names() for audience in AUDIENCES]
    some = [every[number % len(every)]] if turns else every
    run("to_payload internal", strict, to_payload, value, audience="internal")
    run("classify", verdict, classify, value)
    run("unwrap_cause", anything, unwrap_cause, value)
    wrapped = run("as_coded", coded, as_coded, value)
    for turn, look in enumerate(LOOKS):
        # These walk the whole object again.
        if not turns or number % len(LOOKS) == turn:
            look(run, value, wrapped)
    for name, audience in some:
        form = run(f"{name} encode", strict, get(name).encode, value, audience=audience)
        run(f"{name} decode of its own", coded, get(name).decode, form, registry=REG)
    for name in {name for name, _ in some}:
        back_and_forth(run, value, f"{name} decode", get(name).decode)


LOOKS: Final[tuple[Callable[[Run, Any, Any], object], ...]] = (
    lambda run, value, _: run("to_payload public", strict, to_payload, value, audience="public"),
    lambda run, value, _: run("format_error", exact_text, format_error, value, verbose=True),
    lambda run, value, _: run("redact", anything, redact, value),
    lambda run, _, wrapped: run("to_payload of as_coded", strict, to_payload, wrapped),
    lambda run, value, _: back_and_forth(run, value, "from_payload", from_payload),
    lambda run, value, _: run("repr of as_coded", exact_text, repr, ThingError.LOST(value, path=value)),
    lambda run, value, _: run("Translator", raisable, to_thing_error, value, path=value),
)


def back_and_forth(run: Run, value: Any, name: str, decode: Callable[..., CodedError]) -> None:
    """A hostile payload in, and what was read of it out again."""
    error = run(name, coded, decode, value, registry=REG)
    run(f"to_payload after {name}", strict, to_payload, error)


def spoil(run: Run, rng: Random, make: Maker, number: int, *, turns: bool) -> list[tuple[str, Any]]:
    """A form of each dialect, of one and the same error, spoilt in a way of its own."""
    every = ("native", *names())
    error = make.raisable() if rng.random() < 0.3 else make.coded()
    found: list[tuple[str, Any]] = []
    for name in (every[number % len(every)],) if turns else every:
        # Dialects default to their own audience, and the native form to the internal one.
        encode = to_payload if name == "native" else get(name).encode
        form = run(f"{name} encode of what is spoilt", strict, encode, error)
        make.left = 20
        found.append((name, mutate(rng, form, make)))
    return found


def throw_payload(run: Run, rng: Random, stock: Stock, number: int, *, turns: bool) -> None:
    """A hostile payload through every decoder, and what was read of it out again."""
    for name, form in spoil(run, rng, Maker(rng, stock, run), number, turns=turns):
        if name == "native":
            back_and_forth(run, form, "from_payload", from_payload)
            text = spoilt_text(rng, json.dumps(to_json(form), ensure_ascii=False))
            run("loads", coded, loads, text, registry=REG)
        else:
            back_and_forth(run, form, f"{name} decode", get(name).decode)


def work(chosen: argparse.Namespace, part: int) -> Run:
    """Every `--jobs`-th object and payload, from number `part` on."""

    def stuck(_number: int, _frame: Any) -> None:
        raise Stuck

    signal.signal(signal.SIGALRM, stuck)
    faulthandler.enable()  # a crash of the interpreter shows where it was
    # What would eat the machine fails here instead.
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    stock, run = Stock(chosen.seed), Run()
    for kind, wanted, throw in (
        ("object", chosen.objects, throw_object),
        ("payload", chosen.payloads, throw_payload),
    ):
        end = time.perf_counter() + chosen.seconds / 2
        for number in range(chosen.first + part, chosen.first + wanted, chosen.jobs):
            if time.perf_counter() > end:
                break
            run.what, run.number = kind, number
            run.thrown[kind] += 1
            # Code in C may hear no alarm. This ends the process, and shows where it was.
            faulthandler.dump_traceback_later(MAX_SECONDS * 6, exit=True)
            throw(run, Random(f"{chosen.seed} {kind} {number}"), stock, number, turns=chosen.turns)
    faulthandler.cancel_dump_traceback_later()
    return run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--objects", type=int, default=2_000)
    parser.add_argument("--payloads", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after that time")
    parser.add_argument("--first", type=int, default=0, help="the number to start from")
    parser.add_argument("--jobs", type=int, default=2, help="processes that share the work")
    parser.add_argument("--turns", action="store_true", help="each is walked one way and through one dialect")
    chosen = parser.parse_args()
    run, start = Run(), time.perf_counter()
    with concurrent.futures.ProcessPoolExecutor(chosen.jobs) as pool:
        for part in pool.map(partial(work, chosen), range(chosen.jobs)):
            run.add(part)
    report(run, chosen, time.perf_counter() - start)
    return 1 if run.faults else 0


def report(run: Run, chosen: argparse.Namespace, seconds: float) -> None:
    print(f"{'function':<38}{'calls':>10}{'mean us':>10}{'worst ms':>10}  {'of':<16}{'chars':>10}  of")
    for name, figures in run.figures.items():
        mean = figures.seconds / figures.calls * 1e6
        print(
            f"{name:<38}{figures.calls:>10,}{mean:>10.0f}{figures.worst * 1e3:>10.1f}  {figures.worst_at:<16}"
            f"{figures.chars:>10,}  {figures.chars_at}"
        )
    calls = sum(figures.calls for figures in run.figures.values())
    times = sum(fault.times for fault in run.faults.values())
    print(
        f"\n{run.thrown['object']:,} objects and {run.thrown['payload']:,} payloads, seed {chosen.seed}:"
        f" {calls:,} calls in {seconds:.0f} s, {times:,} faults; no output may be"
        f" over {MAX_CHARS:,} characters"
    )
    for problem, fault in sorted(run.faults.items(), key=lambda found: -found[1].times):
        print(f"{fault.times:>7,} times, first in {fault.seen_at}: {problem} ({', '.join(fault.functions)})")


if __name__ == "__main__":
    sys.exit(main())
