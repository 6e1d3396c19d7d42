import { DirectoryReader } from '../../columns/read/DirectoryReader.ts';
import { ColumnEncoder } from '../../columns/write/ColumnEncoder.ts';
import { Encoder } from '../../encode/Encoder.ts';
import { ENCODE_FEATURES } from '../../encode/features.ts';
import { ExtensionRegistry } from '../../ext/extension.ts';
import { encodeConfig } from '../../options/config.ts';
import { keyColumns, payloadStart, tableOf } from '../read/body-columns.ts';
import type { PlainBlock } from './PlainBlock.ts';

/** Size from which on a chunk ends before the next key. */
const MIN_CHUNK = 8192;

/**
 * Returns a function that writes the bodies of blocks from rows or messages that are there as plain MessagePack, and
 * returns their chunks, which may be views of the block's memory.
 */
export function bodyWriter({
  messages,
  columns,
}: {
  readonly messages: boolean;
  readonly columns: boolean;
}): (block: PlainBlock) => Uint8Array[] {
  const encoder = new Encoder(encodeConfig({ columns }, new ExtensionRegistry()), ENCODE_FEATURES, null);
  const writer = columns && !messages ? new ColumnEncoder(encoder, ENCODE_FEATURES) : null;
  return ({ bytes, start, end }) => {
    encoder.begin();
    const body = writer?.ofPlain(bytes, start, end) ? encoder.take() : bytes.subarray(start, end);
    const cuts = messages ? [0] : cutsOf(body);
    return cuts.map((cut, i) => body.subarray(cut, cuts[i + 1])).filter(({ length }) => length > 0);
  };
}

/** Returns where the chunks of a body begin: small columns share one. */
function cutsOf(body: Uint8Array): number[] {
  const cuts = [0];
  const start = payloadStart(body);
  if (start === undefined) return cuts;
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const directory = new DirectoryReader(body, view, start + 1, body.length);
  const rows = tableOf(directory.root(directory.header()));
  for (const { at } of rows === undefined ? [] : keyColumns(rows))
    if (at - (cuts[cuts.length - 1] as number) >= MIN_CHUNK) cuts.push(at);
  return cuts;
}
