/** Single columns of the body of a block, without the rows (spec/columns.md section 7). */

import type { ColumnNode, Values } from '../columns/ColumnNode.ts';
import * as C from '../columns/ColumnNode.ts';
import { type OpenPayload, openPayload, readNode } from '../columns/columns.ts';
import type { DecodeConfig } from '../decode/DecodeConfig.ts';
import { Decoder } from '../decode/Decoder.ts';
import { newHeader, readHeader } from '../wire/header.ts';
import * as M from '../wire/markers.ts';
import { positionOf } from './paths.ts';

/** The rows of a body that is stored by column. */
export interface BodyColumns {
  readonly payload: OpenPayload;
  readonly rows: ColumnNode;
}

/**
 * Opens a body that is stored by column; undefined for any other.
 *
 * @throws MsgpackDecodeError
 */
export function openColumns(body: Uint8Array, config: DecodeConfig): BodyColumns | undefined {
  const decoder = new Decoder(config, {});
  decoder.open(body, 0, body.length);
  const { view, src, pos, end } = decoder;
  const header = newHeader();
  if (!readHeader(view, pos, end, header) || header.kind !== 'ext') return undefined;
  const start = pos + header.size;
  const isWhole = start + header.count === end && src[start] === C.VERSION;
  if (header.type !== M.EXT_COLUMNS || !isWhole) return undefined;
  const payload = openPayload(decoder, start, header.count, 0);
  const { root } = payload;
  return root.kind === C.LIST ? { payload, rows: root.child(1) } : undefined;
}

/**
 * Returns the values of all rows at a path: null where no row has one, undefined where they are not a column.
 *
 * @throws MsgpackDecodeError
 */
export function columnAt(
  { payload, rows }: BodyColumns,
  parts: readonly string[],
): Values | null | undefined {
  let node = rows;
  for (const part of parts) {
    const child = childOf(node, part);
    if (child === undefined || child === null) return child;
    node = child;
  }
  return readNode(payload, node, 'some');
}

/** Returns the column of a part of a path, where it has a value for each row. */
function childOf(node: ColumnNode, part: string): ColumnNode | null | undefined {
  if (node.kind === C.TUPLE) return node.children[positionOf(part)] ?? null;
  if (node.kind !== C.STRUCT) return undefined;
  const at = node.keys.indexOf(part);
  if (at < 0 || part === '') return null;
  const child = node.child(at + (node.shapes.length > 0 ? 1 : 0));
  return child.n === node.n ? child : undefined;
}
