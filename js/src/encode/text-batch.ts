import { writeAscii } from '../wire/ascii.ts';
import { allocate, writeUtf8 } from '../wire/platform.ts';
import type { Writer } from './writer.ts';

/** Characters after which a batch is written. */
const MAX_CHARS = 4096;
/** Characters that are written in JavaScript in less time than a call into the platform takes. */
const FEW_CHARS = 48;
/** Bytes at the begin of a message in which texts are not put off: too few to gain by it. */
const BEGIN = 128;
/** Texts that are not put off after a batch had some that are not ASCII. */
const REST = 4096;

/** Memory for the bytes of one batch; nothing stays in it. */
let scratch: Uint8Array | undefined;
let scratchView: DataView | undefined;

/**
 * Texts of a message that wait to be written: a call into the platform takes as long as
 * writing a hundred characters, so that one of them writes many texts, of which each gets
 * its bytes copied to where it belongs. What comes behind a text is written at once, and for
 * that it is taken for ASCII; when one is not, the message is written anew from there.
 */
export class TextBatch {
  #texts: string[] = [];
  /** Where the bytes of each belong, from the message's start. */
  #places: number[] = [];
  #chars = 0;
  /** Texts that are still not to be put off. */
  #rest = 0;

  /** Whether a text of 8 to 255 characters is put off: eight of its bytes are copied at a time. */
  takes(writer: Writer, text: string): boolean {
    if (writer.pos - writer.start < BEGIN) return false;
    if (this.#rest === 0) return text.charCodeAt(0) < 0x80;
    this.#rest--;
    return false;
  }

  /** Puts off a text whose header was written and whose bytes belong to `at`. */
  add(writer: Writer, text: string, at: number): void {
    this.#texts.push(text);
    this.#places.push(at - writer.start);
    this.#chars += text.length;
    if (this.#chars > MAX_CHARS) this.flush(writer);
  }

  /** Forgets what waits. */
  clear(): void {
    if (this.#chars === 0) return;
    this.#texts = [];
    this.#places = [];
    this.#chars = 0;
  }

  /** Writes what waits. */
  flush(writer: Writer): void {
    if (this.#chars === 0) return;
    const texts = this.#texts;
    const places = this.#places;
    const done =
      this.#chars <= FEW_CHARS
        ? writeFew(writer, texts, places)
        : this.#write(writer, texts, places);
    this.clear();
    if (done) return;
    this.#rest = REST;
    writeAnew(writer, texts, places);
  }

  #write(writer: Writer, texts: readonly string[], places: readonly number[]): boolean {
    // Three times the room, so that the platform need not count the bytes first.
    scratch ??= allocate(3 * (MAX_CHARS + 0x100));
    scratchView ??= new DataView(scratch.buffer, scratch.byteOffset, scratch.length);
    if (writeUtf8(scratch, texts.join(''), 0) !== this.#chars) return false;
    const from = scratchView;
    const { view, start } = writer;
    let p = 0;
    for (let i = 0; i < texts.length; i++) {
      let to = start + (places[i] as number);
      // Eight bytes at a time: those of ASCII are never a NaN, whose bits could change. The
      // last eight by themselves, some of them twice.
      const last = p + (texts[i] as string).length - 8;
      const lastTo = to + last - p;
      for (; p < last; p += 8, to += 8) view.setFloat64(to, from.getFloat64(p, true), true);
      view.setFloat64(lastTo, from.getFloat64(last, true), true);
      p = last + 8;
    }
    return true;
  }
}

function writeFew(writer: Writer, texts: readonly string[], places: readonly number[]): boolean {
  const { buf, start } = writer;
  for (let i = 0; i < texts.length; i++)
    if (!writeAscii(buf, texts[i] as string, start + (places[i] as number))) return false;
  return true;
}

/** Writes texts that are not all ASCII, and once more what came behind each of them. */
function writeAnew(writer: Writer, texts: readonly string[], places: readonly number[]): void {
  const { start } = writer;
  const headerSize = (text: string) => (text.length < 32 ? 1 : 2);
  const first = (places[0] as number) - headerSize(texts[0] as string);
  const message = new Uint8Array(writer.buf.subarray(start + first, writer.pos));
  writer.pos = start + first;
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i] as string;
    writer.textAtOnce(text);
    const next = texts[i + 1];
    const from = (places[i] as number) + text.length - first;
    const to =
      next === undefined ? message.length : (places[i + 1] as number) - headerSize(next) - first;
    writer.raw(message.subarray(from, to));
  }
}
