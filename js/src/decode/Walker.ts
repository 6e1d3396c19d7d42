import { FIRST_ID, FIRST_WIDE_ID, NO_IDS, type Structure } from '../record/structures.ts';
import { isFixExt, newHeader, readHeader, WHOLE_SIZE } from '../wire/header.ts';
import * as M from '../wire/markers.ts';
import { Decoder } from './Decoder.ts';
import type { DecodeFeatures } from './DecoderState.ts';

export interface Container {
  readonly kind: 'array' | 'map' | 'record';
  /** Elements, entries or fields. */
  readonly count: number;
  readonly keys: readonly string[];
}

/**
 * A decoder that can step from value to value without building them, and go back to places
 * that it has passed. It records definitions in their order, so that it knows the structures
 * in force at each place.
 */
export class Walker extends Decoder {
  readonly #header = newHeader();
  /** The definitions in their order. Each is in force from the position after its keys on. */
  readonly #definitions: { from: number; index: number; structure: Structure; lead: number; wide: boolean }[] = [];
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

/** Sizes of short values while records are on: markers that may be ids have none. */
const RECORD_SIZES: Uint8Array = /* @__PURE__ */ WHOLE_SIZE.slice().fill(0, FIRST_ID, NO_IDS);

export class Skipper extends Walker {
  /** Sizes of short values by their marker. */
  readonly sizes: Uint8Array = this.fix === FIRST_ID ? RECORD_SIZES : WHOLE_SIZE;

  /** Skips values from the position on, with everything in them. */
  skip(count = 1): void {
    let unread: number[] | undefined;
    let left = count;
    this.pending += count;
    for (;;) {
      left -= this.#skipShort(left);
      if (left > 0) {
        left--;
        this.pending--;
        const inner = this.#skipHeader();
        if (inner > 0) {
          this.pending += inner;
          const rest = inner - this.#skipShort(inner);
          if (rest === 0) this.depth--;
          else {
            unread ??= [];
            unread.push(left);
            left = rest;
          }
        }
      }
      while (left === 0) {
        const outer = unread?.pop();
        if (outer === undefined) return;
        this.depth--;
        left = outer;
      }
    }
  }

  /** Skips short values by their markers, which is most of what is skipped; returns their number. */
  #skipShort(most: number): number {
    const { src, end, sizes } = this;
    let p = this.pos;
    let n = 0;
    for (; n < most && p + 1 < end; n++) {
      const t = src[p] as number;
      let size = sizes[t] as number;
      if (size === 0) {
        if (t !== M.STR8 && t !== M.BIN8) break;
        size = 2 + (src[p + 1] as number);
      }
      // The size is not a number where the memory was transferred.
      if (!(p + size <= end)) break;
      p += size;
    }
    this.pos = p;
    this.pending -= n;
    return n;
  }

  /** Skips a value except for those in it; returns their number. */
  #skipHeader(): number {
    const markerOffset = this.pos;
    const t = this.src[markerOffset] as number;
    if (markerOffset < this.end && t >= M.FIXMAP && t < M.FIXSTR) {
      const count = t & 0x0f;
      this.pos = markerOffset + 1;
      if (t < M.FIXARRAY) this.openMap(count, markerOffset);
      else this.openArray(count, markerOffset);
      if (count === 0) this.depth--;
      return t < M.FIXARRAY ? count * 2 : count;
    }
    if (t >= this.fix && t < FIRST_WIDE_ID && markerOffset < this.end) {
      const count = this.structures?.slots[t - FIRST_ID]?.keys.length ?? 0;
      if (count > 0) {
        this.pos = markerOffset + 1;
        this.openRecord(count, markerOffset);
        return count;
      }
    }
    const container = this.enter();
    if (container !== null) {
      const inner = container.kind === 'map' ? container.count * 2 : container.count;
      if (inner === 0) this.depth--;
      return inner;
    }
    if (!this.skipPayload()) return 0;
    this.deepen(markerOffset);
    return 1;
  }
}
