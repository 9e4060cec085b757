from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.domain.a2ui import catalogs
from companion.domain.a2ui.canvas import Canvas
from gateway_client.protocol.canvas import CAPABILITIES, reply_for


def command(kind, **fields):
    return {"type": kind, "requestId": "r1", "sessionId": "s1", **fields}


def create(surface_id, *components, **fields):
    texts = [json.dumps(one) for one in components] or ['{"type":"Text","id":"t","text":"x"}']
    return command("a2ui_create_surface", surfaceId=surface_id, components=texts, **fields)


KINDS = st.sampled_from([*catalogs.TYPES[catalogs.AGENUI], *catalogs.ALIASES, "Hologram", ""])
JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcn"), inner, max_size=3),
    max_leaves=6,
)
NAMES = [
    "text",
    "label",
    "title",
    "value",
    "checked",
    "options",
    "items",
    "children",
    "components",
    "tabs",
    "columns",
    "rows",
    "data",
    "url",
    "src",
    "min",
    "max",
    "visible",
    "disabled",
    "textBinding",
    "valueBinding",
    "itemsBinding",
    "visibleBinding",
    "multiple",
    "mode",
]


def components(children):
    fields = st.dictionaries(
        st.sampled_from(NAMES),
        JUNK | st.sampled_from(["a", "n.b", "/n/0", "{n}"]) | st.lists(children, max_size=3),
    )
    return st.builds(
        lambda kind, name, rest: {**rest, "type": kind, "id": name}, KINDS, st.sampled_from("abcdef"), fields
    )


COMPONENTS = st.recursive(components(st.sampled_from("abcdef")), components, max_leaves=6)
TEXTS = st.lists(COMPONENTS.map(json.dumps) | st.sampled_from(["", "[]", "{", '{"type":"Text"}']), max_size=4)
MODELS = st.dictionaries(st.sampled_from("abn"), JUNK, max_size=3).map(json.dumps) | st.sampled_from(
    ["x", "[]"]
)
COMMANDS = st.builds(
    lambda kind, surface, texts, model, mode: command(
        kind, surfaceId=surface, components=texts, dataModelJson=model, frames="\n".join(texts), syncMode=mode
    ),
    st.sampled_from(sorted(CAPABILITIES)),
    st.sampled_from(["one", "two", "main"]),
    TEXTS,
    MODELS,
    st.sampled_from([None, "values", "data", "odd"]),
)


def state(canvas):
    active = canvas.active
    return canvas.surfaces, canvas.is_visible, canvas.html, None if active is None else active.id


@given(st.lists(COMMANDS, max_size=6))
def test_whatever_comes_is_answered_and_what_is_refused_changes_nothing(commands):
    canvas = Canvas(shows_html=True)
    for one in commands:
        before = state(canvas)
        reply = canvas.apply(one)
        assert (reply["type"], reply["requestId"]) == (reply_for(one["type"]), "r1")
        if not reply["success"]:
            assert state(canvas) == before
        for surface in canvas.surfaces:
            assert len(surface.picture.all()) <= 1000


@given(st.lists(COMMANDS.filter(lambda one: one["surfaceId"] != "two"), max_size=6))
def test_no_operation_changes_another_surface(commands):
    canvas = Canvas()
    canvas.apply(create("two", dataModelJson='{"n":1}'))
    before = canvas.surface("two")
    for one in commands:
        if one["type"] not in ("a2ui_reset", "canvas_navigate"):
            canvas.apply(one)
    assert canvas.surface("two") is before


def test_an_update_does_not_come_in_front_of_what_the_person_chose():
    canvas = Canvas()
    canvas.apply(create("a"))
    canvas.apply(create("b"))
    canvas.pick("a")
    canvas.apply(command("a2ui_update_data_model", surfaceId="b", dataModelJson="{}"))
    assert canvas.active.id == "a"
    canvas.apply(create("c"))
    assert canvas.active.id == "c"


def test_an_edit_survives_an_update_unless_the_agent_says_another_value():
    canvas = Canvas()
    canvas.apply(create("s", {"type": "TextField", "id": "f", "value": "1"}))
    surface = canvas.surface("s")
    canvas.replace(surface.edited(surface.picture.nodes[0], "mine"))

    def update(value):
        texts = [json.dumps({"type": "TextField", "id": "f", "value": value, "title": "T"})]
        canvas.apply(command("a2ui_update_components", surfaceId="s", components=texts))
        return canvas.surface("s").picture.nodes[0].value

    assert update("1") == "mine"
    assert update("2") == "2"


def test_local_html_is_shown_where_there_is_a_sandbox_and_its_words_stand_in_the_snapshot():
    canvas = Canvas(shows_html=True)
    assert canvas.apply(command("canvas_navigate", html="<p>Hello</p>"))["success"]
    taken = json.loads(canvas.apply(command("canvas_snapshot"))["snapshotJson"])
    assert (canvas.html, taken["localHtmlText"]) == ("<p>Hello</p>", "Hello")
    canvas.apply(command("canvas_navigate", url="about:blank"))
    assert canvas.html is None


def test_a_command_that_is_not_known_is_refused():
    reply = Canvas().apply({"type": "canvas_dance"})
    assert (reply["type"], reply["diagnosticCode"]) == ("canvas_ack", "unsupported_command")


@pytest.mark.parametrize("mode", ["odd", "FULL"])
def test_a_sync_in_an_unknown_mode_answers_everything_and_says_so(mode):
    canvas = Canvas()
    canvas.apply(create("s"))
    reply = canvas.apply(command("a2ui_sync_ui_to_data", surfaceId="s", syncMode=mode))
    assert set(json.loads(reply["valueJson"])) == {"surfaceId", "dataModel", "values"}
    assert [one.code for one in canvas.surface("s").diagnostics] == ["sync_mode"]
