import type { ScalarState } from '../../encode/EncoderState.ts';
import * as M from '../../wire/markers.ts';
import type { WrittenBundle } from './BundleBuilder.ts';

/** Size in bytes of the identity ext before an object to which something points. */
const SIZE = 6;

interface Seen {
  readonly offset: number;
  id: number;
}

/**
 * The objects of a message that is written as a structured clone. One that repeats becomes a
 * pointer, and its first occurrence gets an identity when the message is complete.
 */
export class References {
  readonly #seen = new Map<object, Seen>();
  readonly #named: Seen[] = [];

  /** Writes a pointer when the object was met before. */
  repeated(encoder: ScalarState, value: object): boolean {
    const seen = this.#seen.get(value);
    if (seen === undefined) {
      this.#seen.set(value, { offset: encoder.pos - encoder.start, id: 0 });
      return false;
    }
    if (seen.id === 0) seen.id = this.#named.push(seen);
    this.#ext(encoder, M.EXT_POINTER, seen.id);
    return true;
  }

  #ext(encoder: ScalarState, type: number, id: number): void {
    encoder.reserve(SIZE);
    const { buf, pos, view } = encoder;
    buf[pos] = M.FIXEXT4;
    buf[pos + 1] = type;
    view.setUint32(pos + 2, id);
    encoder.pos = pos + SIZE;
  }

  /** Inserts the identities, and corrects the references to bundles. */
  finish(encoder: ScalarState, bundles: readonly WrittenBundle[]): void {
    const named = [...this.#named].sort((a, b) => b.offset - a.offset);
    if (named.length === 0) return;
    for (const { reference, strings } of bundles) {
      const between = named.filter(({ offset }) => offset > reference && offset < strings).length;
      const at = encoder.start + reference;
      encoder.view.setUint32(at, encoder.view.getUint32(at) + between * SIZE);
    }
    encoder.reserve(named.length * SIZE);
    let end = encoder.pos;
    let shift = named.length * SIZE;
    const last = encoder.pos + shift;
    for (const { offset, id } of named) {
      const at = encoder.start + offset;
      encoder.buf.copyWithin(at + shift, at, end);
      shift -= SIZE;
      encoder.pos = at + shift;
      this.#ext(encoder, M.EXT_IDENTITY, id);
      end = at;
    }
    encoder.pos = last;
  }
}
