"""Frameworks that have to be set up before they are imported."""

from __future__ import annotations

import importlib
from typing import Any


def rest_framework() -> Any:
    """The module for REST framework, which asks for settings of Django when it is imported."""
    import django
    from django.conf import settings

    if not settings.configured:
        settings.configure(
            DEBUG=True,
            ROOT_URLCONF=__name__,
            INSTALLED_APPS=["rest_framework"],
            REST_FRAMEWORK={"UNAUTHENTICATED_USER": None, "DEFAULT_AUTHENTICATION_CLASSES": []},
        )
        django.setup()
    return importlib.import_module("packord.integrations.rest_framework")


def form(text: str) -> Any:
    """What Django makes of a form."""
    from django.http import QueryDict

    return QueryDict(text)
