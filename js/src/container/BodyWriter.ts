import { encodeConfig } from '../api/encode-options.ts';
import { ColumnEncoder } from '../columns/ColumnEncoder.ts';
import { KeyLists } from '../columns/KeyLists.ts';
import { PlainCopier } from '../columns/PlainCopier.ts';
import { skipPlain } from '../columns/plain.ts';
import { Tape } from '../columns/Tape.ts';
import type { EncodeConfig } from '../encode/EncodeConfig.ts';
import { Encoder } from '../encode/Encoder.ts';
import { ENCODE_FEATURES } from '../encode/features.ts';
import { RecordIds } from '../encode/RecordIds.ts';
import { ExtensionRegistry } from '../ext/extension.ts';
import { SharedStructures } from '../record/SharedStructures.ts';
import type { Structures } from '../record/structures.ts';
import type { PlainBlock } from './PlainBlock.ts';

const NO_SPANS: ReadonlySet<number> = /* @__PURE__ */ new Set();

/** How bodies are written. */
export interface BodyOptions {
  readonly messages: boolean;
  readonly columns: boolean;
  readonly views: boolean;
  /** Shared structures, where records are on. */
  readonly structures: readonly (readonly string[])[] | undefined;
}

/** Writes the bodies of blocks from rows or messages that are there as plain MessagePack. */
export class BodyWriter {
  readonly #options: BodyOptions;
  readonly #config: EncodeConfig;
  /** Writes all bodies without records, which share nothing. */
  readonly #plain: Encoder;
  readonly #columns: ColumnEncoder | null;

  constructor(options: BodyOptions) {
    this.#options = options;
    const { columns, views, messages, structures } = options;
    const settings = { columns, columnViews: views, useRecords: structures !== undefined };
    this.#config = encodeConfig(settings, new ExtensionRegistry(), false);
    this.#plain = new Encoder({ ...this.#config, records: false }, ENCODE_FEATURES, null);
    const hasColumns = columns && !messages && structures === undefined;
    this.#columns = hasColumns ? new ColumnEncoder(this.#plain, ENCODE_FEATURES) : null;
  }

  /** Returns the body of a block. It may be a view of the block's memory. */
  body(block: PlainBlock): Uint8Array {
    const { structures } = this.#options;
    if (structures !== undefined) return this.#withRecords(block, structures);
    const { bytes, start, end } = block;
    if (this.#columns === null) return bytes.subarray(start, end);
    const encoder = this.#plain;
    encoder.begin(0);
    if (!this.#columns.ofPlain(bytes, start, end)) return bytes.subarray(start, end);
    return encoder.take();
  }

  /** Writes a body with records, whose structures are sequential within the block. */
  #withRecords(
    { bytes, start, end, count }: PlainBlock,
    structures: readonly (readonly string[])[],
  ): Uint8Array {
    const shared = new SharedStructures({
      structures: structures.map((keys) => [...keys]) as Structures,
    });
    const options = { maxSharedStructures: structures.length, sequential: true };
    const ids = new RecordIds(shared, true, options);
    const encoder = new Encoder(this.#config, ENCODE_FEATURES, ids);
    encoder.begin(0);
    const { messages, columns } = this.#options;
    const columnEncoder = columns && !messages ? new ColumnEncoder(encoder, ENCODE_FEATURES) : null;
    if (columnEncoder?.ofPlain(bytes, start, end)) return encoder.take();
    const copier = new MessageCopier(encoder, ids);
    if (messages) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      for (let p = start, i = 0; i < count; i++) {
        const next = skipPlain(bytes, view, p, end).end;
        copier.copy(bytes, p, next);
        p = next;
      }
    } else copier.copy(bytes, start, end);
    return encoder.take();
  }
}

/** Copies plain messages, with records in place of maps. */
class MessageCopier {
  readonly #encoder: Encoder;
  readonly #tape: Tape = new Tape();
  readonly #lists: KeyLists = new KeyLists(this.#tape);
  readonly #copier: PlainCopier;

  constructor(encoder: Encoder, ids: RecordIds) {
    this.#encoder = encoder;
    this.#copier = new PlainCopier(this.#tape, this.#lists, encoder, ids, encoder.shapes);
  }

  copy(bytes: Uint8Array, start: number, end: number): void {
    this.#tape.read(bytes, start, end, NO_SPANS);
    this.#lists.read();
    this.#encoder.prepare();
    this.#copier.begin();
    this.#copier.value(0);
  }
}
