from __future__ import annotations

from companion.domain.a2ui.nodes import Node, Picture

INNER = Node("b", "Text", "label")
PICTURE = Picture(
    (Node("a", "Row", "row", children=(INNER, Node("c", "Text", "label"))), Node("d", "Text", "label")), ()
)


def test_nodes_come_in_the_order_of_the_tree():
    assert [node.id for node in PICTURE.all()] == ["a", "b", "c", "d"]


def test_the_way_to_a_node_leads_from_the_top():
    assert [node.id for node in PICTURE.path_to("c")] == ["a", "c"]
    assert PICTURE.path_to("x") == ()
