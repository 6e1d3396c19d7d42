/** The body of a block that is a table in columns: some keys of its rows, without the others. */

import * as C from '../../columns/ColumnNode.ts';
import { ColumnNode, type Values } from '../../columns/ColumnNode.ts';
import { oneError } from '../../columns/malformed.ts';
import { checkNode, directoryEnd, type OpenPayload, openDirectory, readNode } from '../../columns/read/columns.ts';
import type { DecodeConfig } from '../../decode/DecodeConfig.ts';
import { DECODE_FEATURES, decoderFor } from '../../decode/features.ts';
import { MsgpackDecodeError } from '../../errors/errors.ts';
import { newHeader, readHeader } from '../../wire/header.ts';
import * as M from '../../wire/markers.ts';
import type { BlockBody, Range } from './BlockFrame.ts';
import { checkCount, inBlock } from './BodyReader.ts';

/** Bytes that have the header of an ext and of a payload. */
const HEADERS = 64;

/** Returns where the payload of a body begins that is one value in columns; undefined for any other body. */
export function payloadStart(body: Uint8Array): number | undefined {
  const header = newHeader();
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const isExt = readHeader(view, 0, body.length, header) && header.kind === 'ext';
  const { size, count, type } = header;
  const isWhole = type === M.EXT_COLUMNS && size + count === body.length;
  return isExt && isWhole && body[size] === C.VERSION ? size : undefined;
}

/** Returns the rows of a value that is a LIST of STRUCT; undefined for any other. */
export function tableOf(root: ColumnNode): ColumnNode | undefined {
  const rows = root.kind === C.LIST ? root.child(1) : undefined;
  return rows?.kind === C.STRUCT ? rows : undefined;
}

export function keyColumns({ children, shapes }: ColumnNode): readonly ColumnNode[] {
  return shapes.length > 0 ? children.slice(1) : children;
}

/** Returns the section of a column with all in it: those of its nodes follow each other. */
function sectionsOf(column: ColumnNode): Range {
  let last = column;
  while (last.children.length > 0) last = last.child(last.children.length - 1);
  return [column.at, last.at + last.size];
}

/** A table in columns. Whoever reads keys of its rows loads their chunks before. */
export class BodyColumns {
  readonly #body: BlockBody;
  readonly #payload: OpenPayload;
  readonly #rows: ColumnNode;

  private constructor(body: BlockBody, payload: OpenPayload, rows: ColumnNode) {
    this.#body = body;
    this.#payload = payload;
    this.#rows = rows;
  }

  /**
   * Reads the directory of a body, and what belongs to no key; undefined for a body that is not a table, or whose
   * directory has a fault, which whoever reads all of it finds.
   *
   * @throws MsgpackDecodeError for chunks with a fault, and where the number of rows is wrong
   */
  static async open(body: BlockBody, config: DecodeConfig): Promise<BodyColumns | undefined> {
    const { head } = body.frame;
    if (head.kind !== 1) return undefined;
    await body.read([[0, HEADERS]]);
    const start = payloadStart(body.bytes);
    if (start === undefined) return undefined;
    await body.read([[0, directoryEnd(body.bytes, start)]]);
    const decoder = decoderFor(config, DECODE_FEATURES);
    decoder.open(body.bytes, 0, body.bytes.length);
    const { base, end } = decoder;
    let payload: OpenPayload;
    try {
      payload = openDirectory(decoder, base + start, end - base - start, 0);
    } catch (error) {
      if (!(error instanceof MsgpackDecodeError)) throw error;
      return undefined;
    }
    const rows = tableOf(payload.root);
    if (rows === undefined) return undefined;
    const [first] = keyColumns(rows);
    await body.read([[0, (first?.at ?? payload.filler) - base]]);
    const table = new BodyColumns(body, payload, rows);
    table.#read((root) => checkNode(payload, root, 'some'));
    checkCount(head, rows.n);
    return table;
  }

  async load(has: (key: string) => boolean): Promise<void> {
    const { keys } = this.#rows;
    const { bytes } = this.#body;
    const { decoder } = this.#payload;
    const columns = keyColumns(this.#rows).filter((_, i) => has(keys[i] as string));
    await this.#body.read(columns.map(sectionsOf).map(([from, to]): Range => [from - decoder.base, to - decoder.base]));
    // It may remember strings of bytes that were not read before.
    decoder.open(bytes, 0, bytes.length);
  }

  /** Reads something of the rows with some of their keys, none by default. */
  #read<T>(read: (root: ColumnNode) => T, has: (key: string) => boolean = () => false): T {
    const { decoder, markerOffset, root: list } = this.#payload;
    const root = new ColumnNode(C.LIST, 0, 1);
    root.children.push(list.child(0), withKeys(this.#rows, has));
    return inBlock(this.#body.frame.head, () => oneError(decoder, markerOffset, () => read(root)));
  }

  rowsWith(has: (key: string) => boolean): unknown[] {
    return this.#read((root) => readNode(this.#payload, root, 'some')[0] as unknown[], has);
  }

  /** Returns the values of all rows at a path: null where no row has one, undefined where they are not a column. */
  columnAt(parts: readonly string[]): Values | null | undefined {
    if (parts.length === 0) return undefined;
    let node = this.#rows;
    for (const part of parts) {
      const child = childOf(node, part);
      if (child === undefined || child === null) return child;
      node = child;
    }
    return this.#read(() => readNode(this.#payload, node, 'some'));
  }
}

function withKeys(rows: ColumnNode, has: (key: string) => boolean): ColumnNode {
  const { n, keys, keySizes, shapes } = rows;
  const node = new ColumnNode(C.STRUCT, 0, n);
  const columns = keyColumns(rows);
  const indexes = keys.map((key) => (has(key) ? node.keys.push(key) - 1 : undefined));
  if (shapes.length > 0) node.children.push(rows.child(0));
  indexes.forEach((index, i) => {
    if (index === undefined) return;
    node.keySizes.push(keySizes[i] as number);
    node.children.push(columns[i] as ColumnNode);
  });
  for (const shape of shapes) node.shapes.push(shape.map((key) => indexes[key]).filter((index) => index !== undefined));
  return node;
}

/** Returns the column of a part of a path, where it has a value for each row. */
function childOf(node: ColumnNode, part: string): ColumnNode | null | undefined {
  if (node.kind !== C.STRUCT) return undefined;
  const at = node.keys.indexOf(part);
  if (at < 0 || part === '') return null;
  const child = keyColumns(node)[at] as ColumnNode;
  return child.n === node.n ? child : undefined;
}
