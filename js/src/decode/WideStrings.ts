import * as M from '../wire/markers.ts';
import { utf16String } from '../wire/platform.ts';
import { transcode } from '../wire/utf8.ts';

/** Maximum number of code units and of strings in a batch. */
const UNITS = 2048;
const STRINGS = 64;
/** Sizes in bytes of the strings in a batch: shorter and longer ones are made one at a time. */
export const MIN_WIDE = 17;
export const MAX_WIDE = 512;
/** Number of bytes after which a search for the next string that is not ASCII ends. */
const FAR = 96;

/** The bytes that strings are read from. */
interface Bytes {
  readonly src: Uint8Array;
  readonly view: DataView;
  readonly end: number;
  isAscii(start: number, end: number): boolean;
}

let units: Uint16Array | undefined;

/**
 * Strings of a message that are not ASCII. A call into the platform takes as long as converting
 * fifty bytes, so one call makes the string that is needed together with those that follow it
 * nearby, and each is a slice of the result.
 */
export class WideStrings {
  #text = '';
  #count = 0;
  /** The next string: most are asked for in their order. */
  #next = 0;
  readonly #starts = new Int32Array(STRINGS);
  readonly #ends = new Int32Array(STRINGS);
  readonly #units = new Int32Array(STRINGS + 1);

  /** Forgets the strings, whose bytes are no longer open. */
  clear(): void {
    if (this.#count === 0) return;
    this.#text = '';
    this.#count = 0;
  }

  /** Returns the string at these positions, if the last batch has it. */
  take(start: number, end: number): string | undefined {
    let i = this.#next;
    while (i < this.#count && (this.#starts[i] as number) < start) i++;
    this.#next = i;
    if (i === this.#count || this.#starts[i] !== start || this.#ends[i] !== end) return undefined;
    this.#next = i + 1;
    return this.#text.substring(this.#units[i] as number, this.#units[i + 1] as number);
  }

  /** Makes a batch that begins with the string at these positions; undefined if that is ill-formed. */
  make(bytes: Bytes, start: number, end: number): string | undefined {
    units ??= new Uint16Array(UNITS);
    let n = 0;
    let count = 0;
    let from = start;
    let to = end;
    do {
      const after = transcode(bytes.src, bytes.view, from, to, units, n);
      if (after < 0) break;
      this.#starts[count] = from;
      this.#ends[count] = to;
      n = after;
      this.#units[++count] = n;
      from = nextWide(bytes, to);
      to = strEnd;
    } while (from >= 0 && count < STRINGS && n + to - from <= UNITS);
    this.#count = count;
    this.#next = 1;
    if (count === 0) return undefined;
    this.#text = utf16String(units, n);
    return this.#text.substring(0, this.#units[1] as number);
  }
}

/** The end of the str that {@link nextWide} found. */
let strEnd = 0;

/** Finds the next str that is not ASCII. Returns the start of its payload; -1 if none is near. */
function nextWide(bytes: Bytes, from: number): number {
  const { src, end } = bytes;
  const far = Math.min(end - 4, from + FAR);
  let p = from;
  while (p < far) {
    const t = src[p] as number;
    let length = 0;
    if (t >= 0xa0 && t < 0xc0) {
      length = t & 0x1f;
      p++;
    } else if (t === M.STR8) {
      length = src[p + 1] as number;
      p += 2;
    } else if (t === M.STR16) {
      length = ((src[p + 1] as number) << 8) | (src[p + 2] as number);
      p += 3;
    } else if (t >= M.RESERVED && (t === M.RESERVED || hasPayload(t))) return -1;
    else {
      p += M.HEADER_SIZE[t] as number;
      continue;
    }
    strEnd = p + length;
    if (strEnd > end || length > MAX_WIDE) return -1;
    if (length >= MIN_WIDE && !bytes.isAscii(p, strEnd)) return p;
    p = strEnd;
  }
  return -1;
}

/** Whether a format's payload, or a part of it, follows its header: bin, ext or str 32. */
function hasPayload(t: number): boolean {
  return (t >= M.BIN8 && t <= M.EXT32) || (t >= M.FIXEXT1 && t <= M.FIXEXT16) || t === M.STR32;
}
