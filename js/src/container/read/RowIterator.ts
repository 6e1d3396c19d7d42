type RowBatches = AsyncGenerator<unknown[], void, undefined>;

/** Iterates over the rows of batches. It is not a generator, as that takes three times as long for each row. */
export class RowIterator implements AsyncIterableIterator<unknown> {
  readonly #batches: RowBatches;
  #rows: readonly unknown[] = [];
  #at = 0;
  /** The last call that waits for a batch; others wait for it. */
  #waiting: Promise<unknown> | undefined;

  constructor(batches: RowBatches) {
    this.#batches = batches;
  }

  next(): Promise<IteratorResult<unknown, void>> {
    if (this.#waiting === undefined && this.#at < this.#rows.length)
      return Promise.resolve({ done: false, value: this.#rows[this.#at++] });
    const result = this.#after(this.#waiting);
    this.#waiting = result;
    const ended = (): void => {
      if (this.#waiting === result) this.#waiting = undefined;
    };
    result.then(ended, ended);
    return result;
  }

  async #after(before: Promise<unknown> | undefined): Promise<IteratorResult<unknown, void>> {
    try {
      await before;
    } catch {
      // Whoever called before receives it.
    }
    while (this.#at >= this.#rows.length) {
      const { done, value } = await this.#batches.next();
      if (done === true) return { done: true, value: undefined };
      this.#rows = value;
      this.#at = 0;
    }
    return { done: false, value: this.#rows[this.#at++] };
  }

  async return(): Promise<IteratorResult<unknown, void>> {
    this.#rows = [];
    await this.#batches.return();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
