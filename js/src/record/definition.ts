import type { Reader } from '../decode/reader.ts';
import * as M from '../wire/markers.ts';
import { FIRST_ID, FIRST_WIDE_ID, Structure } from './structures.ts';

/**
 * Definitions that are known by their bytes: places for them, those that share one
 * because they begin alike, and the longest that is kept.
 */
const PLACES = 256;
const MAX_CHAIN = 8;
const MAX_BYTES = 1024;

interface CachedDefinition {
  readonly bytes: Uint8Array;
  readonly structure: Structure;
}

let cache: (CachedDefinition[] | undefined)[] | undefined;

function placeOf(reader: Reader, at: number): number {
  if (at + 8 > reader.end) return -1;
  const word = reader.view.getInt32(at) ^ Math.imul(reader.view.getInt32(at + 4), 0x9e3779b1);
  return Math.imul(word, 0x85ebca6b) >>> 24;
}

function cached(reader: Reader, at: number, place: number): Structure | undefined {
  const chain = cache?.[place];
  if (chain === undefined) return undefined;
  const { src } = reader;
  for (const { bytes, structure } of chain) {
    const { length } = bytes;
    if (at + length > reader.end) continue;
    let i = 0;
    while (i < length && src[at + i] === bytes[i]) i++;
    if (i < length) continue;
    reader.pos = at + length;
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

/** The header of the list of keys: its count. */
function keyCount(reader: Reader, definition: number): number {
  const at = reader.pos;
  if (at >= reader.end) throw reader.eof();
  const t = reader.src[at] as number;
  const fix = t >= 0x90 && t < 0xa0;
  if (!fix && t !== M.ARRAY16 && t !== M.ARRAY32) throw reader.fail('record_malformed', definition);
  const size = M.HEADER_SIZE[t] as number;
  if (at + size > reader.end) throw reader.eof();
  reader.pos = at + size;
  let count = t & 0x0f;
  if (!fix) count = t === M.ARRAY16 ? reader.view.getUint16(at + 1) : reader.view.getUint32(at + 1);
  if (count > reader.config.maxRecordKeys) throw reader.fail('length_limit', at);
  reader.checkDefinition(count, definition);
  if (reader.pending + count > reader.end - reader.pos) throw reader.eof();
  return count;
}

function readKeys(reader: Reader, definition: number): string[] {
  const keys: string[] = new Array(keyCount(reader, definition));
  for (let i = 0; i < keys.length; i++) {
    const at = reader.pos;
    if (at >= reader.end) throw reader.eof();
    const t = reader.src[at] as number;
    const isText = (t >= 0xa0 && t < 0xc0) || (t >= M.STR8 && t <= M.STR32);
    if (!isText && !(reader.config.bundleStrings && isBundled(t)))
      throw reader.fail('record_malformed', definition);
    keys[i] = reader.definitionKey(keys, i);
  }
  return keys;
}

/** Whether a key may lie in a bundle: its place holder, or the ext that begins a bundle. */
function isBundled(marker: number): boolean {
  return marker === M.RESERVED || marker === M.FIXEXT4 || marker === M.EXT16;
}

/** Reads a definition whose marker was read; the record's values follow (spec/records.md section 3). */
export function readDefinition(reader: Reader, marker: number, at: number): Structure {
  const long = marker === M.FIXEXT2;
  if (at + (long ? 4 : 3) > reader.end) throw reader.eof();
  const lead = reader.src[at + 2] as number;
  const high = long ? (reader.src[at + 3] as number) : 0;
  if (lead < (long ? FIRST_WIDE_ID : FIRST_ID) || lead > 0x7f || high === 0xff)
    throw reader.fail('record_malformed', at);
  reader.pos = at + (long ? 4 : 3);
  reader.openDefinition(at);

  const start = reader.pos;
  const place = reader.fast ? placeOf(reader, start) : -1;
  let structure = place < 0 ? undefined : cached(reader, start, place);
  if (structure !== undefined && structure.keys.length > reader.config.maxRecordKeys)
    throw reader.fail('length_limit', start);
  if (structure === undefined) {
    structure = new Structure(readKeys(reader, at));
    const length = reader.pos - start;
    const plain = reader.config.utf8 === 'error' && !reader.config.bundleStrings;
    if (place >= 0 && length <= MAX_BYTES && plain)
      keep(reader.src.slice(start, reader.pos), structure, place);
  }
  reader.define(lead - FIRST_ID + 32 * high, structure, lead, long);
  if (reader.pending + structure.keys.length > reader.end - reader.pos) throw reader.eof();
  return structure;
}
