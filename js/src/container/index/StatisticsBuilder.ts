import { skipPlain } from '../../columns/malformed.ts';
import type { ScalarEncoder } from '../../encode/ScalarEncoder.ts';
import { type Header, KINDS, newHeader, readHeader } from '../../wire/header.ts';
import * as M from '../../wire/markers.ts';
import { sameBytes } from '../../wire/platform.ts';
import { utf8Bytes } from '../../wire/utf8.ts';
import { SCHEMA_TYPES } from './ContainerIndex.ts';
import { typeAt } from './plain-values.ts';
import { partsOf, positionOf } from './predicate.ts';
import { ValueRange } from './ValueRange.ts';

/** Maximum number of paths that a writer chooses itself, and maximum size of one in bytes. */
const MAX_CHOSEN = 32;
const MAX_PATH = 256;

const CHOSEN: readonly string[] = ['bool', 'int', 'uint', 'float', 'str', 'timestamp'];

/** A part of paths, with the parts that follow it in one of them. */
class PathNode {
  readonly name: Uint8Array;
  readonly position: number;
  readonly next: PathNode[] = [];
  /** The values at the path that ends here; null where none does. */
  range: ValueRange | null = null;

  constructor(part: string) {
    this.name = utf8Bytes(part);
    this.position = positionOf(part);
  }
}

export class StatisticsBuilder {
  readonly #paths: readonly string[];
  readonly #root: PathNode = new PathNode('');
  readonly #ends: PathNode[];
  readonly #header: Header = newHeader();
  #bytes: Uint8Array = this.#root.name;
  #view: DataView = new DataView(this.#bytes.buffer);

  constructor(paths: readonly string[]) {
    this.#paths = [...new Set(paths)];
    this.#ends = this.#paths.map((path) => {
      let node = this.#root;
      for (const part of partsOf(path)) {
        const name = utf8Bytes(part);
        let child = node.next.find((other) => sameBytes(other.name, name));
        if (child === undefined) {
          child = new PathNode(part);
          node.next.push(child);
        }
        node = child;
      }
      return node;
    });
  }

  /** Returns the paths that a writer chooses by the first row: keys of a map. */
  static chosen(bytes: Uint8Array, start: number, end: number): string[] {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const header = newHeader();
    const paths: string[] = [];
    readHeader(view, start, end, header);
    if (header.kind !== 'map') return paths;
    let p = start + header.size;
    const key = newHeader();
    for (let left = header.count; left > 0 && paths.length < MAX_CHOSEN; left--) {
      const valueAt = skipPlain(bytes, view, p, end).end;
      readHeader(view, p, end, key);
      const { kind, size, count } = key;
      const type = typeAt(bytes, valueAt);
      const isChosen = type < 0 || CHOSEN.includes(SCHEMA_TYPES[type] as string);
      if (kind === 'str' && count > 0 && count <= MAX_PATH && isChosen) {
        const name = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(p + size, p + size + count));
        if (!name.includes('.')) paths.push(name);
      }
      p = skipPlain(bytes, view, valueAt, end).end;
    }
    return paths;
  }

  /** Writes the statistics of the rows of a block, which lie one after another; nil without paths. */
  write(to: ScalarEncoder, bytes: Uint8Array, start: number, count: number): void {
    if (this.#paths.length === 0) {
      to.nil();
      return;
    }
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (const node of this.#ends) node.range = new ValueRange(bytes, this.#view);
    for (let p = start, row = 0; row < count; row++) p = this.#visit(this.#root, p);
    to.mapHeader(this.#paths.length);
    this.#paths.forEach((path, i) => {
      const range = this.#ends[i]?.range as ValueRange;
      to.string(path);
      to.arrayHeader(3);
      to.number(count - range.count);
      for (const bound of range.bounds())
        if (bound === null) to.nil();
        else if (typeof bound === 'string') to.string(bound);
        else to.raw(bound);
    });
    for (const node of this.#ends) node.range = null;
  }

  #skip(p: number): number {
    return skipPlain(this.#bytes, this.#view, p, this.#bytes.length).end;
  }

  /** Looks at the value at a position, which the paths up to a node name; returns where it ends. */
  #visit(node: PathNode, p: number): number {
    const bytes = this.#bytes;
    const isNil = KINDS[bytes[p] as number] === 'nil';
    if (node.next.length === 0 || isNil) {
      const end = this.#skip(p);
      if (!isNil) node.range?.add(p, end);
      return end;
    }
    if (node.range !== null) node.range.add(p, this.#skip(p));
    readHeader(this.#view, p, bytes.length, this.#header);
    const { kind, size, count } = this.#header;
    if (kind === 'map') return this.#entries(node, p + size, count);
    if (kind !== 'array') return this.#skip(p);
    let at = p + size;
    for (let i = 0; i < count; i++) {
      const child = node.next.find(({ position }) => position === i);
      at = child === undefined ? this.#skip(at) : this.#visit(child, at);
    }
    return at;
  }

  #entries(node: PathNode, start: number, count: number): number {
    const bytes = this.#bytes;
    const { next } = node;
    let p = start;
    // Rows mostly have their keys in the same order.
    let guess = 0;
    for (let i = 0; i < count; i++) {
      const end = this.#skip(p);
      const marker = bytes[p] as number;
      const name = p + (M.HEADER_SIZE[marker] as number);
      let found: PathNode | undefined;
      if (M.isStr(marker) && end > name)
        for (let k = 0; k < next.length && found === undefined; k++) {
          const at = (guess + k) % next.length;
          const child = next[at] as PathNode;
          if (sameBytes(child.name, bytes, name, end)) {
            found = child;
            guess = at + 1;
          }
        }
      p = found === undefined ? this.#skip(end) : this.#visit(found, end);
    }
    return p;
  }
}
