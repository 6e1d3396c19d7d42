import { NO_IDS, type Structure } from '../record/structures.ts';
import { isFixExt, newHeader, readHeader } from '../wire/header.ts';
import * as M from '../wire/markers.ts';
import { Decoder } from './Decoder.ts';
import type { DecodeFeatures } from './DecoderState.ts';

export interface Container {
  readonly kind: 'array' | 'map' | 'record';
  /** Elements, entries or fields. */
  readonly count: number;
  readonly keys: readonly string[];
}

interface WalkedDefinition {
  /** Position after its keys, from which on it is in force. */
  readonly from: number;
  readonly index: number;
  readonly structure: Structure;
  readonly lead: number;
  readonly wide: boolean;
}

/**
 * A decoder that can step from value to value without building them, and go back to places
 * that it has passed. It records definitions in their order, so that it knows the structures
 * in force at each place.
 */
export class Walker extends Decoder {
  readonly #header = newHeader();
  readonly #definitions: WalkedDefinition[] = [];
  /** Number of definitions in force at the position. */
  #holding = 0;

  define(index: number, structure: Structure, lead: number, wide: boolean): void {
    this.structures?.define(index, structure, lead, wide);
    if (this.#holding === this.#definitions.length)
      this.#definitions.push({ from: this.pos, index, structure, lead, wide });
    this.#holding++;
  }

  /** Forgets the definitions that were walked over: those of another message. */
  protected forget(): void {
    this.#definitions.length = 0;
    this.#holding = 0;
  }

  /** Goes to the marker of a value; all bytes before it were walked over. */
  goTo(pos: number): void {
    while ((this.#definitions[this.#holding - 1]?.from ?? 0) > pos) {
      this.structures?.undo();
      this.#holding--;
    }
    for (;;) {
      const next = this.#definitions[this.#holding];
      if (next === undefined || next.from > pos) break;
      this.structures?.define(next.index, next.structure, next.lead, next.wide);
      this.#holding++;
    }
    this.pos = pos;
  }

  /** Enters the container at the position. Returns null, and stays, at another value. */
  enter(): Container | null {
    const markerOffset = this.pos;
    const header = this.#header;
    if (!readHeader(this.view, markerOffset, this.end, header)) throw this.eof();
    const { kind, count, size, type } = header;
    if (kind === 'reserved') throw this.fail('reserved_marker', markerOffset);
    const t = this.src[markerOffset] as number;
    if (t >= this.fix && t < NO_IDS) {
      this.pos = markerOffset + 1;
      const structure = this.features.records?.structureOf(this, t, markerOffset);
      if (structure !== undefined) {
        this.openRecord(structure.keys.length, markerOffset);
        return recordOf(structure);
      }
      this.pos = markerOffset;
      return null;
    }
    if (kind === 'ext' && type === M.EXT_RECORD && this.fix !== NO_IDS) {
      if (!isFixExt(header)) throw this.fail('record_malformed', markerOffset);
      return recordOf(
        (this.features.records as NonNullable<DecodeFeatures['records']>).readDefinition(this, count, markerOffset),
      );
    }
    if (kind !== 'array' && kind !== 'map') return null;
    this.pos = markerOffset + size;
    if (kind === 'array') this.openArray(count, markerOffset);
    else this.openMap(count, markerOffset);
    return { kind, count, keys: [] };
  }

  /** Skips the value at which `enter` returned null; returns whether it is an ext that a value follows. */
  skipPayload(): boolean {
    const { kind, size, count, type } = this.#header;
    const end = this.pos + size + count;
    if (end > this.end) throw this.eof();
    this.pos = end;
    return kind === 'ext' && (this.features.extensions?.valueFollows(this, type, count) ?? false);
  }
}

function recordOf({ keys }: Structure): Container {
  return { kind: 'record', count: keys.length, keys };
}
