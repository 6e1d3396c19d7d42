import { compareKeys } from '../decode/checked.ts';
import type { RecordIds } from '../record/ids.ts';
import { keyBytes } from '../wire/keys.ts';
import type { Writer } from './writer.ts';

/** The fields of an object under the options that leave some out, sort or convert them. */
export function writeSelected(writer: Writer, object: object, ids: RecordIds | null): void {
  const { config } = writer;
  const record = object as Record<string, unknown>;
  let keys = Object.keys(object);
  if (config.ignoreUndefined) keys = keys.filter((key) => record[key] !== undefined);
  const { skipValues } = config;
  if (skipValues !== undefined) keys = keys.filter((key) => !skipValues.includes(record[key]));
  if (config.sortKeys) keys = sortedKeys(writer, keys);
  if (ids !== null) {
    const shape = writer.shapes.ofKeys(keys);
    if (shape.isRecord && ids.write(writer, shape)) {
      for (const key of keys) {
        writer.mark(key);
        writer.write(record[key]);
      }
      return;
    }
  }
  writer.mapHeader(keys.length);
  for (const key of keys) {
    writer.mark(key);
    const number = config.numericKeys ? Number(key) : Number.NaN;
    if (Number.isNaN(number)) writer.text(key);
    else writer.number(number);
    writer.write(record[key]);
  }
}

/** Keys in the order of their UTF-8; equal when written only if they have lone surrogates. */
function sortedKeys(writer: Writer, keys: string[]): string[] {
  const entries = keys.map((key) => ({ key, bytes: keyBytes(key) }));
  entries.sort((a, b) => compareKeys(a.bytes, b.bytes));
  for (let i = 1; i < entries.length; i++) {
    const [before, entry] = [entries[i - 1], entries[i]] as [
      (typeof entries)[0],
      (typeof entries)[0],
    ];
    if (compareKeys(before.bytes, entry.bytes) === 0) {
      writer.mark(entry.key);
      throw writer.fail('duplicate_key');
    }
  }
  return entries.map((entry) => entry.key);
}

/** The entries of a Map in the order of spec/format.md 4.2. */
export function writeSortedMap(writer: Writer, map: ReadonlyMap<unknown, unknown>): void {
  const entries: { key: unknown; value: unknown; bytes: Uint8Array }[] = [];
  for (const [key, value] of map) {
    writer.complete();
    const from = writer.pos - writer.start;
    writer.write(key);
    writer.complete();
    // Not buf.slice: that of a Buffer is a view.
    const bytes = new Uint8Array(writer.buf.subarray(writer.start + from, writer.pos));
    writer.pos = writer.start + from;
    entries.push({ key, value, bytes });
  }
  entries.sort((a, b) => compareKeys(a.bytes, b.bytes));
  writer.mapHeader(entries.length);
  let before: Uint8Array | undefined;
  for (const { key, value, bytes } of entries) {
    writer.mark({ key });
    if (before !== undefined && compareKeys(before, bytes) === 0)
      throw writer.fail('duplicate_key');
    before = bytes;
    writer.raw(bytes);
    writer.write(value);
  }
}
