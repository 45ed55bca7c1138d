"""Changes of office.yaml: written to the file, then taken over by the running office."""

import asyncio
from collections.abc import Mapping, Sequence

import msgspec

from dayshift.app.office import Office
from dayshift.app.office_files import named_within
from dayshift.config import edit
from dayshift.config.office import OfficeConfig, lean, load
from dayshift.config.splice import Change
from dayshift.config.yaml_text import Plain
from dayshift.core.errors import InvalidError
from dayshift.core.wishes import AgentChanges, OfficeChanges


class OfficeEditor:
    """Edits one office's file."""

    def __init__(self, office: Office, env: Mapping[str, str]) -> None:
        """``env`` is the server's environment, for ``${VAR}``."""
        self._office = office
        self._env = env
        self._file = office.folder / "office.yaml"

    async def edit_office(self, wanted: OfficeChanges, *, by: str) -> None:
        """Change the office section."""
        given = _given(wanted)
        self._check_model(given.get("model"))
        plans: list[edit.Plan] = []
        for key, value in given.items():
            if key == "budget_usd":
                plans.append(edit.put_office("budget.usd_per_day", value or None))
            else:
                plans.append(edit.put_office(key, value))
        await self._apply(plans, by=by)

    async def edit_agent(self, name: str, wanted: AgentChanges, *, by: str) -> None:
        """Change one agent's entry."""
        given = _given(wanted)
        self._check_model(given.get("model"))
        plans = [edit.put_agent(name, key, value or None) for key, value in given.items()]
        await self._apply(plans, by=by)

    async def reload(self, *, by: str) -> None:
        """Take over the file as it is on disk now."""
        with named_within(self._office.ground.home):
            config = await asyncio.to_thread(lean, lambda: load(self._file, self._env))
        await self._office.take(config, by=by)

    async def _apply(self, plans: Sequence[edit.Plan], *, by: str) -> None:
        if not plans:
            return

        def plan(office: OfficeConfig) -> Sequence[Change]:
            return [change for one in plans for change in one(office)]

        with named_within(self._office.ground.home):
            config = await asyncio.to_thread(
                lean, lambda: edit.edit(self._file, plan, env=self._env)
            )
        await self._office.take(config, by=by)

    def _check_model(self, ref: Plain) -> None:
        if not ref:
            return
        if not isinstance(ref, str):
            raise InvalidError("A model is named as provider:model.")
        self._office.ground.catalogue(self._office.name).resolve(ref)


def _given(wanted: OfficeChanges | AgentChanges) -> dict[str, Plain]:
    return {k: v for k, v in msgspec.structs.asdict(wanted).items() if v is not msgspec.UNSET}
