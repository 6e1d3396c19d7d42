import type { Structure } from '../record/structures.ts';
import { compileMapReader, compileRecordReader, GENERATES } from './compile.ts';
import type { Reader } from './reader.ts';

/** Uses before a reader is generated; generating one costs about 15 microseconds. */
const COMPILE_AFTER = 8;
/**
 * A reader is generated only for lists of keys that one of so many objects has, counted
 * anew after some objects: see encode/shapes.ts, where the same holds.
 */
const COMPILE_SHARE = 100;
const WINDOW = 4096;
/** Most keys of an object that is predicted, and characters of one of them. */
const MAX_FIELDS = 100;
const MAX_KEY_LENGTH = 64;
/** Places of the table of shapes, and shapes that share one because they begin alike. */
const PLACES = 2048;
const MAX_CHAIN = 4;
/**
 * Objects at one place that were read without a generated reader and brought none about,
 * beyond which they are taken for dictionaries: remembering their keys costs more than
 * reading them. One in so many is still looked at, so that a place can recover.
 */
const MAX_VAIN = 24;
const LOOK_AGAIN = 16;

/** A generated reader, and what makes the same object of values that were read without it. */
export interface MapReader {
  (reader: Reader, shape: MapShape): object | undefined;
  make(values: readonly unknown[]): object;
}

/**
 * The keys of objects that were met, in their order. The generated reader compares the
 * bytes of each key with those expected, which is far cheaper than reading the key. It
 * gives undefined when the first key is another one already.
 */
export interface MapShape {
  readonly keys: readonly string[];
  readonly place: number;
  /** Uses without a reader, in the window that was the current one. */
  uses: number;
  window: number;
  read: MapReader | null;
  next: MapShape | undefined;
}

let shapes: (MapShape | undefined)[] | undefined;
const vain: Uint8Array = /* @__PURE__ */ new Uint8Array(PLACES);
/** Objects since the window began, and the number of the window. */
let objects = 0;
let window = 0;

/** Counts a use of a list of keys without a reader; whether one is to be generated. */
function isHot(of: { uses: number; window: number }): boolean {
  if (of.window !== window) {
    of.window = window;
    of.uses = 0;
  }
  return ++of.uses % COMPILE_AFTER === 0 && of.uses * COMPILE_SHARE >= objects;
}

/** Counts an object. */
function countObject(): void {
  if (++objects > WINDOW) {
    objects = 0;
    window++;
  }
}

/** Sets a field that is data, whatever its name. */
export function setField(object: object, key: string | number, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  else (object as Record<string | number, unknown>)[key] = value;
}

/** The place of objects whose first key begins with these four bytes. */
function placeOf(head: number, count: number): number {
  // Of a key of less than three characters, the bytes behind it do not count.
  const length = (head >>> 24) - 0xa0;
  const word = length >= 0 && length < 3 ? head >> (24 - 8 * length) : head;
  return Math.imul(word ^ Math.imul(count, 0x9e3779b1), 0x85ebca6b) >>> 21;
}

/** Reads the entries of a map as an object. */
export function readObject(reader: Reader, count: number): object {
  const outer = reader.pending;
  const start = reader.pos;
  if (GENERATES) countObject();
  if (!GENERATES || !reader.fast || count > MAX_FIELDS || start + 4 > reader.end) {
    const object = {};
    reader.finishObject(object, count, outer);
    return object;
  }
  shapes ??= new Array(PLACES).fill(undefined);
  const place = placeOf(reader.view.getInt32(start), count);
  for (let shape = shapes[place]; shape !== undefined; shape = shape.next) {
    if (shape.read !== null && shape.keys.length === count) {
      const object = shape.read(reader, shape);
      if (object !== undefined) return object;
    }
  }
  return readFields(reader, new Array(count), [], outer, place);
}

/** Goes on with an object whose next key is not the one that was predicted. */
export function missed(reader: Reader, shape: MapShape, values: unknown[], outer: number): object {
  const keys: (string | number)[] = new Array(shape.keys.length);
  for (let i = 0; i < values.length; i++) keys[i] = shape.keys[i] as string;
  return readFields(reader, keys, values, outer, shape.place);
}

/** Reads the fields behind those whose values are given. */
function readFields(
  reader: Reader,
  keys: (string | number)[],
  values: unknown[],
  outer: number,
  place: number,
): object {
  const count = keys.length;
  if ((vain[place] as number) > MAX_VAIN && objects % LOOK_AGAIN !== 0) {
    const object = {};
    for (let i = 0; i < values.length; i++) setField(object, keys[i] as string, values[i]);
    reader.finishObject(object, count - values.length, outer);
    return object;
  }
  for (let i = values.length; i < count; i++) {
    reader.pending = outer + 2 * (count - i) - 1;
    keys[i] = reader.key();
    reader.pending = outer + 2 * (count - i - 1);
    values.push(reader.read());
  }
  const read = learn(keys, place);
  if (read !== null) return read.make(values);
  const object = {};
  for (let i = 0; i < count; i++) setField(object, keys[i] as string | number, values[i]);
  return object;
}

function sameKeys(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/**
 * Counts a use of a list of keys, and gives their reader when there is one. The shape that
 * was met last is tried first.
 */
function learn(keys: readonly (string | number)[], place: number): MapReader | null {
  const table = shapes as (MapShape | undefined)[];
  vain[place] = Math.min((vain[place] as number) + 1, MAX_VAIN + 1);
  let previous: MapShape | undefined;
  let length = 0;
  for (let shape = table[place]; shape !== undefined; shape = shape.next) {
    if (sameKeys(shape.keys, keys)) {
      if (previous !== undefined) {
        previous.next = shape.next;
        shape.next = table[place];
        table[place] = shape;
      }
      // One with a reader gets here too, when another that begins alike was tried before it.
      if (shape.read === null && isHot(shape)) shape.read = compileMapReader(shape.keys);
      if (shape.read !== null) vain[place] = 0;
      return shape.read;
    }
    if (++length === MAX_CHAIN) {
      if (previous !== undefined) previous.next = undefined;
      break;
    }
    previous = shape;
  }
  for (const key of keys) if (typeof key !== 'string' || key.length > MAX_KEY_LENGTH) return null;
  table[place] = {
    keys: keys as readonly string[],
    place,
    uses: 1,
    window,
    read: null,
    next: table[place],
  };
  return null;
}

/** Reads the values of a record whose reader is not generated yet. */
export function readRecord(reader: Reader, structure: Structure): object {
  countObject();
  const { keys } = structure;
  const outer = reader.pending;
  if (reader.fast && keys.length <= MAX_FIELDS && isHot(structure)) {
    structure.read = compileRecordReader(keys);
    if (structure.read !== null) return structure.read(reader);
  }
  const object = {};
  const count = keys.length;
  for (let i = 0; i < count; i++) {
    reader.pending = outer + count - i - 1;
    setField(object, keys[i] as string, reader.read());
  }
  return object;
}
