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

function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, i) => key === b[i]);
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
  /** The structures that the shared list gave, by index; `slots` may have others in their place. */
  #shared: (Structure | undefined)[] = [];

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

  /**
   * Takes over the entries of the shared list that came since the last call. A list may
   * come in the midst of a message, whose own definitions stay in force.
   */
  sync(list: Structures): void {
    if (list === this.#list && list.length === this.#shared.length) return;
    if (list.length < this.#shared.length) {
      this.slots.length = 0;
      this.wide.fill(0);
      this.#changes = [];
      this.#shared = [];
    }
    const from = list === this.#list ? this.#shared.length : 0;
    this.#list = list;
    for (let i = from; i < list.length && i < MAX_STRUCTURES; i++) this.#share(i, list[i]);
  }

  #share(index: number, keys: readonly string[] | null | undefined): void {
    const before = this.#shared[index];
    const names = keys?.map(String);
    if (before !== undefined && names !== undefined && sameKeys(before.keys, names)) return;
    const structure = names === undefined ? undefined : new Structure(names);
    this.#shared[index] = structure;
    const own = this.slots[index] !== before;
    if (!own) this.slots[index] = structure;
    else
      for (const change of this.#changes) {
        if (change.index === index && change.structure === before) change.structure = structure;
      }
    if (structure !== undefined && index >= 32 && !own) this.wide[index % 32] = 1;
  }
}
