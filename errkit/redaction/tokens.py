"""Tokens that their vendors made recognizable by a prefix."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from errkit.redaction.patterns import exact, run_end
from errkit.redaction.values import LOOK, Span, is_generated, trim

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["TOKENS", "Token", "find_token", "shaped", "token_pattern"]


class Token(NamedTuple):
    """How the tokens of one kind begin and go on."""

    vendor: str
    prefix: str
    """As it is written; no letter, digit or hyphen stands before it."""
    rest: str
    """The characters behind it."""
    least: int
    """How many of them there must be; fewer are a mention of the prefix."""
    mixed: bool = False
    """Whether a part of the rest must look made by a machine, because ordinary words begin like this."""


TOKENS: Final = (
    Token("GitHub", "ghp_", r"\w", 10),
    Token("GitHub", "gho_", r"\w", 10),
    Token("GitHub", "ghu_", r"\w", 10),
    Token("GitHub", "ghs_", r"[\w.-]", 10),
    Token("GitHub", "ghr_", r"\w", 10),
    Token("GitHub", "github_pat_", r"\w", 10),
    Token("GitLab", "glpat-", r"[\w.-]", 10),
    Token("GitLab", "gldt-", r"[\w.-]", 10),
    Token("GitLab", "glrt-", r"[\w.-]", 10),
    Token("GitLab", "glcbt-", r"[\w.-]", 10),
    Token("GitLab", "glptt-", r"[\w.-]", 10),
    Token("GitLab", "glft-", r"[\w.-]", 10),
    Token("GitLab", "glsoat-", r"[\w.-]", 10),
    Token("GitLab", "gloas-", r"[\w.-]", 10),
    Token("OpenAI, Anthropic and others", "sk-", r"[\w-]", 16, mixed=True),
    Token("Anthropic", "sk-ant-", r"[\w-]", 8),
    Token("OpenAI", "sk-proj-", r"[\w-]", 8),
    Token("Stripe", "sk_live_", r"\w", 8),
    Token("Stripe", "sk_test_", r"\w", 8),
    Token("Stripe", "rk_live_", r"\w", 8),
    Token("Stripe", "rk_test_", r"\w", 8),
    Token("Stripe", "whsec_", r"[\w+/=]", 10),
    Token("Slack", "xoxb-", r"[\w-]", 8),
    Token("Slack", "xoxp-", r"[\w-]", 8),
    Token("Slack", "xoxa-", r"[\w-]", 8),
    Token("Slack", "xoxr-", r"[\w-]", 8),
    Token("Slack", "xoxs-", r"[\w-]", 8),
    Token("Slack", "xoxc-", r"[\w-]", 8),
    Token("Slack", "xoxd-", r"[\w%-]", 8),
    Token("Slack", "xoxe-", r"[\w-]", 8),
    Token("Slack", "xoxe.xox", r"[\w-]", 8),
    Token("Slack", "xapp-", r"[\w-]", 8),
    Token("AWS", "AKIA", r"[A-Z0-9]", 12),
    Token("AWS", "ASIA", r"[A-Z0-9]", 12, mixed=True),
    Token("Google", "AIza", r"[\w-]", 16),
    Token("Google", "ya29.", r"[\w-]", 10),
    Token("Google", "GOCSPX-", r"[\w-]", 8),
    Token("npm", "npm_", r"[A-Za-z0-9]", 20),
    Token("PyPI", "pypi-", r"[\w-]", 16, mixed=True),
    Token("Hugging Face", "hf_", r"[A-Za-z0-9]", 16),
    Token("SendGrid", "SG.", r"[\w.-]", 16, mixed=True),
    Token("DigitalOcean", "dop_v1_", r"\w", 10),
    Token("DigitalOcean", "doo_v1_", r"\w", 10),
    Token("DigitalOcean", "dor_v1_", r"\w", 10),
    Token("Docker", "dckr_pat_", r"[\w-]", 10),
    Token("Shopify", "shpat_", r"\w", 10),
    Token("Shopify", "shpss_", r"\w", 10),
    Token("Square", "sq0atp-", r"[\w-]", 10),
    Token("Square", "sq0csp-", r"[\w-]", 10),
    Token("HashiCorp Vault", "hvs.", r"[\w-]", 16),
    Token("HashiCorp Vault", "hvb.", r"[\w-]", 16),
    Token("Grafana", "glsa_", r"\w", 10),
    Token("Grafana", "glc_", r"[\w=+/]", 16),
    Token("RubyGems", "rubygems_", r"[a-f0-9]", 16),
    Token("Sentry", "sntrys_", r"[\w=+/]", 10),
    Token("Postman", "PMAK-", r"[\w-]", 16),
    Token("New Relic", "NRAK-", r"[A-Z0-9]", 16),
    Token("Tailscale", "tskey-", r"[\w-]", 10),
    Token("Linear", "lin_api_", r"\w", 10),
    Token("Notion", "ntn_", r"[A-Za-z0-9]", 20),
    Token("Atlassian", "ATATT3", r"[\w=-]", 16),
    Token("Groq", "gsk_", r"[A-Za-z0-9]", 16),
    Token("xAI", "xai-", r"[A-Za-z0-9]", 16),
    Token("Replicate", "r8_", r"[A-Za-z0-9]", 16),
    Token("Perplexity", "pplx-", r"[A-Za-z0-9]", 16),
    Token("NVIDIA", "nvapi-", r"[\w-]", 16),
    Token("Mailgun", "key-", r"[a-f0-9]", 32),
    Token("age", "AGE-SECRET-KEY-1", r"[A-Z0-9]", 16),
    Token("agent-device", "adc_agent_", r"[\w.-]", 4),
    Token("agent-device", "adc_live_", r"[\w.-]", 4),
    Token("agent-device", "adc_refresh_", r"[\w.-]", 4),
    Token("agent-device", "adc_cli_", r"[\w.-]", 4),
)
"""Prefixes as the vendors document them. Of two that fit, the longer counts."""


@cache
def token_pattern() -> re.Pattern[str]:
    """Any of the prefixes."""
    prefixes = sorted((token.prefix for token in TOKENS), key=len, reverse=True)
    return re.compile(rf"(?<![A-Za-z0-9-])(?:{'|'.join(map(re.escape, prefixes))})")


@cache
def _by_prefix() -> dict[str, Token]:
    return {token.prefix: token for token in TOKENS}


def shaped(match: re.Match[str]) -> Span | None:
    """What to hide where a prefix was found."""
    text, token = match.string, _by_prefix()[match[0]]
    rest = f"(?-i:{token.rest})*+"
    near = trim(text, match.end(), run_end(rest, text, match.end(), match.end() + LOOK))
    value = text[match.end() : near]
    if len(value) < token.least or set(value.lower()) <= set("x*._-"):
        return None
    if token.mixed and not any(_is_made(part) for part in re.split(r"[-_.]", value)):
        return None
    return match.start(), trim(text, match.end(), run_end(rest, text, match.end())), ""


def _is_made(part: str) -> bool:
    return len(part) >= 20 or (len(part) >= 8 and is_generated(part))


def find_token(text: str) -> re.Match[str] | None:
    """Whether one of the prefixes may occur."""
    return _search()(text) if len(text) >= 14 else None


@cache
def _search() -> Callable[[str], re.Match[str] | None]:
    """A fast search: it looks for a rare character of each prefix, and only then back at what stands before.

    One look back has one length, so prefixes are sorted by what can be seen from that character.
    """
    seen: dict[str, dict[int, list[str]]] = {}
    for token in TOKENS:
        at = max(token.prefix.rfind(char) for char in "-_.")
        if at < 0:
            at = max(index for index, char in enumerate(token.prefix) if char.isupper() or char.isdigit())
        start = token.prefix[: at + 1]
        seen.setdefault(start[-1], {}).setdefault(len(start), []).append(re.escape(start))
    ends: list[str] = []
    for last, by_length in seen.items():
        looks = "|".join(f"(?<={'|'.join(starts)})" for starts in by_length.values())
        ends.append(rf"{re.escape(last)}(?=[\w-]{{4}})(?:{looks})")
    return exact("|".join(ends)).search
