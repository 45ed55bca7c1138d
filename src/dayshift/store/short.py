"""Views in their short form, as they are stored: what is empty is left out, and comes back empty.

Most members of most views are empty most of the time, and a commit writes whole pages. A short form
is a struct of its own, made from the view's type; nothing outside the store ever sees one.
"""

from collections.abc import Callable
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin

import msgspec
from msgspec import NODEFAULT
from msgspec.structs import FieldInfo

from dayshift.core.entries import Base
from dayshift.core.views import View

Shorten = Callable[[Any], Any]
_EMPTY: dict[Any, Any] = {str: "", int: 0, bool: False, float: 0.0}
_forms: dict[type[Any], type[msgspec.Struct]] = {}
_kinds: dict[type[Any], type[msgspec.Struct]] = {}
_ways: dict[type[Any], Shorten] = {}


def form_of(type_: Any) -> Any:  # noqa: ANN401  any annotation
    """The type of the short form; a type that holds no view is its own."""
    if isinstance(type_, type) and issubclass(type_, View | Base):
        return _forms.get(type_) or _made(type_)
    inner = get_args(type_)
    if get_origin(type_) is list:
        return cast("Any", list)[form_of(inner[0])]
    if get_origin(type_) in (Union, UnionType):
        return Union[tuple(map(form_of, inner))]  # noqa: UP007  made of what is found
    return cast("Any", type_)


def shorten(value: Any) -> Any:  # noqa: ANN401  a view, an entry, or a list of them
    """The short form of a value; what is no view stays as it is."""
    kind = cast("type[Any]", type(value))
    way = _ways.get(kind)
    if way is not None:
        return way(value)
    if isinstance(value, View | Base):
        form_of(kind)
        return _ways[kind](value)
    if isinstance(value, list):
        return [shorten(one) for one in cast("list[Any]", value)]
    return value


def lengthen(value: Any, type_: Any) -> Any:  # noqa: ANN401  a short form, and what it is one of
    """The view that a short form stands for."""
    form = cast("type[Any]", type(value))
    return msgspec.convert(value, _kinds.get(form, type_), from_attributes=True)


def _made(kind: type[msgspec.Struct]) -> type[msgspec.Struct]:
    fields = [_field(field) for field in msgspec.structs.fields(kind)]
    fields.sort(key=len)  # Those that are always there come first.
    config = kind.__struct_config__
    form = _forms[kind] = msgspec.defstruct(
        f"Short{kind.__name__}",
        fields,
        omit_defaults=True,
        tag=config.tag,
        tag_field=config.tag_field,
    )
    _kinds[form] = kind
    _ways[kind] = _way(form, [field[0] for field in fields], _nested(kind))
    return form


def _field(field: FieldInfo) -> Any:  # noqa: ANN401  as defstruct takes it
    form = form_of(field.type)
    if field.default is not NODEFAULT:
        return (field.name, form, field.default)
    if get_origin(field.type) is list:
        return (field.name, form, msgspec.field(default_factory=list))
    if field.default_factory is not NODEFAULT:
        return (field.name, form, msgspec.field(default_factory=field.default_factory))
    if NoneType in get_args(field.type):
        return (field.name, form, None)
    if field.type in _EMPTY:
        return (field.name, form, _EMPTY[field.type])
    return (field.name, form)


def _nested(kind: type[msgspec.Struct]) -> set[str]:
    return {
        field.name
        for field in msgspec.structs.fields(kind)
        if form_of(field.type) != field.type  # it holds views itself
    }


def _way(form: type[msgspec.Struct], names: list[str], nested: set[str]) -> Shorten:
    """How a view becomes its form; called for all that is written."""
    if len(names) == 1:
        name = names[0]
        return lambda view: form(shorten(getattr(view, name)))
    values_of = attrgetter(*names)
    places = [at for at, name in enumerate(names) if name in nested]
    if not places:
        return lambda view: form(*values_of(view))

    def way(view: Any) -> Any:  # noqa: ANN401  a view of the kind
        values = list(values_of(view))
        for at in places:
            values[at] = shorten(values[at])
        return form(*values)

    return way
