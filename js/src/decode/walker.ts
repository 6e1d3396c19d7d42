import { readDefinition } from '../record/definition.ts';
import type { Structure } from '../record/structures.ts';
import { newHeader, readHeader } from '../wire/header.ts';
import * as M from '../wire/markers.ts';
import { Reader } from './reader.ts';

/** A container whose header was read. */
export interface Container {
  readonly kind: 'array' | 'map' | 'record';
  /** Elements, entries or fields. */
  readonly count: number;
  /** The keys of a record. */
  readonly keys: readonly string[];
}

interface Definition {
  /** The position behind its keys, from which on it holds. */
  readonly from: number;
  readonly index: number;
  readonly structure: Structure;
  readonly lead: number;
  readonly wide: boolean;
}

/**
 * A reader that can go from value to value without making them, and back to places where
 * it was before. Definitions of records are written down in their order, so that the
 * structures of each place are known.
 */
export class Walker extends Reader {
  readonly #header = newHeader();
  readonly #definitions: Definition[] = [];
  /** How many of the definitions hold at the position. */
  #holding = 0;

  override define(index: number, structure: Structure, lead: number, wide: boolean): void {
    super.define(index, structure, lead, wide);
    if (this.#holding === this.#definitions.length)
      this.#definitions.push({ from: this.pos, index, structure, lead, wide });
    this.#holding++;
  }

  /** Goes to a place where a value begins; all bytes before it were walked over. */
  goTo(pos: number): void {
    while ((this.#definitions[this.#holding - 1]?.from ?? 0) > pos) {
      this.structures.undo();
      this.#holding--;
    }
    for (;;) {
      const next = this.#definitions[this.#holding];
      if (next === undefined || next.from > pos) break;
      this.structures.define(next.index, next.structure, next.lead, next.wide);
      this.#holding++;
    }
    this.pos = pos;
  }

  /** Goes into the container at the position; null when there is another value, and stays. */
  enter(): Container | null {
    const at = this.pos;
    const header = this.#header;
    if (at >= this.end) throw this.eof();
    const t = this.src[at] as number;
    if (t === M.RESERVED) throw this.fail('reserved_marker', at);
    if (!readHeader(this.view, at, this.end, header)) throw this.eof();
    if (t >= this.fix && t < 0x80) {
      this.pos = at + 1;
      const structure = this.structureOf(t, at);
      if (structure !== undefined) {
        this.openRecord(structure.keys.length, at);
        return recordOf(structure);
      }
      this.pos = at;
      return null;
    }
    if (header.kind === 'ext' && header.type === M.EXT_RECORD && this.fix !== 0x80) {
      if (t !== M.FIXEXT1 && t !== M.FIXEXT2) throw this.fail('record_malformed', at);
      return recordOf(readDefinition(this, t, at));
    }
    const { kind, count, size } = header;
    if (kind !== 'array' && kind !== 'map') return null;
    this.pos = at + size;
    if (kind === 'array') this.openArray(count, at);
    else this.openMap(count, at);
    return { kind, count, keys: [] };
  }

  /** Walks over the value at the position, whatever lies in it. */
  skip(): void {
    const outer: number[] = [];
    let left = 1;
    this.pending++;
    for (;;) {
      left--;
      this.pending--;
      const inner = this.#skipHeader();
      if (inner > 0) {
        outer.push(left);
        this.pending += inner;
        left = inner;
      }
      while (left === 0) {
        const rest = outer.pop();
        if (rest === undefined) return;
        this.depth--;
        left = rest;
      }
    }
  }

  /** Walks over a value except for those in it, and gives their number. */
  #skipHeader(): number {
    const at = this.pos;
    const container = this.enter();
    if (container !== null) {
      const inner = container.kind === 'map' ? container.count * 2 : container.count;
      if (inner === 0) this.depth--;
      return inner;
    }
    const { kind, size, count, type } = this.#header;
    if (at + size + count > this.end) throw this.eof();
    this.pos = at + size + count;
    if (kind !== 'ext' || !this.valueFollows(type, count)) return 0;
    if (++this.depth > this.maxDepth) throw this.fail('depth_limit', at);
    return 1;
  }
}

function recordOf({ keys }: Structure): Container {
  return { kind: 'record', count: keys.length, keys };
}
