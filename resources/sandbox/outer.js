// The relay in our own document around a page. It runs in a world of its own: it sees the same
// elements and messages as the document, but shares no object with any page.
//
// Up:   host.receive(text), each one of {from: 'page'|'prompt', data} and {from: 'outer', note}.
// Down: host.to_page(text) is posted to the page; host.to_outer(text) is for this script.
(() => {
  'use strict';
  if (window !== window.top || document.documentElement === undefined) return;
  const RATE = 30, BURST = 60, STOP_AT = 2000, MAX_CHARS = 1 << 20, MAX_SNAPSHOT_CHARS = 12 << 20;
  const GATHER_MS = 40;
  let host = null, frame = null, port = null, loads = 0;
  let tokens = BURST, filledAt = performance.now(), dropped = 0, hasStopped = false;

  const note = (name, more) => host.receive(JSON.stringify(Object.assign({from: 'outer', note: name}, more)));

  function drop() {
    dropped += 1;
    if (dropped < STOP_AT || hasStopped) return;
    hasStopped = true;
    note('floods', {dropped});
  }

  function mayPass() {
    const now = performance.now();
    tokens = Math.min(BURST, tokens + (now - filledAt) * RATE / 1000);
    filledAt = now;
    if (tokens < 1 || hasStopped) return false;
    tokens -= 1;
    return true;
  }

  function relay(from, data) {
    if (!mayPass()) return drop();
    let text;
    try { text = JSON.stringify({from, data}); } catch { return drop(); }
    const limit = data.type === 'openclaw:widget-snapshot' ? MAX_SNAPSHOT_CHARS : MAX_CHARS;
    if (text.length > limit) return drop();
    host.receive(text);
  }

  // Sizes and wheel turns come with every frame of an animation: the last size counts, and the sum of the turns.
  let size = null, turned = 0, isGathering = false;
  function gather() {
    if (isGathering) return;
    isGathering = true;
    setTimeout(() => {
      isGathering = false;
      if (size !== null) relay('page', {type: 'openclaw:widget-size', height: size});
      if (turned !== 0) relay('page', {type: 'openclaw:widget-scroll', deltaY: turned});
      size = null;
      turned = 0;
    }, GATHER_MS);
  }

  // The first port of a load is kept; a page has no use for a second one.
  function keep(offered) {
    if (port !== null || offered === undefined) return drop();
    port = offered;
    port.onmessage = event => relay('prompt', isObject(event.data) ? event.data : {});
    port.postMessage({type: 'openclaw:widget-prompt-host-ready'});
  }

  const isObject = value => typeof value === 'object' && value !== null;

  function take(event) {
    if (frame === null || event.source !== frame.contentWindow) return;
    const data = event.data;
    if (!isObject(data)) return drop();
    switch (data.type) {
      case 'openclaw:widget-size':
        if (typeof data.height !== 'number') return drop();
        size = data.height;
        return gather();
      case 'openclaw:widget-scroll':
        if (!Number.isFinite(data.deltaY)) return drop();
        turned += data.deltaY;
        return gather();
      case 'openclaw:widget-prompt-offer':
        return keep(event.ports[0]);
      case 'openclaw:widget-bridge-port-offer':
        return undefined;
      default:
        return relay('page', data);
    }
  }

  function loaded() {
    loads += 1;
    // A frame that loads again holds something else than the page it was made for.
    if (loads > 1) return note('left');
    note('loaded');
    return requestAnimationFrame(() => requestAnimationFrame(() => note('painted')));
  }

  function build() {
    frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts allow-forms');
    frame.setAttribute('title', 'page');
    frame.addEventListener('load', loaded);
    frame.src = '/page';
    document.body.append(frame);
  }

  function obey(text) {
    const order = JSON.parse(text);
    const root = document.documentElement;
    root.style.colorScheme = order.scheme === 'dark' ? 'dark' : 'light';
    root.style.background = document.body.style.background = order.background;
  }

  function start() {
    new QWebChannel(qt.webChannelTransport, channel => {
      host = channel.objects.host;
      host.to_page.connect(text => frame.contentWindow.postMessage(JSON.parse(text), '*'));
      host.to_outer.connect(obey);
      window.addEventListener('message', take);
      build();
      note('ready');
    });
  }

  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start, {once: true});
  else start();
})();
