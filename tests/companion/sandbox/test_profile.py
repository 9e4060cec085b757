from __future__ import annotations

from PySide6.QtWebEngineCore import QWebEngineProfile


def profile_of(stage):
    return stage.open("x").live_page.page.profile()


def test_the_profile_writes_nothing_and_keeps_nothing(stage):
    profile = profile_of(stage)
    assert profile.isOffTheRecord()
    assert profile.httpCacheType() == QWebEngineProfile.HttpCacheType.NoCache
    assert profile.persistentCookiesPolicy() == QWebEngineProfile.PersistentCookiesPolicy.NoPersistentCookies
    assert not profile.isSpellCheckEnabled()
    assert not profile.isPushServiceEnabled()


def test_all_pages_share_one_profile_and_it_is_not_the_default_one(stage):
    first, second = profile_of(stage), profile_of(stage)
    assert first is second
    assert first is not QWebEngineProfile.defaultProfile()


def test_a_download_is_cancelled(stage):
    started = []
    view = stage.open("x")
    view.live_page.page.profile().downloadRequested.connect(lambda download: started.append(download.state()))
    view.live_page.page.download("data:application/octet-stream,hostile", "x.exe")
    stage.qtbot.waitUntil(lambda: bool(started), timeout=10_000)
    assert [state.name for state in started] == ["DownloadCancelled"]
