import type { PathPart } from '../errors/path.ts';
import * as M from '../wire/markers.ts';
import { writeBigInt } from './bigint.ts';
import type { EncodeConfig } from './EncodeConfig.ts';
import type { EncoderState } from './EncoderState.ts';
import { writeSelected, writeSortedMap } from './fields.ts';
import { writeInstance } from './instances.ts';
import type { RecordIds } from './RecordIds.ts';
import { ScalarEncoder } from './ScalarEncoder.ts';
import { type Shape, Shapes } from './shapes.ts';

/**
 * Writes one message at a time. All state is in the instance, so that several can be used at
 * the same time.
 */
export class Encoder extends ScalarEncoder implements EncoderState {
  readonly ids: RecordIds | null;
  readonly shapes: Shapes = new Shapes();
  depth = 0;
  /** Number of replacements, as those of `toJSON`, around the current value. */
  replacements = 0;
  readonly maxDepth: number;
  /** The containers that are being written, where they are recorded: after a failure. */
  open: object[] | null = null;
  /** Whether plain objects are written by their shape. */
  #predict = true;
  readonly #selects: boolean;

  constructor(config: EncodeConfig, ids: RecordIds | null) {
    super(config);
    this.ids = ids;
    this.maxDepth = config.maxDepth;
    this.#selects =
      config.sortKeys ||
      config.ignoreUndefined ||
      config.skipValues !== undefined ||
      config.numericKeys;
  }

  override begin(reserved: number, adjacent = false): void {
    super.begin(reserved, adjacent);
    this.depth = 0;
    this.replacements = 0;
    this.#predict = this.trail === null && !this.#selects;
    for (const _ in Object.prototype) this.#predict = false;
    const areNew = this.shapes.begin();
    if (this.ids !== null) {
      const find = (keys: readonly string[]) => this.shapes.ofKeys(keys);
      if (areNew) this.ids.forgetShapes(find);
      this.ids.begin(find);
    }
  }

  /** Writes the value of the message. */
  message(value: unknown): void {
    this.write(value);
    this.complete();
  }

  /** Writes any value. */
  write(value: unknown): void {
    if (this.pos > this.limit) this.reserve(1);
    switch (typeof value) {
      case 'string':
        this.string(value);
        return;
      case 'number':
        this.number(value);
        return;
      case 'object':
        if (value === null) this.buf[this.pos++] = M.NIL;
        else this.#object(value);
        return;
      case 'boolean':
        this.buf[this.pos++] = value ? M.TRUE : M.FALSE;
        return;
      case 'undefined':
        this.#undefined();
        return;
      case 'bigint':
        writeBigInt(this, value);
        return;
      case 'function':
        this.#function(value as (...args: never[]) => unknown);
        return;
      default:
        throw this.fail('unsupported_type', typeof value);
    }
  }

  #undefined(): void {
    if (this.config.undefinedAsNil) {
      this.buf[this.pos++] = M.NIL;
      return;
    }
    this.buf[this.pos++] = M.FIXEXT1;
    this.buf[this.pos++] = M.EXT_UNDEFINED;
    this.buf[this.pos++] = 0;
  }

  #function(value: (...args: never[]) => unknown): void {
    const extension = this.config.extensions.ofValue(value);
    if (extension !== undefined) writeInstance(this, value);
    else this.write(this.config.writeFunction?.(value));
  }

  #object(value: object): void {
    if (this.references?.repeated(this, value)) return;
    if (Array.isArray(value)) {
      if (Object.getPrototypeOf(value) === Array.prototype) this.array(value);
      else writeInstance(this, value);
      return;
    }
    const proto = Object.getPrototypeOf(value);
    if (proto === Object.prototype) this.plain(value);
    else writeInstance(this, value);
  }

  /** Enters a container: checks the depth, and for cycles where containers are recorded. */
  enter(container: object): void {
    if (this.open !== null) {
      if (this.open.includes(container)) throw this.fail('cycle');
      this.open.push(container);
    }
    if (++this.depth > this.maxDepth) throw this.fail('depth_limit');
  }

  leave(): void {
    this.depth--;
    if (this.open !== null) {
      this.open.pop();
      (this.trail as PathPart[]).length = this.depth;
    }
  }

  /** Records the place of the next element in the container that is being written. */
  mark(part: PathPart): void {
    if (this.trail !== null) {
      this.trail.length = this.depth;
      this.trail[this.depth - 1] = part;
    }
  }

  array(array: readonly unknown[]): void {
    this.enter(array);
    const n = array.length;
    this.arrayHeader(n);
    for (let i = 0; i < n; i++) {
      if (this.trail !== null) this.mark(i);
      const value = array[i];
      if (typeof value === 'number') {
        if (this.pos > this.limit) this.reserve(1);
        this.number(value);
      } else this.write(value);
    }
    this.leave();
  }

  /** Writes a plain object. */
  plain(object: object): void {
    this.enter(object);
    if (!this.#predict) this.#unpredicted(object);
    else if (this.ids !== null) this.#shaped(object, this.shapes.ofPlain(object));
    else this.#map(object, this.shapes.find(object));
    this.leave();
  }

  /** Writes the own enumerable fields of an object. */
  fieldsOf(object: object): void {
    this.enter(object);
    this.#unpredicted(object);
    this.leave();
  }

  #unpredicted(object: object): void {
    if (this.#selects) {
      const chosen = this.ids !== null && (this.config.chooseRecord?.(object) ?? true);
      writeSelected(this, object, chosen);
    } else this.#shaped(object, this.shapes.ofKeys(Object.keys(object)));
  }

  /** Writes the id or definition of a record with these keys; returns false if it has to be a map. */
  beginRecord(keys: readonly string[]): boolean {
    const shape = this.shapes.ofKeys(keys);
    return shape.isRecord && (this.ids as RecordIds).write(this, shape);
  }

  #shaped(object: object, shape: Shape): void {
    const { ids, config } = this;
    const wanted =
      ids !== null && (config.chooseRecord === undefined || config.chooseRecord(object));
    if (wanted && shape.isRecord && (ids as RecordIds).write(this, shape)) {
      if (shape.values !== null && this.trail === null) shape.values(this, object);
      else this.#values(object, shape);
      return;
    }
    this.#map(object, shape);
  }

  /** Writes an object as a map; a dictionary has no shape. */
  #map(object: object, shape: Shape | null): void {
    const keys = shape === null ? Object.keys(object) : shape.keys;
    const n = keys.length;
    if (this.config.variableMapSize || n > 0xffff) this.mapHeader(n);
    else this.header(0, -1, M.MAP16, n);
    if (n === 0) return;
    if (shape === null || this.trail !== null || this.bundle !== null) this.#entries(object, keys);
    else if (shape.fields !== null) shape.fields(this, object);
    else this.#fields(object, shape);
  }

  /** Writes fields whose keys are written as any string. */
  #entries(object: object, keys: readonly string[]): void {
    for (const key of keys) {
      if (this.trail !== null) this.mark(key);
      this.string(key);
      this.write((object as Record<string, unknown>)[key]);
    }
  }

  /**
   * Writes the fields of a shape that has no generated encoder: keys four bytes at a time,
   * and values within for…in, where engines know their places.
   */
  #fields(object: object, shape: Shape): void {
    this.shapes.used(shape, false);
    const { keys, words } = shape;
    let i = 0;
    for (const key in object) {
      if (key !== keys[i]) break;
      this.#key(words[i] as Int32Array, shape, i++);
      this.write((object as Record<string, unknown>)[key]);
    }
    // The remaining ones where a getter or a toJSON changed the object.
    if (i < keys.length) this.#entries(object, keys.slice(i));
  }

  #key(words: Int32Array, shape: Shape, index: number): void {
    const length = shape.lengths[index] as number;
    if (words.length === 0) {
      this.raw(shape.keyBytes[index] as Uint8Array);
      return;
    }
    if (this.pos > this.limit) this.reserve(1);
    const { view, pos } = this;
    for (let i = 0; i < words.length; i++) view.setInt32(pos + 4 * i, words[i] as number);
    this.pos = pos + length;
  }

  #values(object: object, shape: Shape): void {
    const { keys } = shape;
    let i = 0;
    if (this.trail === null) {
      this.shapes.used(shape, true);
      for (const key in object) {
        if (key !== keys[i]) break;
        this.write((object as Record<string, unknown>)[key]);
        i++;
      }
    }
    // All of them where the path is recorded, the remaining ones where the object changed.
    for (; i < keys.length; i++) {
      const key = keys[i] as string;
      if (this.trail !== null) this.mark(key);
      this.write((object as Record<string, unknown>)[key]);
    }
  }

  /** Writes a Map, whose keys may be any values. */
  map(map: ReadonlyMap<unknown, unknown>): void {
    this.enter(map);
    if (this.config.sortKeys) writeSortedMap(this, map);
    else {
      let left = map.size;
      this.mapHeader(left);
      for (const [key, value] of map) {
        if (left-- === 0) throw this.#changed();
        if (this.trail !== null) this.trail.length = this.depth - 1;
        this.write(key);
        if (this.trail !== null) this.mark({ key });
        this.write(value);
      }
      if (left > 0) throw this.#changed();
    }
    this.leave();
  }

  /** Returns the error of a Map whose header no longer tells its size. */
  #changed(): Error {
    return this.fail('unsupported_type', 'the Map changed while it was packed');
  }
}
