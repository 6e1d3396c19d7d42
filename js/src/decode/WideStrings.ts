import { KINDS } from '../wire/header.ts';
import { HEADER_SIZE } from '../wire/markers.ts';
import { countWide, utf16String } from '../wire/platform.ts';
import { beginsWide, decodeHere, transcode } from '../wire/utf8.ts';

/** Maximum number of code units and of strings in a batch. */
const UNITS = 2048;
const STRINGS = 64;
/** Size in bytes from which the platform tests strings, in less time than JavaScript takes. */
const LONG = 128;
/** Sizes in bytes of the strings in a batch: shorter and longer ones are made one at a time. */
export const MIN_WIDE = 17;
const MAX_WIDE = 512;
/** Maximum number of parts that are not ASCII in one that is spliced, and of bytes for each at least. */
const PARTS = 64;
const APART = 48;
/** Maximum size of a slice that begins with a long string, and of the number of values in it. */
const REACH = 1 << 14;
const VALUES = 64;
/** Number of bytes after which a search for the next string that is not ASCII ends. */
const FAR = 96;

/** The bytes that strings are read from. */
interface Bytes {
  readonly src: Uint8Array;
  readonly view: DataView;
  readonly end: number;
  /** See `StringDecoder`. */
  readonly latin: string;
  asciiEnd: number;
  isAscii(start: number, end: number): boolean;
  openSlice(start: number, end: number): void;
  hasSlice(start: number, end: number): boolean;
  slice(start: number, end: number): string;
}

let units: Uint16Array | undefined;
/** Where the parts of a string begin that are not ASCII, and where they end. */
const partStarts: Int32Array = /* @__PURE__ */ new Int32Array(PARTS);
const partEnds: Int32Array = /* @__PURE__ */ new Int32Array(PARTS);

/** Returns the position of the first byte that is not ASCII, or `end`. */
function endOfAscii(src: Uint8Array, view: DataView, from: number, end: number): number {
  let p = from;
  for (; p + 16 <= end; p += 16) {
    const bits =
      view.getInt32(p, true) | view.getInt32(p + 4, true) | view.getInt32(p + 8, true) | view.getInt32(p + 12, true);
    if ((bits & 0x80808080) !== 0) break;
  }
  while (p < end && (src[p] as number) < 0x80) p++;
  return p;
}

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
  /** Whether the last long string was neither ASCII nor mostly. */
  #longIsWide = false;
  /** Number of parts that {@link #findParts} found. */
  #parts = 0;
  /** Number of bytes from 0x80 on that {@link #reach} met outside of the strings. */
  #between = 0;

  /** Forgets the strings, whose bytes are no longer open. */
  clear(): void {
    if (this.#count === 0) return;
    this.#text = '';
    this.#count = 0;
    this.#next = 0;
  }

  /** Returns the string at these positions, if the last batch has it or it is long and mostly ASCII. */
  find(bytes: Bytes, start: number, end: number): string | undefined {
    const made = this.#take(start, end);
    if (made !== undefined || end - start < LONG) return made;
    // After one in another script, those that follow are likely to be in it as well.
    const tried = !(this.#longIsWide && !bytes.isAscii(start, end));
    const value = tried && !beginsWide(bytes.src, start) ? this.#long(bytes, start, end) : undefined;
    this.#longIsWide = value === undefined;
    return value;
  }

  /** Returns a long str that is ASCII, or mostly. */
  #long(bytes: Bytes, start: number, end: number): string | undefined {
    if (countWide === undefined) return undefined;
    if (!bytes.hasSlice(start, end)) {
      // One count for all strings of the slice, without the bytes outside them.
      bytes.openSlice(start, this.#reach(bytes, end, start + REACH));
      if (countWide(bytes.latin) === this.#between) bytes.asciiEnd = start + bytes.latin.length;
    }
    return end <= bytes.asciiEnd ? bytes.slice(start, end) : this.#splice(bytes, start, end);
  }

  #take(start: number, end: number): string | undefined {
    let i = this.#next;
    while (i < this.#count && (this.#starts[i] as number) < start) i++;
    this.#next = i;
    // A batch that failed has no strings, and may have had more.
    if (i >= this.#count || this.#starts[i] !== start || this.#ends[i] !== end) return undefined;
    this.#next = i + 1;
    return this.#text.substring(this.#units[i] as number, this.#units[i + 1] as number);
  }

  /** Passes over the values from `from` on, where one ends, and returns the end of the last str before `limit`. */
  #reach({ src, end }: Bytes, from: number, limit: number): number {
    const last = Math.min(end, limit);
    let reached = from;
    let count = 0;
    let p = from;
    this.#between = 0;
    for (let i = 0; i < VALUES && p < last; i++) {
      const size = strSize(src, p);
      const payload = p + (HEADER_SIZE[src[p] as number] as number);
      if (size < 0 || payload + size > last) break;
      for (; p < payload; p++) if ((src[p] as number) >= 0x80) count++;
      p += size;
      if (size > 0) {
        reached = p;
        this.#between = count;
      }
    }
    return reached;
  }

  /** Finds the parts of a str that are not ASCII; false if they are many. */
  #findParts({ src, view }: Bytes, start: number, end: number): boolean {
    const most = Math.min(PARTS, Math.floor((end - start) / APART));
    let p = start;
    for (this.#parts = 0; ; this.#parts++) {
      p = endOfAscii(src, view, p, end);
      if (p === end) return true;
      if (this.#parts === most) return false;
      partStarts[this.#parts] = p;
      while (p < end && (src[p] as number) >= 0x80) p++;
      partEnds[this.#parts] = p;
    }
  }

  /**
   * Makes a long str that is mostly ASCII of slices: this takes half the time of converting all bytes.
   * Returns undefined for another one, and if it is ill-formed.
   */
  #splice(bytes: Bytes, start: number, end: number): string | undefined {
    if (!this.#findParts(bytes, start, end)) return undefined;
    let value = '';
    let from = start;
    for (let i = 0; i < this.#parts; i++) {
      const at = partStarts[i] as number;
      const to = partEnds[i] as number;
      const part = decodeHere(bytes.src, bytes.view, at, to);
      if (part === undefined) return undefined;
      value += bytes.slice(from, at) + part;
      from = to;
    }
    return value + bytes.slice(from, end);
  }

  /** Makes a batch that begins with this string; undefined for one that is short or long, or ill-formed. */
  make(bytes: Bytes, start: number, end: number): string | undefined {
    if (end - start < MIN_WIDE || end - start > MAX_WIDE) return undefined;
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
    const size = strSize(src, p);
    if (size < 0) return -1;
    p += HEADER_SIZE[src[p] as number] as number;
    strEnd = p + size;
    if (strEnd > end || size > MAX_WIDE) return -1;
    if (size >= MIN_WIDE && !bytes.isAscii(p, strEnd)) return p;
    p = strEnd;
  }
  return -1;
}

/** Returns the size of a str's payload, 0 for another value, and -1 for one whose size is not known. */
function strSize(src: Uint8Array, p: number): number {
  const t = src[p] as number;
  const kind = KINDS[t];
  if (kind === 'str')
    switch (HEADER_SIZE[t]) {
      case 1:
        return t & 0x1f;
      case 2:
        return src[p + 1] as number;
      case 3:
        return ((src[p + 1] as number) << 8) | (src[p + 2] as number);
    }
  return kind === 'str' || kind === 'bin' || kind === 'ext' || kind === 'reserved' ? -1 : 0;
}
