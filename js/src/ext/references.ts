import type { Writer } from '../encode/writer.ts';
import * as M from '../wire/markers.ts';
import type { WrittenBundle } from './bundle-writer.ts';

/** Bytes of an identity ext, put before an object to which something points. */
const SIZE = 6;

interface Seen {
  readonly offset: number;
  id: number;
}

/**
 * The objects of a message that is written as a structured clone. One that comes again
 * becomes a pointer, and gets its identity when the message is complete.
 */
export class References {
  readonly #seen = new Map<object, Seen>();
  readonly #named: Seen[] = [];

  /** Writes a pointer when the object was met before. */
  repeated(writer: Writer, value: object): boolean {
    const seen = this.#seen.get(value);
    if (seen === undefined) {
      this.#seen.set(value, { offset: writer.pos - writer.start, id: 0 });
      return false;
    }
    if (seen.id === 0) seen.id = this.#named.push(seen);
    this.#ext(writer, M.EXT_POINTER, seen.id);
    return true;
  }

  #ext(writer: Writer, type: number, id: number): void {
    writer.reserve(SIZE);
    const { buf, pos, view } = writer;
    buf[pos] = M.FIXEXT4;
    buf[pos + 1] = type;
    view.setUint32(pos + 2, id);
    writer.pos = pos + SIZE;
  }

  /** Puts the identities in, and moves what bundles refer to accordingly. */
  finish(writer: Writer, bundles: readonly WrittenBundle[]): void {
    writer.references = null;
    const named = [...this.#named].sort((a, b) => b.offset - a.offset);
    if (named.length === 0) return;
    for (const { reference, strings } of bundles) {
      const between = named.filter(({ offset }) => offset > reference && offset < strings).length;
      const at = writer.start + reference;
      writer.view.setUint32(at, writer.view.getUint32(at) + between * SIZE);
    }
    writer.reserve(named.length * SIZE);
    let end = writer.pos;
    let shift = named.length * SIZE;
    const last = writer.pos + shift;
    for (const { offset, id } of named) {
      const at = writer.start + offset;
      writer.buf.copyWithin(at + shift, at, end);
      shift -= SIZE;
      writer.pos = at + shift;
      this.#ext(writer, M.EXT_IDENTITY, id);
      end = at;
    }
    writer.pos = last;
  }
}
