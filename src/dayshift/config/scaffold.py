"""The text of a new office file: small, commented, and valid as it stands."""

from pydantic_core import to_json


def scaffold(name: str, *, title: str = "") -> str:
    """An office of two agents under a name. ``title`` may be empty."""
    shown = to_json(title or name).decode()
    return f"""\
# One office: who works here, on which model, with which limits.
# Check it with: dayshift office validate {name}

office:
  name: {name}
  title: {shown}
  # model: anthropic:claude-sonnet-4-5   # without it, the server's model is used
  # budget: {{usd_per_day: 5}}

agents:
  - name: pm
    title: Project manager
    description: Talks to people, splits work into tasks and reports when it is done.
    keywords: [request, plan, deadline]

  - name: developer
    title: Developer
    description: Writes and checks code and files.
    reports_to: pm
    keywords: [code, bug, page]
"""
