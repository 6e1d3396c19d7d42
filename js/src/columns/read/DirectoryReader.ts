/** The header and the directory of a payload (spec/columns.md sections 1 and 2). */
import { newHeader, readHeader } from '../../wire/header.ts';
import { integerAt } from '../../wire/integers.ts';
import * as M from '../../wire/markers.ts';
import { decodeHere } from '../../wire/utf8.ts';
import * as C from '../ColumnNode.ts';
import { BIT, ColumnNode, DELTA, HAS_BASE, UNSIGNED } from '../ColumnNode.ts';
import { MALFORMED, need } from '../malformed.ts';

const MAX_NESTED = 128;

/** Bytes of a value in the section of each element of INT; `bit` takes less. */
const ELEMENTS: readonly number[] = [0, 1, 1, 2, 4, 8];

const UNUSED = 0x80;

export interface PayloadHeader {
  plainSize: number;
  values: number;
  depth: number;
  /** Size of the directory. */
  directory: number;
}

const TWO_63 = 2n ** 63n;

export class DirectoryReader {
  readonly #src: Uint8Array;
  readonly #view: DataView;
  pos: number;
  #end: number;
  /** What the number of values of all nodes may still be. */
  #counts = 0;
  readonly nodes: ColumnNode[] = [];

  constructor(src: Uint8Array, view: DataView, start: number, end: number) {
    this.#src = src;
    this.#view = view;
    this.pos = start;
    this.#end = end;
  }

  header(): PayloadHeader {
    const plainSize = this.#uint();
    const values = this.#uint();
    const depth = this.#uint();
    return { plainSize, values, depth, directory: this.#uint() };
  }

  /** Reads all nodes, and finds their sections. Afterwards, the position is that after all sections. */
  root({ directory, plainSize }: PayloadHeader): ColumnNode {
    const end = this.#end;
    need(directory <= end - this.pos);
    this.#end = this.pos + directory;
    this.#counts = 8 * plainSize + 64;
    const root = this.#node(1, 1);
    need(this.pos === this.#end);
    let at = this.pos;
    for (const node of this.nodes) {
      node.at = at;
      at += node.size;
      need(at <= end);
    }
    this.pos = at;
    return root;
  }

  #byte(): number {
    need(this.pos < this.#end);
    return this.#src[this.pos++] as number;
  }

  /** Reads an integer in any format: a number if it is safe. */
  #int(): number | bigint {
    const { pos } = this;
    need(M.isInteger(this.#byte()));
    this.pos = pos + (M.HEADER_SIZE[this.#src[pos] as number] as number);
    need(this.pos <= this.#end);
    return integerAt(this.#view, pos);
  }

  /** Reads an integer from 0 up. Above 2^53 it is inexact, which is above all sizes. */
  #uint(): number {
    const value = Number(this.#int());
    need(value >= 0);
    return value;
  }

  /** Reads a str, and adds its size to `sizes`. */
  #str(sizes: number[]): string {
    const header = newHeader();
    need(readHeader(this.#view, this.pos, this.#end, header) && header.kind === 'str');
    const start = this.pos + header.size;
    this.pos = start + header.count;
    need(this.pos <= this.#end);
    const value = decodeHere(this.#src, this.#view, start, this.pos);
    if (value === undefined) throw MALFORMED;
    sizes.push(header.count);
    return value;
  }

  /** Reads a node of `n` values with its children; `nested` counts it and those around it. */
  #node(n: number, nested: number): ColumnNode {
    this.#counts -= n;
    need(nested <= MAX_NESTED && this.#counts >= 0);
    const entry = this.#byte();
    const node = new ColumnNode(entry & 0x0f, entry >> 4, n);
    const { kind, mode } = node;
    this.nodes.push(node);
    need(mode === 0 || (kind === C.FLOAT && mode === 2) || (kind === C.BYTES && (mode <= 2 || mode === C.TERMINATED)));
    const child = (count: number) => node.children.push(this.#node(count, nested + 1));
    const ints = () => {
      need(this.#src[this.pos] === C.INT);
      child(n);
      // Lengths, tags, indexes and mantissas have no values of 2^63 and more.
      need((node.child(node.children.length - 1).form & UNSIGNED) === 0);
    };
    switch (kind) {
      case C.PLAIN:
        node.size = this.#uint();
        need(n <= node.size && (n > 0 || node.size === 0));
        break;
      case C.INT:
        this.#integers(node);
        break;
      case C.FLOAT:
        node.size = n * (mode === 0 ? 8 : 4);
        break;
      case C.SCALED:
        node.form = this.#byte();
        need(node.form < C.POWERS.length);
        ints();
        break;
      case C.TIME:
        node.form = this.#byte();
        need(node.form <= 9 && node.form % 3 === 0);
        ints();
        break;
      case C.BYTES:
        if (mode === C.EXT) node.form = (this.#byte() << 24) >> 24;
        node.size = this.#uint();
        if (mode !== C.TERMINATED) ints();
        else need(n <= node.size);
        break;
      case C.DICT: {
        const entries = this.#uint();
        need(entries <= n);
        ints();
        need(this.pos < this.#end && ((this.#src[this.pos] as number) & 0x0f) <= C.BYTES);
        child(entries);
        break;
      }
      case C.LIST:
      case C.MAP: {
        const items = this.#uint();
        ints();
        child(items);
        if (kind === C.MAP) child(items);
        break;
      }
      case C.STRUCT:
        this.#struct(node, ints, child);
        break;
      case C.UNION: {
        const counts = this.#list(this.#byte());
        need(counts.length >= 2 && counts.length <= 16);
        need(counts.reduce((sum, count) => sum + count, 0) === n);
        ints();
        counts.forEach(child);
        break;
      }
      default:
        throw MALFORMED;
    }
    return node;
  }

  #integers(node: ColumnNode): void {
    const { n } = node;
    const form = this.#byte();
    const element = form & 0x0f;
    const width = ELEMENTS[element];
    const delta = (form & DELTA) !== 0;
    need(width !== undefined && (form & UNUSED) === 0 && !(delta && (n === 0 || element === BIT)));
    node.form = form;
    const unsigned = (form & UNSIGNED) !== 0;
    if ((form & HAS_BASE) !== 0) node.base = this.#inRange(unsigned && !delta);
    if (delta) node.first = this.#inRange(unsigned);
    node.size = element === BIT ? Math.ceil(n / 8) : (n - (delta ? 1 : 0)) * width;
  }

  /** Reads an integer that is not negative, or below 2^63. */
  #inRange(unsigned: boolean): number | bigint {
    const value = this.#int();
    need(unsigned ? value >= 0 : value < TWO_63);
    return value;
  }

  /** Reads a number of integers, each of which takes a byte at least. */
  #list(count: number): number[] {
    need(count <= this.#end - this.pos);
    const list: number[] = [];
    for (let i = 0; i < count; i++) list.push(this.#uint());
    return list;
  }

  #struct(node: ColumnNode, ints: () => void, child: (count: number) => void): void {
    const { keys, shapes, n } = node;
    const count = this.#uint();
    for (let i = 0; i < count; i++) keys.push(this.#str(node.keySizes));
    need(new Set(keys).size === count);
    const shapeCount = this.#uint();
    need(shapeCount >= 1);
    if (shapeCount === 1) {
      for (let i = 0; i < count; i++) child(n);
      return;
    }
    for (let i = 0; i < shapeCount; i++) {
      const shape = this.#list(this.#uint());
      need(new Set(shape).size === shape.length && shape.every((key) => key < count));
      shapes.push(shape);
    }
    const counts = this.#list(count);
    need(counts.every((rows) => rows <= n));
    ints();
    counts.forEach(child);
  }
}
