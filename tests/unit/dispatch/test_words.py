"""Words of a text as the attention filter compares them, by table."""
# ruff: noqa: RUF001  full-width letters and signs are what is tested

import pytest

from dayshift.dispatch.words import Words, phrase_of, telling, words_of


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Fix the Login page", "fix the login page |"),
        ("new_pr", "new pr |"),
        ("full-chain/test", "full chain test |"),
        ("node.js v2.0.", "node js v2 0 . |"),
        ("C++, C# and issue #5", "c++ , c# and issue 5 |"),
        ("the front. End users", "the front . end users |"),
        ("don't", "don t |"),
        ("ＡＰＩ Straße É e\u0301", "api strasse é é |"),
        ("接口文档，请看", "接 口 文 档 , 请 看 |"),
        ("接口。文档:好", "接 口 。 文 档 : 好 |"),
        ("部署API到k8s", "部 署 api 到 k8s |"),
        ("デプロイ", "デ プ ロ イ |"),
        ("배포를", "배 포 를 |"),
        ("💥 !", "! |"),
        ("", "|"),
    ],
)
def test_a_text_becomes_tokens(text: str, tokens: str) -> None:
    """Whole words, single characters where words have no gaps, and ends of clauses.

    Demanded by: EVT-2.
    """
    assert words_of(text).tokens == tuple(tokens.split())


@pytest.mark.parametrize(
    ("keyword", "text", "is_there"),
    [
        ("CVE", "cve-2026-4711 is out", True),
        ("xss", "XSS in the form", True),
        ("iOS", "the ios build", True),
        ("App", "the app crashes", True),
        ("go", "we are going to Oslo", False),
        ("go", "written in Go.", True),
        ("ui", "build it", False),
        ("front end", "the front-end is down", True),
        ("front-end", "the front end is down", True),
        ("front end", "the frontend is down", False),
        ("front end", "in front. End it", False),
        ("react native", "react is native", False),
        ("react native", "React\nNative 0.80", True),
        ("C++", "a C++ service", True),
        ("C++", "a C service", False),
        ("c", "a C++ service", False),
        ("node.js", "Node.js 24", True),
        ("pr", "new_pr", True),
        ("接口", "数据接口文档", True),
        ("接口", "接好口", False),
        ("接口", "接，口", False),
        ("接口", "接\n口", True),
        ("API 接口", "新API接口", True),
        ("需求", "客户需求变更", True),
        ("배포", "배포를 시작", True),
        ("デプロイ", "本番デプロイ中", True),
        ("ＡＰＩ", "api", True),
        ("++", "a ++ b", False),
    ],
)
def test_a_keyword_is_found_as_a_whole(keyword: str, text: str, *, is_there: bool) -> None:
    """In any case, at word boundaries, side by side; inside other words it is not found.

    Demanded by: EVT-2.
    """
    assert words_of(text).has(phrase_of(keyword)) is is_there


def test_no_phrase_reaches_from_one_text_into_the_next() -> None:
    """The type of an event and its text are two texts.

    Demanded by: EVT-2.
    """
    both = words_of("front", "end")

    assert both.tokens == ("front", "|", "end", "|")
    assert not both.has(phrase_of("front end"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Test design, and the use of a C compiler", {"test", "design", "compiler"}),
        ("Python 3 to 2026", {"python"}),
        ("to be or not to be", set[str]()),
        ("需求分析", {"需求", "求分", "分析"}),
        ("进行测试 API", {"行测", "测试", "api"}),
        ("测 API 试", {"api"}),
    ],
)
def test_what_a_skill_is_about(text: str, words: set[str]) -> None:
    """Stop-words, single letters and numbers say nothing; characters count in pairs.

    Demanded by: EVT-2.
    """
    assert telling(words_of(text).tokens) == words


def test_an_empty_phrase_is_nowhere() -> None:
    """A keyword without a letter or digit matches nothing.

    Demanded by: EVT-2.
    """
    assert not Words(("a",)).has(())
