/** Reading ext type 92: a value that is stored by column (spec/columns.md). */

import type { DecodeFeatures, DecoderState } from '../../decode/DecoderState.ts';
import { NO_IDS } from '../../record/structures.ts';
import { ALWAYS_ALLOWED, type ColumnNode, type Values, VERSION } from '../ColumnNode.ts';
import { MALFORMED, need, oneError } from '../malformed.ts';
import { ColumnReader } from './ColumnReader.ts';
import { Costs } from './Costs.ts';
import { DirectoryReader, type PayloadHeader } from './DirectoryReader.ts';

/** `columns`: reads values that are stored by column. */
export const columns: DecodeFeatures = {
  columns: {
    isReadable: ({ src }, start, length) => length === 0 || src[start] === VERSION,
    readColumns(decoder, start, length, markerOffset) {
      const payload = openPayload(decoder, start, length, markerOffset);
      return readNode(payload, payload.root, 'all')[0];
    },
  },
};

export interface OpenPayload {
  readonly decoder: DecoderState;
  readonly markerOffset: number;
  readonly header: PayloadHeader;
  readonly root: ColumnNode;
  /** Position after all sections, and after the payload. */
  readonly filler: number;
  readonly end: number;
}

/** Reads the header and the directory of a payload, and checks the bytes after the sections. */
export function openPayload(decoder: DecoderState, start: number, length: number, markerOffset: number): OpenPayload {
  const payload = openDirectory(decoder, start, length, markerOffset);
  oneError(decoder, markerOffset, () => {
    for (let p = payload.filler; p < payload.end; p++) need(decoder.src[p] === 0);
  });
  return payload;
}

/** Reads the header and the directory of a payload, whose sections need not be there yet. */
export function openDirectory(decoder: DecoderState, start: number, length: number, markerOffset: number): OpenPayload {
  const end = start + length;
  const directory = new DirectoryReader(decoder.src, decoder.view, start + 1, end);
  const header = oneError(decoder, markerOffset, () => {
    need(length > 0);
    return directory.header();
  });
  const { plainSize, values, depth } = header;
  const { maxExpansion, maxNodes } = decoder.config;
  if (plainSize > maxExpansion * length + ALWAYS_ALLOWED)
    throw decoder.fail('length_limit', markerOffset, `maxExpansion is ${maxExpansion}`);
  // The ext itself was counted, and is not a value.
  if (decoder.nodes - 1 + values > maxNodes)
    throw decoder.fail('length_limit', markerOffset, `maxNodes is ${maxNodes}`);
  if (decoder.depth + depth > decoder.maxDepth) throw decoder.fail('depth_limit', markerOffset);
  return oneError(decoder, markerOffset, () => {
    need(values > 0 && values <= plainSize);
    const root = directory.root(header);
    return { decoder, markerOffset, header, root, filler: directory.pos, end };
  });
}

/**
 * Returns the position after the directory of a payload, which may be cut after its header, in bytes; that of
 * the header where it is malformed.
 */
export function directoryEnd(bytes: Uint8Array, start: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const directory = new DirectoryReader(bytes, view, start + 1, bytes.length);
  try {
    return directory.header().directory + directory.pos;
  } catch (error) {
    if (error !== MALFORMED) throw error;
    return directory.pos;
  }
}

/** Checks the lengths, indexes, tags and shapes of a node, and what its values take. */
export function checkNode({ decoder, header }: OpenPayload, node: ColumnNode, part: 'all' | 'some'): void {
  const costs = new Costs(decoder, header.plainSize);
  costs.add(node, header.depth);
  need(costs.bytes <= header.plainSize && costs.values <= header.values);
  need(part === 'some' || costs.values === header.values);
}

/** Returns the values of a node: of the root all values of the payload, of others some of them. */
export function readNode(payload: OpenPayload, node: ColumnNode, part: 'all' | 'some'): Values {
  const { decoder, markerOffset, header, end } = payload;
  return oneError(decoder, markerOffset, () => {
    checkNode(payload, node, part);
    return within(decoder, end, header, () => new ColumnReader(decoder, markerOffset).values(node));
  });
}

/**
 * Reads values up to a position: without records, and without ext types that refer to other values.
 */
function within<T>(decoder: DecoderState, end: number, { depth: levels, values }: PayloadHeader, read: () => T): T {
  const { fix, inline, pos, partial, depth, maxDepth, pending, bundle, nodes } = decoder;
  const before = { fix, inline, pos, end: decoder.end, partial, depth, maxDepth, pending, bundle };
  decoder.alone = true;
  decoder.fix = NO_IDS;
  if (inline > 0) decoder.inline = NO_IDS;
  decoder.end = end;
  decoder.partial = false;
  decoder.maxDepth = depth + levels;
  decoder.bundle = null;
  // They were counted as a whole.
  decoder.nodes = Number.NEGATIVE_INFINITY;
  try {
    return read();
  } finally {
    Object.assign(decoder, before);
    decoder.alone = false;
    decoder.nodes = nodes - 1 + values;
  }
}
