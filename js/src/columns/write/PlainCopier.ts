import type { ScalarState } from '../../encode/EncoderState.ts';
import type { Shape, Shapes } from '../../encode/shapes.ts';
import type { RecordIds } from '../../record/RecordIds.ts';
import { FIRST_ID, NO_IDS } from '../../record/structures.ts';
import { type KeyLists, NO_LIST } from './KeyLists.ts';
import { EXTENSION, MAPPING, type Tape } from './Tape.ts';

/** Number of bytes below which a copy byte by byte takes less time than a call of `set`. */
const FEW_BYTES = 32;

/** Writes values of a tape into a message, with records if those are on. */
export class PlainCopier {
  readonly #tape: Tape;
  readonly #lists: KeyLists;
  readonly #to: ScalarState;
  readonly #ids: RecordIds | null;
  readonly #shapes: Shapes | null;
  /** The shape of each list of keys; null where it is not that of records. */
  #shapeOf: (Shape | null | undefined)[] = [];

  constructor(tape: Tape, lists: KeyLists, to: ScalarState, ids: RecordIds | null, shapes: Shapes | null) {
    this.#tape = tape;
    this.#lists = lists;
    this.#to = to;
    this.#ids = ids;
    this.#shapes = shapes;
  }

  begin(): void {
    if (this.#shapeOf.length > 0) this.#shapeOf = [];
  }

  bytes(start: number, end: number): void {
    const to = this.#to;
    const { src } = this.#tape;
    const count = end - start;
    to.reserve(count);
    const { buf, pos } = to;
    if (count < FEW_BYTES) for (let i = 0; i < count; i++) buf[pos + i] = src[start + i] as number;
    else buf.set(src.subarray(start, end), pos);
    to.pos = pos + count;
  }

  /** Writes the header of a container. Returns whether it is a record, whose keys are not written. */
  header(index: number): boolean {
    const { start, type } = this.#tape;
    if (type[index] === MAPPING && this.#beginRecord(index)) return true;
    const first = start[index + 1] as number;
    this.bytes(start[index] as number, first);
    return false;
  }

  #beginRecord(map: number): boolean {
    const list = this.#lists.of[map] as number;
    if (this.#ids === null || list === NO_LIST) return false;
    let shape = this.#shapeOf[list];
    if (shape === undefined) {
      shape = this.#lists.distinct[list] ? (this.#shapes as Shapes).ofKeys(this.#lists.keys(list)) : null;
      this.#shapeOf[list] = shape;
    }
    return shape !== null && this.#ids.write(this.#to, shape);
  }

  /** Writes a value with all in it. */
  value(index: number): void {
    const { start, next, type, src } = this.#tape;
    const end = next[index] as number;
    if (this.#ids === null) {
      this.bytes(start[index] as number, start[end] as number);
      return;
    }
    if (end === index + 1 && type[index] !== MAPPING) {
      const at = start[index] as number;
      const byte = src[at] as number;
      if (byte >= FIRST_ID && byte < NO_IDS) {
        // Alone, it would be the id of a record.
        this.#to.reserve(2);
        this.#to.integer(byte);
      } else this.bytes(at, start[end] as number);
      return;
    }
    if (type[index] === EXTENSION) {
      this.bytes(start[index] as number, start[index + 1] as number);
      this.value(index + 1);
      return;
    }
    const skips = this.header(index);
    for (let child = index + 1; child < end; child = next[child] as number) {
      if (skips) child++;
      this.value(child);
    }
  }
}
