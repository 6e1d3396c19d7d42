import * as M from '../wire/markers.ts';
import type { DecoderState, StringBundle } from './DecoderState.ts';

/**
 * The strings that msgpackr's option `bundleStrings` moves to the end of the message: one of
 * ASCII and one of all others. The values take their characters from them in turn.
 */
export class BundledStrings implements StringBundle {
  readonly end: number;
  readonly #other: string;
  readonly #ascii: string;
  #otherAt = 0;
  #asciiAt = 0;

  constructor(decoder: DecoderState, position: number) {
    decoder.pos = position;
    this.#other = readString(decoder);
    this.#ascii = readString(decoder);
    this.end = decoder.pos;
  }

  /** Returns the next `count` characters of ASCII, or of the others when it is negative. */
  take(given: unknown): string | undefined {
    // A bigint with `integersAsBigInt`.
    const count = typeof given === 'bigint' ? Number(given) : given;
    if (typeof count !== 'number') return undefined;
    if (count > 0) {
      const start = this.#asciiAt;
      this.#asciiAt += count;
      return this.#asciiAt > this.#ascii.length ? undefined : this.#ascii.slice(start, this.#asciiAt);
    }
    const start = this.#otherAt;
    this.#otherAt -= count;
    return this.#otherAt > this.#other.length ? undefined : this.#other.slice(start, this.#otherAt);
  }
}

function readString(decoder: DecoderState): string {
  const markerOffset = decoder.pos;
  if (markerOffset >= decoder.end) throw decoder.eof();
  const t = decoder.src[markerOffset] as number;
  const value = M.isStr(t) ? decoder.read() : undefined;
  if (typeof value !== 'string') throw decoder.fail('invalid_ext', markerOffset);
  return value;
}
