"""Any model behind an endpoint that speaks OpenAI's format, through pydantic-ai's model layer.

The layer takes seconds to load, so this file is imported only when a model is set.
"""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncGenerator, Iterable, Mapping
from typing import Any, Final

from openai import AsyncOpenAI, OpenAIError, Timeout
from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import AgentRunError, ModelHTTPError, UserError
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ModelResponsePart,
    PartDeltaEvent,
    PartStartEvent,
    SystemPromptPart,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.tools import ToolDefinition

from companion.gateway.provider import (
    AssistantTurn,
    Delta,
    ProviderError,
    ProviderRequest,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolResultTurn,
    ToolSpec,
    Turn,
    TurnEnd,
    UserTurn,
)

NO_KEY: Final = "none"
"""Sent where an endpoint wants no key, because the client library insists on one."""

CONNECT_LIMIT_S: Final = 10.0
ANSWER_LIMIT_S: Final = 600.0
"""Longest silence of an endpoint: a local model may think for minutes before its first word."""

INSTRUCTIONS: Final = (
    "You answer a person in a desktop chat window. Write Markdown. Use a tool where it helps, "
    "and say in words what it showed, for those who cannot see it."
)

_ADVICE: Final[Mapping[int, str]] = {
    401: "The endpoint refused the key. Check api_key_env in the settings.",
    403: "The endpoint refused the key. Check api_key_env in the settings.",
    404: "The endpoint does not know that model or path. Check model and base_url in the settings.",
    413: "The conversation is too long for the endpoint. Begin a new one.",
    429: "The endpoint is busy or the quota is used up. Wait a moment and send the message again.",
}


class ModelProvider:
    """A model by its name and endpoint.

    Args:
        model: As the endpoint calls it.
        base_url: Of the endpoint, usually ending in `/v1`; None for OpenAI itself.
        api_key: None if the endpoint wants none.
    """

    def __init__(self, model: str, *, base_url: str | None, api_key: str | None) -> None:
        self.model = model
        self.name = "openai" if base_url is None else "openai-compatible"
        self._where = base_url or "OpenAI"
        try:
            # A client of our own: the layer's shared one outlives the loop that it was made in.
            self._client = AsyncOpenAI(
                base_url=base_url,
                api_key=api_key or (NO_KEY if base_url else None),
                timeout=Timeout(ANSWER_LIMIT_S, connect=CONNECT_LIMIT_S),
            )
        except OpenAIError:
            raise ProviderError(
                f"the model {model!r} of OpenAI needs a key. Set api_key_env in the settings to the name of "
                "the variable that holds it, or base_url to another endpoint."
            ) from None
        self._chat = OpenAIChatModel(model, provider=OpenAIProvider(openai_client=self._client))

    async def close(self) -> None:
        """Close the connections to the endpoint."""
        await self._client.close()

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[Delta, None]:
        """Answer one turn."""
        parameters = ModelRequestParameters(function_tools=[_definition(tool) for tool in request.tools])
        has_begun = False
        try:
            async with model_request_stream(
                self._chat, to_messages(request.turns), model_request_parameters=parameters
            ) as stream:
                async for event in stream:
                    delta = _delta(event)
                    if delta is not None:
                        has_begun = True
                        yield delta
                response = stream.get()
        except ModelHTTPError as error:
            raise ProviderError(self._words(error)) from error
        except (AgentRunError, UserError) as error:
            if has_begun:
                raise self._cut() from error
            raise ProviderError(
                f"the model {self.model!r} at {self._where} did not answer: {_short(str(error))} "
                "Check that the endpoint runs and that model and base_url in the settings are right."
            ) from error
        if not _is_whole(response):
            raise self._cut()
        calls = [_call(part) for part in response.parts if isinstance(part, ToolCallPart)]
        for call in calls:
            yield call
        yield _end(response, bool(calls))

    def _cut(self) -> ProviderError:
        return ProviderError(
            f"the answer of the model {self.model!r} at {self._where} was cut off before its end. "
            "Send the message again; if it stays, see the endpoint's log."
        )

    def _words(self, error: ModelHTTPError) -> str:
        advice = _ADVICE.get(
            error.status_code, "Send the message again; if it stays, see the endpoint's log."
        )
        return f"the model {self.model!r} at {self._where} answered with status {error.status_code}. {advice}"


def to_messages(turns: Iterable[Turn]) -> list[ModelMessage]:
    """Return the conversation in the model layer's own types."""
    messages: list[ModelMessage] = [ModelRequest(parts=[SystemPromptPart(content=INSTRUCTIONS)])]
    for turn in turns:
        match turn:
            case UserTurn():
                messages.append(ModelRequest(parts=[_prompt(turn)]))
            case AssistantTurn():
                messages.append(ModelResponse(parts=_response_parts(turn)))
            case ToolResultTurn():
                part = ToolReturnPart(tool_name=turn.name, content=turn.text, tool_call_id=turn.call_id)
                messages.append(ModelRequest(parts=[part]))
    return messages


def _prompt(turn: UserTurn) -> UserPromptPart:
    if not turn.pictures:
        return UserPromptPart(content=turn.text)
    pictures = [BinaryContent(base64.b64decode(one.data), media_type=one.mime_type) for one in turn.pictures]
    return UserPromptPart(content=[turn.text, *pictures] if turn.text else pictures)


def _response_parts(turn: AssistantTurn) -> list[ModelResponsePart]:
    parts: list[ModelResponsePart] = [TextPart(content=turn.text)] if turn.text else []
    parts += [ToolCallPart(call.name, dict(call.arguments), tool_call_id=call.call_id) for call in turn.calls]
    return parts


def _definition(tool: ToolSpec) -> ToolDefinition:
    return ToolDefinition(
        name=tool.name, description=tool.summary, parameters_json_schema=dict(tool.parameters), strict=False
    )


def _delta(event: object) -> Delta | None:
    match event:
        case PartStartEvent(part=TextPart(content=text)) if text:
            return TextDelta(text)
        case PartDeltaEvent(delta=TextPartDelta(content_delta=text)) if text:
            return TextDelta(text)
        case PartStartEvent(part=ThinkingPart(content=text)) if text:
            return ThinkingDelta(text)
        case PartDeltaEvent(delta=ThinkingPartDelta(content_delta=str(text))) if text:
            return ThinkingDelta(text)
    return None


def _call(part: ToolCallPart) -> ToolCall:
    arguments: Any = part.args
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}", parse_constant=_refuse)
        except ValueError as error:
            problem = f"its arguments are not JSON ({error}). Call it again with a JSON object."
            return ToolCall(part.tool_call_id, part.tool_name, {}, problem)
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        problem = f"its arguments are a {type(arguments).__name__}. Call it again with a JSON object."
        return ToolCall(part.tool_call_id, part.tool_name, {}, problem)
    return ToolCall(part.tool_call_id, part.tool_name, arguments)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number of JSON")


def _is_whole(response: ModelResponse) -> bool:
    """Whether the endpoint said why its answer ended; one that was cut ends without a reason.

    `finish_reason` itself is no help: the model layer fills it with `stop`.
    """
    return bool((response.provider_details or {}).get("finish_reason"))


def _end(response: ModelResponse, has_calls: bool) -> TurnEnd:
    usage = {
        "input": response.usage.input_tokens,
        "output": response.usage.output_tokens,
        "totalTokens": response.usage.total_tokens,
    }
    if has_calls:
        return TurnEnd("toolUse", usage)
    return TurnEnd("length" if response.finish_reason == "length" else "stop", usage)


def _short(text: str, limit: int = 300) -> str:
    text = " ".join(text.split()).rstrip(".")
    return (text if len(text) <= limit else text[: limit - 1] + "…") + "."
