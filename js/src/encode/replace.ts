import { formatPath, MsgpackEncodeError, type PathPart } from '../errors/errors.ts';
import { C1Type, isExtData } from '../ext/extension.ts';
import { Timestamp } from '../ext/Timestamp.ts';
import type { EncodeConfig, Replacer } from './EncodeConfig.ts';
import { ownToJSON } from './instances.ts';

/** Classes whose values are not written by their fields. */
const BUILT_IN = [Date, Set, Error, RegExp, ArrayBuffer, Timestamp, C1Type];

/** The values that a replacer makes of a value and of all in it, as copies. */
class Replacement {
  readonly #config: EncodeConfig;
  readonly #replacer: Replacer;
  readonly #names: ReadonlySet<string> | null;
  readonly #path: PathPart[] = [];
  /** The containers around the value; with structuredClone, the copies of all containers. */
  readonly #copies = new Map<object, object>();

  constructor(config: EncodeConfig, replacer: Replacer) {
    this.#config = config;
    this.#replacer = replacer;
    this.#names = typeof replacer === 'function' ? null : new Set(replacer.map(String));
  }

  of(holder: unknown, key: unknown, given: unknown): unknown {
    const replacer = this.#replacer;
    const converted = this.#converted(given, key);
    const value = typeof replacer === 'function' ? replacer.call(holder, key, converted) : converted;
    if (typeof value !== 'object' || value === null || !this.#isContainer(value)) return value;
    const before = this.#copies.get(value);
    if (before !== undefined) {
      if (this.#config.structuredClone) return before;
      throw new MsgpackEncodeError('cycle', formatPath(this.#path));
    }
    if (this.#path.length >= this.#config.maxDepth) throw new MsgpackEncodeError('depth_limit', formatPath(this.#path));
    const copy = this.#copy(value);
    if (!this.#config.structuredClone) this.#copies.delete(value);
    return copy;
  }

  /** Calls the `toJSON` of a class, as the encoder does before it looks at fields. */
  #converted(value: unknown, key: unknown): unknown {
    const { useToJSON, extensions } = this.#config;
    if (typeof value !== 'object' || value === null || !useToJSON) return value;
    if (extensions.ofValue(value) !== undefined) return value;
    return ownToJSON(value)?.call(value, String(key)) ?? value;
  }

  #isContainer(value: object): boolean {
    if (this.#config.extensions.ofValue(value) !== undefined) return false;
    if (isExtData(value)) return false;
    return !ArrayBuffer.isView(value) && !BUILT_IN.some((Class) => value instanceof Class);
  }

  #copy(value: object): object {
    if (Array.isArray(value)) {
      const copy: unknown[] = [];
      this.#copies.set(value, copy);
      for (let i = 0; i < value.length; i++) copy.push(this.#child(value, i, String(i), value[i]));
      return copy;
    }
    if (value instanceof Map) {
      const copy = new Map<unknown, unknown>();
      this.#copies.set(value, copy);
      for (const [key, field] of value) {
        const replaced = this.#child(value, { key }, key, field);
        if (replaced !== undefined) copy.set(key, replaced);
      }
      return copy;
    }
    const copy: object = Object.create(Object.getPrototypeOf(value));
    this.#copies.set(value, copy);
    for (const key of Object.keys(value)) {
      if (this.#names !== null && !this.#names.has(key)) continue;
      const replaced = this.#child(value, key, key, (value as Record<string, unknown>)[key]);
      // Whatever the name, and whatever the class has of that name.
      const data = { value: replaced, writable: true, enumerable: true, configurable: true };
      if (replaced !== undefined) Object.defineProperty(copy, key, data);
    }
    return copy;
  }

  #child(holder: object, part: PathPart, key: unknown, value: unknown): unknown {
    this.#path.push(part);
    const replaced = this.of(holder, key, value);
    this.#path.pop();
    return replaced;
  }
}

/**
 * Returns a copy of a value in which a replacer replaced what it wanted.
 *
 * @throws MsgpackEncodeError for a cycle, and for nesting above the limit
 */
export function replaceAll(value: unknown, config: EncodeConfig): unknown {
  const { replacer } = config;
  return replacer === undefined ? value : new Replacement(config, replacer).of({ '': value }, '', value);
}
