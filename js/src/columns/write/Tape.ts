import { countAt, KINDS, type MarkerKind } from '../../wire/header.ts';
import * as M from '../../wire/markers.ts';
import { dataViewOf, enlarged, NO_BYTES } from '../../wire/platform.ts';

/** The types of values, in the order of spec/columns.md section 6.1. */
export const NIL = 0;
export const BOOL = 1;
export const INTEGER = 2;
export const FLOAT32 = 3;
export const FLOAT64 = 4;
export const STRING = 5;
export const BINARY = 6;
export const ARRAY = 7;
export const MAPPING = 8;
export const EXTENSION = 9;
export const TYPES = 10;

/** The type that each marker stands for, by the order of the constants; `c1` never occurs. */
const TYPE_OF: Uint8Array = /* @__PURE__ */ (() => {
  const order: readonly (MarkerKind | 'float32')[] = [
    'nil',
    'bool',
    'integer',
    'float32',
    'float',
    'str',
    'bin',
    'array',
    'map',
    'ext',
  ];
  const types = Uint8Array.from(KINDS, (kind) => Math.max(NIL, order.indexOf(kind)));
  types[M.FLOAT32] = FLOAT32;
  return types;
})();

/** Number of values for which a new tape has room, and up to which room is kept. */
const BEGIN = 1 << 8;
const KEEP = 1 << 19;

/**
 * Where the values of a plain message are: a list of all values, keys included, each before those in
 * it. It is made in one pass, for a message that this library wrote.
 */
export class Tape {
  src: Uint8Array = NO_BYTES;
  view: DataView = dataViewOf(NO_BYTES);
  count = 0;
  type: Uint8Array = new Uint8Array(BEGIN);
  /** The position of each value, and after the last one that of the end. */
  start: Int32Array = new Int32Array(BEGIN + 1);
  /** The index of the value after each and those in it. */
  next: Int32Array = new Int32Array(BEGIN);
  /** Number of containers that are open at once in each, itself included. */
  height: Int32Array = new Int32Array(BEGIN);
  readonly maps: number[] = [];
  /** Values that keep the containers around them out of columns, in order. */
  readonly barred: number[] = [];
  /** The containers that are open: their indexes, and how many values they still lack. */
  #open: Int32Array = new Int32Array(64);
  #lacking: Int32Array = new Int32Array(64);

  /**
   * Lists the values of a message. `spans` has the ext types that belong to the value after them.
   * Returns false where the bytes are not one message: where the program has an ext of such a type.
   */
  read(src: Uint8Array, start: number, end: number, spans: ReadonlySet<number>): boolean {
    this.#begin(src);
    const { view } = this;
    let open = 0;
    let p = start;
    for (;;) {
      if (this.count === this.type.length) this.#grow();
      const i = this.count++;
      const marker = src[p] as number;
      const type = TYPE_OF[marker] as number;
      this.type[i] = type;
      this.start[i] = p;
      this.next[i] = i + 1;
      this.height[i] = 0;
      p += M.HEADER_SIZE[marker] as number;
      let children = 0;
      if (type >= STRING) {
        const count = countAt(view, this.start[i] as number);
        if (type === ARRAY) children = count;
        else if (type === MAPPING) children = 2 * count;
        else {
          if (type === EXTENSION) children = this.#ext(i, p, count, spans) ? 1 : 0;
          p += count;
        }
        if (type === MAPPING) this.maps.push(i);
        if (type === ARRAY || type === MAPPING) this.height[i] = 1;
      }
      if (p > end) return false;
      if (children > 0) {
        if (open === this.#open.length) {
          this.#open = enlarged(this.#open, 2 * open);
          this.#lacking = enlarged(this.#lacking, 2 * open);
        }
        this.#open[open] = i;
        this.#lacking[open++] = children;
      } else open = this.#close(i, open);
      if (open === 0) break;
      if (p === end) return false;
    }
    this.start[this.count] = p;
    return p === end;
  }

  #begin(src: Uint8Array): void {
    this.src = src;
    this.view = dataViewOf(src);
    this.count = 0;
    this.maps.length = 0;
    this.barred.length = 0;
  }

  /** Forgets the message, and memory that only a large one needed. */
  clear(): void {
    this.#begin(NO_BYTES);
    if (this.type.length <= KEEP) return;
    this.type = new Uint8Array(BEGIN);
    this.start = new Int32Array(BEGIN + 1);
    this.next = new Int32Array(BEGIN);
    this.height = new Int32Array(BEGIN);
  }

  /** Looks at an ext whose payload is at `p`; returns whether the value after it belongs to it. */
  #ext(index: number, p: number, size: number, spans: ReadonlySet<number>): boolean {
    const type = this.view.getInt8(p - 1);
    const spanning = size === 1 && spans.has(type);
    if (spanning || type === M.EXT_COLUMNS) this.barred.push(index);
    return spanning;
  }

  /** Ends a value, and the containers that it completes; returns how many are open then. */
  #close(value: number, before: number): number {
    const { height } = this;
    let open = before;
    let ended = value;
    while (open > 0) {
      const around = this.#open[open - 1] as number;
      const own = height[ended] as number;
      if (own > 0) {
        // An ext with a value after it is not a container.
        const least = own + (this.type[around] === EXTENSION ? 0 : 1);
        if (least > (height[around] as number)) height[around] = least;
      }
      const left = (this.#lacking[open - 1] as number) - 1;
      this.#lacking[open - 1] = left;
      if (left > 0) break;
      this.next[around] = this.count;
      ended = around;
      open--;
    }
    return open;
  }

  #grow(): void {
    const room = 2 * this.type.length;
    this.type = enlarged(this.type, room);
    this.start = enlarged(this.start, room + 1);
    this.next = enlarged(this.next, room);
    this.height = enlarged(this.height, room);
  }

  end(index: number): number {
    return this.start[this.next[index] as number] as number;
  }

  size(index: number): number {
    return this.end(index) - (this.start[index] as number);
  }

  body(index: number): number {
    const start = this.start[index] as number;
    return start + (M.HEADER_SIZE[this.src[start] as number] as number);
  }

  entries(index: number): number {
    return countAt(this.view, this.start[index] as number);
  }

  /** Whether a value is kept out of columns by one in it. */
  isBarred(index: number): boolean {
    const end = this.next[index] as number;
    return this.barred.some((other) => other >= index && other < end);
  }

  equal(a: number, b: number): boolean {
    const { src } = this;
    const size = this.size(a);
    if (this.size(b) !== size) return false;
    let p = this.start[a] as number;
    let q = this.start[b] as number;
    for (const end = p + size; p < end; p++, q++) if (src[p] !== src[q]) return false;
    return true;
  }
}
