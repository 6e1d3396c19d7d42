import { entryParts, float, KeyIdentities } from '../../decode/canonical.ts';
import type { DecoderState } from '../../decode/DecoderState.ts';
import { secondsOf } from '../../wire/timestamps.ts';
import type { ColumnNode, SafeIntegers } from '../ColumnNode.ts';
import * as C from '../ColumnNode.ts';
import { need, skipPlain } from '../malformed.ts';
import { floats, integers, scaled, smallIntegers } from './numbers.ts';

/**
 * Finds keys that occur twice in a map whose keys are a column. Two are the same when their
 * canonical encodings are, which their values in JavaScript do not tell.
 */
export class KeysByRow {
  readonly #decoder: DecoderState;
  readonly #identities: KeyIdentities;

  constructor(decoder: DecoderState) {
    this.#decoder = decoder;
    this.#identities = new KeyIdentities(decoder.view, decoder.config.bigInts, false);
  }

  check(keys: ColumnNode, lengths: SafeIntegers): void {
    const identities = this.#column(keys);
    let at = 0;
    for (let row = 0; row < lengths.length; row++) {
      const end = at + (lengths[row] as number);
      need(new Set(identities.slice(at, end)).size === end - at);
      at = end;
    }
  }

  #column(node: ColumnNode): string[] {
    const { n, kind, mode, form, at } = node;
    const { src, view } = this.#decoder;
    const ids = this.#identities;
    const inner = () => node.children.slice(1).map((child) => this.#column(child));
    const numbers = () => smallIntegers(src, node.child(0));
    switch (kind) {
      case C.PLAIN: {
        let p = at;
        return Array.from({ length: n }, () => {
          const start = p;
          p = skipPlain(src, view, p, at + node.size).end;
          return ids.at(start);
        });
      }
      case C.INT:
        return Array.from(integers(src, node) as ArrayLike<number | bigint>, (value) => `i${value}`);
      case C.FLOAT:
        return Array.from(floats(src, node), float);
      case C.SCALED:
        return Array.from(scaled(src, node), float);
      case C.TIME:
        return Array.from(integers(src, node.child(0)) as ArrayLike<number | bigint>, (value) => {
          const { seconds, nanoseconds } = secondsOf(value, form);
          return `t${seconds},${nanoseconds}`;
        });
      case C.BYTES: {
        let p = at;
        const lengths = mode === C.TERMINATED ? null : numbers();
        return Array.from({ length: n }, (_, row) => {
          const length = lengths === null ? src.indexOf(0, p) - p : (lengths[row] as number);
          const start = p;
          p += length + (lengths === null ? 1 : 0);
          if (mode === C.EXT) return ids.extAt(start, form, length);
          return ids.bytesAt(start, mode === C.BIN ? 'b' : 's', length);
        });
      }
      case C.DICT: {
        const entries = inner()[0] as string[];
        return Array.from(numbers(), (index) => entries[index] as string);
      }
      case C.UNION: {
        const branches = inner();
        const next = branches.map(() => 0);
        return Array.from(numbers(), (tag) => (branches[tag] as string[])[(next[tag] as number)++] as string);
      }
      case C.STRUCT:
        return this.#structs(node);
      default: {
        const [items, values] = inner() as [string[], string[] | undefined];
        let p = 0;
        return Array.from(numbers(), (length) => {
          const part = items.slice(p, p + length);
          const from = p;
          p += length;
          if (values === undefined) return ids.containerOf(part, false);
          const entries = new Map(part.map((key, i) => [key, values[from + i] as string]));
          return ids.containerOf(entryParts(entries), true);
        });
      }
    }
  }

  #structs(node: ColumnNode): string[] {
    const { n, keys, shapes, children } = node;
    const all = keys.map((_, index) => index);
    const columns = children.slice(shapes.length === 0 ? 0 : 1).map((child) => this.#column(child));
    const shapeOf = shapes.length === 0 ? null : smallIntegers(this.#decoder.src, node.child(0));
    const next = keys.map(() => 0);
    const utf8 = new TextEncoder();
    const names = keys.map((key) => {
      const bytes = utf8.encode(key);
      return bytes.reduce((name, byte) => name + String.fromCharCode(byte), `s${bytes.length}:`);
    });
    return Array.from({ length: n }, (_, row) => {
      const shape = shapeOf === null ? all : (shapes[shapeOf[row] as number] as number[]);
      const entries = new Map<string, string>();
      for (const key of shape)
        entries.set(names[key] as string, (columns[key] as string[])[(next[key] as number)++] as string);
      return this.#identities.containerOf(entryParts(entries), true);
    });
  }
}
