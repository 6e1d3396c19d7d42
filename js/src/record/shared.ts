import type { Options, Structures } from '../api/options.ts';

/**
 * The shared list of an instance: given at the start, or loaded when it is needed
 * first, and saved when packing made it longer (spec/records.md section 5).
 */
export class SharedStructures {
  list: Structures;
  readonly #get: Options['getStructures'];
  readonly #save: Options['saveStructures'];
  #loaded: boolean;

  constructor(options: Options) {
    this.list = options.structures ?? [];
    this.#get = options.getStructures;
    this.#save = options.saveStructures;
    this.#loaded = options.getStructures === undefined;
  }

  get canLoad(): boolean {
    return this.#get !== undefined;
  }

  /** The list, loaded when it never was. */
  ready(): Structures {
    return this.#loaded ? this.list : this.reload();
  }

  /** Asks for a newer list. The one that is longer is in force: lists only grow. */
  reload(): Structures {
    this.#loaded = true;
    return this.merge(this.#get?.());
  }

  /** Takes over a list that another writer made longer. */
  merge(loaded: Structures | null | undefined): Structures {
    if (Array.isArray(loaded) && loaded.length >= this.list.length)
      this.list = Object.isFrozen(loaded) ? loaded.slice() : loaded;
    return this.list;
  }

  /** Saves what packing added from index `from` on; false when the user declined it. */
  save(from: number): boolean {
    if (this.#save === undefined) return true;
    const isCompatible = (existing: Structures | null | undefined): boolean =>
      existing === null || existing === undefined || existing.length === from;
    if (this.#save(this.list, isCompatible) === false) return false;
    return true;
  }

  /** Forgets what packing added from index `from` on. */
  truncate(from: number): void {
    if (this.list.length > from) this.list.length = from;
  }

  /** Forgets everything. */
  clear(): void {
    this.list = [];
  }
}
