/** The values of INT, FLOAT and SCALED (spec/columns.md sections 2.2 and 2.3). */
import type { ColumnNode, Integers, SafeIntegers, WideIntegers } from '../ColumnNode.ts';
import { BIT, DELTA, NONE, POWERS, UNSIGNED } from '../ColumnNode.ts';
import { need } from '../malformed.ts';

interface ArrayClass<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
}

/** Typed arrays have the order of the machine, and a payload is little-endian. */
const LITTLE = /* @__PURE__ */ (() => new Uint8Array(Uint16Array.of(1).buffer)[0] === 1)();

/** Returns the elements of a section; a view of the input where its position allows that. */
function elements<T>(
  src: Uint8Array,
  type: ArrayClass<T>,
  { at, size }: { readonly at: number; readonly size: number },
): T {
  const width = type.BYTES_PER_ELEMENT;
  if (LITTLE && at % width === 0) return new type(src.buffer, at, size / width);
  const copy = src.slice(at, at + size);
  if (!LITTLE) for (let p = 0; p < size; p += width) copy.subarray(p, p + width).reverse();
  return new type(copy.buffer, 0, size / width);
}

/** The classes for the elements of 1 to 4 bytes; those of 8 bytes are read in two ways. */
const CLASSES: readonly (ArrayClass<SafeIntegers> | undefined)[] = [
  undefined,
  undefined,
  Uint8Array,
  Uint16Array,
  Uint32Array,
];

/** Sums of two integers within this bound, and with one of 32 bits, are exact. */
const EXACT_BASE = 2 ** 52;

export function integers(src: Uint8Array, node: ColumnNode): Integers {
  node.integers ??= safeIntegers(src, node) ?? wideIntegers(src, node);
  return node.integers;
}

/** Returns integers that are lengths, tags, indexes or mantissas, all of which are safe. */
export function smallIntegers(src: Uint8Array, node: ColumnNode): SafeIntegers {
  const values = integers(src, node);
  if (!isWide(values)) return values;
  // A base or an element was not safe, but a sum modulo 2^64 may be.
  return Float64Array.from(values as ArrayLike<number | bigint>, (value) => {
    const number = Number(value);
    need(Number.isSafeInteger(number));
    return number;
  });
}

export function isWide(values: Integers): values is WideIntegers {
  return values instanceof BigInt64Array || values instanceof BigUint64Array;
}

/** Returns integers that all are safe; undefined if one may not be. */
function safeIntegers(src: Uint8Array, node: ColumnNode): SafeIntegers | undefined {
  const { n, form, base, first } = node;
  if (typeof base === 'bigint' || typeof first === 'bigint') return undefined;
  const stored = storedSafe(src, node);
  if (stored === undefined) return undefined;
  const unsigned = (form & UNSIGNED) !== 0;
  const delta = (form & DELTA) !== 0;
  if (!delta && base === 0) return stored;
  if (Math.abs(base) > EXACT_BASE) return undefined;
  const values = new Float64Array(n);
  if (!delta) {
    for (let i = 0; i < n; i++) values[i] = base + (stored[i] as number);
    return stored instanceof Float64Array && !values.every(Number.isSafeInteger) ? undefined : values;
  }
  let value = first;
  values[0] = value;
  for (let i = 1; i < n; i++) {
    value += base + (stored[i - 1] as number);
    if (!(value <= Number.MAX_SAFE_INTEGER && value >= (unsigned ? 0 : Number.MIN_SAFE_INTEGER))) return undefined;
    values[i] = value;
  }
  return values;
}

/** Returns the elements as numbers; undefined if one is not safe. */
function storedSafe(src: Uint8Array, node: ColumnNode): SafeIntegers | undefined {
  const { n, form, at, size } = node;
  const element = form & 0x0f;
  if (element === NONE) return new Uint8Array(n);
  if (element === BIT) return bits(src, node);
  const type = CLASSES[element];
  if (type !== undefined) return elements(src, type, node);
  const view = new DataView(src.buffer, at, size);
  const values = new Float64Array(size / 8);
  for (let i = 0; i < values.length; i++) {
    const high = view.getUint32(8 * i + 4, true);
    if (high >= 0x200000) return undefined;
    values[i] = high * 0x100000000 + view.getUint32(8 * i, true);
  }
  return values;
}

function bits(src: Uint8Array, { n, at, size }: ColumnNode): Uint8Array {
  const values = new Uint8Array(n);
  for (let i = 0; i < n; i++) values[i] = ((src[at + (i >> 3)] as number) >> (i & 7)) & 1;
  need(n % 8 === 0 || (src[at + size - 1] as number) >> (n & 7) === 0);
  return values;
}

/** Returns the integers by arithmetic modulo 2^64. */
function wideIntegers(src: Uint8Array, node: ColumnNode): WideIntegers {
  const { n, form } = node;
  const stored = storedSafe(src, node) ?? elements(src, BigUint64Array, node);
  const base = BigInt(node.base);
  // The class itself wraps around.
  const values = (form & UNSIGNED) === 0 ? new BigInt64Array(n) : new BigUint64Array(n);
  if ((form & DELTA) === 0) {
    for (let i = 0; i < n; i++) values[i] = base + BigInt(stored[i] as number | bigint);
    return values;
  }
  values[0] = BigInt(node.first);
  for (let i = 1; i < n; i++) values[i] = (values[i - 1] as bigint) + base + BigInt(stored[i - 1] as number | bigint);
  return values;
}

export function floats(src: Uint8Array, node: ColumnNode): Float64Array | Float32Array {
  return node.mode === 0 ? elements(src, Float64Array, node) : elements(src, Float32Array, node);
}

export function scaled(src: Uint8Array, node: ColumnNode): Float64Array {
  const mantissas = smallIntegers(src, node.child(0));
  const power = POWERS[node.form] as number;
  const { n } = node;
  // Float64Array.from calls a function for each value, which takes several times as long.
  const values = new Float64Array(n);
  for (let i = 0; i < n; i++) values[i] = (mantissas[i] as number) / power;
  return values;
}
