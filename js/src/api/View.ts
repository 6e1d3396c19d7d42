import { needsChecks } from '../decode/DecodeConfig.ts';
import { explain } from '../decode/explain.ts';
import { DECODE_FEATURES, decoderFor } from '../decode/features.ts';
import { type Container, Skipper } from '../decode/Walker.ts';
import type { UnpackrOptions } from '../options/options.ts';
import { named } from './callable.ts';
import { Unpacker } from './Unpacker.ts';
import { bytesOf, type Source } from './Unpacking.ts';

/** A step to a value: an index, from the end when negative, or a key. */
export type ViewStep = unknown;

interface Place {
  readonly pos: number;
  readonly depth: number;
  readonly pending: number;
}

/** Replaces a container until there is a view of it. */
const CONTAINER = Symbol('container');

/** The message of a View and of the views of its parts. */
class Message {
  readonly walker: Skipper;
  readonly #bytes: Uint8Array;
  #busy = false;

  constructor(source: Source, { config, features }: Unpacker) {
    if (config.bundleStrings || config.structuredClone || config.integersAsBigInt)
      throw new TypeError('A View needs bundleStrings and structuredClone to be off');
    const given = bytesOf(source);
    // The function that loads structures may overwrite the input, as lmdb does.
    const bytes = config.loadShared === null ? given : Uint8Array.prototype.slice.call(given);
    this.#bytes = bytes;
    this.walker = new Skipper(config, features);
    this.walker.open(bytes, 0, bytes.length);
    this.walker.syncShared();
    if (!needsChecks(config)) return;
    this.walker.fast = false;
    const checked = decoderFor(config, features);
    checked.open(bytes, 0, bytes.length);
    try {
      checked.message(!config.allowTrailing);
    } catch (error) {
      throw explain(error, checked, bytes, 0, bytes.length);
    }
  }

  /** Runs `work` at a place. An extension may do so while the walker is in use elsewhere. */
  run<T>(place: Place, work: (walker: Skipper) => T): T {
    const { walker } = this;
    const { pos, depth, pending } = walker;
    const nested = this.#busy;
    this.#busy = true;
    try {
      this.aim(place);
      return work(walker);
    } catch (error) {
      const { pos } = walker;
      walker.goTo(walker.base);
      walker.pos = pos;
      throw explain(error, walker, this.#bytes, 0, walker.end - walker.base);
    } finally {
      this.#busy = nested;
      if (nested) this.aim({ pos, depth, pending });
    }
  }

  aim({ pos, depth, pending }: Place): void {
    this.walker.goTo(pos);
    this.walker.depth = depth;
    this.walker.pending = pending;
  }
}

/**
 * Access to a part of a message without building the rest. The view skips other values by
 * their headers, and reads nothing after the value that was asked for. Arrays, maps and
 * records within it are returned as views, other values as themselves.
 *
 * Options and limits are those of `Unpackr`, and so are the errors of what was
 * skipped or read. A str is checked for UTF-8 when it is read, and trailing bytes are found
 * when {@link View.unpack} reads the whole message. Options that apply to every value
 * (canonical, duplicateKey: 'error', limits other than maxDepth) check the whole message
 * in the constructor. `sequential` definitions of other messages are not known.
 *
 * @example
 * const view = new View(pack({ users: [{ name: 'Ada' }, { name: 'Bo' }] }));
 * view.get('users', 1, 'name'); // 'Bo'
 * view.get('users').length; // 2
 * view.get('users', 0).unpack(); // what unpack returns for this part
 */
export class ViewClass implements Iterable<unknown> {
  readonly #message: Message;
  readonly #place: Place;
  readonly #container: Container | null;
  /** Where the children met so far begin; of a map, the values. */
  readonly #positions: number[] = [];
  #numbers: Map<unknown, number> | null = null;

  /**
   * @param source the bytes of one message; they are kept and should not change. Where they did,
   * or were transferred, what is read then is another value or an error, never a crash
   * @param options those of Unpackr, or an Unpackr whose options and shared structures apply
   * @throws MsgpackDecodeError
   */
  constructor(source: Source, options?: UnpackrOptions | Unpacker);
  /** @internal */
  constructor(message: Message, place: Place);
  constructor(source: Source | Message, options: UnpackrOptions | Unpacker | Place = {}) {
    if (source instanceof Message) {
      this.#message = source;
      this.#place = options as Place;
    } else {
      const unpackr =
        options instanceof Unpacker ? options : new Unpacker(options as UnpackrOptions, { features: DECODE_FEATURES });
      this.#message = new Message(source, unpackr);
      this.#place = { pos: this.#message.walker.pos, depth: 0, pending: 0 };
    }
    this.#container = this.#message.run(this.#place, (walker) => {
      const container = walker.enter();
      if (container !== null) this.#positions.push(walker.pos);
      return container;
    });
  }

  /** The type of the value: 'value' when it is not an array, map or record. */
  get kind(): 'array' | 'map' | 'record' | 'value' {
    return this.#container?.kind ?? 'value';
  }

  /** Number of elements of the array, or of different keys of the map or record. */
  get length(): number {
    return this.#isKeyed ? this.#keys().size : (this.#container?.count ?? 0);
  }

  get #isKeyed(): boolean {
    return this.kind === 'map' || this.kind === 'record';
  }

  /**
   * Returns the value at the end of a path of indexes and keys; undefined if there is none.
   *
   * @example
   * view.get('users', -1, 'name');
   * @throws MsgpackDecodeError
   */
  // biome-ignore lint/suspicious/noExplicitAny: unpacked values have the type their user expects
  get(...path: ViewStep[]): any {
    let value: unknown = this;
    for (const step of path) {
      if (!(value instanceof ViewClass)) return undefined;
      const number = value.#number(step);
      value = number < 0 ? undefined : value.#child(number);
    }
    return value;
  }

  /**
   * Returns the element of an array at an index, as `Array.prototype.at`.
   *
   * @example
   * new View(pack(['a', 'b'])).at(-1); // 'b'
   * @throws MsgpackDecodeError
   */
  // biome-ignore lint/suspicious/noExplicitAny: as get
  at(index: number): any {
    return this.kind === 'array' ? this.get(Math.trunc(index) || 0) : undefined;
  }

  /**
   * Whether there is a value at the end of a path, undefined included.
   *
   * @example
   * new View(pack({ a: [undefined] })).has('a', 0); // true
   * @throws MsgpackDecodeError
   */
  has(...path: ViewStep[]): boolean {
    if (path.length === 0) return true;
    const [last, ...around] = path.reverse();
    const holder = this.get(...around.reverse());
    return holder instanceof ViewClass && holder.#number(last) >= 0;
  }

  /**
   * Iterates over the keys of a map or record, or the indexes of an array.
   *
   * @example
   * [...new View(pack({ a: 1, b: 2 })).keys()]; // ['a', 'b']
   * @throws MsgpackDecodeError
   */
  // biome-ignore lint/suspicious/noExplicitAny: as get
  keys(): IterableIterator<any> {
    if (this.#isKeyed) return this.#keys().keys();
    return Array(this.length).keys();
  }

  /**
   * Iterates over the elements of an array, or pairs of key and value as a Map does.
   *
   * @example
   * for (const [key, value] of new View(pack({ a: 1 }))) console.log(key, value);
   * @throws MsgpackDecodeError
   */
  // biome-ignore lint/suspicious/noExplicitAny: as get
  *[Symbol.iterator](): Generator<any> {
    if (this.#isKeyed) for (const [key, number] of this.#keys()) yield [key, this.#child(number)];
    else for (let i = 0; i < this.length; i++) yield this.#child(i);
  }

  /**
   * Reads the whole value, as `Unpackr.unpack` does.
   *
   * @example
   * new View(pack({ a: [1, 2], b: 'x' })).get('a').unpack(); // [1, 2]
   * @throws MsgpackDecodeError
   */
  // biome-ignore lint/suspicious/noExplicitAny: as get
  unpack(): any {
    return this.#message.run(this.#place, (walker) => {
      const value = walker.read();
      const isWhole = this.#place.depth === 0;
      if (isWhole && !walker.config.allowTrailing && walker.pos !== walker.end)
        throw walker.fail('trailing_bytes', walker.pos);
      return value;
    });
  }

  /** Returns the number of a child; -1 if there is none. */
  #number(step: unknown): number {
    if (this.#isKeyed) {
      const keys = this.#keys();
      const asString = this.kind === 'record' || this.#message.walker.config.maps !== 'map';
      const isNumber = typeof step === 'number' || typeof step === 'bigint';
      // As a property of an object is found by a number.
      return keys.get(step) ?? (asString && isNumber ? keys.get(String(step)) : undefined) ?? -1;
    }
    if (!Number.isInteger(step)) return -1;
    const number = (step as number) < 0 ? this.length + (step as number) : (step as number);
    return number < this.length ? number : -1;
  }

  #pendingAfter(number: number): number {
    const { count, kind } = this.#container as Container;
    return this.#place.pending + (count - 1 - number) * (kind === 'map' ? 2 : 1);
  }

  #childPlace(number: number, pos: number): Place {
    return { pos, depth: this.#place.depth + 1, pending: this.#pendingAfter(number) };
  }

  #child(number: number): unknown {
    const positions = this.#positions;
    let from = positions.length - 1;
    if (from < number)
      this.#message.run(this.#childPlace(from, positions[from] as number), (walker) => {
        for (; from < number; from++) {
          walker.pending = this.#pendingAfter(from);
          walker.skip();
          positions.push(walker.pos);
        }
      });
    const place = this.#childPlace(number, positions[number] as number);
    const value = this.#message.run(place, (walker) => (walker.enter() === null ? walker.read() : CONTAINER));
    return value === CONTAINER ? new ViewClass(this.#message, place) : value;
  }

  /** Returns the keys with the numbers of their values; of equal keys the last one. */
  #keys(): Map<unknown, number> {
    if (this.#numbers !== null) return this.#numbers;
    const numbers = new Map<unknown, number>();
    const { kind, count, keys } = this.#container as Container;
    if (kind === 'record') keys.forEach((key, i) => void numbers.set(key, i));
    else if (count > 0) {
      const first = this.#positions[0] as number;
      const values: number[] = [];
      this.#message.run(this.#childPlace(0, first), (walker) => {
        for (let i = 0; i < count; i++) {
          walker.pending = this.#pendingAfter(i) + 1;
          const { maps } = walker.config;
          const given = maps === 'map' ? walker.read() : walker.key();
          const key = maps === 'object' ? String(given) : given;
          walker.pending = this.#pendingAfter(i);
          values.push(walker.pos);
          numbers.set(key, i);
          walker.skip();
        }
      });
      this.#positions.length = 0;
      for (const pos of values) this.#positions.push(pos);
    }
    this.#numbers = numbers;
    return numbers;
  }
}

/** A part of a message; see {@link ViewClass}. */
export type View = ViewClass;
export const View: typeof ViewClass = /* @__PURE__ */ named(ViewClass, 'View');
