from __future__ import annotations

from companion.gateway.surfaces import LIFETIME_S, MAX_OPEN, Capabilities


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_a_capability_is_open_for_ten_minutes_and_not_longer():
    clock = Clock()
    capabilities = Capabilities(clock)
    capability = capabilities.mint()
    clock.now = LIFETIME_S - 0.001
    assert capabilities.is_open(capability)
    clock.now = LIFETIME_S
    assert not capabilities.is_open(capability)


def test_nothing_else_is_open():
    capabilities = Capabilities(Clock())
    capabilities.mint()
    assert not capabilities.is_open("")
    assert not capabilities.is_open("guess")


def test_capabilities_differ_and_the_oldest_goes_when_there_are_too_many():
    capabilities = Capabilities(Clock())
    minted = [capabilities.mint() for _ in range(MAX_OPEN + 1)]
    assert len(set(minted)) == len(minted)
    assert not capabilities.is_open(minted[0])
    assert all(capabilities.is_open(one) for one in minted[1:])
