import type { Structures } from '../api/options.ts';
import type { Reader } from '../decode/reader.ts';

/** Most structures, and the default of most keys of one of them (spec/limits.md). */
export const MAX_STRUCTURES = 8192;
export const MAX_KEYS = 1024;
/** Ids are counted from here on. */
export const FIRST_ID = 0x40;
/** The first byte of ids of two bytes. */
export const FIRST_WIDE_ID = 0x60;

/** Reads the values of a record; the depth and the budget are checked already. */
export type RecordReader = (reader: Reader) => object;

/** The keys of a record and, when it was met often, the generated reader of its values. */
export class Structure {
  readonly keys: readonly string[];
  read: RecordReader | null = null;
  /** Uses without it, in the window that was the current one. */
  uses = 0;
  window = 0;

  constructor(keys: readonly string[]) {
    this.keys = keys;
  }
}

interface Change {
  index: number;
  structure: Structure | undefined;
  lead: number;
  wide: number;
}

/**
 * The structures that a reader knows, by index (spec/records.md section 1). What a
 * message defines is written down, so that it can be taken back.
 */
export class StructureTable {
  readonly slots: (Structure | undefined)[] = [];
  /** For the bytes 0x60 to 0x7f: whether they begin an id of two bytes. */
  readonly wide: Uint8Array = new Uint8Array(32);
  #changes: Change[] = [];
  #list: Structures | undefined;
  #known = 0;

  define(index: number, structure: Structure, lead: number, wide: boolean): void {
    const place = lead - FIRST_WIDE_ID;
    this.#changes.push({
      index,
      structure: this.slots[index],
      lead: place,
      wide: place < 0 ? 0 : (this.wide[place] as number),
    });
    this.slots[index] = structure;
    if (place >= 0) this.wide[place] = wide ? 1 : 0;
  }

  /** Keeps what the message defined. */
  commit(): void {
    if (this.#changes.length > 0) this.#changes = [];
  }

  /** Takes back what the message defined. */
  rollback(): void {
    while (this.#changes.length > 0) this.undo();
  }

  /** Takes back the last definition of the message. */
  undo(): void {
    const change = this.#changes.pop();
    if (change === undefined) return;
    this.slots[change.index] = change.structure;
    if (change.lead >= 0) this.wide[change.lead] = change.wide;
  }

  /** Takes over the entries of the shared list that came since the last call. */
  sync(list: Structures): void {
    if (list === this.#list && list.length === this.#known) return;
    if (list !== this.#list || list.length < this.#known) {
      this.slots.length = 0;
      this.wide.fill(0);
      this.#changes = [];
      this.#known = 0;
      this.#list = list;
    }
    for (let i = this.#known; i < list.length && i < MAX_STRUCTURES; i++) {
      const keys = list[i];
      if (keys === undefined || keys === null) continue;
      this.slots[i] = new Structure(keys.map(String));
      if (i >= 32) this.wide[i % 32] = 1;
    }
    this.#known = list.length;
  }
}
