"""Commands about ways in: API tokens and sign-in links, and who came and changed what."""

from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import UNSET

from dayshift.app.cli.desk import Desk, command
from dayshift.app.cli.shown import moment
from dayshift.core.details import Page
from dayshift.core.people import AuditView, SignInLink, TokenView

if TYPE_CHECKING:
    from dayshift.app.cli.server import Reply, Server

tokens = typer.Typer(help="API tokens for programs: create, list, revoke.")


@command(tokens)
def create(
    desk: Desk,
    name: Annotated[str, typer.Argument(help="What it is for, as the list will show it.")],
    *,
    office: Annotated[
        str, typer.Option("--office", "-o", metavar="OFFICE", help="Only for this office.")
    ] = "",
    scope: Annotated[
        list[str] | None,
        typer.Option(metavar="SCOPE", help="As tasks:read, tasks:* or *; repeatable."),
    ] = None,
) -> None:
    """Make an API token and print its secret, which is never shown again.

    Without --scope it may do everything its person may.
    """
    draft = {"name": name, "office": office, "scopes": scope or ["*"]}

    async def work(server: "Server") -> "tuple[Reply, TokenView]":
        reply = await server.send("POST", "tokens", body=draft)
        return reply, await reply.read(TokenView)

    reply, made = desk.ask(work, doing="Making the token")
    desk.show(reply.raw, "" if made.secret is UNSET else made.secret)
    desk.output.note(f"{made.id} may do {' '.join(made.scopes)}; the secret is shown only now.")


@command(tokens, "list")
def list_tokens(desk: Desk) -> None:
    """List your API tokens, without their secrets."""

    async def work(server: "Server") -> "tuple[Reply, list[TokenView]]":
        reply = await server.get("tokens")
        return reply, (await reply.read(Page[TokenView])).items

    reply, found = desk.ask(work, doing="Reading the tokens")
    rows = [
        (
            token.id,
            token.name,
            token.office or "all",
            moment(token.created_at),
            moment(token.last_used_at),
            " ".join(token.scopes),
        )
        for token in found
    ]
    head = ("TOKEN", "NAME", "OFFICE", "MADE", "LAST USED", "SCOPES")
    desk.show_table(reply.raw, head, rows, empty="No API tokens.")


@command(tokens)
def revoke(
    desk: Desk, token: Annotated[str, typer.Argument(metavar="TOKEN", help="Its id.")]
) -> None:
    """End an API token; it lets nobody in from now on."""

    async def work(server: "Server") -> None:
        await server.send("DELETE", "tokens", token)

    desk.ask(work, doing="Revoking")
    desk.show({"deleted": token}, f"{token} is revoked.")


def signin(desk: Desk) -> None:
    """Print a fresh sign-in link; it works once, within the hour."""

    async def work(server: "Server") -> tuple[str, SignInLink]:
        reply = await server.send("POST", "me", "sign-in-links")
        return server.address.url, await reply.read(SignInLink)

    base, link = desk.ask(work, doing="Asking for a link")
    url = base + link.path
    desk.show({"url": url, "expires_in_s": link.expires_in_s}, url)


def audit(
    desk: Desk,
    *,
    before: Annotated[
        str, typer.Option(metavar="CURSOR", help="Older than this; `next` of the last page.")
    ] = "",
    limit: Annotated[int, typer.Option(min=1, max=200, help="How many at most.")] = 20,
) -> None:
    """List who signed in or was refused, and who changed what on the server, newest first."""

    async def work(server: "Server") -> "tuple[Reply, Page[AuditView]]":
        reply = await server.get("audit", query={"before": before or None, "limit": limit})
        return reply, await reply.read(Page[AuditView])

    reply, page = desk.ask(work, doing="Reading the audit")
    rows = [
        (
            str(line.n),
            moment(line.at),
            line.actor or "-",
            line.action if line.count == 1 else f"{line.action} ({line.count} times)",
            line.address or "-",
            line.subject or "-",
        )
        for line in page.items
    ]
    head = ("LINE", "AT", "WHO", "WHAT", "FROM", "WHICH")
    desk.show_table(reply.raw, head, rows, empty="Nothing yet.")
    if page.next:
        desk.output.note(f"Older ones: --before {page.next}")
