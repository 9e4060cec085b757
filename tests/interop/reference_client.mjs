// The published reference client against our gateway: connects, chats, stops, reads history.
// usage: node reference_client.mjs NODE_MODULES URL TOKEN    prints one JSON object
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [modules, url, token] = process.argv.slice(2);
const folder = `${modules}/@openclaw/gateway-client`;
const exported = JSON.parse(await readFile(`${folder}/package.json`, "utf8")).exports["."];
const entry = (value) => (typeof value === "string" ? value : entry(value.import ?? value.default));
const { GatewayClient } = await import(pathToFileURL(`${folder}/${entry(exported)}`));

const events = [];
const waiting = [];
const until = (wanted) =>
  new Promise((resolve) => {
    const found = events.find(wanted);
    if (found) resolve(found.payload);
    else waiting.push({ wanted, resolve });
  });
const hello = Promise.withResolvers();
const client = new GatewayClient({
  url, token, minProtocol: 4, maxProtocol: 4, clientName: "gateway-client", mode: "ui",
  caps: ["inline-widgets", "tool-events"], scopes: ["operator.read", "operator.write"],
  onHelloOk: hello.resolve,
  onConnectError: hello.reject,
  onEvent: (event) => {
    events.push(event);
    for (const one of waiting) if (one.wanted(event)) one.resolve(event.payload);
  },
});
const chat = (runId, state) => until((e) => e.event === "chat" && e.payload.runId === runId && e.payload.state === state);
const send = (message, idempotencyKey) => client.request("chat.send", { sessionKey: "main", message, idempotencyKey });

client.start();
const { protocol } = await hello.promise;
const first = await send("widget svg", "r1");
const final = await chat("r1", "final");
await send("slow", "r2");
await chat("r2", "delta");
const stopped = await client.request("chat.abort", { sessionKey: "main", runId: "r2" });
const { messages } = await client.request("chat.history", { sessionKey: "main" });
const roles = messages.map((message) => `${message.role} ${message.stopReason ?? ""}`.trim());
process.stdout.write(JSON.stringify({ protocol, first, final: final.message, stopped, roles }));
client.stop();
process.exit(0);
