import type { Reader } from '../decode/reader.ts';
import * as M from '../wire/markers.ts';

/**
 * Strings that msgpackr's option `bundleStrings` moves to the end of the message: one
 * of ASCII text and one of other text, of which the values take their characters in turn.
 */
export class BundledStrings {
  /** The position behind both strings. */
  readonly end: number;
  readonly #other: string;
  readonly #ascii: string;
  #otherAt = 0;
  #asciiAt = 0;

  constructor(reader: Reader, at: number) {
    reader.pos = at;
    this.#other = readText(reader);
    this.#ascii = readText(reader);
    this.end = reader.pos;
  }

  /** The next characters: of the ASCII text, or of the other when the count is negative. */
  take(count: unknown): string | undefined {
    if (typeof count !== 'number') return undefined;
    if (count > 0) {
      const start = this.#asciiAt;
      this.#asciiAt += count;
      return this.#asciiAt > this.#ascii.length
        ? undefined
        : this.#ascii.slice(start, this.#asciiAt);
    }
    const start = this.#otherAt;
    this.#otherAt -= count;
    return this.#otherAt > this.#other.length ? undefined : this.#other.slice(start, this.#otherAt);
  }
}

function readText(reader: Reader): string {
  const at = reader.pos;
  if (at >= reader.end) throw reader.eof();
  const t = reader.src[at] as number;
  const isText = (t >= 0xa0 && t < 0xc0) || (t >= M.STR8 && t <= M.STR32);
  const text = isText ? reader.read() : undefined;
  if (typeof text !== 'string') throw reader.fail('invalid_ext', at);
  return text;
}
