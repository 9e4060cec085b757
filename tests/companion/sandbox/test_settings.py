from __future__ import annotations

from PySide6.QtWebEngineCore import QWebEngineSettings

from companion.sandbox.settings import OFF, ON


def test_every_setting_of_the_design_is_as_it_says_on_a_live_page(stage):
    settings = stage.open("x").live_page.page.settings()
    assert [attribute.name for attribute in OFF if settings.testAttribute(attribute)] == []
    assert [attribute.name for attribute in ON if not settings.testAttribute(attribute)] == []
    unknown = QWebEngineSettings.UnknownUrlSchemePolicy.DisallowUnknownUrlSchemes
    assert settings.unknownUrlSchemePolicy() == unknown


def test_a_page_still_runs_scripts(stage):
    stage.wait_for_line(stage.open("<script>console.log('runs')</script>"), "runs")
