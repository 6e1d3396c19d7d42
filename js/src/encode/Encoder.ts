import type { PathPart } from '../errors/errors.ts';
import type { Extension } from '../ext/extension.ts';
import type { RecordIds } from '../record/RecordIds.ts';
import { MAX_KEYS } from '../record/structures.ts';
import { writtenKeys } from '../wire/keys.ts';
import * as M from '../wire/markers.ts';
import type { EncodeConfig } from './EncodeConfig.ts';
import type { EncodeFeatures, ShapedWriter } from './EncodeFeatures.ts';
import type { EncoderState } from './EncoderState.ts';
import { writeInstance, writeInstead } from './instances.ts';
import { ScalarEncoder } from './ScalarEncoder.ts';

/** Number of numbers for which room is made at a time: 5,000 take .9 of the time that they take one by one. */
const MANY = 24;

/** Thrown where a property is undefined, and its message is to be written again. */
export const ABSENT: unique symbol = /* @__PURE__ */ Symbol('absent');
/** Thrown where the path of a failure can't be found without calling the program. */
const UNCALLED = /* @__PURE__ */ Symbol('uncalled');

/**
 * Writes one message at a time. All state is in the instance, so that several can be used at
 * the same time.
 */
export class Encoder extends ScalarEncoder implements EncoderState {
  readonly ids: RecordIds | null;
  /** Writes objects otherwise than key by key. */
  readonly objects: ShapedWriter | null;
  readonly #features: EncodeFeatures;
  depth = 0;
  replacements = 0;
  readonly maxDepth: number;
  open: object[] | null = null;
  inner: EncoderState | null = null;
  /** The encoder of whose values this one writes the payloads. */
  readonly #outer: Encoder | null;
  /** What functions of the program returned for this message, in their order; null before the first one. */
  calls: unknown[] | null = null;
  /** Number of those that were called, or whose result was used again. */
  #called = 0;

  constructor(config: EncodeConfig, features: EncodeFeatures, ids: RecordIds | null, outer: Encoder | null = null) {
    super(config, features);
    this.#outer = outer;
    this.#features = features;
    this.objects =
      features.writePrediction?.newObjects(config, features, ids) ??
      features.writeSelection?.newObjects(config) ??
      null;
    this.ids = ids;
    this.maxDepth = config.maxDepth;
  }

  override begin(adjacent = false): void {
    super.begin(adjacent);
    this.depth = 0;
    this.replacements = 0;
    this.again(null);
  }

  /** Writes the message again: with these results of functions, which are not called again. */
  again(calls: unknown[] | null): void {
    this.calls = calls;
    this.#called = 0;
  }

  call<T>(run: () => T): T {
    if (this.#outer !== null) return this.#outer.call(run);
    this.calls ??= [];
    const { calls } = this;
    if (this.#called === calls.length) {
      if (this.trail !== null) throw UNCALLED;
      calls.push(run());
    }
    return calls[this.#called++] as T;
  }

  message(value: unknown): void {
    // A number alone has no need of the rest.
    if (typeof value !== 'number' || this.ids !== null) this.objects?.begin(this);
    this.write(value);
    this.complete();
  }

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
        if (value === null) this.nil();
        else this.object(value);
        return;
      case 'boolean':
        this.bool(value);
        return;
      case 'undefined':
        this.absence();
        return;
      case 'bigint':
        this.bigint(value);
        return;
      case 'function':
        this.func(value as (...args: never[]) => unknown);
        return;
      default:
        throw this.fail('unsupported_type', typeof value);
    }
  }

  field(value: unknown): void {
    if (value === undefined) this.absent();
    else this.write(value);
  }

  /** Writes undefined. */
  protected absence(): void {
    this.extHeader(M.EXT_UNDEFINED, 1);
    this.byte(0);
  }

  protected bigint(value: bigint): void {
    this.anyInteger(value);
  }

  protected func(value: (...args: never[]) => unknown): void {
    if (!this.extended(value)) throw this.fail('unsupported_type', 'function');
  }

  protected instance(value: object): void {
    writeInstance(this, value);
  }

  protected extended(value: object): boolean {
    return this.#features.writeExtensions?.writeExtended(this, value) ?? false;
  }

  payloadOf(extension: Extension, value: object): unknown {
    return this.call(() => extension.pack?.(value, this.config.context));
  }

  protected object(value: object): void {
    if (Array.isArray(value)) {
      // V8 reads this property in half the time that Object.getPrototypeOf takes.
      if (value.constructor === Array) {
        this.array(value);
        return;
      }
    } else if (Object.getPrototypeOf(value) === Object.prototype) {
      this.plain(value);
      return;
    }
    if (!this.extended(value) && !writeInstead(this, value)) this.instance(value);
  }

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
    const traced = this.trail !== null;
    for (let i = traced || n === 0 ? 0 : this.#numbers(array, n); i < n; i++) {
      if (traced) this.mark(i);
      const value = array[i];
      // Without another call: arrays have many of them.
      if (typeof value === 'string') this.string(value);
      else if (typeof value === 'boolean') this.bool(value);
      else this.write(value);
    }
    this.leave();
  }

  /**
   * Writes the numbers at the beginning of an array, and returns how many they are. The loop is a
   * function of its own, because V8 has a store for floats of its own as well: where it met arrays of
   * more than four kinds in a loop, it makes an object of each float that it reads.
   */
  #numbers(array: readonly unknown[], n: number): number {
    let i = 0;
    while (i < n) {
      const end = n - i < MANY ? n : i + MANY;
      if (this.pos + 9 * MANY > this.limit) this.reserve(9 * MANY);
      for (; i < end; i++) {
        const value = array[i];
        if (typeof value !== 'number') return i;
        this.number(value);
      }
    }
    return i;
  }

  plain(object: object): void {
    this.enter(object);
    if (this.objects === null) this.keyed(object);
    else this.objects.plain(this, object);
    this.leave();
  }

  fieldsOf(object: object): void {
    this.enter(object);
    if (this.objects === null) this.keyed(object);
    else this.objects.fields(this, object);
    this.leave();
  }

  keyed(object: object, keys: readonly string[] = this.metKeysOf(object)): void {
    this.objectHeader(keys.length);
    this.entries(object, keys);
  }

  keysOf(object: object): string[] {
    return writtenKeys(object, this.config.omission !== null);
  }

  metKeysOf(object: object): string[] {
    const { omission } = this.config;
    return writtenKeys(object, omission !== null && (omission.met || this.trail !== null));
  }

  absent(): void {
    const { omission } = this.config;
    if (omission !== null && !omission.met && this.trail === null) {
      omission.met = true;
      throw ABSENT;
    }
    this.absence();
  }

  objectHeader(count: number): void {
    this.mapHeader(count);
  }

  entries(object: object, keys: readonly string[]): void {
    let i = 0;
    // Within for…in, engines know the places of values. They sort the keys of a large object each time.
    if (keys.length <= MAX_KEYS && this.trail === null)
      for (const key in object) {
        if (key !== keys[i]) break;
        this.string(key);
        this.field((object as Record<string, unknown>)[key]);
        i++;
      }
    // The remaining ones, where others come between them or a getter or a toJSON changed the object.
    for (; i < keys.length; i++) {
      const key = keys[i] as string;
      if (this.trail !== null) this.mark(key);
      this.string(key);
      this.field((object as Record<string, unknown>)[key]);
    }
  }

  elements(elements: readonly unknown[]): void {
    if (this.config.canonical) this.#features.writeSelection?.writeElements?.(this, elements);
    else this.array(elements);
  }

  alike(config: EncodeConfig, outer: Encoder | null): Encoder {
    return new Encoder(config, this.#features, null, outer);
  }

  map(given: ReadonlyMap<unknown, unknown>): void {
    this.enter(given);
    const { writeSelection } = this.#features;
    if (this.config.sortKeys) writeSelection?.writeSortedMap(this, given);
    else {
      const map = writeSelection === undefined ? given : writeSelection.selectedMap(this, given);
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

  #changed(): Error {
    return this.fail('unsupported_type', 'the Map changed while it was packed');
  }
}
