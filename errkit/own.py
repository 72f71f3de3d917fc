"""errkit's own codes: the three that every program needs, and those of errkit's own failures.

They stand in the default registry before anything else does, so each face of errkit can name its failures in
the way it asks of others.
"""

from __future__ import annotations

from errkit.codes import Details, code
from errkit.errors import CodedError
from errkit.registry import REGISTRY

__all__ = ["CoreError", "ErrkitError", "not_implemented"]


class FeatureDetails(Details):
    """Which feature is not there."""

    feature: str = ""
    """The name of the feature, as its user knows it."""


class CoreError(CodedError, domain="core", title="Core", numbers=range(12800, 12900), registry=REGISTRY):
    """Failures that belong to no domain: the fallback, the gap, and input that breaks a rule."""

    INTERNAL = code(
        "Internal error",
        code="internal",
        number=12801,
        kind="bug",
        hint="Read the cause and the log, and give the failure a code in the domain that owns it.",
    )
    """An error without a code reached a boundary, so it was given this one. It happens when a library raises
    an exception that no translator of the program maps, such as a plain ``ValueError`` from a parser. Read
    the cause: it names the foreign exception. Then add a rule to the translator of the domain that called the
    library."""

    NOT_IMPLEMENTED = code(
        "Not implemented",
        FeatureDetails,
        code="not_implemented",
        number=12802,
        kind="bug",
        public=True,
        http_status=501,
        hint="Use another feature, or a version that has this one.",
        example={"feature": "export to PDF"},
    )
    """The program was asked for something that it announces but does not do yet.
    ``errkit.not_implemented(feature)`` builds the error, and ``details.feature`` says which feature it is.
    Look for the feature in the changelog before you ask for it again; repeating the call changes nothing."""

    VALIDATION_FAILED = code(
        "Validation failed",
        code="validation.failed",
        number=12803,
        public=True,
        http_status=422,
        hint="Correct the input that the message names and send it again.",
    )
    """Input was understood but breaks a rule of the program, for instance a date that lies before its start.
    The message names the rule, and the details, where given, the field. Correct that field; the same input
    fails every time."""


class DeclarationDetails(Details):
    """Which declaration is not sound."""

    problem: str
    """What is wrong, and the way out."""
    place: str = ""
    """File and line of the declaration."""
    owner: str = ""
    """The class, or the class and the constant."""


class ClashDetails(Details):
    """Two owners of one thing."""

    what: str
    """What both claim: a code, an alias, a number, a range, a domain, a constant."""
    first: str
    """Where the first owner stands, as file and line."""
    second: str
    """Where the second owner stands, as file and line."""


class RecordDetails(Details):
    """Which record can't be built."""

    record: str
    """The record's class."""
    fields: list[str]
    """The keywords that are missing or unknown."""


class UnknownCodeDetails(Details):
    """Which code was looked for, and where."""

    wanted: str
    """The code as it was written."""
    registry: str = ""
    """The registry that does not have it."""
    near: list[str] = []  # noqa: RUF012 (a default of a frozen record)
    """Registered codes that look like it."""


class PayloadDetails(Details):
    """Where a payload is broken."""

    place: str
    """The path of the fault inside the payload, such as `$.cause.code`; `$` is the payload itself."""
    problem: str
    """What was found there and what was expected."""
    found: str = ""
    """The beginning of what was found, redacted."""


class CatalogDetails(Details):
    """Where a catalogue file is broken."""

    path: str
    """The file."""
    place: str
    """The place in the file, such as `domains[0].codes[3].number`."""
    problem: str
    """What was found there and what was expected."""


class ExtraDetails(Details):
    """Which optional part is missing."""

    extra: str
    """The extra that brings it, as in `errkit[extra]`."""
    module: str = ""
    """The module that could not be imported."""


class SourceDetails(Details):
    """Which source of registries could not be used."""

    item: str
    """The item as the configuration gives it."""
    problem: str
    """Why it could not be used."""


class ConfigDetails(Details):
    """Where a setting is wrong."""

    path: str
    """The configuration file."""
    key: str
    """The setting, such as `tool.errkit.markup`."""
    problem: str
    """What was found and what was expected."""


class LiteralDetails(Details):
    """Why a literal can't be registered as a secret."""

    length: int
    """Its number of characters."""


class SiteDetails(Details):
    """Why a site could not be built."""

    folder: str
    """The folder that the site was to be written to."""
    problem: str
    """What the builder reported."""


class AddressDetails(Details):
    """Where a site could not be served."""

    address: str
    """The address, with its port."""
    problem: str
    """What the system said."""


class LockDetails(Details):
    """Where a lock is broken."""

    path: str
    """The file; behind a revision of git, where it was read from there."""
    place: str
    """The place in the file, such as `line 12`."""
    problem: str
    """What was found there and what was expected."""


class SinkDetails(Details):
    """Which sink it is, and what is the matter."""

    sink: str
    """The sink and its target, without a password."""
    problem: str
    """What was found and what was expected."""


class DialectDetails(Details):
    """Which dialect was asked for."""

    wanted: str
    """The name as it was written."""
    known: list[str]
    """The names that there are."""


class StepDetails(Details):
    """Which step of a cleanup it is."""

    step: str
    """The name of the step."""


class CommandDetails(Details):
    """Which command was not understood."""

    command: str
    """The command with its parents, such as `errkit explain`."""
    problem: str
    """What was found and what was expected."""


class FileDetails(Details):
    """Which file it is."""

    path: str
    """The file."""
    problem: str
    """What the system said."""


class ImportDetails(Details):
    """Where a list of codes can't be taken over."""

    path: str
    """The file; `-` is the standard input."""
    place: str
    """The place in the file, such as `line 12` or `[3].code`."""
    problem: str
    """What was found there and what was expected."""


class NewDomainDetails(Details):
    """Which domain could not be started, and where."""

    path: str
    """The file or folder that is in the way."""
    problem: str
    """What is the matter with it."""


class ErrkitError(
    CodedError, domain="errkit", title="errkit itself", numbers=range(12900, 13000), registry=REGISTRY
):
    """Failures of errkit itself: a declaration, a file or a payload that it can't use."""

    BAD_DECLARATION = code(
        "Declaration is not sound",
        DeclarationDetails,
        number=12901,
        kind="bug",
        public=True,
        hint="Correct the declaration at the place that the message names.",
        example={
            "problem": "number 3 is outside the domain's range 10 to 19",
            "place": "shop/errors.py:12",
            "owner": "CartError.EMPTY",
        },
    )
    """A domain class or one of its codes breaks a rule of declaring, so the whole class was refused. Usual
    causes are a number outside ``numbers=range(...)``, an unknown ``kind``, or a details field called
    ``message``. The message names the class, the constant, file and line; nothing of the class was
    registered."""

    CLASH = code(
        "Claimed twice",
        ClashDetails,
        number=12902,
        kind="bug",
        public=True,
        hint="Rename or renumber one of the two owners that the message names.",
        example={"what": "number 1001", "first": "shop/errors.py:12", "second": "shop/cart.py:40"},
    )
    """Two places claim the same code, alias, number, range, domain or constant. Codes also clash when they
    differ only in case or in ``.`` and ``_``, because they would share an anchor on the site. Both places are
    named with file and line; the registry is as it was before the second one came."""

    BAD_RECORD = code(
        "Record can't be built",
        RecordDetails,
        number=12903,
        kind="bug",
        public=True,
        hint="Give each required field of the record as a keyword, and no other.",
        example={"record": "Reason", "fields": ["title"]},
    )
    """A record of facts, such as a ``Reason``, was called with a keyword that it does not have or without one
    that it needs. Type checkers find this before the program runs. Compare the call with the fields on the
    record's reference page."""

    UNKNOWN_CODE = code(
        "No such code",
        UnknownCodeDetails,
        number=12904,
        public=True,
        http_status=404,
        hint="Check the spelling, or list the codes of the registry.",
        example={"wanted": "os.fs.notfound", "registry": "errkit", "near": ["os.fs.not_found"]},
    )
    """A code was looked up that the registry does not have. Often the module that declares it was never
    imported, so its domain is not registered in this process. Near matches are in ``details.near``; codes are
    told apart by case."""

    MALFORMED_PAYLOAD = code(
        "Payload is malformed",
        PayloadDetails,
        number=12905,
        public=True,
        http_status=400,
        hint="Send an object with a text `code` and a text `message`.",
        example={"place": "$.cause.code", "problem": "expected text, found a number", "found": "404"},
    )
    """What came over the wire is no error payload, so this error stands in for it. A proxy that answers in
    HTML and a sender with another format are the usual causes. ``details.place`` is the path of the fault,
    and ``details.found`` the beginning of what stood there; compare it with what the sender meant to send."""

    BAD_CATALOG = code(
        "Catalogue file can't be used",
        CatalogDetails,
        number=12906,
        public=True,
        hint="Correct the file at the place that the message names.",
        example={
            "path": "shop.json",
            "place": "domains[0].codes[3].number",
            "problem": "expected a whole number, found text",
        },
    )
    """A file in the format ``errkit.catalog/1`` is unreadable, is no such catalogue, or declares something
    unsound. The whole file was refused and nothing of it is registered. Go to the place that the message
    names; the format's reference page lists every key."""

    MISSING_EXTRA = code(
        "Optional part is not installed",
        ExtraDetails,
        number=12907,
        public=True,
        hint="Install errkit with the extra that the message names.",
        example={"extra": "sphinx", "module": "sphinx"},
    )
    """A face of errkit needs a library that is not installed, since the core has no dependencies. ``errkit
    site`` without Sphinx is the usual case. ``pip install 'errkit[site]'`` brings what the site needs;
    ``details.extra`` names the extra for other faces."""

    BAD_SOURCE = code(
        "Registry source can't be used",
        SourceDetails,
        number=12908,
        public=True,
        hint="Name an importable module, `module:attribute`, or the path of a catalogue file.",
        example={"item": "shop.errors", "problem": "No module named 'shop'"},
    )
    """An item of ``registries`` names nothing that errkit can read codes from. The module may fail when it is
    imported, or hold no domain and no ``Registry``, or the path may not exist. Import the module by hand with
    ``python -c "import shop.errors"`` to see its own error."""

    BAD_CONFIG = code(
        "Configuration can't be used",
        ConfigDetails,
        number=12909,
        public=True,
        hint="Correct the setting that the message names.",
        example={
            "path": "pyproject.toml",
            "key": "tool.errkit.markup",
            "problem": "expected 'rst', 'md' or 'text', found 'html'",
        },
    )
    """A value under ``[tool.errkit]``, or one with the same name in ``conf.py``, is of the wrong kind. A
    single text where a list belongs is common. The message names the file, the key, what stands there and
    what belongs there."""

    BAD_LITERAL = code(
        "Literal is too short to hide",
        LiteralDetails,
        number=12910,
        kind="bug",
        public=True,
        hint="Register secrets of at least four characters.",
        example={"length": 2},
    )
    """``redaction.add_literal`` was given a text so short that hiding it would tear holes in every message.
    An empty environment variable that was meant to hold a password does that. Check where the value comes
    from before you register it."""

    SITE_FAILED = code(
        "Site could not be built",
        SiteDetails,
        number=12911,
        public=True,
        hint="Read the builder's first warning above and correct what it names.",
        example={"folder": "site", "problem": "1 warning: shop/errors.py:14: unknown role"},
    )
    """Sphinx ended with an error while it built the reference site; the last good site is still in its
    folder. Prose with broken markup is the usual cause, and the builder names file and line of the prose. Run
    the command again after the correction: only what changed is built."""

    BAD_SINK = code(
        "Sink can't be used",
        SinkDetails,
        number=12912,
        public=True,
        hint="Correct the target of the sink, or update errkit where the message says so.",
        example={
            "sink": "mysql://db.example/errors",
            "problem": "expected SQLite or PostgreSQL, found mysql",
        },
    )
    """Records can't go where the sink was told to send them, and trying again changes nothing. The address
    may name a kind of database that errkit does not write to or a driver that is not installed, or a newer
    errkit may have made the tables. The message says which it is; records that were written meanwhile wait in
    the sink's spool file."""

    SINK_UNAVAILABLE = code(
        "Sink does not answer",
        SinkDetails,
        number=12913,
        kind="transient",
        public=True,
        hint="Check that the target of the sink is running and can be reached.",
        example={
            "sink": "postgresql://db.example/errors",
            "problem": "connection refused; records wait in /var/lib/shop/spool.ndjson",
        },
    )
    """The database or the disk behind a sink failed, so the sink can't write or can't be asked. A database
    that restarts, a lock that another process holds and a full disk are the usual causes. The program goes on
    and is told once; with a spool file, nothing is lost, and the records follow when the target is back."""

    UNKNOWN_DIALECT = code(
        "No such dialect",
        DialectDetails,
        number=12914,
        kind="bug",
        public=True,
        hint="Use one of the names that the message lists.",
        example={"wanted": "rfc9457", "known": ["problem", "jsonrpc", "grpc"]},
    )
    """``errkit.dialects.get`` was asked for a wire shape under a name that none has. A standard's own name is
    easily taken for it: RFC 9457 is ``problem`` here. The names are fixed and in lower case, so correct the
    call, or the setting that the name comes from."""

    ASYNC_STEP = code(
        "Async step in a plain cleanup",
        StepDetails,
        number=12915,
        kind="bug",
        public=True,
        hint="Write `async with cleanup()` around work whose cleanup has to be awaited.",
        example={"step": "close page"},
    )
    """A cleanup step gave back an awaitable, but ``with cleanup()`` can't await it, so the step was not done.
    The block stands in an async function and lacks its ``async``, or a client was exchanged for its async
    twin, whose ``close`` is a coroutine function. The other steps ran; add the word, and this one will
    too."""

    SITE_FOLDER = code(
        "Folder can't hold the site",
        SiteDetails,
        number=12916,
        public=True,
        hint="Name another folder with -o, such as one that does not exist yet.",
        example={"folder": "docs", "problem": "holds files that errkit site did not make"},
    )
    """``errkit site`` replaces the whole folder that it is given, so it takes only one that is empty, new, or
    made by itself. The folder that was named holds other files, is the current folder, or can't be written
    to. Nothing was changed in it; choose another one, or remove by hand what you no longer need."""

    SITE_NOT_SERVED = code(
        "Site can't be served",
        AddressDetails,
        number=12917,
        public=True,
        hint="Choose another port with --port, or any free one with --port 0.",
        example={"address": "127.0.0.1:8000", "problem": "Address already in use"},
    )
    """``errkit site --serve`` could not listen at its address. Another program has the port, often an earlier
    ``errkit site --serve`` that still runs, or ports below 1024 are reserved on this machine. Stop the other
    program, or choose another port."""

    BAD_LOCK = code(
        "Lock can't be used",
        LockDetails,
        number=12918,
        public=True,
        hint="Correct the lock at the place that the message names, or restore it from git.",
        example={
            "path": "errors.lock.json",
            "place": "line 12",
            "problem": "holds a conflict marker: git could not merge two branches",
        },
    )
    """The lock of the codes is unreadable, says two things at once, or was written by a newer errkit. A merge
    that git left to people is the usual cause: delete the marker lines, keep the rows of both sides, and let
    ``errkit lock`` write the file again. Never delete the lock to get rid of the message, since it alone
    knows which numbers and codes were given away before."""

    WRONG_USE = code(
        "Command was not understood",
        CommandDetails,
        number=12919,
        public=True,
        hint="Ask the command for its options and examples with --help.",
        example={"command": "errkit list", "problem": "No such option: --knd"},
    )
    """The command line has an option, an argument or a command that ``errkit`` does not know, or lacks one
    that it needs. A misspelt option is the usual cause. Nothing was read or written; the message names what
    was found, and ``--help`` after the command shows what belongs there."""

    NOT_STARTED = code(
        "Domain could not be started",
        NewDomainDetails,
        number=12920,
        public=True,
        hint="Name another package with --package, or edit the file that is there.",
        example={"path": "shop/errors/cart.py", "problem": "is there already"},
    )
    """``errkit new`` writes new files only, and one that it would write is there already or can't be written.
    The domain may have been started before, or the package that was named is a plain module. No file was
    changed, and none is left behind; choose another place, or edit the file that is there."""

    FILE_NOT_WRITTEN = code(
        "File could not be written",
        FileDetails,
        number=12921,
        public=True,
        hint="Name a file in a folder that exists and that you may write to.",
        example={"path": "web/errors.ts", "problem": "No such file or directory"},
    )
    """A command was told with ``-o`` to write a file, and the system refused. Most often the folder is not
    there yet, or belongs to somebody else. A file that was there before is as it was; make the folder, or
    name another file."""

    BAD_IMPORT = code(
        "List of codes can't be taken over",
        ImportDetails,
        number=12922,
        public=True,
        hint="Correct the file at the place that the message names, or choose the format that it is in.",
        example={
            "path": "codes.yaml",
            "place": "[3]",
            "problem": "expected an object, found text",
        },
    )
    """``errkit import`` could not read the file as the format that it was told, or found no code in it. Often
    the format is another one, or the list stands deeper in the file than expected. Nothing was written; look
    at the place that the message names, and say with ``--map`` how the fields of the list are called."""


def not_implemented(feature: str = "") -> CodedError:
    """The error for a feature that is announced but not there, to raise.

    Parameters
    ----------
    feature
        The name of the feature, as its user knows it.
    """
    message = f"not implemented: {feature}" if feature else "not implemented"
    return CoreError.NOT_IMPLEMENTED(message, feature=feature)
