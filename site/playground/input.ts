// Finds out what an input is: JSON, MessagePack or CBOR, as bytes or in one of the ways in which bytes are written as text.

/** What can be chosen. The last four are ways to write bytes as text. */
export type Format = 'json' | 'msgpack' | 'cbor' | 'hex' | 'base64' | 'literal' | 'dump';

/** An input as the engine takes it: what was text for bytes is bytes by now. */
export interface Input {
  /** How it was read. */
  format: Format;
  content: 'json' | 'msgpack' | 'cbor';
  bytes: Uint8Array<ArrayBuffer>;
  /** What it was taken for, in words. */
  what: string;
  /** What else the same input can be read as. */
  others: Format[];
}

/** The names of the formats, as the page says them. */
export const NAMES: Record<Format, string> = {
  json: 'JSON',
  msgpack: 'MessagePack',
  cbor: 'CBOR',
  hex: 'hexadecimal digits',
  base64: 'base64',
  literal: 'a literal with escapes',
  dump: 'a dump of xxd or hexdump',
};

/** The first bytes of CBOR that says what it is (RFC 8949, section 3.4.6). */
const CBOR_TAG = [0xd9, 0xd9, 0xf7];
/** How many bytes are looked at to recognise a format. */
const LOOK = 4096;
/** The longest text that is read as bytes. */
const MOST_TEXT = 2 ** 26;
/** What escapes of one letter stand for. */
const ESCAPES: Record<string, number> = { '0': 0, a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "'": 39, '\\': 92 };

type Bytes = Uint8Array<ArrayBuffer>;

function ofDigits(digits: string): Bytes | undefined {
  if (digits.length === 0 || digits.length % 2 === 1 || /[^0-9a-f]/i.test(digits)) return undefined;
  const bytes = new Uint8Array(digits.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

/** Returns the bytes of hexadecimal digits, in groups of whole bytes between spaces, line breaks, commas or colons. */
function fromHex(text: string): Bytes | undefined {
  const groups = text.split(/[\s,:]+/).map((group) => group.replace(/^0x/i, ''));
  return groups.every((group) => group.length % 2 === 0) ? ofDigits(groups.join('')) : undefined;
}

/** Returns the bytes of base64, of the form for addresses too. */
function fromBase64(text: string): Bytes | undefined {
  const digits = text.replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(digits)) return undefined;
  try {
    return Uint8Array.from(atob(digits), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Returns the bytes of `b'…'` of Python, `b"…"` of Rust, or text with `\x82`. */
function fromLiteral(text: string): Bytes | undefined {
  const given = text.trim();
  const quoted = /^[bB]?(["'])([^]*)\1[;,]?$/.exec(given);
  const inside = quoted ? (quoted[2] as string) : given;
  const begins = /^[bB]["']/.test(given);
  if (quoted ? !begins && !/\\x[0-9a-f]{2}/i.test(inside) : begins || !/\\x[0-9a-f]{2}/i.test(inside)) return undefined;
  const bytes: number[] = [];
  for (const [whole, hex, octal, letter, char] of inside.matchAll(/\\x([0-9a-f]{2})|\\([0-3][0-7]{2})|\\([^])|([^\\])/gi)) {
    const value =
      hex !== undefined
        ? Number.parseInt(hex, 16)
        : octal !== undefined
          ? Number.parseInt(octal, 8)
          : letter !== undefined
            ? ESCAPES[letter]
            : char?.charCodeAt(0);
    if (value === undefined || value > 127 + (whole.length > 1 ? 128 : 0)) return undefined;
    bytes.push(value);
  }
  return Uint8Array.from(bytes);
}

/** Returns the bytes of a dump: `xxd`, `hexdump` with and without `-C`, `od -tx1`. */
function fromDump(text: string): Bytes | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const parts: Bytes[] = [];
  let at = 0;
  let last: Bytes | undefined;
  let isRepeated = false;
  // `hexdump` alone writes words of 16 bits with the second byte first.
  const isWords = lines.every((line) => /^[0-9a-f]{7}(?: +[0-9a-f]{4})* *$|^\*$/i.test(line));
  const base = lines.some((line) => /^[0-7]{7}(?: +[0-9a-f]{2})+ *$/i.test(line)) ? 8 : 16;
  for (const line of lines) {
    if (line.trim() === '*') {
      isRepeated = true;
      continue;
    }
    const found = /^([0-9a-f]{6,16}):?(?=\s|$)((?: {1,3}[0-9a-f]{2,8}(?=\s|$))*)(?:\s.*)?$/i.exec(line);
    if (!found) return undefined;
    const offset = Number.parseInt(found[1] as string, base);
    if (isRepeated && last && offset > at && offset - at <= MOST_TEXT)
      while (at < offset) {
        parts.push(last);
        at += last.length;
      }
    isRepeated = false;
    const row = ofDigits((found[2] as string).replaceAll(' ', ''));
    // The last line of a dump may have an offset alone.
    if (!row) continue;
    if (offset !== at) return undefined;
    if (isWords) for (let even = 0; even + 1 < row.length; even += 2) [row[even], row[even + 1]] = [row[even + 1] as number, row[even] as number];
    parts.push(row);
    last = row;
    at += row.length;
  }
  if (parts.length === 0) return undefined;
  const bytes = new Uint8Array(at);
  let filled = 0;
  for (const part of parts) {
    bytes.set(part, filled);
    filled += part.length;
  }
  // A dump of an odd number of bytes has a last word that is filled up; its last line says how many there are.
  const end = /^([0-9a-f]{6,16})\s*$/i.exec(lines.at(-1) ?? '');
  return end ? bytes.subarray(0, Number.parseInt(end[1] as string, base)) : bytes;
}

const DECODERS = { dump: fromDump, literal: fromLiteral, hex: fromHex, base64: fromBase64 };
const WRITTEN = ['dump', 'literal', 'hex', 'base64'] as const;
const isWritten = (format: Format): format is keyof typeof DECODERS => format in DECODERS;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether bytes of base64 are likely meant: words of letters alone are valid base64 too. */
const looksLikeBase64 = (text: string) => /[0-9+/=_-]/.test(text) && /[A-Z]/.test(text) && text.trim().length >= 4;

/** Returns what an input can be, the likeliest first. */
function guesses(bytes: Bytes, name: string): Format[] {
  const suffix = name.toLowerCase().split('.').pop() ?? '';
  const named: Format[] = [];
  if (['json', 'ndjson', 'jsonl', 'geojson'].includes(suffix)) named.push('json');
  if (suffix === 'cbor' || CBOR_TAG.every((byte, at) => bytes[at] === byte)) named.push('cbor');
  if (['msgpack', 'mp', 'pkd'].includes(suffix)) named.push('msgpack');
  let start: string;
  try {
    start = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, LOOK), { stream: bytes.length > LOOK });
  } catch {
    return [...named, 'msgpack', 'cbor'];
  }
  if (/[\u0000-\u0008\u000e-\u001f]/.test(start)) return [...named, 'msgpack', 'cbor'];
  const found: Format[] = [];
  const text = bytes.length <= MOST_TEXT ? new TextDecoder().decode(bytes) : '';
  const written = WRITTEN.filter((format) => text !== '' && DECODERS[format](text) !== undefined);
  // A number is JSON, and digits in pairs are not.
  const isNumber = bytes.length < LOOK && written.length > 0 && isJson(text) && !written.includes('literal');
  if (isNumber) found.push('json');
  found.push(...written.filter((format) => format !== 'base64' || looksLikeBase64(text)));
  const isText = /^\s*(?:[[{"]|-?\d|true|false|null)/.test(start) || name === '';
  found.push(...(isText ? (['json', 'msgpack'] as const) : (['msgpack', 'json'] as const)));
  return [...named, ...found, ...written, 'cbor'];
}

/** Returns the input, or why it cannot be read. */
export function recognise(bytes: Bytes, name: string, chosen: Format | 'auto'): Input | string {
  const possible = [...new Set(guesses(bytes, name))];
  const format = chosen === 'auto' ? (possible[0] as Format) : chosen;
  // What was typed is text, so that only text for bytes and JSON are worth offering.
  const others = possible.filter((other) => other !== format && (name !== '' || isWritten(other) || other === 'json'));
  if (!isWritten(format)) return { format, content: format, bytes, what: NAMES[format], others };
  const decoded = DECODERS[format](new TextDecoder().decode(bytes));
  if (decoded === undefined) return format === 'hex' ? 'These are not pairs of hexadecimal digits.' : `This is not ${NAMES[format]}.`;
  const content = CBOR_TAG.every((byte, at) => decoded[at] === byte) ? 'cbor' : 'msgpack';
  return { format, content, bytes: decoded, what: `${NAMES[content]} in ${NAMES[format]}`, others };
}
