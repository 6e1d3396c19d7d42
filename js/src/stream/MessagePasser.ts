import type { Decoder } from '../decode/Decoder.ts';
import type { DecodeFeatures } from '../decode/DecoderState.ts';
import { INCOMPLETE } from '../decode/StringDecoder.ts';
import { MsgpackDecodeError } from '../errors/errors.ts';
import { NO_IDS, type Structure } from '../record/structures.ts';
import { isFixExt, newHeader, readHeader } from '../wire/header.ts';
import * as M from '../wire/markers.ts';
import { MessageScanner } from './MessageScanner.ts';

/**
 * Passes over a message at fault, as its bytes arrive (spec/format.md section 6.1). It counts the values that are
 * still to come, by headers alone; only definitions are read, because they tell how many values a record has.
 */
export class MessagePasser {
  readonly #decoder: Decoder;
  readonly #header = newHeader();
  /** Values to come, and bytes of a payload before them. */
  #left = 1;
  #payload = 0;
  /** Finds where the definition at the position ends. */
  #scanner: MessageScanner | null = null;
  /** Size of the partial definition at which the decoder looks for a fault in it. */
  #nextLook = 0;

  /** @param decoder it has the structures from before the message */
  constructor(decoder: Decoder) {
    this.#decoder = decoder;
    decoder.syncShared();
    decoder.loaded = false;
  }

  /** Passes over what is open from the position on; returns whether the message ends within it. */
  pass(): boolean {
    const decoder = this.#decoder;
    // Definitions are read as if nothing were around them.
    decoder.depth = Number.NEGATIVE_INFINITY;
    decoder.nodes = Number.NEGATIVE_INFINITY;
    decoder.pending = Number.NEGATIVE_INFINITY;
    for (;;) {
      const passed = Math.min(this.#payload, decoder.end - decoder.pos);
      decoder.pos += passed;
      this.#payload -= passed;
      if (this.#payload === 0 && this.#left === 0) return true;
      const markerOffset = decoder.pos;
      if (markerOffset === decoder.end) return false;
      try {
        this.#left += this.#value(markerOffset) - 1;
      } catch (error) {
        if (error !== INCOMPLETE) throw error;
        decoder.pos = markerOffset;
        return false;
      }
    }
  }

  /** Passes over a header, and returns the number of values that it announces. */
  #value(markerOffset: number): number {
    const decoder = this.#decoder;
    const header = this.#header;
    const records = decoder.features.records as NonNullable<DecodeFeatures['records']>;
    const t = decoder.src[markerOffset] as number;
    if (t >= decoder.fix && t < NO_IDS) {
      decoder.pos++;
      return records.structureOf(decoder, t, markerOffset)?.keys.length ?? 0;
    }
    if (!readHeader(decoder.view, markerOffset, decoder.end, header)) throw decoder.eof();
    const { kind, size, count, type } = header;
    if (kind === 'reserved') throw decoder.fail('reserved_marker', markerOffset);
    if (kind === 'ext' && type === M.EXT_RECORD && decoder.fix !== NO_IDS) {
      if (!isFixExt(header)) throw decoder.fail('record_malformed', markerOffset);
      const read = () => records.readDefinition(decoder, count, markerOffset);
      return this.#definition(markerOffset, read).keys.length;
    }
    decoder.pos += size;
    if (kind === 'array') return count;
    if (kind === 'map') return 2 * count;
    this.#payload = count;
    return kind === 'ext' && decoder.features.extensions?.valueFollows(decoder, type, count) ? 1 : 0;
  }

  /** Reads a definition, which has to fit `maxBuffer` with its values. */
  #definition(markerOffset: number, read: () => Structure): Structure {
    const decoder = this.#decoder;
    const available = decoder.end - markerOffset;
    this.#scanner ??= new MessageScanner(decoder);
    const result = this.#scanner.scan(true);
    if (result === 'over') throw this.#tooLarge(this.#scanner, read);
    if (result === 'more' && decoder.partial && available < this.#nextLook) throw INCOMPLETE;
    this.#nextLook = available * 2;
    const structure = read();
    this.#scanner = null;
    this.#nextLook = 0;
    return structure;
  }

  /** Returns the error of a definition that announces too much, unless there is a fault before it. */
  #tooLarge(scanner: MessageScanner, read: () => Structure): unknown {
    const tooLarge = scanner.tooLarge();
    try {
      read();
    } catch (error) {
      if (error instanceof MsgpackDecodeError && error.offset < tooLarge.offset) return error;
    }
    return tooLarge;
  }
}
