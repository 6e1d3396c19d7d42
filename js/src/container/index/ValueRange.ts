import { type Header, newHeader, readHeader } from '../../wire/header.ts';
import { numberAt } from '../../wire/integers.ts';
import { readTime } from '../../wire/timestamps.ts';
import { isContinuation } from '../../wire/utf8.ts';
import { SCHEMA_TYPES, type SchemaType } from './ContainerIndex.ts';
import { bodyAt, typeAt } from './plain-values.ts';

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

const GROUP_OF: readonly number[] = /* @__PURE__ */ SCHEMA_TYPES.map((type) => GROUPS[type] ?? OTHERS);

const HEADER: Header = /* @__PURE__ */ newHeader();

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

  /** Returns a number, or a timestamp in nanoseconds; NaN for a malformed one. */
  #valueAt(p: number, end: number): number | bigint {
    if (this.#group === NUMBERS) return numberAt(this.#view, p);
    const at = bodyAt(this.#bytes, p);
    const time = readTime(this.#view, at, end - at);
    if (time === undefined) return Number.NaN;
    return BigInt(time.seconds) * SECOND + BigInt(time.nanoseconds);
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

  #compare(p: number, end: number, other: number): number {
    const bytes = this.#bytes;
    let a = bodyAt(bytes, p);
    const [start, otherEnd] = this.#payloadAt(other);
    for (let b = start; a < end && b < otherEnd; a++, b++) {
      const order = (bytes[a] as number) - (bytes[b] as number);
      if (order !== 0) return order;
    }
    return end - bodyAt(bytes, p) - (otherEnd - start);
  }

  #payloadAt(p: number): [start: number, end: number] {
    readHeader(this.#view, p, this.#bytes.length, HEADER);
    const start = p + HEADER.size;
    return [start, start + HEADER.count];
  }

  /** Returns the bounds: strings, or values as they are in the block; null where there is none. */
  bounds(): (string | Uint8Array | null)[] {
    const group = this.#group;
    if (group === 0 || group === OTHERS) return [null, null];
    if (group === TEXTS) return [this.#prefix(this.#min), this.#above(this.#max)];
    return [this.#packed(this.#min), this.#packed(this.#max)];
  }

  #packed(p: number): Uint8Array {
    return this.#bytes.slice(p, this.#payloadAt(p)[1]);
  }

  /** Returns the first bytes of a str, up to the end of a character. */
  #prefix(p: number): string {
    const [start, end] = this.#payloadAt(p);
    let last = Math.min(end, start + MAX_TEXT);
    while (last < end && isContinuation(this.#bytes[last])) last--;
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#bytes.subarray(start, last));
  }

  /** Returns a str that is not too large and at least as large as the one at a position, if there is one. */
  #above(p: number): string | null {
    const [start, end] = this.#payloadAt(p);
    const prefix = this.#prefix(p);
    if (end - start <= MAX_TEXT) return prefix;
    const characters = Array.from(prefix);
    while (characters.length > 0) {
      const last = (characters.pop() as string).codePointAt(0) as number;
      if (last === 0x10ffff) continue;
      const larger = characters.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1);
      if (new TextEncoder().encode(larger).length <= MAX_TEXT) return larger;
    }
    return null;
  }
}
