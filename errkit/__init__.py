"""errkit: one source of truth for a program's error codes, and everything that follows from it.

The public names are loaded when they are first used, so importing this package costs next to nothing.

PYTEST_DONT_REWRITE: pytest would rewrite the package for the plugin's sake; there is nothing to rewrite.
"""

from __future__ import annotations

__version__ = "0.1.0"

# What SemVer holds for. Checkers need it written out; tests/test_imports.py compares it with `_HOMES`.
__all__ = [
    "REGISTRY",
    "BugIndicatingError",
    "CodedError",
    "CoreError",
    "Details",
    "DomainSpec",
    "ErrkitError",
    "ErrorCode",
    "ErrorSpec",
    "ExpectedError",
    "NoTelemetryError",
    "Reason",
    "Registry",
    "Rule",
    "Secret",
    "Translator",
    "UserCancelled",
    "Verdict",
    "as_coded",
    "classify",
    "cleanup",
    "code",
    "dumps",
    "error_info",
    "facade",
    "format_error",
    "from_payload",
    "is_coded_error",
    "is_error_code",
    "is_retryable",
    "load_classifiers",
    "loads",
    "make_payload",
    "not_implemented",
    "on_unexpected_error",
    "process_error",
    "redact",
    "register_cancellation",
    "register_classifier",
    "reset_unexpected_error_handler",
    "safely_call",
    "set_unexpected_error_handler",
    "to_payload",
    "translating",
    "unwrap_cause",
]

# Not from `typing`, which takes longer to load than errkit does.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from errkit.boundary import Rule as Rule, Translator as Translator, translating as translating
    from errkit.codes import (
        Details as Details,
        DomainSpec as DomainSpec,
        ErrorCode as ErrorCode,
        ErrorSpec as ErrorSpec,
        Reason as Reason,
        Secret as Secret,
        code as code,
    )
    from errkit.disposal import cleanup as cleanup
    from errkit.domains.os_process import process_error as process_error
    from errkit.errors import (
        BugIndicatingError as BugIndicatingError,
        CodedError as CodedError,
        ExpectedError as ExpectedError,
        NoTelemetryError as NoTelemetryError,
        UserCancelled as UserCancelled,
    )
    from errkit.guards import (
        as_coded as as_coded,
        error_info as error_info,
        is_coded_error as is_coded_error,
        is_error_code as is_error_code,
        unwrap_cause as unwrap_cause,
    )
    from errkit.message import format_error as format_error
    from errkit.own import (
        CoreError as CoreError,
        ErrkitError as ErrkitError,
        not_implemented as not_implemented,
    )
    from errkit.payload import (
        dumps as dumps,
        from_payload as from_payload,
        loads as loads,
        make_payload as make_payload,
        to_payload as to_payload,
    )
    from errkit.registry import REGISTRY as REGISTRY, Registry as Registry, facade as facade
    from errkit.safe import redact as redact
    from errkit.unexpected import (
        on_unexpected_error as on_unexpected_error,
        reset_unexpected_error_handler as reset_unexpected_error_handler,
        safely_call as safely_call,
        set_unexpected_error_handler as set_unexpected_error_handler,
    )
    from errkit.verdicts import (
        Verdict as Verdict,
        classify as classify,
        is_retryable as is_retryable,
        load_classifiers as load_classifiers,
        register_cancellation as register_cancellation,
        register_classifier as register_classifier,
    )

# Name -> the module that is imported for it. `REGISTRY` comes by way of `own`, which fills it.
_HOMES = {
    "codes": ("Details", "DomainSpec", "ErrorCode", "ErrorSpec", "Reason", "Secret", "code"),
    "errors": (
        "BugIndicatingError",
        "CodedError",
        "ExpectedError",
        "NoTelemetryError",
        "UserCancelled",
    ),
    "guards": ("as_coded", "error_info", "is_coded_error", "is_error_code", "unwrap_cause"),
    "own": ("REGISTRY", "CoreError", "ErrkitError", "not_implemented"),
    "registry": ("Registry", "facade"),
    "safe": ("redact",),
    "payload": ("dumps", "from_payload", "loads", "make_payload", "to_payload"),
    "message": ("format_error",),
    "unexpected": (
        "on_unexpected_error",
        "reset_unexpected_error_handler",
        "safely_call",
        "set_unexpected_error_handler",
    ),
    "verdicts": (
        "Verdict",
        "classify",
        "is_retryable",
        "load_classifiers",
        "register_cancellation",
        "register_classifier",
    ),
    "boundary": ("Rule", "Translator", "translating"),
    "disposal": ("cleanup",),
    "domains.os_process": ("process_error",),
}
_MODULES = {name: f"errkit.{module}" for module, names in _HOMES.items() for name in names}

if not TYPE_CHECKING:
    # A type checker must not see this: it would let every misspelt name pass.
    def __getattr__(name):
        module = _MODULES.get(name)
        if module is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(__import__(module, fromlist=[name]), name)
        return value

    def __dir__():
        return sorted({*globals(), *__all__})


def load_ipython_extension(shell: InteractiveShell) -> None:
    """`%load_ext errkit`: magics, completion, hints under tracebacks; see `errkit.jupyter`."""
    from errkit.jupyter.extension import load

    load(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """`%unload_ext errkit`: the shell as it was before."""
    from errkit.jupyter.extension import unload

    unload(shell)
