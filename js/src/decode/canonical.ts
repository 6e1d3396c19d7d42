import { DECIMAL, RATIO } from '../ext/rich.ts';
import { newHeader, readHeader } from '../wire/header.ts';
import { numberAt } from '../wire/integers.ts';
import * as M from '../wire/markers.ts';
import { readTime } from '../wire/timestamps.ts';

/**
 * Compares the keys of one message: two values have the same identity exactly when their
 * canonical encodings are the same. The identity of a container is a number, and each
 * container is visited once, so that keys within keys take linear time.
 */
export class KeyIdentities {
  readonly #view: DataView;
  /** Whether ext 0x42 is an integer. */
  #bigInts: boolean;
  /** Whether ext 86 is a set, and 83 and 84 are numbers. */
  readonly #sets: boolean;
  readonly #numbers = new Map<string, number>();
  readonly #known = new Map<number, { identity: string; end: number }>();
  #pos = 0;

  constructor(view: DataView, bigInts: boolean, sets: boolean) {
    this.#view = view;
    this.#bigInts = bigInts;
    this.#sets = sets;
  }

  /** Returns the identity of the value at a position, which was read before. */
  at(pos: number): string {
    this.#pos = pos;
    return this.#value();
  }

  /** Returns the identity of a str (`s`) or bin (`b`) whose payload is at a position. */
  bytesAt(pos: number, kind: 's' | 'b', length: number): string {
    this.#pos = pos;
    return this.#bytes(kind, length);
  }

  extAt(pos: number, type: number, length: number): string {
    this.#pos = pos;
    return this.#ext(type, length);
  }

  /** Returns the identity of an array with these elements, or of a map with these entries. */
  containerOf(parts: readonly string[], isMap: boolean): string {
    return this.#numberOf((isMap ? '{' : '[') + parts.join(','));
  }

  /** Whether no two elements of the set whose array is at a position, which was read before, are equal. */
  elementsDiffer(pos: number): boolean {
    this.#pos = pos;
    const parts = this.#elements();
    this.#setOf(pos, parts);
    return new Set(parts).size === parts.length;
  }

  #value(): string {
    const view = this.#view;
    const start = this.#pos;
    const known = this.#known.get(start);
    if (known !== undefined) {
      this.#pos = known.end;
      return known.identity;
    }
    const header = newHeader();
    readHeader(view, start, view.byteLength, header);
    const { kind, size, count, type } = header;
    this.#pos += size;
    if (kind === 'map') return this.#map(start, count);
    if (kind === 'array') return this.#container(start, `[${this.#values(count).join(',')}`);
    if (kind === 'ext') return this.#ext(type, count);
    if (kind === 'str' || kind === 'bin') return this.#bytes(kind.slice(0, 1), count);
    if (kind === 'integer') return `i${numberAt(view, start)}`;
    return kind === 'float' ? float(numberAt(view, start) as number) : `m${view.getUint8(start)}`;
  }

  #bytes(kind: string, length: number): string {
    let identity = `${kind}${length}:`;
    for (let i = 0; i < length; i++) identity += String.fromCharCode(this.#view.getUint8(this.#pos + i));
    this.#pos += length;
    return identity;
  }

  #values(count: number): string[] {
    const identities: string[] = [];
    for (let i = 0; i < count; i++) identities.push(this.#value());
    return identities;
  }

  #map(start: number, count: number): string {
    const entries = new Map<string, string>();
    for (let i = 0; i < count; i++) {
      const key = this.#value();
      entries.set(key, this.#value());
    }
    return this.#container(start, `{${entryParts(entries).join(',')}`);
  }

  #container(start: number, content: string): string {
    const identity = this.#numberOf(content);
    this.#known.set(start, { identity, end: this.#pos });
    return identity;
  }

  #numberOf(content: string): string {
    let number = this.#numbers.get(content);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(content, number);
    }
    return `c${number}`;
  }

  #ext(type: number, length: number): string {
    const time = type === M.EXT_TIMESTAMP ? readTime(this.#view, this.#pos, length) : undefined;
    if (time !== undefined) {
      this.#pos += length;
      return `t${time.seconds},${time.nanoseconds}`;
    }
    if (type === M.EXT_BIGINT && this.#bigInts && length > 0) {
      const p = this.#pos;
      this.#pos += length;
      return `i${BigInt.asIntN(length * 8, unsigned(this.#view, p, this.#pos))}`;
    }
    if (type === M.EXT_RICH_SET && this.#sets) return this.#set();
    if ((type === RATIO || type === DECIMAL) && this.#sets) return this.#number(type, length);
    return this.#bytes(`e${type}:`, length);
  }

  /** Returns the identity of a ratio or a decimal, whose integers may have any format. */
  #number(type: number, length: number): string {
    const end = this.#pos + length;
    const bigInts = this.#bigInts;
    this.#bigInts = true;
    const first = this.#value();
    const second = type === RATIO ? this.#value() : this.#bytes('', end - this.#pos);
    this.#bigInts = bigInts;
    return `e${type}:${first},${second}`;
  }

  /** Returns the identity of the set whose elements are the array at this position, in any order. */
  #set(): string {
    const start = this.#pos;
    const known = this.#known.get(start);
    if (known === undefined) return this.#setOf(start, this.#elements());
    this.#pos = known.end;
    return known.identity;
  }

  #setOf(start: number, elements: string[]): string {
    return this.#container(start, `#${elements.sort().join(',')}`);
  }

  #elements(): string[] {
    const header = newHeader();
    readHeader(this.#view, this.#pos, this.#view.byteLength, header);
    this.#pos += header.size;
    return this.#values(header.count);
  }
}

/** Returns the entries of a map as strings, in an order of their own. */
export function entryParts(entries: ReadonlyMap<string, string>): string[] {
  return Array.from(entries, ([key, value]) => `${key}=${value}`).sort();
}

function unsigned(view: DataView, from: number, to: number): bigint {
  let value = 0n;
  for (let p = from; p < to; p++) value = (value << 8n) | BigInt(view.getUint8(p));
  return value;
}

export function float(value: number): string {
  return Object.is(value, -0) ? 'f-0' : `f${value}`;
}
