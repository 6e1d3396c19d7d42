import type { Structure } from '../record/structures.ts';
import { setField } from '../wire/keys.ts';
import * as M from '../wire/markers.ts';
import { compileMapDecoder, compileRecordDecoder, GENERATES, type MapDecoder, type MapShape } from './compile.ts';
import { type DecoderState, UNREAD } from './DecoderState.ts';

/** Uses before a decoder is generated; generating one costs about 15 microseconds. */
const COMPILE_AFTER = 8;
/**
 * A decoder is generated only for shapes that at least one in this many objects has, counted
 * over windows of this many objects. encode/shapes.ts does the same.
 */
const COMPILE_SHARE = 50;
const WINDOW = 4096;
/** Maximum number of keys of a predicted object, and of characters in one of them. */
const MAX_FIELDS = 100;
const MAX_KEY_LENGTH = 64;
/** Size of the table of shapes, and the maximum number of shapes at one place. */
const PLACES = 2048;
const MAX_CHAIN = 4;
/**
 * Number of objects at one place that were read without a generated decoder and led to none,
 * above which they count as dictionaries: remembering their keys costs more than reading them.
 * One in LOOK_AGAIN is still remembered, so that a place can recover.
 */
const MAX_VAIN = 24;
const LOOK_AGAIN = 16;

let shapes: (MapShape | undefined)[] | undefined;
const vain: Uint8Array = /* @__PURE__ */ new Uint8Array(PLACES);
/** Objects since the window began, and the number of the window. */
let objects = 0;
let window = 0;

/** Counts a use of a shape without a generated decoder; returns whether to generate one. */
function isHot(of: { uses: number; window: number }): boolean {
  if (of.window !== window) {
    of.window = window;
    of.uses = 0;
  }
  return ++of.uses % COMPILE_AFTER === 0 && of.uses * COMPILE_SHARE >= objects;
}

function countObject(): void {
  if (++objects > WINDOW) {
    objects = 0;
    window++;
  }
}

/** Returns the place of objects whose first key begins with these four bytes. */
function placeOf(head: number, count: number): number {
  // The bytes after a key of fewer than three characters do not count.
  const length = (head >>> 24) & 0x1f;
  const word = length < 3 ? head >> (24 - 8 * length) : head;
  return Math.imul(word ^ Math.imul(count, 0x9e3779b1), 0x85ebca6b) >>> 21;
}

/** Reads the entries of a map as an object; returns null where another function goes on, see {@link readOther}. */
export function readObject(decoder: DecoderState, count: number): object | null {
  const start = decoder.pos;
  if (GENERATES) countObject();
  if (!GENERATES || count > MAX_FIELDS || start + 4 > decoder.end) return null;
  shapes ??= new Array(PLACES).fill(undefined);
  const head = decoder.view.getInt32(start);
  const place = placeOf(head, count);
  for (let shape = shapes[place]; shape !== undefined; shape = shape.next) {
    if (shape.read !== null && shape.keys.length === count) {
      const object = shape.read(decoder, shape);
      if (object !== undefined) return object;
    }
  }
  if (decoder.mixed && !M.isStr(head >>> 24)) return null;
  return readFields(decoder, new Array(count), [], decoder.pending, place);
}

/** A map with a key that is not a str: its entries before that key, the key, and the number of entries from it on. */
let begun: {
  readonly map: Map<unknown, unknown>;
  readonly key: unknown;
  readonly left: number;
  readonly outerPending: number;
} | null = null;

/** Reads a map of which {@link readObject} returned null: one with other keys than str, or that no shape is kept of. */
export function readOther(decoder: DecoderState, count: number): object {
  if (begun !== null) {
    const { map, key, left, outerPending } = begun;
    begun = null;
    return decoder.finishMap(map, key, left, outerPending);
  }
  const { src, pos, end } = decoder;
  return decoder.mixed && pos < end && !M.isStr(src[pos] as number)
    ? decoder.finishMap(new Map(), UNREAD, count, decoder.pending)
    : decoder.finishObject({}, count, decoder.pending);
}

/** Continues an object whose next key is not the predicted one. */
function missed(decoder: DecoderState, shape: MapShape, values: unknown[], outerPending: number): object | null {
  const keys: (string | number)[] = new Array(shape.keys.length);
  for (let i = 0; i < values.length; i++) keys[i] = shape.keys[i] as string;
  return readFields(decoder, keys, values, outerPending, shape.place);
}

/** Reads the fields after those whose values are given. */
function readFields(
  decoder: DecoderState,
  keys: (string | number)[],
  values: unknown[],
  outerPending: number,
  place: number,
): object | null {
  const count = keys.length;
  const isVain = (vain[place] as number) > MAX_VAIN && objects % LOOK_AGAIN !== 0;
  if (isVain && values.length === 0) return null;
  for (let i = values.length; i < count; i++) {
    decoder.pending = outerPending + 2 * (count - i) - 1;
    const key = decoder.key() as string;
    if (typeof key !== 'string' && decoder.mixed) {
      const map = new Map<unknown, unknown>();
      values.forEach((value, at) => void map.set(keys[at], value));
      begun = { map, key, left: count - i, outerPending };
      return null;
    }
    keys[i] = key;
    decoder.pending = outerPending + 2 * (count - i - 1);
    values.push(decoder.read());
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
 * Counts a use of a list of keys and returns their generated decoder, if there is one. The
 * shape that was met last is tried first.
 */
function learn(keys: readonly (string | number)[], place: number): MapDecoder | null {
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
      // A shape with a decoder gets here too, when one with the same first keys was tried before it.
      if (shape.read === null && isHot(shape)) shape.read = compileMapDecoder(shape.keys, missed);
      if (shape.read !== null) vain[place] = 0;
      return shape.read;
    }
    if (++length === MAX_CHAIN) {
      if (previous !== undefined) previous.next = undefined;
      break;
    }
    previous = shape;
  }
  for (const key of keys) {
    // Decoders with `objectKeys: 'strict'` share the table, and refuse __proto__ when they read it.
    if (typeof key !== 'string' || key.length > MAX_KEY_LENGTH || key === '__proto__') return null;
  }
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

/** Reads the values of a record that has no generated decoder. */
export function readRecord(decoder: DecoderState, structure: Structure): object {
  countObject();
  const { keys } = structure;
  const outerPending = decoder.pending;
  if (decoder.fast && keys.length <= MAX_FIELDS && isHot(structure)) {
    structure.read = compileRecordDecoder(keys);
    if (structure.read !== null) return structure.read(decoder);
  }
  const object = {};
  const count = keys.length;
  for (let i = 0; i < count; i++) {
    decoder.pending = outerPending + count - i - 1;
    setField(object, keys[i] as string, decoder.read());
  }
  return object;
}
