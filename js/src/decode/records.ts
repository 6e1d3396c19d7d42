import { FIRST_ID, FIRST_WIDE_ID, type Structure, type Structures, type StructureTable } from '../record/structures.ts';
import type { DecoderState } from './DecoderState.ts';
import { readDefinition } from './definition.ts';
import { readRecord } from './objects.ts';

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
