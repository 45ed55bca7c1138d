"""Words of a text, as the attention filter compares them.

A text becomes a row of tokens: whole words of scripts that put gaps between words, single
characters of scripts that do not (Chinese, Japanese, Thai, and Korean, whose particles stick to
the word), and marks where a sentence or clause ends. A keyword becomes tokens in the same way, and
stands in a text where its tokens stand side by side. So ``go`` is not found in "going", ``CVE`` is
found in "cve-2026-1", ``front end`` is found in "front-end", and 接口 is found in 数据接口文档.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

# Scripts whose words are not set apart: one character is one token.
_GAPLESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # kana and iteration marks
    "\u1100-\u11ff\uac00-\ud7af"  # Hangul
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"  # Han
)
_TOKEN = re.compile(
    rf"[{_GAPLESS}]"
    rf"|[^\W_{_GAPLESS}]+(?:\+\+|\#(?!\w))?"  # a word; C++ and C# keep what makes them
    r"|[,;!?…。、|()\[\]{}<>\"“”「」『』《》【】]"  # the end of a clause, wherever it stands
    rf"|(?:(?<=[{_GAPLESS}])[.:]|[.:](?=\s|\Z|[{_GAPLESS}]))"  # but not the dot of node.js
)
_IS_GAPLESS = re.compile(f"[{_GAPLESS}]")
_IS_WORD = re.compile(r"[^\W_]")

Phrase = tuple[str, ...]

STOP_WORDS = frozenset(
    """
    about above after again all also an and any are as at be because been before being below
    between both but by can could did do does doing done down during each few for from further get
    had has have having he her here hers him his how if in into is it its just like made make may
    me more most much must my need new no nor not now of off on once one only or other our out over
    own per same set she should so some such than that the their them then there these they this
    those through to too under until up use used using very was we were what when where which while
    who why will with would you your
    一个 一些 为了 什么 他们 以及 我们 你们 使用 其他 可以 各种 如何 已经 并且 所有 所有的 怎么 或者
    我的 的是 目前 相关 这个 这些 进行 那个 问题 需要 以上 根据 通过 能够 负责
    """.split()  # noqa: SIM905  two hundred quoted words are no easier to read
)
"""Words that say nothing of what a skill is about."""


@dataclass(frozen=True)
class Words:
    """A text as tokens, in order."""

    tokens: tuple[str, ...]

    @cached_property
    def telling(self) -> frozenset[str]:
        """What a skill may share with the text: words, and pairs of neighbouring characters."""
        return telling(self.tokens)

    def has(self, phrase: Phrase) -> bool:
        """Whether the tokens of a phrase stand side by side somewhere; never for an empty one."""
        size, first = len(phrase), phrase[0] if phrase else None
        return any(
            token == first and self.tokens[at : at + size] == phrase
            for at, token in enumerate(self.tokens)
        )


def words_of(*texts: str) -> Words:
    """The tokens of some texts; no phrase reaches from one into the next."""
    return Words(tuple(token for text in texts for token in (*_TOKEN.findall(_folded(text)), "|")))


def phrase_of(keyword: str) -> Phrase:
    """The tokens of a keyword; empty when it holds neither a letter nor a digit."""
    return tuple(token for token in _TOKEN.findall(_folded(keyword)) if _IS_WORD.match(token))


def telling(tokens: tuple[str, ...]) -> frozenset[str]:
    """The words of two letters and more and the pairs of gapless characters, without stop-words."""
    found = {token for token in tokens if len(token) > 1 and not token.isdigit()}
    if not all(token.isascii() for token in tokens):
        found.update(
            first + second
            for first, second in pairwise(tokens)
            if _IS_GAPLESS.fullmatch(first) and _IS_GAPLESS.fullmatch(second)
        )
    return frozenset(found - STOP_WORDS)


def _folded(text: str) -> str:
    """The text in one spelling: width, composition and case do not count."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
