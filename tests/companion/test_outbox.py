from __future__ import annotations

import sqlite3
import stat

import pytest

from companion.outbox import Entry, NotKept, Outbox


@pytest.fixture
def path(tmp_path):
    return tmp_path / "outbox.db"


@pytest.fixture
def opened(path):
    boxes = []

    def again(target="home"):
        boxes.append(Outbox(path, target))
        return boxes[-1]

    yield again
    for box in boxes:
        box.close()


def test_what_was_added_is_there_for_the_next_start_without_closing(opened):
    opened().add(Entry("1", "main", "ünder way\n"))
    assert opened().entries == (Entry("1", "main", "ünder way\n"),)


def test_the_order_is_the_one_in_which_messages_were_sent(opened):
    box = opened()
    for key in "cab":
        box.add(Entry(key, "main", key))
    assert [entry.key for entry in opened().entries] == ["c", "a", "b"]


def test_what_is_removed_does_not_come_back(opened):
    box = opened()
    box.add(Entry("1", "main", "one"))
    box.add(Entry("2", "main", "two"))
    box.remove("1")
    assert box.entries == opened().entries == (Entry("2", "main", "two"),)


def test_a_failed_message_is_kept_with_its_reason_and_is_not_in_the_way(opened):
    box = opened()
    box.add(Entry("1", "main", "one"))
    box.add(Entry("2", "main", "two"))
    box.fail("1", "Not sent: too long")
    for seen in (box, opened()):
        assert seen.entries[0] == Entry("1", "main", "one", "Not sent: too long")
        assert seen.next_waiting() == Entry("2", "main", "two")


def test_a_failed_message_that_is_added_again_waits_at_the_end(opened):
    box = opened()
    box.add(Entry("1", "main", "one"))
    box.fail("1", "Not sent")
    box.add(Entry("2", "main", "two"))
    box.add(Entry("1", "main", "one"))
    expected = (Entry("2", "main", "two"), Entry("1", "main", "one"))
    assert box.entries == opened().entries == expected


def test_messages_for_one_gateway_are_never_those_of_another(opened):
    opened("home").add(Entry("1", "main", "for home"))
    other = opened("office")
    assert other.entries == ()
    other.add(Entry("1", "main", "for the office"))
    other.remove("1")
    assert opened("home").entries == (Entry("1", "main", "for home"),)


def test_only_the_owner_may_read_the_file(opened, path):
    opened()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_damaged_file_is_put_aside_whole_and_told(opened, path):
    path.write_bytes(b"this was never a database" * 100)
    box = opened()
    box.add(Entry("1", "main", "goes on"))
    (aside,) = path.parent.glob("outbox.db.damaged-*")
    assert aside.read_bytes() == b"this was never a database" * 100
    assert str(aside) in box.problem
    assert opened().entries == (Entry("1", "main", "goes on"),)


def test_a_folder_that_can_not_be_used_is_told_and_messages_still_go_out(tmp_path):
    box = Outbox(tmp_path / "missing" / "outbox.db", "home")
    assert "can not be used" in box.problem
    box.add(Entry("1", "main", "one"))
    assert box.next_waiting() == Entry("1", "main", "one")


def test_a_message_that_the_disk_refuses_is_told_and_still_waits(opened, path):
    box = opened()
    other = sqlite3.connect(path)
    other.execute("DROP TABLE outbox")
    other.commit()
    other.close()
    with pytest.raises(NotKept, match="could not be saved"):
        box.add(Entry("1", "main", "one"))
    assert box.next_waiting() == Entry("1", "main", "one")
    box.remove("1")
    assert box.entries == ()
