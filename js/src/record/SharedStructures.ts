import type { Structures } from './structures.ts';

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
