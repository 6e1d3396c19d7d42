import { KINDS } from '../wire/header.ts';
import { setField } from '../wire/keys.ts';
import * as M from '../wire/markers.ts';
import { sameBytes } from '../wire/platform.ts';
import { ABSENT, compileFields, type EntryPlan, type FieldsDecoder } from './compile-fields.ts';
import { mismatch } from './found.ts';
import type { SchemaDecoder, ValueReader } from './SchemaDecoder.ts';

const COMPILE_AFTER = 8;
/** Maximum number of entries of a layout, of layouts of maps, and of layouts of records. */
const MAX_ENTRIES = 100;
const MAX_MAPS = 4;
const MAX_RECORDS = 64;

/** The entries of maps or records that were met, and their generated decoder. */
interface Layout extends EntryPlan {
  uses: number;
  read: FieldsDecoder | null;
}

/** Whether the bytes of a key are that key, and no error, for every decoder. */
function isPredictable(decoder: SchemaDecoder, key: unknown, marker: number): boolean {
  if (KINDS[marker] !== 'str' || M.HEADER_SIZE[marker] !== 1) return false;
  if (typeof key !== 'string' || key === '__proto__') return false;
  return !decoder.config.keyDecoder && !key.includes('\ufffd');
}

function sameKeys(a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean {
  return a.length === b.length && a.every((key, i) => sameBytes(key, b[i] as Uint8Array));
}

/** Reads those entries of maps and records that are fields of a schema, and skips the others. */
export class FieldReader {
  readonly #names: readonly string[];
  readonly #readers: readonly ValueReader[];
  readonly #indexes: ReadonlyMap<unknown, number>;
  /** Those of maps, the latest one first. */
  readonly #maps: Layout[] = [];
  /** Those of records by their keys, and by the list of the keys of a structure. */
  readonly #records = new Map<string, Layout>();
  readonly #layouts = new WeakMap<readonly string[], Layout>();

  constructor(fields: readonly (readonly [name: string, reader: ValueReader])[]) {
    this.#names = fields.map(([name]) => name);
    this.#readers = fields.map(([, reader]) => reader);
    this.#indexes = new Map(fields.map(([name], i) => [name, i]));
  }

  read(decoder: SchemaDecoder): object {
    const markerOffset = decoder.pos;
    const t = decoder.src[markerOffset] as number;
    let object: object;
    if (t >= M.FIXMAP && t < M.FIXARRAY && markerOffset < decoder.end) {
      decoder.pos++;
      decoder.openMap(t & 0x0f, markerOffset);
      object = this.#map(decoder, t & 0x0f, markerOffset);
    } else {
      const container = decoder.enter();
      if (container === null || container.kind === 'array') throw mismatch(decoder, markerOffset, 'a map');
      const { kind, count, keys } = container;
      object = kind === 'map' ? this.#map(decoder, count, markerOffset) : this.#fields(decoder, keys, markerOffset);
    }
    decoder.depth--;
    return object;
  }

  #map(decoder: SchemaDecoder, count: number, markerOffset: number): object {
    for (const layout of this.#maps) {
      if (decoder.careful || layout.read === null || layout.fields.length !== count) continue;
      const object = layout.read(decoder, markerOffset);
      if (object !== undefined) return object;
    }
    const values = this.#names.map(() => ABSENT);
    return this.#entries(decoder, { keys: [], fields: [] }, count, values, markerOffset);
  }

  /** Reads the entries of a map that follow those of `before`, and learns the layout of all. */
  #entries(decoder: SchemaDecoder, before: EntryPlan, count: number, values: unknown[], markerOffset: number): object {
    const outer = decoder.pending;
    const keys = [...(before.keys as readonly Uint8Array[])];
    const fields = [...before.fields];
    let learns = count <= MAX_ENTRIES;
    for (let i = fields.length; i < count; i++) {
      const start = decoder.pos;
      decoder.pending = outer + 2 * (count - i) - 1;
      const key = decoder.key();
      decoder.pending--;
      const field = (typeof key === 'object' && key !== null ? undefined : this.#indexes.get(String(key))) ?? -1;
      learns &&= isPredictable(decoder, key, decoder.src[start] as number);
      if (learns) {
        keys.push(decoder.src.slice(start, decoder.pos));
        fields.push(field);
      }
      if (field < 0) decoder.skip();
      else values[field] = (this.#readers[field] as ValueReader).read(decoder);
    }
    decoder.pending = outer;
    const object = this.#object(decoder, values, markerOffset);
    if (learns) this.#learn(keys, fields);
    return object;
  }

  /** Counts a use of a layout of maps; the one that was met last is tried first. */
  #learn(keys: readonly Uint8Array[], fields: readonly number[]): void {
    const maps = this.#maps;
    const known = maps.findIndex((layout) => sameKeys(layout.keys as readonly Uint8Array[], keys));
    const [layout = { keys, fields, uses: 0, read: null }] = known < 0 ? [] : maps.splice(known, 1);
    maps.unshift(layout);
    if (maps.length > MAX_MAPS) maps.pop();
    this.#count(layout);
  }

  /** Counts a use of a layout without a generated decoder, and generates it when they are enough. */
  #count(layout: Layout): void {
    if (++layout.uses !== COMPILE_AFTER) return;
    layout.read = compileFields(this.#names, this.#readers, layout, (decoder, entry, values, at) => {
      const keys = layout.keys?.slice(0, entry) ?? null;
      const before = { keys, fields: layout.fields.slice(0, entry) };
      return this.#entries(decoder, before, layout.fields.length, values, at);
    });
  }

  #fields(decoder: SchemaDecoder, keys: readonly string[], markerOffset: number): object {
    const layout = this.#layouts.get(keys) ?? this.#layoutOf(keys);
    if (layout.read !== null && !decoder.careful) return layout.read(decoder, markerOffset) as object;
    const { fields } = layout;
    const { length } = fields;
    const outer = decoder.pending;
    const values: unknown[] = this.#names.map(() => ABSENT);
    for (let i = 0; i < length; i++) {
      const field = fields[i] as number;
      decoder.pending = outer + length - i - 1;
      if (field < 0) decoder.skip();
      else values[field] = (this.#readers[field] as ValueReader).read(decoder);
    }
    decoder.pending = outer;
    const object = this.#object(decoder, values, markerOffset);
    if (length <= MAX_ENTRIES) this.#count(layout);
    return object;
  }

  #layoutOf(keys: readonly string[]): Layout {
    const name = JSON.stringify(keys);
    let layout = this.#records.get(name);
    if (layout === undefined) {
      const fields = keys.map((key) => this.#indexes.get(key) ?? -1);
      layout = { keys: null, fields, uses: 0, read: null };
      if (this.#records.size < MAX_RECORDS) this.#records.set(name, layout);
    }
    this.#layouts.set(keys, layout);
    return layout;
  }

  #object(decoder: SchemaDecoder, values: readonly unknown[], markerOffset: number): object {
    const object = {};
    for (let i = 0; i < values.length; i++) {
      const name = this.#names[i] as string;
      if (values[i] !== ABSENT) setField(object, name, values[i]);
      else if (!this.#readers[i]?.isOptional)
        throw decoder.fail('type_mismatch', markerOffset, `missing field "${name}"`);
    }
    return object;
  }
}
