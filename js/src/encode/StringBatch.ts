import { allocate, writeUtf8 } from '../wire/platform.ts';
import { known, writeAscii } from '../wire/utf8.ts';
import type { ScalarState } from './EncoderState.ts';

/** Number of characters after which a batch is written. */
const MAX_CHARS = 4096;
/** Number of characters up to which JavaScript is faster than a call into the platform. */
const FEW_CHARS = 48;
/** Number of bytes at the beginning of a message in which no string waits: too few to gain by it. */
const BEGIN = 128;
/** Number of strings that do not wait after a batch had one that is not ASCII. */
const REST = 4096;

/** Memory for the bytes of one batch; nothing stays in it. */
let scratch: Uint8Array | undefined;
let scratchView: DataView | undefined;

/**
 * Strings of a message that wait to be written. A call into the platform takes as long as
 * writing a hundred characters, so one call writes many strings, whose bytes are then copied
 * to their places. What follows a string is written at once, on the assumption that the string
 * is ASCII. When one is not, the message is written again from there.
 */
export class StringBatch {
  #strings: string[] = [];
  /** The offset in the message of the bytes of each. */
  #places: number[] = [];
  #chars = 0;
  /** Number of strings that still do not wait. */
  #rest = 0;

  /** Whether a string of 8 to 255 characters waits: eight of its bytes are copied at a time. */
  takes(encoder: ScalarState, value: string): boolean {
    if (encoder.pos - encoder.start < BEGIN) return false;
    if (this.#rest === 0) return String.prototype.charCodeAt.call(value, 0) < 0x80;
    this.#rest--;
    return false;
  }

  /** Takes a string of `n` characters: writes its header, and leaves room for its bytes. */
  add(encoder: ScalarState, value: string, n: number): void {
    if (encoder.pos + n > encoder.limit) encoder.reserve(n + 2);
    const size = n < 32 ? 1 : 2;
    const place = encoder.pos + size;
    encoder.strHeader(encoder.pos, size, n);
    encoder.pos = place + n;
    this.#strings.push(value);
    this.#places.push(place - encoder.start);
    this.#chars += n;
    if (this.#chars > MAX_CHARS) this.flush(encoder);
  }

  clear(): void {
    if (this.#chars === 0) return;
    this.#strings = [];
    this.#places = [];
    this.#chars = 0;
  }

  flush(encoder: ScalarState): void {
    if (this.#chars === 0) return;
    const strings = this.#strings;
    const places = this.#places;
    const done = this.#chars <= FEW_CHARS ? writeFew(encoder, strings, places) : this.#write(encoder, strings, places);
    this.clear();
    if (done) return;
    this.#rest = REST;
    rewrite(encoder, strings, places);
  }

  #write(encoder: ScalarState, strings: readonly string[], places: readonly number[]): boolean {
    // Three bytes per character, so that the platform need not count them first.
    scratch ??= allocate(3 * (MAX_CHARS + 0x100));
    scratchView ??= new DataView(scratch.buffer, scratch.byteOffset, scratch.length);
    if (writeUtf8(scratch, strings.join(''), 0) !== this.#chars) return false;
    const from = scratchView;
    const { view, start } = encoder;
    let p = 0;
    for (let i = 0; i < strings.length; i++) {
      let to = start + (places[i] as number);
      // Eight bytes at a time: those of ASCII are never a NaN, whose bits could change. Then
      // the last eight, some of them a second time.
      const last = p + known(strings[i] as string).length - 8;
      const lastTo = to + last - p;
      for (; p < last; p += 8, to += 8) view.setFloat64(to, from.getFloat64(p, true), true);
      view.setFloat64(lastTo, from.getFloat64(last, true), true);
      p = last + 8;
    }
    return true;
  }
}

function writeFew(encoder: ScalarState, strings: readonly string[], places: readonly number[]): boolean {
  const { buf, start } = encoder;
  for (let i = 0; i < strings.length; i++) {
    const value = strings[i] as string;
    const n = known(value).length;
    if (writeAscii(buf, value, n, start + (places[i] as number)) < n) return false;
  }
  return true;
}

/** Writes strings that are not all ASCII, and copies again what followed each of them. */
function rewrite(encoder: ScalarState, strings: readonly string[], places: readonly number[]): void {
  const { start } = encoder;
  const headerSize = (value: string) => (value.length < 32 ? 1 : 2);
  const first = (places[0] as number) - headerSize(strings[0] as string);
  const message = new Uint8Array(encoder.buf.subarray(start + first, encoder.pos));
  encoder.pos = start + first;
  for (let i = 0; i < strings.length; i++) {
    const value = strings[i] as string;
    encoder.stringAtOnce(value);
    const next = strings[i + 1];
    const from = (places[i] as number) + value.length - first;
    const to = next === undefined ? message.length : (places[i + 1] as number) - headerSize(next) - first;
    encoder.raw(message.subarray(from, to));
  }
}
