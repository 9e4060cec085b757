"""The base of our own wire types: camelCase on the wire, unknown fields ignored. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from gateway_client.errors import ProtocolError


class WireModel(BaseModel):
    """A value that goes over the wire, checked at the edge.

    Frozen; values are not coerced (a number is no text). What a peer of another
    version adds is ignored.
    """

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        frozen=True,
        extra="ignore",
        strict=True,
    )

    @classmethod
    def from_wire(cls, value: object) -> Self:
        """Read a value of the wire.

        Raises:
            ProtocolError: With the first field that is wrong and why, in words.
        """
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            raise ProtocolError(first_problem(error)) from None

    def to_wire(self) -> dict[str, Any]:
        """Return the value as it goes over the wire; fields that say nothing are left out."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


def first_problem(error: ValidationError) -> str:
    """Return the first problem of a validation in the peer's own field names."""
    problem: Mapping[str, Any] = error.errors(include_url=False, include_context=False)[0]
    path = ".".join(str(step) for step in problem["loc"])
    if problem["type"] == "missing":
        return f"must have required property {path!r}"
    return f"{path or 'value'}: {problem['msg']}"
