"""The pages of the API, one router each, in the order of its document."""

from fastapi import APIRouter

from dayshift.web.pages import (
    agents,
    alerts,
    audit,
    events,
    feed,
    files,
    health,
    inbox,
    machine,
    me,
    offices,
    previews,
    runs,
    tasks,
    threads,
    tokens,
    usage,
)

PAGES: list[APIRouter] = [
    health.router,
    me.router,
    tokens.router,
    machine.router,
    audit.router,
    offices.router,
    feed.router,
    agents.router,
    inbox.router,
    threads.router,
    tasks.router,
    runs.router,
    events.router,
    files.router,
    previews.router,
    usage.router,
    alerts.router,
]
