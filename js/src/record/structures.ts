/**
 * A list of record structures: each is the list of its keys, index 0 first. The list of an instance
 * has msgpackr's `sharedLength`, which is its length here.
 */
export type Structures = string[][] & { sharedLength?: number };

/** Maximum number of structures, and the default maximum of keys in one (spec/limits.md). */
export const MAX_STRUCTURES = 8192;
export const MAX_KEYS = 1024;
/** The id of the structure with index 0. */
export const FIRST_ID = 0x40;
/** The byte after all that may begin an id: where `fix` is this, records are off. */
export const NO_IDS = 0x80;
/** The lowest first byte of an id of two bytes. */
export const FIRST_WIDE_ID = 0x60;

/** What generated code that reads the values of a record uses of the decoder. */
export interface ValueSource {
  readonly src: Uint8Array;
  readonly view: DataView;
  readonly end: number;
  readonly fix: number;
  readonly safeHigh: number;
  pos: number;
  pending: number;
  read(): unknown;
  stringAt(start: number, length: number): string | Uint8Array;
}

/** Reads the values of a record, after the depth and the budget were checked. */
export type RecordDecoder = (decoder: ValueSource) => object;

/** The keys of a record, and the generated decoder of its values once it is in frequent use. */
export class Structure {
  readonly keys: readonly string[];
  read: RecordDecoder | null = null;
  /** Uses without a generated decoder, within the window of that number. */
  uses = 0;
  window = 0;

  constructor(keys: readonly string[]) {
    this.keys = keys;
  }
}

export function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, i) => key === b[i]);
}

interface Change {
  index: number;
  structure: Structure | undefined;
  lead: number;
  wide: number;
}

/**
 * The structures that a decoder knows, by index (spec/records.md section 1). Each change
 * that a message makes is recorded, so that it can be undone.
 */
export class StructureTable {
  readonly slots: (Structure | undefined)[] = [];
  /** For the bytes 0x60 to 0x7f: whether they begin an id of two bytes. */
  readonly wide: Uint8Array = new Uint8Array(32);
  #changes: Change[] = [];
  #list: Structures | undefined;
  /** The structures of the shared list, by index; a message may have replaced them in `slots`. */
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

  commit(): void {
    if (this.#changes.length > 0) this.#changes = [];
  }

  get changed(): number {
    return this.#changes.length;
  }

  /** Undoes the definitions of the message, but not the first `kept` ones. */
  rollback(kept = 0): void {
    while (this.#changes.length > kept) this.undo();
  }

  /** Undoes the last definition of the message. */
  undo(): void {
    const change = this.#changes.pop();
    if (change === undefined) return;
    this.slots[change.index] = change.structure;
    if (change.lead >= 0) this.wide[change.lead] = change.wide;
  }

  /**
   * Adds the entries that the shared list gained since the last call. A list may be loaded
   * in the middle of a message, whose own definitions stay in force.
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
