/** What React Native's programs add to Hermes 0.12: TextEncoder, and TextDecoder for UTF-8 and Latin-1. */
globalThis.TextEncoder ??= class {
  encode(text) {
    return Uint8Array.from(unescape(encodeURIComponent(text)), (c) => c.charCodeAt(0));
  }
  encodeInto(text, target) {
    const bytes = this.encode(text);
    target.set(bytes);
    return { read: text.length, written: bytes.length };
  }
};
globalThis.TextDecoder ??= class {
  constructor(label = 'utf-8') {
    this.isLatin1 = label === 'latin1';
  }
  decode(bytes) {
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return this.isLatin1 ? text : decodeURIComponent(escape(text));
  }
};
