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

/**
 * The structures that a decoder knows, by index (spec/records.md section 1). Each change
 * that a message makes is recorded, so that it can be undone.
 */
export class StructureTable {
  readonly slots: (Structure | undefined)[] = [];
  /** For the bytes 0x60 to 0x7f: whether they begin an id of two bytes. */
  readonly wide: Uint8Array = new Uint8Array(32);
  #changes: { index: number; structure: Structure | undefined; lead: number; wide: number }[] = [];
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

/** The options about shared structures; see `Options`. */
export interface SharingOptions {
  readonly structures?: Structures | undefined;
  readonly getStructures?: (() => Structures | null | undefined) | undefined;
  readonly saveStructures?:
    | ((
        structures: Structures,
        isCompatible: (existing: Structures | null | undefined) => boolean,
        // biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing saves
      ) => boolean | void)
    | undefined;
}

/** Sets `sharedLength`, which in msgpackr tells shared structures from own ones in the same list. */
function setSharedLength(list: Structures): void {
  if (Object.isExtensible(list))
    Object.defineProperty(list, 'sharedLength', {
      value: list.length,
      writable: true,
      configurable: true,
    });
}

/**
 * The shared list of an instance: passed to the constructor or loaded when it is first
 * needed, and saved when packing made it longer (spec/records.md section 5).
 */
export class SharedStructures {
  #list: Structures = [];
  readonly #get: SharingOptions['getStructures'];
  readonly #save: SharingOptions['saveStructures'];
  #loaded: boolean;
  /** The list that was incompatible when saving was declined. */
  #newer: Structures | undefined;

  constructor(options: SharingOptions) {
    this.list = options.structures ?? [];
    this.#get = options.getStructures;
    this.#save = options.saveStructures;
    this.#loaded = options.getStructures === undefined;
  }

  get list(): Structures {
    return this.#list;
  }

  set list(list: Structures) {
    this.#list = list;
    setSharedLength(list);
  }

  get canLoad(): boolean {
    return this.#get !== undefined;
  }

  /** Returns the list; loads it on the first call. */
  ready(): Structures {
    return this.#loaded ? this.list : this.reload();
  }

  /** Loads the list again. The longer one is in force, because lists only grow. */
  reload(): Structures {
    this.#loaded = true;
    try {
      return this.merge(this.#get?.());
    } catch (error) {
      // More bytes of a message do not complete what the program has stored.
      if (error instanceof Error && 'incomplete' in error) error.incomplete = false;
      throw error;
    }
  }

  /** Replaces the list by one that another encoder made longer. */
  merge(loaded: Structures | null | undefined): Structures {
    if (Array.isArray(loaded) && loaded.length >= this.list.length)
      this.list = Object.isFrozen(loaded) ? loaded.slice() : loaded;
    return this.list;
  }

  /** Saves what packing added from index `from` on; false when the program declined it. */
  save(from: number): boolean {
    if (this.#save === undefined) return true;
    this.#newer = undefined;
    const isCompatible = (existing: Structures | null | undefined): boolean => {
      if (existing === null || existing === undefined || existing.length === from) return true;
      this.#newer = existing.slice();
      return false;
    };
    return this.#save(this.list, isCompatible) !== false;
  }

  /** Takes over the list of the encoder that saved first, after saving was declined. */
  takeOver(): void {
    if (this.#newer !== undefined) this.merge(this.#newer);
    else if (this.canLoad) this.reload();
  }

  add(keys: string[]): void {
    this.list.push(keys);
    setSharedLength(this.list);
  }

  /** Removes what packing added from index `from` on. */
  truncate(from: number): void {
    if (this.list.length <= from) return;
    this.list.length = from;
    setSharedLength(this.list);
  }
}
