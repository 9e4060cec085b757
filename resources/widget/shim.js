// Runs before anything of the page, in every hosted widget: tells the host the page's
// height and its faults, takes the host's theme, and offers prompts that a person asked for.
(() => {
  "use strict";
  const host = window.parent;
  const isFramed = host !== window;
  const LIMITS = { prompt: 4000, perMinute: 10, errors: 3, message: 500, source: 200 };
  const tell = (type, fields, ports) => {
    if (isFramed) host.postMessage({ type: `openclaw:widget-${type}`, ...fields }, "*", ports);
  };

  // Prompts: the port is offered before the page can run, and never leaves this function.
  const channel = new MessageChannel();
  const port = channel.port1;
  const post = MessagePort.prototype.postMessage.bind(port);
  const activation = navigator.userActivation;
  const isActiveOf = activation && Object.getOwnPropertyDescriptor(Object.getPrototypeOf(activation), "isActive");
  const personActed = isActiveOf ? isActiveOf.get.bind(activation) : () => false;
  const sent = [];
  let hostListens = false;
  port.onmessage = (event) => {
    if (event.data && event.data.type === "openclaw:widget-prompt-host-ready") hostListens = true;
  };
  const sendPrompt = (text) => {
    const prompt = String(text).trim();
    const now = Date.now();
    while (sent.length && now - sent[0] > 60000) sent.shift();
    if (!hostListens || !personActed() || sent.length >= LIMITS.perMinute) return;
    if (!prompt || prompt.length > LIMITS.prompt || prompt.startsWith("/")) return;
    sent.push(now);
    post({ type: "openclaw:widget-prompt", prompt });
  };
  const fixed = (value) => ({ value, writable: false, configurable: false, enumerable: true });
  Object.defineProperty(window, "sendPrompt", { ...fixed(sendPrompt), writable: true, configurable: true });
  Object.defineProperty(window, "openclaw", fixed(Object.freeze({ prompt: Object.freeze({ send: sendPrompt }) })));
  if (!isFramed) return;
  tell("prompt-offer", {}, [channel.port2]);

  // Faults of the page: few, short, and each only once.
  const seen = new Set();
  const report = (error, source, line, column) => {
    const message = String((error && error.message) || error || "unknown error").slice(0, LIMITS.message);
    if (seen.size >= LIMITS.errors || seen.has(message)) return;
    seen.add(message);
    const fields = { message };
    const name = String(source || "").split(/[\\/]/).pop();
    if (name) fields.source = name.slice(0, LIMITS.source);
    if (Number.isInteger(line)) fields.line = line;
    if (Number.isInteger(column)) fields.column = column;
    tell("runtime-error", fields);
  };
  addEventListener("error", (event) => {
    if (event instanceof ErrorEvent) report(event.error || event.message, event.filename, event.lineno, event.colno);
  });
  addEventListener("unhandledrejection", (event) => report(event.reason));

  // Height: what the content needs, told only when it changed.
  let told = -1;
  const tellHeight = () => {
    const body = document.body;
    if (!body) return;
    const needed = Math.max(document.documentElement.getBoundingClientRect().height, body.scrollHeight);
    const height = Math.ceil(needed);
    if (height === told) return;
    told = height;
    tell("size", { height });
  };
  const watch = () => {
    const observer = new ResizeObserver(tellHeight);
    observer.observe(document.documentElement);
    observer.observe(document.body);
    tellHeight();
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", watch);
  else watch();
  addEventListener("load", tellHeight);

  // What the page does not scroll by itself scrolls the conversation.
  const nonce = String(Math.random()).slice(2);
  addEventListener("wheel", (event) => {
    if (event.defaultPrevented || event.ctrlKey) return;
    for (let node = event.target; node instanceof Element; node = node.parentElement) {
      const room = event.deltaY < 0 ? node.scrollTop : node.scrollHeight - node.clientHeight - node.scrollTop;
      const scrolls = node === document.documentElement || /auto|scroll/.test(getComputedStyle(node).overflowY);
      if (scrolls && room >= 1) return;
    }
    tell("scroll", { deltaY: event.deltaY, nonce });
  }, { passive: true });

  const applyTheme = (tokens) => {
    if (!tokens || typeof tokens !== "object") return;
    for (const [name, value] of Object.entries(tokens)) {
      if (/^[a-z][a-z0-9-]{0,63}$/.test(name) && typeof value === "string" && value.length <= 500) {
        document.documentElement.style.setProperty(`--${name}`, value);
      }
    }
  };
  const hideScrollBar = () => {
    const style = document.createElement("style");
    style.textContent = "html{scrollbar-width:none}html::-webkit-scrollbar{display:none}";
    document.head.append(style);
  };
  const snapshot = (id) => {
    const width = document.documentElement.clientWidth;
    const height = Math.max(told, 1);
    const fail = (error) => tell("snapshot", { id, error: String((error && error.message) || error).slice(0, LIMITS.message) });
    try {
      const markup = new XMLSerializer().serializeToString(document.documentElement);
      const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`
        + `<foreignObject width="100%" height="100%">${markup}</foreignObject></svg>`;
      const image = new Image();
      image.onerror = () => fail("the page could not be drawn as a picture");
      image.onload = () => {
        try {
          const canvas = document.createElement("canvas");
          canvas.width = width;
          canvas.height = height;
          canvas.getContext("2d").drawImage(image, 0, 0);
          tell("snapshot", { id, dataUrl: canvas.toDataURL("image/png"), width, height });
        } catch (error) { fail(error); }
      };
      image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}`;
    } catch (error) { fail(error); }
  };
  addEventListener("message", (event) => {
    if (event.source !== host || !event.data) return;
    switch (event.data.type) {
      case "openclaw:widget-theme": applyTheme(event.data.tokens); break;
      case "openclaw:widget-chat-host": hideScrollBar(); break;
      case "openclaw:widget-snapshot-request": snapshot(event.data.id); break;
    }
  });
  tell("bridge-ready", {});
})();
