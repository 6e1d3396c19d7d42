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

/** Writes the bodies of blocks from rows or messages that are there as plain MessagePack. */
export class BodyWriter {
  readonly #messages: boolean;
  readonly #encoder: Encoder;
  readonly #columns: ColumnEncoder | null;

  constructor({ messages, columns }: { readonly messages: boolean; readonly columns: boolean }) {
    this.#messages = messages;
    const config = encodeConfig({ columns }, new ExtensionRegistry());
    this.#encoder = new Encoder(config, ENCODE_FEATURES, null);
    this.#columns = columns && !messages ? new ColumnEncoder(this.#encoder, ENCODE_FEATURES) : null;
  }

  /** Returns the chunks of the body of a block. They may be views of the block's memory. */
  chunks({ bytes, start, end }: PlainBlock): Uint8Array[] {
    const encoder = this.#encoder;
    encoder.begin();
    const isTable = this.#columns?.ofPlain(bytes, start, end) === true;
    const body = isTable ? encoder.take() : bytes.subarray(start, end);
    const cuts = this.#messages ? [0] : cutsOf(body);
    return cuts.map((cut, i) => body.subarray(cut, cuts[i + 1])).filter(({ length }) => length > 0);
  }
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
