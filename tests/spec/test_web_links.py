"""A sign-in link made by somebody who is in already: for another device, or from the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.spec.doors import open_house

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from tests.spec.doors import House

LINKS = "/api/me/sign-in-links"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    """A house with its doors open."""
    async with open_house(tmp_path) as house:
        yield house


async def test_whoever_is_in_makes_a_link_for_themselves(house: House) -> None:
    """It signs in the one who made it, once.

    Demanded by: PLAT-1; PLAT-4, dayshift signin.
    """
    await house.person("ben", "viewer")
    ben = await house.signed_in("ben")
    async with house.client() as elsewhere:
        made = await ben.post(LINKS)
        token = made.json()["path"].partition("#token=")[2]
        first = await elsewhere.post("/api/sign-in", json={"token": token})
        again = await elsewhere.post("/api/sign-in", json={"token": token})
    assert (made.status_code, made.json()["expires_in_s"]) == (201, 3600)
    assert (first.status_code, first.json()["person"]["id"], again.status_code) == (200, "ben", 401)


@pytest.mark.parametrize(
    ("scopes", "office", "status"),
    [(["*"], "", 201), (["*"], "acme", 403), (["account:*"], "", 403), (["tasks:*"], "", 403)],
)
async def test_a_program_gets_no_session_that_may_more_than_itself(
    house: House, scopes: list[str], office: str, status: int
) -> None:
    """Only a token that may everything its person may can make a link.

    Demanded by: PLAT-1, tokens with scopes.
    """
    program = await house.program(*scopes, office=office)
    answer = await program.post(LINKS)
    assert answer.status_code == status
