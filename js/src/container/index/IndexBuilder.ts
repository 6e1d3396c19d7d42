import { ScalarEncoder } from '../../encode/ScalarEncoder.ts';
import { ExtensionRegistry } from '../../ext/extension.ts';
import { encodeConfig } from '../../options/config.ts';
import { markOf, withTrailer } from '../source/marks.ts';
import type { ContainerIndex, ContainerSchema } from './ContainerIndex.ts';
import { mergedSchema, type SchemaBuilder } from './SchemaBuilder.ts';

const MAX_INDEX = 1 << 26;

/** Returns an encoder, which has begun, of values outside of bodies: without records and columns. */
export function newScalarEncoder(): ScalarEncoder {
  const encoder = new ScalarEncoder(encodeConfig({}, new ExtensionRegistry()), {});
  encoder.begin();
  return encoder;
}

export class IndexBuilder {
  count = 0;
  /** The blocks, with their statistics as they are packed. */
  readonly #entries: { offset: number; size: number; count: number; stats: Uint8Array | null }[] = [];
  #statsSize = 0;
  /** The schema of the rows before those that are written. */
  #before: ContainerSchema | undefined;
  /** Whether the rows before are known, if there are any. */
  #isKnown = true;

  get length(): number {
    return this.#entries.length;
  }

  add(offset: number, size: number, count: number, stats: Uint8Array | null): void {
    this.#entries.push({ offset, size, count, stats });
    this.#statsSize += stats?.length ?? 0;
    this.count += count;
  }

  /** Adds the blocks of a file that is appended to. */
  addAll(index: ContainerIndex): void {
    for (let number = 0; number < index.length; number++) {
      const { offset, size, count } = index.block(number);
      this.add(offset, size, count, index.packedStats(number));
    }
    this.#before = index.schema;
    this.#isKnown = index.schema !== undefined || index.length === 0;
  }

  /** Says that there are blocks of which nothing but their place is known. */
  addUnknown(): void {
    this.#isKnown = this.length === 0;
  }

  /** Returns the index with its mark, for an offset in the file, and the trailer; undefined where it is too large. */
  write(sync: Uint8Array, offset: number, rows: SchemaBuilder): Uint8Array | undefined {
    const schema = this.#schema(rows);
    let array = this.#statsSize > MAX_INDEX ? undefined : this.#array(schema, true);
    if (array === undefined || array.length > MAX_INDEX) array = this.#array(schema, false);
    if (array.length > MAX_INDEX) return undefined;
    return withTrailer(markOf(sync), array, offset);
  }

  #schema(rows: SchemaBuilder): ContainerSchema | undefined {
    if (!rows.hasRows || !this.#isKnown) return this.#before;
    const schema = rows.schema();
    if (this.#before === undefined || schema === undefined) return schema;
    return mergedSchema(this.#before, schema);
  }

  #array(schema: ContainerSchema | undefined, withStats: boolean): Uint8Array {
    const to = newScalarEncoder();
    to.arrayHeader(4);
    to.string('index');
    to.number(1);
    to.arrayHeader(this.#entries.length);
    for (const { offset, size, count, stats } of this.#entries) {
      to.reserve(64);
      to.arrayHeader(4);
      to.number(offset);
      to.number(size);
      to.number(count);
      if (stats === null || !withStats) to.nil();
      else to.raw(stats);
    }
    to.mapHeader(schema === undefined ? 1 : 2);
    to.string('count');
    to.number(this.count);
    if (schema !== undefined) {
      to.string('schema');
      to.mapHeader(schema.size);
      for (const [path, { types, nullable }] of schema) {
        to.string(path);
        to.arrayHeader(2);
        to.arrayHeader(types.length);
        for (const type of types) to.string(type);
        to.bool(nullable);
      }
    }
    return to.take();
  }
}
