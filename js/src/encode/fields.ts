import { compareKeys, keyBytes } from '../wire/keys.ts';
import { NO_BYTES } from '../wire/platform.ts';
import type { EncodeConfig } from './EncodeConfig.ts';
import type { EncoderState, ObjectWriter, StringCollector } from './EncoderState.ts';

const SELECTED: ObjectWriter = {
  begin: () => undefined,
  plain: (encoder, object) => writeSelected(encoder, object, false),
  fields: (encoder, object) => writeSelected(encoder, object, false),
};

export function newObjects({ sortKeys, skipValues, numericKeys }: EncodeConfig): ObjectWriter | null {
  return sortKeys || skipValues !== undefined || numericKeys === true ? SELECTED : null;
}

/** Writes the fields of an object under the options that omit, sort or convert some of them. */
export function writeSelected(encoder: EncoderState, object: object, asRecord: boolean): void {
  const { config } = encoder;
  const record = object as Record<string, unknown>;
  let keys: readonly string[] = encoder.keysOf(object);
  const { skipValues } = config;
  if (skipValues !== undefined) keys = keys.filter((key) => !skipValues.includes(record[key]));
  if (config.sortKeys) keys = sortedKeys(encoder, keys);
  if (asRecord && encoder.objects?.beginRecord?.(encoder, keys)) {
    for (const key of keys) {
      encoder.mark(key);
      encoder.write(record[key]);
    }
    return;
  }
  if (config.canonical && config.numericKeys) {
    // Numbers come after strings.
    writeSortedMap(
      encoder,
      keys.map((key) => [numericKey(key), record[key]] as const),
    );
    return;
  }
  encoder.mapHeader(keys.length);
  for (const key of keys) {
    encoder.mark(key);
    const given = config.numericKeys ? numericKey(key) : key;
    if (typeof given === 'string') encoder.string(given);
    else encoder.number(given);
    encoder.write(record[key]);
  }
}

function numericKey(key: string): string | number {
  const number = Number(key);
  return Number.isNaN(number) ? key : number;
}

/** Returns keys in the order of their UTF-8, which differs unless they have lone surrogates. */
function sortedKeys(encoder: EncoderState, keys: readonly string[]): string[] {
  const entries = keys.map((key) => ({ key, bytes: keyBytes(key) }));
  entries.sort((a, b) => compareKeys(a.bytes, b.bytes));
  for (let i = 1; i < entries.length; i++) {
    const [before, entry] = [entries[i - 1], entries[i]] as [(typeof entries)[0], (typeof entries)[0]];
    if (compareKeys(before.bytes, entry.bytes) === 0) {
      encoder.mark(entry.key);
      throw encoder.fail('duplicate_key');
    }
  }
  return entries.map((entry) => entry.key);
}

export function selectedMap(
  { config }: EncoderState,
  map: ReadonlyMap<unknown, unknown>,
): ReadonlyMap<unknown, unknown> {
  const { skipValues } = config;
  return skipValues === undefined ? map : new Map([...map].filter(([, value]) => !skipValues.includes(value)));
}

/** Returns the offset in the message at which the next value begins, once all before it is written. */
function offsetOf(encoder: EncoderState): number {
  encoder.complete();
  return encoder.pos - encoder.start;
}

/** Takes away what was written from an offset on, and returns it. */
function cut(encoder: EncoderState, from: number): Uint8Array {
  encoder.complete();
  // Not buf.slice: in a Buffer it returns a view.
  const bytes = new Uint8Array(encoder.buf.subarray(encoder.start + from, encoder.pos));
  encoder.pos = encoder.start + from;
  return bytes;
}

/**
 * Writes the elements of a set as an array in the order of spec/format.md 4.2. Each is written once, because
 * sets may be in sets.
 */
export function writeElements(encoder: EncoderState, elements: readonly unknown[]): void {
  encoder.enter(elements);
  const parts: { i: number; bytes: Uint8Array }[] = [];
  // A loop, as one call less takes less of the stack.
  for (let i = 0; i < elements.length; i++) {
    encoder.mark(i);
    const from = offsetOf(encoder);
    encoder.write(elements[i]);
    parts.push({ i, bytes: cut(encoder, from) });
  }
  parts.sort((a, b) => compareKeys(a.bytes, b.bytes));
  encoder.arrayHeader(parts.length);
  let before: Uint8Array | undefined;
  for (const { i, bytes } of parts) {
    if (before !== undefined && compareKeys(before, bytes) === 0) {
      encoder.mark(i);
      throw encoder.fail('duplicate_key');
    }
    encoder.raw(bytes);
    before = bytes;
  }
  encoder.leave();
}

/** An entry, and the bytes of its key. */
type SortedEntry = [key: unknown, value: unknown, bytes: Uint8Array];

function inOrder(a: SortedEntry, b: SortedEntry): number {
  return compareKeys(a[2], b[2]);
}

/** Returns the entries that are written, without the bytes of their keys. */
function entriesOf(encoder: EncoderState, map: Iterable<readonly [unknown, unknown]>): SortedEntry[] {
  const { skipValues } = encoder.config;
  const entries = Array.from(map, ([key, value]): SortedEntry => [key, value, NO_BYTES]);
  return skipValues === undefined ? entries : entries.filter(([, value]) => !skipValues.includes(value));
}

/** Writes the key of an entry, which is not that of the entry before. */
function writeKeyOf(encoder: EncoderState, entries: readonly SortedEntry[], i: number): void {
  const entry = entries[i] as SortedEntry;
  encoder.mark({ key: entry[0] });
  if (i > 0 && inOrder(entries[i - 1] as SortedEntry, entry) === 0) throw encoder.fail('duplicate_key');
  encoder.raw(entry[2]);
}

/** Writes the entries of a Map in the order of spec/format.md 4.2. */
export function writeSortedMap(encoder: EncoderState, map: Iterable<readonly [unknown, unknown]>): void {
  const entries = entriesOf(encoder, map);
  // Keys and values may be nested: one function writes both, with no other between two levels.
  for (let i = 0; i < entries.length; i++) {
    const from = offsetOf(encoder);
    encoder.write(entries[i]?.[0]);
    (entries[i] as SortedEntry)[2] = cut(encoder, from);
  }
  encoder.mapHeader(entries.sort(inOrder).length);
  for (let i = 0; i < entries.length; i++) {
    writeKeyOf(encoder, entries, i);
    encoder.write(entries[i]?.[1]);
  }
}

/** A surrogate without the other one of its pair. */
const LONE = /\p{Surrogate}/u;
/** Refuses strings with lone surrogates, and leaves all others in their place. */
const STRICT: StringCollector = {
  add(encoder, value) {
    // Older browsers lack it.
    const { isWellFormed } = String.prototype as { isWellFormed?: () => boolean };
    const isLone = isWellFormed === undefined ? LONE.test(value) : !isWellFormed.call(value);
    if (isLone) throw encoder.fail('invalid_utf8', 'lone surrogate');
    return false;
  },
};

export function strictText(config: EncodeConfig): StringCollector | null {
  return config.strictText ? STRICT : null;
}
