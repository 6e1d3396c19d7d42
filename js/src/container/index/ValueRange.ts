import { SCHEMA_TYPES, type SchemaType } from './ContainerIndex.ts';
import { bodyAt, numberAt, typeAt } from './plain-values.ts';

/** Maximum size of a str in statistics. */
const MAX_TEXT = 64;
const SECOND = 1_000_000_000n;

/** The types that are compared with each other. */
const GROUPS: Readonly<Partial<Record<SchemaType, number>>> = {
  int: 1,
  uint: 1,
  float: 1,
  str: 2,
  timestamp: 3,
};
const NUMBERS = 1;
const TEXTS = 2;
const TIMES = 3;
const OTHERS = 4;

const GROUP_OF: readonly number[] = /* @__PURE__ */ SCHEMA_TYPES.map(
  (type) => GROUPS[type] ?? OTHERS,
);

/** The smallest and the largest of the values of a path in a block, by their positions in it. */
export class ValueRange {
  /** Number of values that are not nil. */
  count = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #group = 0;
  #min = 0;
  #max = 0;
  /** The numbers and times at these positions. */
  #low: number | bigint = 0;
  #high: number | bigint = 0;

  constructor(bytes: Uint8Array, view: DataView) {
    this.#bytes = bytes;
    this.#view = view;
  }

  /** Adds the value from a position to another, which is not nil. */
  add(p: number, end: number): void {
    this.count++;
    const group = GROUP_OF[typeAt(this.#bytes, p)] as number;
    if (this.#group === 0) this.#begin(group, p, end);
    else if (this.#group !== group) this.#group = OTHERS;
    else if (group === TEXTS) this.#text(p, end);
    else if (group !== OTHERS) this.#number(p, end);
  }

  #begin(group: number, p: number, end: number): void {
    this.#group = group;
    this.#min = p;
    this.#max = p;
    if (group !== NUMBERS && group !== TIMES) return;
    const value = this.#valueAt(p, end);
    this.#low = value;
    this.#high = value;
    if (Number.isNaN(value)) this.#group = OTHERS;
  }

  #valueAt(p: number, end: number): number | bigint {
    return this.#group === NUMBERS ? numberAt(this.#view, p) : this.#nanoseconds(p, end);
  }

  /** Returns a timestamp in nanoseconds. */
  #nanoseconds(p: number, end: number): bigint {
    const at = bodyAt(this.#bytes, p);
    const view = this.#view;
    if (end - at === 4) return BigInt(view.getUint32(at)) * SECOND;
    if (end - at === 8) {
      const both = view.getBigUint64(at);
      return (both & 0x3ffffffffn) * SECOND + (both >> 34n);
    }
    return view.getBigInt64(at + 4) * SECOND + BigInt(view.getUint32(at));
  }

  #number(p: number, end: number): void {
    const value = this.#valueAt(p, end);
    if (value < this.#low) {
      this.#low = value;
      this.#min = p;
    } else if (value > this.#high) {
      this.#high = value;
      this.#max = p;
    } else if (Number.isNaN(value)) this.#group = OTHERS;
  }

  #text(p: number, end: number): void {
    if (this.#compare(p, end, this.#min) < 0) this.#min = p;
    else if (this.#compare(p, end, this.#max) > 0) this.#max = p;
  }

  /** Compares a str by its bytes with the one at another position. */
  #compare(p: number, end: number, other: number): number {
    const bytes = this.#bytes;
    let a = bodyAt(bytes, p);
    const [start, otherEnd] = this.#textAt(other);
    for (let b = start; a < end && b < otherEnd; a++, b++) {
      const order = (bytes[a] as number) - (bytes[b] as number);
      if (order !== 0) return order;
    }
    return end - bodyAt(bytes, p) - (otherEnd - start);
  }

  /** Returns where the payload of a str begins and ends. */
  #textAt(p: number): [start: number, end: number] {
    const bytes = this.#bytes;
    const start = bodyAt(bytes, p);
    const width = start - p - 1;
    if (width === 0) return [start, start + ((bytes[p] as number) & 0x1f)];
    let size = 0;
    for (let i = p + 1; i < start; i++) size = size * 256 + (bytes[i] as number);
    return [start, start + size];
  }

  /** Returns the bounds: strings, or values as they are in the block; null where there are none. */
  bounds(): { min: string | Uint8Array; max: string | Uint8Array | null } | null {
    const group = this.#group;
    if (group === 0 || group === OTHERS) return null;
    if (group === TEXTS) return { min: this.#prefix(this.#min), max: this.#above(this.#max) };
    return { min: this.#packed(this.#min), max: this.#packed(this.#max) };
  }

  #packed(p: number): Uint8Array {
    const bytes = this.#bytes;
    const body = bodyAt(bytes, p);
    const size = this.#group === NUMBERS ? 0 : sizeOfTime(bytes, p);
    return bytes.slice(p, body + size);
  }

  /** Returns the first bytes of a str, up to the end of a character. */
  #prefix(p: number): string {
    const [start, end] = this.#textAt(p);
    let last = Math.min(end, start + MAX_TEXT);
    while (last < end && ((this.#bytes[last] as number) & 0xc0) === 0x80) last--;
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#bytes.subarray(start, last));
  }

  /** Returns a str that is not too large and at least as large as the one at a position, if there is one. */
  #above(p: number): string | null {
    const [start, end] = this.#textAt(p);
    const prefix = this.#prefix(p);
    if (end - start <= MAX_TEXT) return prefix;
    const characters = Array.from(prefix);
    while (characters.length > 0) {
      const last = (characters.pop() as string).codePointAt(0) as number;
      if (last === 0x10ffff) continue;
      const larger =
        characters.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1);
      if (new TextEncoder().encode(larger).length <= MAX_TEXT) return larger;
    }
    return null;
  }
}

/** Returns the size of the payload of the timestamp at a position. */
function sizeOfTime(bytes: Uint8Array, p: number): number {
  const marker = bytes[p] as number;
  return marker === 0xd6 ? 4 : marker === 0xd7 ? 8 : (bytes[p + 1] as number);
}
