import type { ScalarState, StringCollector } from '../../encode/EncoderState.ts';
import * as M from '../../wire/markers.ts';

/** Maximum number of characters in a bundle: as UTF-8 they fit a length of 16 bits. */
const MAX_CHARS = 0x5500;
/** Lengths of strings that are bundled: from MIN, and below MAX. */
const MIN = 4;
const MAX = 0x1000;
const NOT_ASCII = /[\u0080-\uffff]/;

/** A bundle that was written: the offsets of its reference and of its strings in the message. */
export interface WrittenBundle {
  readonly reference: number;
  strings: number;
}

/**
 * Collects the strings of a message and writes them at its end, as msgpackr's option
 * `bundleStrings` does: one string of ASCII and one of all others, with ext 0x62.
 */
export class BundleBuilder implements StringCollector {
  readonly written: WrittenBundle[] = [];
  #current: WrittenBundle | undefined;
  #ascii = '';
  #other = '';
  #size = Number.POSITIVE_INFINITY;

  add(encoder: ScalarState, value: string): boolean {
    const n = value.length;
    if (n < MIN || n >= MAX) return false;
    this.#size += n;
    if (this.#size > MAX_CHARS) {
      this.#begin(encoder);
      this.#size = 0;
    }
    encoder.byte(M.RESERVED);
    if (NOT_ASCII.test(value)) {
      this.#other += value;
      encoder.number(-n);
    } else {
      this.#ascii += value;
      encoder.number(n);
    }
    return true;
  }

  #begin(encoder: ScalarState): void {
    const before = this.#current;
    encoder.reserve(8);
    if (before === undefined) {
      encoder.buf[encoder.pos] = M.FIXEXT4;
      encoder.buf[encoder.pos + 1] = M.EXT_BUNDLE;
      encoder.pos += 2;
    } else {
      encoder.buf[encoder.pos] = M.EXT16;
      encoder.buf[encoder.pos + 3] = M.EXT_BUNDLE;
      encoder.pos += 4;
    }
    const reference = encoder.pos - encoder.start;
    encoder.pos += 4;
    if (before !== undefined) {
      this.#strings(encoder, before);
      const at = encoder.start + reference;
      encoder.view.setUint16(at - 3, encoder.pos - at);
    }
    this.#current = { reference, strings: 0 };
    this.written.push(this.#current);
    this.#ascii = '';
    this.#other = '';
  }

  #strings(encoder: ScalarState, bundle: WrittenBundle): void {
    bundle.strings = encoder.pos - encoder.start;
    encoder.view.setUint32(encoder.start + bundle.reference, bundle.strings - bundle.reference);
    encoder.bundle = null;
    encoder.string(this.#other);
    encoder.string(this.#ascii);
    encoder.bundle = this;
  }

  /** Writes the last bundle after the message. */
  finish(encoder: ScalarState): void {
    if (this.#current !== undefined) this.#strings(encoder, this.#current);
    encoder.bundle = null;
  }
}
