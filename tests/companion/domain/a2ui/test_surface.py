from __future__ import annotations

from companion.domain.a2ui import catalogs
from companion.domain.a2ui.surface import MAX_NOTES, Surface


def surface(*components, **fields):
    return Surface("s", catalogs.AGENUI, "S", "v0_9", **fields).with_components(components)


def test_of_components_with_one_id_the_last_counts_in_the_place_of_the_first():
    made = surface({"id": "a", "type": "Text"}, {"id": "b", "type": "Text"}, {"id": "a", "type": "Card"})
    assert [(one["id"], one["type"]) for one in made.components] == [("a", "Card"), ("b", "Text")]


def test_an_edit_writes_the_model_and_leaves_the_old_surface_as_it_was():
    made = surface({"id": "f", "type": "TextField", "valueBinding": "n.0"}, model={"n": ["a"]})
    changed = made.edited(made.picture.nodes[0], "b")
    assert (made.model, changed.model) == ({"n": ["a"]}, {"n": ["b"]})


def test_an_edit_that_has_no_place_in_the_data_is_kept_and_noted():
    made = surface({"id": "f", "type": "TextField", "valueBinding": "n.7"}, model={"n": []})
    changed = made.edited(made.picture.nodes[0], "b")
    assert changed.model == {"n": []}
    assert changed.picture.nodes[0].value == "b"
    assert [one.code for one in changed.diagnostics] == ["write_ignored"]


def test_an_edit_of_a_component_that_changes_its_type_is_forgotten():
    made = surface({"id": "f", "type": "TextField"})
    edited = made.edited(made.picture.nodes[0], "x")
    assert edited.with_components([{"id": "f", "type": "TextField", "title": "T"}]).values == {"f": "x"}
    assert edited.with_components([{"id": "f", "type": "CheckBox"}]).values == {}


def test_inputs_are_those_that_hold_a_value():
    made = surface(
        {"id": "a", "type": "TextField"},
        {"id": "b", "type": "Slider", "value": 3},
        {"id": "c", "type": "Text"},
    )
    assert [node.id for node in made.inputs()] == ["b"]


def test_notes_do_not_grow_without_end():
    made = surface()
    for one in range(MAX_NOTES + 10):
        made = made.with_note("code", str(one))
    assert len(made.notes) == MAX_NOTES
