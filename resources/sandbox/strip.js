// Runs before any script of a page, in the page's own world and in every frame of it.
// A content security policy does not stop WebRTC in this engine, and WebTransport only partly:
// so the constructors go, and cannot be put back.
(() => {
  'use strict';
  const gone = {value: undefined, writable: false, configurable: false, enumerable: false};
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCIceTransport', 'RTCDtlsTransport',
                      'RTCCertificate', 'RTCDataChannel', 'WebTransport', 'WebSocketStream']) {
    Object.defineProperty(globalThis, name, gone);
  }
  // How full the battery is tells machines apart; a page has no use for it.
  Object.defineProperty(Navigator.prototype, 'getBattery', gone);
  // A copy without the person's wish would overwrite the clipboard.
  const no = {value: () => false, writable: false, configurable: false, enumerable: true};
  Object.defineProperty(Document.prototype, 'execCommand', no);
  Object.defineProperty(document, 'execCommand', no);
})();
