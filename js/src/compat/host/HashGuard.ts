/** Number of keys that a key may share its hash with, on average, and how many are free. */
const MAX_SHARED = 8;
const FREE = 1024;

/**
 * Tells keys that were made to collide in a hash table from others, where a program can't choose
 * the hash: looking one of them up takes as long as there are keys with its hash.
 */
export class HashGuard {
  readonly #counts: Map<number, number> = new Map();
  #allowed = FREE;

  /** Counts a key; returns false when too many share their hashes. */
  accepts(hash: number): boolean {
    const before = this.#counts.get(hash) ?? 0;
    this.#counts.set(hash, before + 1);
    this.#allowed += MAX_SHARED - before;
    return this.#allowed >= 0;
  }
}
