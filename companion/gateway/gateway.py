"""The gateway itself, without a socket: what is stored, who is connected, what runs."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Iterable
from importlib.metadata import EntryPoint
from pathlib import Path

from companion.config import GatewaySettings
from companion.gateway import plugins
from companion.gateway.broker import Broker
from companion.gateway.host import SessionHost, canvas_policy
from companion.gateway.hub import Hub
from companion.gateway.provider import Provider
from companion.gateway.runs.loop import Equipment, Order
from companion.gateway.runs.manager import Runs
from companion.gateway.stores.database import Database
from companion.gateway.stores.documents import Documents
from companion.gateway.stores.run_log import RunLog
from companion.gateway.stores.transcripts import Transcripts
from companion.gateway.surfaces import Capabilities
from companion.gateway.tools import TOOLS

log = logging.getLogger(__name__)

DATABASE_NAME = "gateway.sqlite3"


def now_ms() -> int:
    """Return the milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Gateway:
    """Everything that a connection needs. Make it with `open`, end it with `close`."""

    def __init__(
        self, settings: GatewaySettings, database: Database, provider: Provider, tools: plugins.Assembly
    ) -> None:
        self.settings = settings
        self.boot_id = str(uuid.uuid4())
        self.provider = provider
        self.tools = tools
        self.hub = Hub()
        self.broker = Broker(canvas_policy(settings.bind))
        self.capabilities = Capabilities(time.monotonic)
        self.transcripts = Transcripts(database)
        self.documents = Documents(database, max_per_session=settings.max_widgets_per_session)
        self.run_log = RunLog(database)
        self._database = database
        self._started_at = time.monotonic()
        equipment = Equipment(
            provider,
            tools.tools,
            self.transcripts,
            host_for=self._host_for,
            now_ms=now_ms,
            max_turns=settings.max_turns_per_run,
        )
        self.runs = Runs(equipment, self.hub, self.run_log)

    @classmethod
    async def open(
        cls,
        settings: GatewaySettings,
        provider: Provider,
        *,
        state_dir: Path | None,
        plugin_entries: Iterable[EntryPoint] | None = None,
    ) -> Gateway:
        """Open the store and bring what an earlier gateway left open to its end.

        Args:
            state_dir: The folder of its data; None keeps everything in memory.
            plugin_entries: The plugins to load; None loads the installed ones.

        Raises:
            DatabaseError: If the store cannot be used.
        """
        entries = plugins.installed() if plugin_entries is None else plugin_entries
        database = Database(None if state_dir is None else state_dir / DATABASE_NAME)
        await database.open()
        gateway = cls(settings, database, provider, plugins.assemble(TOOLS, entries))
        interrupted = await gateway.run_log.mark_interrupted(now_ms())
        if interrupted:
            log.warning("%d runs had been interrupted and are marked in their history", len(interrupted))
        return gateway

    def _host_for(self, order: Order) -> SessionHost:
        return SessionHost(order.session_key, order.client_id, self.documents, self.broker, now_ms)

    @property
    def uptime_ms(self) -> int:
        """How long this gateway has been open."""
        return int((time.monotonic() - self._started_at) * 1000)

    async def close(self) -> None:
        """End every run, keep what was said, and close the store."""
        await self.runs.close()
        await self.provider.close()
        await self._database.close()
