import { ALWAYS_ALLOWED, VERSION } from '../ColumnNode.ts';
import { ByteSink } from './ByteSink.ts';
import { ColumnWriter } from './ColumnWriter.ts';
import type { KeyLists } from './KeyLists.ts';
import { writeInteger } from './Sections.ts';
import type { Tape } from './Tape.ts';

/** The expansion that readers allow by default. */
const MAX_EXPANSION = 16;

/** Writes payloads: the header, the directory and the sections (spec/columns.md section 6.7). */
export class PayloadWriter {
  /** The last payload. */
  readonly payload: ByteSink = new ByteSink();
  readonly #tape: Tape;
  readonly #writer: ColumnWriter;

  constructor(tape: Tape, lists: KeyLists) {
    this.#tape = tape;
    this.#writer = new ColumnWriter(tape, lists);
  }

  /** Writes the payload for a value. Returns false if it is not better stored by column, whatever the size. */
  write(index: number): boolean {
    if (!this.#writer.write(index)) return false;
    const tape = this.#tape;
    const { directory, data } = this.#writer.out;
    const { payload } = this;
    const plainSize = tape.size(index);
    payload.clear();
    payload.byte(VERSION);
    writeInteger(payload, plainSize);
    writeInteger(payload, (tape.next[index] as number) - index);
    writeInteger(payload, tape.height[index] as number);
    writeInteger(payload, directory.size);
    payload.copy(directory.bytes, 0, directory.size);
    payload.copy(data.bytes, 0, data.size);
    const least = Math.ceil((plainSize - ALWAYS_ALLOWED) / MAX_EXPANSION);
    if (payload.size < least) payload.zeros(least - payload.size);
    return true;
  }
}
