import type { Writer } from '../encode/writer.ts';
import * as M from '../wire/markers.ts';

/** Characters of one bundle: as UTF-8 they fit a length of 16 bits. */
const MAX_CHARS = 0x5500;
/** Lengths of strings that are bundled: from, and below. */
const MIN = 4;
const MAX = 0x1000;
const NOT_ASCII = /[\u0080-\uffff]/;

/** A bundle that was written: where its reference is, and its strings, from the message's start. */
export interface WrittenBundle {
  readonly reference: number;
  strings: number;
}

/**
 * Collects the strings of a message, to write them at its end as msgpackr's option
 * `bundleStrings` does: one text of ASCII and one of the others, in ext 0x62.
 */
export class BundleWriter {
  readonly written: WrittenBundle[] = [];
  #current: WrittenBundle | undefined;
  #ascii = '';
  #other = '';
  #size = Number.POSITIVE_INFINITY;

  /** Takes a string into the bundle and writes its place holder; false for one that stays. */
  add(writer: Writer, text: string): boolean {
    const n = text.length;
    if (n < MIN || n >= MAX) return false;
    this.#size += n;
    if (this.#size > MAX_CHARS) {
      this.#begin(writer);
      this.#size = 0;
    }
    writer.byte(M.RESERVED);
    if (NOT_ASCII.test(text)) {
      this.#other += text;
      writer.number(-n);
    } else {
      this.#ascii += text;
      writer.number(n);
    }
    return true;
  }

  #begin(writer: Writer): void {
    const before = this.#current;
    writer.reserve(8);
    if (before === undefined) {
      writer.buf[writer.pos] = M.FIXEXT4;
      writer.buf[writer.pos + 1] = M.EXT_BUNDLE;
      writer.pos += 2;
    } else {
      writer.buf[writer.pos] = M.EXT16;
      writer.buf[writer.pos + 3] = M.EXT_BUNDLE;
      writer.pos += 4;
    }
    const reference = writer.pos - writer.start;
    writer.pos += 4;
    if (before !== undefined) {
      this.#strings(writer, before);
      const at = writer.start + reference;
      writer.view.setUint16(at - 3, writer.pos - at);
    }
    this.#current = { reference, strings: 0 };
    this.written.push(this.#current);
    this.#ascii = '';
    this.#other = '';
  }

  #strings(writer: Writer, bundle: WrittenBundle): void {
    bundle.strings = writer.pos - writer.start;
    writer.view.setUint32(writer.start + bundle.reference, bundle.strings - bundle.reference);
    writer.bundle = null;
    writer.text(this.#other);
    writer.text(this.#ascii);
    writer.bundle = this;
  }

  /** Writes the last bundle behind the message. */
  finish(writer: Writer): void {
    if (this.#current !== undefined) this.#strings(writer, this.#current);
    writer.bundle = null;
  }
}
