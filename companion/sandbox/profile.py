"""The profile of all foreign pages: it remembers nothing and grants nothing."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWebEngineCore import QWebEngineDownloadRequest, QWebEngineNotification, QWebEngineProfile

from companion.sandbox.layers import Layer
from companion.sandbox.scripts import outer_script, strip_script
from companion.sandbox.settings import close_settings


def make_profile(layers: frozenset[Layer], parent: QObject) -> QWebEngineProfile:
    """Make a profile without a name: nothing of it is ever written to a disk.

    Pages must be deleted before it.
    """
    profile = QWebEngineProfile(parent)
    if not profile.isOffTheRecord():
        raise RuntimeError("the profile of foreign pages would write to the disk; this Qt can not be used")
    if "profile" in layers:
        _close(profile)
    if "settings" in layers:
        close_settings(profile.settings())
    if "script" in layers:
        profile.scripts().insert(strip_script())
    profile.scripts().insert(outer_script())
    return profile


def _close(profile: QWebEngineProfile) -> None:
    profile.setHttpCacheType(QWebEngineProfile.HttpCacheType.NoCache)
    profile.setPersistentCookiesPolicy(QWebEngineProfile.PersistentCookiesPolicy.NoPersistentCookies)
    profile.setPersistentPermissionsPolicy(QWebEngineProfile.PersistentPermissionsPolicy.AskEveryTime)
    profile.setSpellCheckEnabled(False)
    profile.setPushServiceEnabled(False)
    profile.cookieStore().setCookieFilter(_refuse_cookie)
    profile.setNotificationPresenter(_drop_notification)
    profile.downloadRequested.connect(_cancel_download)


def _refuse_cookie(_request: object) -> bool:
    return False


def _drop_notification(notification: QWebEngineNotification) -> None:
    notification.close()


def _cancel_download(download: QWebEngineDownloadRequest) -> None:
    download.cancel()
