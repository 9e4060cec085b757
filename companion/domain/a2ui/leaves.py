"""How each type without children is drawn. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from companion.domain.a2ui import charts, pictures
from companion.domain.a2ui.bindings import MISSING, is_true, number_of, text_of
from companion.domain.a2ui.nodes import Node, Option, Series
from companion.domain.a2ui.reading import Reading
from companion.domain.a2ui.strict_json import same

MAX_ROWS: Final = 1000
MAX_CELL_CHARS: Final = 4096

Number = int | float


def _text(reading: Reading) -> Node:
    return reading.node("label", text=reading.text("text", "value", "label"))


def _markdown(reading: Reading) -> Node:
    return reading.node("markdown", text=reading.text("markdown", "text", "value", "content"))


def _button(reading: Reading) -> Node:
    return reading.node("button", text=reading.text("label", "text", default="Button"))


def _text_field(reading: Reading) -> Node:
    value = reading.value("value")
    placeholder, length = reading.literal("placeholder", "label"), reading.literal("maxLength")
    return reading.node(
        "text_field",
        value="" if value is MISSING else reading.cut(text_of(value)),
        has_value=value is not MISSING,
        placeholder=text_of(placeholder),
        mode=str(reading.literal("inputType") or "text"),
        is_multiline=reading.component.get("multiline") is True,
        max_length=length if type(length) is int and length > 0 else None,
    )


def _check(reading: Reading) -> Node:
    is_group = reading.name == "checklist" or isinstance(reading.literal("options"), list)
    if is_group or reading.bound("itemsBinding") is not MISSING:
        return _several(reading, "check_group")
    value = reading.value("checked", "value")
    text = reading.literal("label", "text")
    return reading.node(
        "check", value=is_true(value), has_value=value is not MISSING, text=reading.shown(text)
    )


def _choice(reading: Reading) -> Node:
    if reading.component.get("multiple") is True:
        return _several(reading, "check_group")
    options, value = reading.options(), reading.value("value")
    if value is MISSING:
        value = next((one.value for one in options if one.is_selected), None)
    return reading.node("choice", options=options, value=value, has_value=value is not None)


def _several(reading: Reading, kind: str) -> Node:
    options, value = reading.options(), reading.value("value")
    chosen = _chosen(options, value)
    return reading.node(
        kind, options=options, value=chosen, has_value=bool(chosen) or value is not MISSING, is_multiple=True
    )


def _chosen(options: tuple[Option, ...], value: object) -> list[Any]:
    """Return the chosen values, in the order of the options."""
    if value is MISSING:
        return [one.value for one in options if one.is_selected]
    wanted = value if isinstance(value, list) else [value]
    return [one.value for one in options if any(same(one.value, each) for each in wanted)]


def _slider(reading: Reading) -> Node:
    value = reading.value("value")
    number = None if value is MISSING else number_of(value)
    if reading.name == "progress":
        return _progress(reading, number)
    lowest, highest = _range(reading)
    has_fraction = number is not None and 0 < number < 1 and reading.literal("max") is None
    shown = lowest if number is None else number * 100 if has_fraction else number
    step = number_of(reading.literal("step"))
    return reading.node(
        "slider",
        value=min(max(shown, lowest), highest),
        has_value=number is not None,
        min=lowest,
        max=highest,
        step=step if step and step > 0 else None,
    )


def _range(reading: Reading) -> tuple[Number, Number]:
    lowest, highest = number_of(reading.literal("min")), number_of(reading.literal("max"))
    low = 0 if lowest is None else lowest
    high = 100 if highest is None else highest
    return (low, high) if low <= high else (high, low)


def _progress(reading: Reading, number: Number | None) -> Node:
    highest = number_of(reading.literal("max"))
    top = 100 if highest is None or highest <= 0 else highest
    shown = 0 if number is None else number
    if shown <= 1 and top == 100:
        shown = shown * 100
    return reading.node("progress", value=min(max(shown, 0), top), min=0, max=top)


def _datetime(reading: Reading) -> Node:
    value, mode = reading.value("value"), str(reading.literal("inputType", "mode"))
    return reading.node(
        "datetime",
        value="" if value is MISSING else text_of(value),
        has_value=value is not MISSING,
        mode=mode if mode in ("date", "time") else "datetime-local",
    )


def _table(reading: Reading) -> Node:
    columns = [_column(entry) for entry in _list(reading.literal("columns"))]
    rows = reading.items("rows")
    if len(rows) > MAX_ROWS:
        reading.note("too_many_rows", f"there are {len(rows)} rows; {MAX_ROWS} are shown at once")
    keys = [key for key, _label in columns]
    return reading.node(
        "table",
        columns=tuple(label for _key, label in columns),
        rows=tuple(_row(row, keys) for row in rows[:MAX_ROWS]),
        row_count=len(rows),
    )


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _column(entry: object) -> tuple[str, str]:
    if not isinstance(entry, Mapping):
        return text_of(entry), text_of(entry)
    key, label = entry.get("key"), entry.get("label")
    return text_of(label if key is None else key), text_of(key if label is None else label)


def _row(row: object, keys: list[str]) -> tuple[str, ...]:
    if isinstance(row, Mapping):
        cells = [row.get(key) for key in keys] if keys else list(row.values())
    else:
        cells = row if isinstance(row, list) else [row]
    return tuple(text_of(cell)[:MAX_CELL_CHARS] for cell in cells)


def _image(reading: Reading) -> Node:
    address = reading.literal("url", "src")
    address = address if isinstance(address, str) else ""
    text = reading.shown(reading.literal("alt", "label"))
    if not pictures.is_inline(address):
        reading.note("remote_media", "pictures are not fetched; only those inside the document are shown")
        return reading.node("placeholder", text=text, address=address[:2000], mode="image")
    problem = pictures.problem(address)
    if problem is not None:
        reading.note("image_refused", problem)
        return reading.node("placeholder", text=text, mode="image")
    return reading.node("image", text=text, address=address)


def _media(reading: Reading) -> Node:
    reading.note("remote_media", "media are not played")
    return _unshown(reading)


def _web(reading: Reading) -> Node:
    reading.note("web_blocked", "web pages are not shown")
    return _unshown(reading)


def _unshown(reading: Reading) -> Node:
    address = reading.literal("url", "src")
    shown = address[:2000] if isinstance(address, str) else ""
    return reading.node("placeholder", address=shown, text=shown, mode=reading.type.lower())


def _icon(reading: Reading) -> Node:
    name = reading.literal("name")
    text = reading.shown(reading.literal("label", "name") or "Icon")
    return reading.node("icon", text=text, mode=name if isinstance(name, str) else "")


def _divider(reading: Reading) -> Node:
    return reading.node("separator")


def _chart(reading: Reading) -> Node:
    bound = reading.bound("itemsBinding")
    data = reading.component.get("data") if bound is MISSING else bound
    found, mode = charts.series(data), str(reading.literal("chartType") or "bar")
    if found is None:
        reading.note("chart_data", "the data of the chart cannot be read")
        return reading.node("placeholder", text=reading.cut(text_of(data)), mode="chart")
    if len(found) > charts.MAX_SERIES:
        reading.note("too_many_series", f"there are {len(found)} series; {charts.MAX_SERIES} are shown")
    if any(len(one.points) > charts.MAX_POINTS for one in found):
        reading.note("too_many_points", f"a series has more than {charts.MAX_POINTS} points")
    shown = (Series(one.name, one.points[: charts.MAX_POINTS]) for one in found[: charts.MAX_SERIES])
    return reading.node("chart", series=tuple(shown), mode=mode)


LEAVES: Final[Mapping[str, Callable[[Reading], Node]]] = {
    "Text": _text,
    "Markdown": _markdown,
    "RichText": _markdown,
    "Button": _button,
    "TextField": _text_field,
    "CheckBox": _check,
    "ChoicePicker": _choice,
    "Slider": _slider,
    "DateTimeInput": _datetime,
    "Table": _table,
    "Image": _image,
    "Video": _media,
    "AudioPlayer": _media,
    "Web": _web,
    "Icon": _icon,
    "Divider": _divider,
    "Chart": _chart,
}
