import type { DecoderState } from '../../decode/DecoderState.ts';
import { extAt, made } from '../../decode/extensions.ts';
import { isTimestamp, timestampOf } from '../../ext/Timestamp.ts';
import { setField } from '../../wire/keys.ts';
import * as M from '../../wire/markers.ts';
import { latin1String } from '../../wire/platform.ts';
import { secondsOf, timePayload } from '../../wire/timestamps.ts';
import { decodeHere, isContinuation } from '../../wire/utf8.ts';
import type { ColumnNode, Integers, Values } from '../ColumnNode.ts';
import * as C from '../ColumnNode.ts';
import { MALFORMED, need } from '../malformed.ts';
import { KeysByRow } from './KeysByRow.ts';
import { floats, integers, isWide, scaled, smallIntegers } from './numbers.ts';
import { rowsOf, type ShapedRow, shapedRow } from './rows.ts';

/** Makes the values of columns whose cost is known to be within the budget. */
export class ColumnReader {
  readonly #decoder: DecoderState;
  readonly #markerOffset: number;
  /** Finds keys that occur twice, where they are an error. */
  readonly #unique: KeysByRow | null;

  constructor(decoder: DecoderState, markerOffset: number) {
    this.#decoder = decoder;
    this.#markerOffset = markerOffset;
    this.#unique = decoder.config.uniqueKeys ? new KeysByRow(decoder) : null;
  }

  values(node: ColumnNode): Values {
    const { kind } = node;
    if (kind < C.LIST || kind > C.MAP) return this.#made(node);
    const decoder = this.#decoder;
    decoder.depth++;
    const values = this.#made(node);
    decoder.depth--;
    return values;
  }

  #made(node: ColumnNode): Values {
    switch (node.kind) {
      case C.PLAIN:
        return this.#plain(node);
      case C.INT:
        return this.#integers(node);
      case C.FLOAT: {
        const { roundFloat32 } = this.#decoder.config;
        const values = floats(this.#decoder.src, node);
        return node.mode === 0 || roundFloat32 === null ? values : Array.from(values, roundFloat32);
      }
      case C.SCALED:
        return scaled(this.#decoder.src, node);
      case C.TIME:
        return this.#times(node);
      case C.BYTES:
        return node.mode === C.TERMINATED ? this.#terminated(node) : this.#bodies(node);
      case C.DICT:
        return this.#dictionary(node);
      case C.LIST:
        return this.#lists(node);
      case C.STRUCT:
        return this.#structs(node);
      case C.MAP:
        return this.#maps(node);
      default:
        return this.#union(node);
    }
  }

  #plain({ n, at, size }: ColumnNode): Values {
    const decoder = this.#decoder;
    const end = decoder.end;
    decoder.pos = at;
    decoder.end = at + size;
    const values = new Array(n);
    for (let row = 0; row < n; row++) {
      decoder.pending = n - row - 1;
      values[row] = decoder.read();
    }
    decoder.end = end;
    return values;
  }

  #integers(node: ColumnNode): Values {
    const { int64, integersAsBigInt } = this.#decoder.config;
    const values = integers(this.#decoder.src, node);
    if (integersAsBigInt) return Array.from(values as ArrayLike<number | bigint>, BigInt);
    if (!isWide(values) && (int64 === 'auto' || int64 === 'number' || !(values instanceof Float64Array))) return values;
    return Array.from(values as ArrayLike<number | bigint>, (value) => {
      // As in plain MessagePack, integers of 32 bits are numbers whatever the option.
      if (value >= -0x80000000 && value <= 0xffffffff) return Number(value);
      if (int64 === 'string') return String(value);
      if (int64 === 'bigint') return BigInt(value);
      const number = Number(value);
      return int64 === 'number' || Number.isSafeInteger(number) ? number : value;
    });
  }

  #times(node: ColumnNode): Values {
    const { timestamps, extensions } = this.#decoder.config;
    const own = extensions.ofType(M.EXT_TIMESTAMP);
    const values = integers(this.#decoder.src, node.child(0)) as ArrayLike<number | bigint>;
    return Array.from(values, (value) => {
      const time = secondsOf(value, node.form);
      return own === undefined || own.read !== undefined
        ? timestampOf(time, timestamps)
        : made(this.#decoder, own, timePayload(time), this.#markerOffset);
    });
  }

  /** Strings that end with a byte 00. */
  #terminated(node: ColumnNode): Values {
    const { n, at, size } = node;
    const decoder = this.#decoder;
    const { rawStrings, sliceStrings } = decoder.config;
    if (n === 0) return [];
    const ascii = decoder.isAscii(at, at + size);
    const whole = ascii ? latin1String(decoder.src, at, at + size - 1) : this.#utf8(at, at + size - 1);
    if (rawStrings || !sliceStrings) {
      const values = new Array(n);
      let start = at;
      for (let row = 0; row < n; row++) {
        need(start < at + size);
        const end = decoder.src.indexOf(0, start);
        values[row] = decoder.stringAt(start, end - start);
        start = end + 1;
      }
      need(start === at + size);
      return values;
    }
    const values = whole.split('\0');
    need(values.length === n);
    return values;
  }

  #utf8(start: number, end: number): string {
    const value = decodeHere(this.#decoder.src, this.#decoder.view, start, end);
    if (value === undefined) throw MALFORMED;
    return value;
  }

  /** BYTES with lengths. */
  #bodies(node: ColumnNode): Values {
    const { n, at, size, mode, form } = node;
    const decoder = this.#decoder;
    const lengths = smallIntegers(this.#decoder.src, node.child(0));
    const isStr = mode === C.STR;
    const wide = isStr && !decoder.isAscii(at, at + size);
    if (wide) this.#utf8(at, at + size);
    const values = new Array(n);
    let start = at;
    for (let row = 0; row < n; row++) {
      const length = lengths[row] as number;
      if (wide && length > 0) need(!isContinuation(decoder.src[start]));
      if (isStr) values[row] = decoder.stringAt(start, length);
      else if (mode === C.BIN) values[row] = decoder.bytes(start - decoder.base, start - decoder.base + length);
      else values[row] = extAt(decoder, form, start, length, this.#markerOffset);
      start += length;
    }
    return values;
  }

  #dictionary(node: ColumnNode): Values {
    const { n } = node;
    const entries = this.values(node.child(1));
    const indexes = smallIntegers(this.#decoder.src, node.child(0));
    const values = new Array(n);
    // Two rows must not share an array or an object, unless those can't be changed.
    if (this.#decoder.config.freezeData || !hasObjects(entries)) {
      for (let row = 0; row < n; row++) values[row] = entries[indexes[row] as number];
      return values;
    }
    const used = new Uint8Array(entries.length);
    for (let row = 0; row < n; row++) {
      const index = indexes[row] as number;
      const entry = entries[index];
      values[row] = typeof entry !== 'object' || entry === null || used[index] === 0 ? entry : copyOf(entry);
      used[index] = 1;
    }
    return values;
  }

  #lists(node: ColumnNode): Values {
    const { n } = node;
    const lengths = smallIntegers(this.#decoder.src, node.child(0));
    const items = this.values(node.child(1));
    const values = new Array(n);
    let at = 0;
    for (let row = 0; row < n; row++) {
      const length = lengths[row] as number;
      values[row] = this.#frozen(listOf(items, at, length));
      at += length;
    }
    return values;
  }

  #structs(node: ColumnNode): Values {
    const { n, keys, shapes } = node;
    const { maps, strictKeys, freezeData } = this.#decoder.config;
    const asObjects = maps !== 'map';
    need(!(asObjects && strictKeys && keys.includes('__proto__')));
    if (shapes.length === 0) {
      const columns = node.children.map((child) => this.values(child));
      const rows = rowsOf(keys, columns, n, asObjects);
      if (freezeData) rows.forEach(Object.freeze);
      return rows;
    }
    const columns = node.children.slice(1).map((child) => this.values(child));
    const shapeOf = smallIntegers(this.#decoder.src, node.child(0));
    const makers: ShapedRow[] = [];
    const next = new Uint32Array(keys.length);
    const values = new Array(n);
    for (let row = 0; row < n; row++) {
      const index = shapeOf[row] as number;
      makers[index] ??= shapedRow(keys, shapes[index] as number[], n / shapes.length, asObjects);
      values[row] = this.#frozen((makers[index] as ShapedRow)(columns, next));
    }
    return values;
  }

  #maps(node: ColumnNode): Values {
    const decoder = this.#decoder;
    const { n } = node;
    const [, keyNode, valueNode] = node.children as [ColumnNode, ColumnNode, ColumnNode];
    const lengths = smallIntegers(this.#decoder.src, node.child(0));
    const keys = this.values(keyNode);
    this.#unique?.check(keyNode, lengths);
    const items = this.values(valueNode);
    const values = new Array(n);
    let at = 0;
    for (let row = 0; row < n; row++) {
      const end = at + (lengths[row] as number);
      if (this.#isObject(keys, at, end)) {
        const object = {};
        for (; at < end; at++) {
          const key = decoder.fieldOf(keys[at], this.#markerOffset);
          setField(object, key as string | number, items[at]);
        }
        values[row] = object;
      } else {
        const map = new Map<unknown, unknown>();
        for (; at < end; at++) map.set(keys[at], items[at]);
        values[row] = map;
      }
      this.#frozen(values[row]);
    }
    return values;
  }

  #isObject(keys: Values, from: number, end: number): boolean {
    const { maps } = this.#decoder.config;
    if (maps !== 'auto') return maps === 'object';
    for (let i = from; i < end; i++) if (typeof keys[i] !== 'string') return false;
    return true;
  }

  #union(node: ColumnNode): Values {
    const { n } = node;
    const tags = smallIntegers(this.#decoder.src, node.child(0));
    const branches = node.children.slice(1).map((child) => this.values(child));
    const next = new Uint32Array(branches.length);
    // Numbers alone stay outside of objects.
    const areNumbers = branches.every((branch) => ArrayBuffer.isView(branch) && !isWide(branch as Integers));
    const values = areNumbers ? new Float64Array(n) : new Array(n);
    for (let row = 0; row < n; row++) {
      const tag = tags[row] as number;
      const at = next[tag] as number;
      next[tag] = at + 1;
      values[row] = (branches[tag] as Values)[at] as number;
    }
    return values;
  }

  #frozen<T>(value: T): T {
    return this.#decoder.config.freezeData ? Object.freeze(value) : value;
  }
}

/** Returns floats as an array. An array that has floats from its beginning needs no object for each. */
function floatsOf(items: Float64Array, at: number, length: number): number[] {
  const list: number[] = [];
  for (let i = 0; i < length; i++) list.push(items[at + i] as number);
  return list;
}

function hasObjects(values: Values): boolean {
  if (ArrayBuffer.isView(values)) return false;
  for (let i = 0; i < values.length; i++) if (typeof values[i] === 'object' && values[i] !== null) return true;
  return false;
}

function listOf(items: Values, at: number, length: number): unknown[] {
  if (Array.isArray(items)) return items.slice(at, at + length);
  if (items instanceof Float64Array) return floatsOf(items, at, length);
  const list = new Array(length);
  for (let i = 0; i < length; i++) list[i] = items[at + i];
  return list;
}

/**
 * Returns a copy of a value that was read, for another row: one program may change both. What
 * extensions made is not copied, because nothing is known of it.
 */
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  if (value instanceof Map) return new Map(Array.from(value, ([key, item]) => [copyOf(key), copyOf(item)]));
  if (value instanceof Date && !isTimestamp(value)) return new Date(value);
  if (value instanceof Uint8Array) return value.subarray();
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    const item = copy[key];
    if (typeof item === 'object' && item !== null) setField(copy, key, copyOf(item));
  }
  return copy;
}
