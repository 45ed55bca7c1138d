"""The settings in force for a server: flags, environment, and the home's own ``settings.yaml``."""

from collections.abc import Mapping

from dayshift.app.settings import Resolved, described, resolve
from dayshift.config.home import read_settings
from dayshift.core.errors import ConfigErrors, InvalidError

NOT_IN_THE_FILE = frozenset({"home", "url", "token"})
"""Where the file is, and what the command line needs to speak to a server elsewhere."""


def in_force(
    flags: Mapping[str, str | int | bool | None], variables: Mapping[str, str]
) -> Resolved:
    """Merge what flags, environment and the home's settings file say.

    Raises:
        InvalidError: A flag or a variable does not fit.
        ConfigErrors: The file is wrong, with the places of its faults.
    """
    home = resolve(flags, variables).settings.home_path
    known = {
        setting.name: type(setting.default)
        for setting in described()
        if setting.name not in NOT_IN_THE_FILE
    }
    found = read_settings(home, known)
    faults = [
        found.places.error((name,), fault.message, hint=fault.hint)
        for name, value in found.values.items()
        if (fault := _fault({name: value})) is not None
    ]
    if faults:
        raise ConfigErrors(faults)
    return resolve(flags, variables, found.values)


def _fault(file: Mapping[str, str | int | bool]) -> InvalidError | None:
    try:
        resolve({}, {}, file)
    except InvalidError as error:
        return error
    return None
