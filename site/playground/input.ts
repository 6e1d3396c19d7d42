// Finds out what an input is: JSON, MessagePack, CBOR, or the hexadecimal digits of bytes.

/** The formats that can be chosen. */
export type Format = 'json' | 'msgpack' | 'cbor' | 'hex';

/** An input as the engine takes it: hexadecimal digits are bytes by now. */
export interface Input {
  format: 'json' | 'msgpack' | 'cbor';
  bytes: Uint8Array<ArrayBuffer>;
  /** What it was recognised as, in words. */
  what: string;
}

/** The first bytes of CBOR that says what it is (RFC 8949, section 3.4.6). */
const CBOR_TAG = [0xd9, 0xd9, 0xf7];
/** How many bytes are looked at to recognise a format. */
const LOOK = 4096;

/** Returns the bytes of hexadecimal digits: spaces, line breaks, commas and `0x` between them are passed over. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  const digits = text.replaceAll(/0x|[\s,:]/gi, '');
  if (digits.length === 0 || digits.length % 2 === 1 || /[^0-9a-f]/i.test(digits)) return undefined;
  const bytes = new Uint8Array(digits.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

function guess(bytes: Uint8Array<ArrayBuffer>, name: string): Format {
  const suffix = name.toLowerCase().split('.').pop() ?? '';
  if (['json', 'ndjson', 'jsonl', 'geojson'].includes(suffix)) return 'json';
  if (suffix === 'cbor' || CBOR_TAG.every((byte, at) => bytes[at] === byte)) return 'cbor';
  if (['msgpack', 'mp', 'pkd'].includes(suffix)) return 'msgpack';
  let start: string;
  try {
    start = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, LOOK), { stream: bytes.length > LOOK });
  } catch {
    return 'msgpack';
  }
  const isText = !/[\u0000-\u0008\u000e-\u001f]/.test(start);
  if (isText && bytes.length <= 2 ** 26 && fromHex(new TextDecoder().decode(bytes)) !== undefined) return 'hex';
  if (isText && /^\s*(?:[[{"]|-?\d|true|false|null)/.test(start)) return 'json';
  return isText && name === '' ? 'json' : 'msgpack';
}

/** Returns the input, or why it cannot be read. */
export function recognise(bytes: Uint8Array<ArrayBuffer>, name: string, chosen: Format | 'auto'): Input | string {
  const format = chosen === 'auto' ? guess(bytes, name) : chosen;
  const words = { json: 'JSON', msgpack: 'MessagePack', cbor: 'CBOR' };
  if (format !== 'hex') return { format, bytes, what: words[format] };
  const decoded = fromHex(new TextDecoder().decode(bytes));
  if (decoded === undefined) return 'These are not pairs of hexadecimal digits.';
  return { format: 'msgpack', bytes: decoded, what: 'MessagePack in hexadecimal digits' };
}
