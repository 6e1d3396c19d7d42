import {
  FIRST_ID,
  FIRST_WIDE_ID,
  NO_IDS,
  Structure,
  type Structures,
  type StructureTable,
} from '../record/structures.ts';
import { KINDS, newHeader, readHeader } from '../wire/header.ts';
import * as M from '../wire/markers.ts';
import { invalidAt } from '../wire/utf8.ts';
import type { DecoderState } from './DecoderState.ts';
import { readRecord } from './objects.ts';

/**
 * The cache of definitions by their bytes: its places, the maximum number of definitions at one
 * place, and the maximum size of one in bytes.
 */
const PLACES = 256;
const MAX_CHAIN = 8;
const MAX_BYTES = 1024;

let cache: ({ readonly bytes: Uint8Array; readonly structure: Structure }[] | undefined)[] | undefined;

function placeOf(decoder: DecoderState, at: number): number {
  if (at + 8 > decoder.end) return -1;
  const word = decoder.view.getInt32(at) ^ Math.imul(decoder.view.getInt32(at + 4), 0x9e3779b1);
  return Math.imul(word, 0x85ebca6b) >>> 24;
}

function cached(decoder: DecoderState, at: number, place: number): Structure | undefined {
  const chain = cache?.[place];
  if (chain === undefined) return undefined;
  const { src } = decoder;
  for (const { bytes, structure } of chain) {
    const { length } = bytes;
    if (at + length > decoder.end) continue;
    let i = 0;
    while (i < length && src[at + i] === bytes[i]) i++;
    if (i < length) continue;
    decoder.pos = at + length;
    return structure;
  }
  return undefined;
}

function keep(bytes: Uint8Array, structure: Structure, place: number): void {
  cache ??= new Array(PLACES).fill(undefined);
  const chain = cache[place] ?? [];
  cache[place] = chain;
  if (chain.length === MAX_CHAIN) chain.shift();
  chain.push({ bytes, structure });
}

function limitDetail({ config }: DecoderState): string {
  return `maxRecordKeys is ${config.maxRecordKeys}`;
}

/** Reads the header of the list of keys, and returns the count. */
function keyCount(decoder: DecoderState, definition: number): number {
  const at = decoder.pos;
  if (at >= decoder.end) throw decoder.eof();
  const header = newHeader();
  if (!M.isArray(decoder.src[at] as number)) throw decoder.fail('record_malformed', definition);
  if (!readHeader(decoder.view, at, decoder.end, header)) throw decoder.eof();
  const { count, size } = header;
  decoder.pos = at + size;
  if (count > decoder.config.maxRecordKeys) throw decoder.fail('length_limit', at, limitDetail(decoder));
  decoder.checkDefinition?.(count, definition);
  if (decoder.pending + count > decoder.end - decoder.pos) throw decoder.eof();
  return count;
}

function readKeys(decoder: DecoderState, definition: number): string[] {
  const keys: string[] = new Array(keyCount(decoder, definition));
  for (let i = 0; i < keys.length; i++) {
    const at = decoder.pos;
    if (at >= decoder.end) throw decoder.eof();
    if (!M.isStr(decoder.src[at] as number) && !isBundled(decoder, at))
      throw decoder.fail('record_malformed', definition);
    keys[i] = decoder.definitionKey?.(keys, i) ?? readDefinitionKey(decoder);
  }
  return keys;
}

/** Whether the value at a position may be a bundled key: a placeholder, or the ext that begins a bundle. */
function isBundled({ config, src, view, end }: DecoderState, at: number): boolean {
  if (!config.bundleStrings) return false;
  const header = newHeader();
  const isWhole = readHeader(view, at, end, header);
  if (KINDS[src[at] as number] === 'ext') return !isWhole || header.type === M.EXT_BUNDLE;
  return header.kind === 'reserved';
}

export function readDefinitionKey(decoder: DecoderState): string {
  const markerOffset = decoder.pos;
  const key = decoder.read();
  if (typeof key === 'string') return key;
  if (!(key instanceof Uint8Array)) throw decoder.fail('invalid_ext', markerOffset);
  const start = decoder.pos - key.length;
  const invalid = invalidAt(decoder.src, start, decoder.pos);
  // The keys of a structure are strings, whatever the options for strings.
  if (invalid >= 0) throw decoder.fail('invalid_utf8', invalid);
  return new TextDecoder().decode(key);
}

/**
 * Reads a definition, an ext of one or two bytes whose marker was read. The values of the record follow
 * (spec/records.md section 3).
 */
export function readDefinition(decoder: DecoderState, length: number, markerOffset: number): Structure {
  const long = length === 2;
  if (markerOffset + (long ? 4 : 3) > decoder.end) throw decoder.eof();
  const lead = decoder.src[markerOffset + 2] as number;
  const high = long ? (decoder.src[markerOffset + 3] as number) : 0;
  if (lead < (long ? FIRST_WIDE_ID : FIRST_ID) || lead >= NO_IDS || high === 0xff)
    throw decoder.fail('record_malformed', markerOffset);
  decoder.pos = markerOffset + (long ? 4 : 3);
  decoder.countId?.(markerOffset);
  decoder.deepen(markerOffset);

  const start = decoder.pos;
  const place = decoder.fast ? placeOf(decoder, start) : -1;
  let structure = place < 0 ? undefined : cached(decoder, start, place);
  if (structure !== undefined && structure.keys.length > decoder.config.maxRecordKeys)
    throw decoder.fail('length_limit', start, limitDetail(decoder));
  if (structure === undefined) {
    structure = new Structure(readKeys(decoder, markerOffset));
    const length = decoder.pos - start;
    const plain = decoder.config.utf8 === 'error' && !decoder.config.bundleStrings;
    if (place >= 0 && length <= MAX_BYTES && plain) keep(decoder.src.slice(start, decoder.pos), structure, place);
  }
  const index = lead - FIRST_ID + 32 * high;
  if (decoder.define !== undefined) decoder.define(index, structure, lead, long);
  else decoder.structures?.define(index, structure, lead, long);
  if (decoder.pending + structure.keys.length > decoder.end - decoder.pos) throw decoder.eof();
  return structure;
}

/** Thrown where an id needs the shared list to be loaded, and the message is read again. */
const RELOAD = /* @__PURE__ */ Symbol('reload');

/**
 * Reads the next message with the structures in force, and undoes its definitions. It is read
 * `again` after the shared structures were loaded.
 */
export function readMessage(decoder: DecoderState, alone: boolean, again = false): unknown {
  const { config } = decoder;
  const structures = decoder.structures as StructureTable;
  decoder.loaded = again;
  decoder.whole = true;
  if (config.sharedList !== null) decoder.syncShared();
  const offset = decoder.pos - decoder.base;
  const held = config.loadShared === null ? 0 : structures.changed;
  try {
    const value = decoder.body(alone);
    if (config.sequential) structures.commit();
    else if (!decoder.hold) structures.rollback();
    return value;
  } catch (error) {
    structures.rollback(error === RELOAD ? held : 0);
    if (error !== RELOAD) throw error;
  } finally {
    decoder.whole = false;
  }
  // The function that loads may overwrite the input, as lmdb does: the message is read again from a copy made before.
  const end = decoder.end - decoder.base;
  decoder.open(Uint8Array.prototype.slice.call(decoder.source, 0, end), offset, end);
  structures.sync((config.loadShared as () => Structures)());
  return readMessage(decoder, alone, true);
}

/** Returns the structure of the record whose id begins with a byte that was read; undefined for an integer. */
export function enterRecord(decoder: DecoderState, t: number, markerOffset: number): Structure | undefined {
  let structure = t < FIRST_WIDE_ID ? (decoder.structures as StructureTable).slots[t - FIRST_ID] : undefined;
  structure ??= structureOf(decoder, t, markerOffset);
  if (structure === undefined) decoder.countId?.(markerOffset);
  else decoder.openRecord(structure.keys.length, markerOffset);
  return structure;
}

export function readId(decoder: DecoderState, t: number, markerOffset: number): unknown {
  const structure = enterRecord(decoder, t, markerOffset);
  return structure === undefined ? t : readValues(decoder, structure);
}

export function readDefined(decoder: DecoderState, length: number, markerOffset: number): object {
  return readValues(decoder, readDefinition(decoder, length, markerOffset));
}

/** Reads the values of a record, after the checks. */
function readValues(decoder: DecoderState, structure: Structure): object {
  const value = structure.read === null ? readRecord(decoder, structure) : structure.read(decoder);
  decoder.depth--;
  return decoder.config.freezeData ? Object.freeze(value) : value;
}

/** Returns the structure of the id that begins with `t`, which was read; undefined for an integer. */
export function structureOf(decoder: DecoderState, t: number, markerOffset: number): Structure | undefined {
  const { slots, wide } = decoder.structures as StructureTable;
  const long = t >= FIRST_WIDE_ID && wide[t - FIRST_WIDE_ID] === 1;
  let index = t - FIRST_ID;
  if (long) {
    if (decoder.pos >= decoder.end) throw decoder.eof();
    const high = decoder.src[decoder.pos++] as number;
    index = high === 0xff ? -1 : index + 32 * high;
  }
  let structure = slots[index];
  if (structure === undefined && index >= 0 && loadStructures(decoder)) {
    // By the loaded list this byte may begin an id of two bytes.
    if (!long && t >= FIRST_WIDE_ID && wide[t - FIRST_WIDE_ID] === 1) return structureOf(decoder, t, markerOffset);
    structure = slots[index];
  }
  if (structure === undefined && (long || decoder.config.undefinedRecord === 'error'))
    throw decoder.fail('record_undefined', markerOffset);
  return structure;
}

function loadStructures(decoder: DecoderState): boolean {
  const { loadShared } = decoder.config;
  if (loadShared === null || decoder.loaded) return false;
  if (decoder.whole) throw RELOAD;
  decoder.loaded = true;
  decoder.structures?.sync(loadShared());
  return true;
}
