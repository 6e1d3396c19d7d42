import { FIRST_ID, FIRST_WIDE_ID, type Structure } from '../record/structures.ts';
import { newHeader, readHeader } from '../wire/header.ts';
import * as M from '../wire/markers.ts';
import { Decoder } from './Decoder.ts';
import type { DecodeFeatures } from './DecoderState.ts';

/** Returns sizes of nil, booleans, numbers and short strings with their header; 0 for other markers. */
function shortSizes(fix: number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, t) => {
    if (t >= 0xa0 && t < 0xc0) return t - 0x9f;
    const isFixed = t < fix || t === M.NIL || t === M.FALSE || t === M.TRUE || t >= 0xe0;
    return isFixed || (t >= M.FLOAT32 && t <= M.INT64) ? (M.HEADER_SIZE[t] as number) : 0;
  });
}

/** Those with records, and those without. */
const RECORD_SIZES: Uint8Array = /* @__PURE__ */ shortSizes(FIRST_ID);
const PLAIN_SIZES: Uint8Array = /* @__PURE__ */ shortSizes(0x80);

/** A container whose header was read. */
export interface Container {
  readonly kind: 'array' | 'map' | 'record';
  /** Elements, entries or fields. */
  readonly count: number;
  /** The keys of a record. */
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
  /** Sizes of short values by their marker. */
  readonly sizes: Uint8Array = this.fix === FIRST_ID ? RECORD_SIZES : PLAIN_SIZES;
  readonly #header = newHeader();
  readonly #definitions: WalkedDefinition[] = [];
  /** Number of definitions in force at the position. */
  #holding = 0;

  override define(index: number, structure: Structure, lead: number, wide: boolean): void {
    super.define(index, structure, lead, wide);
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
    if (markerOffset >= this.end) throw this.eof();
    const t = this.src[markerOffset] as number;
    if (t === M.RESERVED) throw this.fail('reserved_marker', markerOffset);
    if (!readHeader(this.view, markerOffset, this.end, header)) throw this.eof();
    if (t >= this.fix && t < 0x80) {
      this.pos = markerOffset + 1;
      const structure = this.features.records?.structureOf(this, t, markerOffset);
      if (structure !== undefined) {
        this.openRecord(structure.keys.length, markerOffset);
        return recordOf(structure);
      }
      this.pos = markerOffset;
      return null;
    }
    if (header.kind === 'ext' && header.type === M.EXT_RECORD && this.fix !== 0x80) {
      if (t !== M.FIXEXT1 && t !== M.FIXEXT2) throw this.fail('record_malformed', markerOffset);
      return recordOf(
        (this.features.records as NonNullable<DecodeFeatures['records']>).readDefinition(
          this,
          t,
          markerOffset,
        ),
      );
    }
    const { kind, count, size } = header;
    if (kind !== 'array' && kind !== 'map') return null;
    this.pos = markerOffset + size;
    if (kind === 'array') this.openArray(count, markerOffset);
    else this.openMap(count, markerOffset);
    return { kind, count, keys: [] };
  }

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
    if (markerOffset < this.end && t >= 0x80 && t < 0xa0) {
      const count = t & 0x0f;
      this.pos = markerOffset + 1;
      if (t < 0x90) this.openMap(count, markerOffset);
      else this.openArray(count, markerOffset);
      if (count === 0) this.depth--;
      return t < 0x90 ? count * 2 : count;
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
    if (++this.depth > this.maxDepth) throw this.fail('depth_limit', markerOffset);
    return 1;
  }

  /**
   * Skips the value at which `enter` has returned null. Returns whether it is an ext that
   * is followed by the value that it refers to.
   */
  skipPayload(): boolean {
    const { kind, size, count, type } = this.#header;
    const end = this.pos + size + count;
    if (end > this.end) throw this.eof();
    this.pos = end;
    return kind === 'ext' && this.valueFollows(type, count);
  }
}

function recordOf({ keys }: Structure): Container {
  return { kind: 'record', count: keys.length, keys };
}
