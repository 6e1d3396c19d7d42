import type { EncodeConfig } from '../../encode/EncodeConfig.ts';
import type { EncodeFeatures } from '../../encode/EncodeFeatures.ts';
import { Encoder } from '../../encode/Encoder.ts';
import { writeSortedMap } from '../../encode/fields.ts';
import { writePayload } from '../../encode/more-types.ts';
import type { RecordIds } from '../../record/RecordIds.ts';
import { compareKeys, keyBytes } from '../../wire/keys.ts';
import type { Host, HostOutput } from './Host.ts';

function* pairs(entries: readonly unknown[]): Generator<readonly [unknown, unknown]> {
  for (let i = 0; i < entries.length; i += 2) yield [entries[i], entries[i + 1]];
}

/** Returns the keys of entries if a record can have them: all strings, no two the same. */
function recordKeys(entries: readonly unknown[]): string[] | undefined {
  const keys: string[] = [];
  for (let i = 0; i < entries.length; i += 2) {
    const key = entries[i];
    if (typeof key !== 'string') return undefined;
    keys.push(key);
  }
  return new Set(keys).size === keys.length ? keys : undefined;
}

/** Returns keys and values by turns in the order of the keys' UTF-8. */
function sorted(entries: readonly unknown[], keys: readonly string[]): unknown[] {
  const order = keys.map((key, i) => ({ bytes: keyBytes(key), at: 2 * i }));
  order.sort((a, b) => compareKeys(a.bytes, b.bytes));
  return order.flatMap(({ at }) => [entries[at], entries[at + 1]]);
}

/** An encoder that asks a host about each value. */
export class HostEncoder extends Encoder implements HostOutput {
  readonly #features: EncodeFeatures;
  readonly #host: Host;

  constructor(
    config: EncodeConfig,
    features: EncodeFeatures,
    ids: RecordIds | null,
    host: Host,
    outer: Encoder | null = null,
  ) {
    super(config, features, ids, outer);
    this.#features = features;
    this.#host = host;
  }

  override write(value: unknown): void {
    switch (typeof value) {
      case 'string':
      case 'number':
      case 'boolean':
        if (this.#host.takesPrimitives && this.#host.write(this, value)) return;
        break;
      case 'undefined':
        break;
      default:
        if (value !== null && this.#host.write(this, value)) return;
    }
    super.write(value);
  }

  writeOwn(value: unknown): void {
    super.write(value);
  }

  override array(array: readonly unknown[]): void {
    if (!this.#host.takesPrimitives) {
      super.array(array);
      return;
    }
    this.enter(array);
    this.arrayHeader(array.length);
    for (const [i, value] of array.entries()) {
      if (this.trail !== null) this.mark(i);
      this.write(value);
    }
    this.leave();
  }

  pairs(entries: readonly unknown[]): void {
    this.enter(entries);
    const keys = this.config.records || this.trail !== null ? recordKeys(entries) : undefined;
    if (this.ids !== null && keys !== undefined) {
      const ordered = this.config.sortKeys ? sorted(entries, keys) : entries;
      if (this.objects?.beginRecord?.(this, this.config.sortKeys ? (recordKeys(ordered) as string[]) : keys)) {
        for (let i = 1; i < ordered.length; i += 2) this.write(ordered[i]);
        this.leave();
        return;
      }
    }
    if (this.config.sortKeys) writeSortedMap(this, [...pairs(entries)]);
    else {
      this.mapHeader(entries.length / 2);
      for (let i = 0; i < entries.length; i += 2) {
        if (this.trail !== null) this.trail.length = this.depth - 1;
        const key = entries[i];
        if (typeof key === 'string' && !this.#host.takesPrimitives) this.string(key);
        else this.write(key);
        if (this.trail !== null) this.mark(typeof key === 'string' ? key : { key });
        this.write(entries[i + 1]);
      }
    }
    this.leave();
  }

  extOf(type: number, write: (encoder: this) => void): void {
    writePayload(this, type, 1, write as (inner: object) => void);
  }

  override absence(): void {
    this.nil();
  }

  override alike(config: EncodeConfig, outer: Encoder | null): Encoder {
    return new HostEncoder(config, this.#features, null, this.#host, outer);
  }
}
