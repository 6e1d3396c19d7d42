import { ByteSink } from './ByteSink.ts';
import { ALWAYS_ALLOWED, VERSION } from './ColumnNode.ts';
import { ColumnWriter } from './ColumnWriter.ts';
import type { KeyLists } from './KeyLists.ts';
import { writeInteger } from './Sections.ts';
import type { Tape } from './Tape.ts';

/** The expansion that readers allow by default. */
const MAX_EXPANSION = 16;
/** Size of the header of an ext with a payload of fewer than 2^8, 2^16 and more bytes. */
const HEADER = [3, 4, 6] as const;

/** Writes payloads: the header, the directory and the zones (spec/columns.md section 6.7). */
export class PayloadWriter {
  /** The last payload. */
  readonly payload: ByteSink = new ByteSink();
  readonly #tape: Tape;
  readonly #writer: ColumnWriter;
  readonly #views: boolean;

  constructor(tape: Tape, lists: KeyLists, views: boolean) {
    this.#tape = tape;
    this.#writer = new ColumnWriter(tape, lists, views);
    this.#views = views;
  }

  /**
   * Writes the payload for a value whose ext would be at `offset` in the message. Returns false if
   * the value is not better stored by column, whatever the size.
   */
  write(index: number, offset: number): boolean {
    if (!this.#writer.write(index)) return false;
    const tape = this.#tape;
    const { directory, zones } = this.#writer.out;
    const { payload } = this;
    const plainSize = tape.size(index);
    payload.clear();
    payload.byte(VERSION);
    writeInteger(payload, plainSize);
    writeInteger(payload, (tape.next[index] as number) - index);
    writeInteger(payload, tape.height[index] as number);
    writeInteger(payload, directory.size);
    const alignAt = payload.take(1);
    payload.copy(directory.bytes, 0, directory.size);
    const sections = zones.reduce((sum, zone) => sum + zone.size, 0);
    let least = Math.ceil((plainSize - ALWAYS_ALLOWED) / MAX_EXPANSION);
    let align = 0;
    if (this.#views) {
      const size = Math.max(payload.size + sections + 7, least);
      const header = size <= 0xff ? HEADER[0] : size <= 0xffff ? HEADER[1] : HEADER[2];
      align = -(offset + header + payload.size) & 7;
      // So that the header has this size.
      if (header !== HEADER[0]) least = Math.max(least, header === HEADER[1] ? 0x100 : 0x10000);
    }
    payload.bytes[alignAt] = align;
    payload.zeros(align);
    for (const zone of zones) payload.copy(zone.bytes, 0, zone.size);
    if (payload.size < least) payload.zeros(least - payload.size);
    return true;
  }
}
