import { Packing } from '../../api/Packing.ts';
import { skipPlain } from '../../columns/malformed.ts';
import { ENCODE_FEATURES } from '../../encode/features.ts';
import { MsgpackEncodeError } from '../../errors/errors.ts';
import { ExtensionRegistry, register } from '../../ext/extension.ts';
import { encodeConfig } from '../../options/config.ts';
import type { Options } from '../../options/options.ts';

const NAMES = [
  'extensions',
  'context',
  'replacer',
  'skipNil',
  'sortKeys',
  'float32',
  'rich',
  'bigint',
  'maxDepth',
] as const;

/** Options for how the values of rows are written: those of `Packr` that concern values. */
export type RowOptions = Pick<Options, (typeof NAMES)[number]>;

export class RowPacker {
  readonly #packing: Packing;
  /** Whether a value can be written as several, by an extension of the program, or as msgpackr writes an Error. */
  readonly #spans: boolean;

  /** @param inArray whether rows are elements of an array, which counts as a container */
  constructor(options: RowOptions, inArray: boolean) {
    for (const name of Object.keys(options))
      if (!NAMES.includes(name as keyof RowOptions)) throw new TypeError(`Rows have no option ${name}`);
    const extensions = new ExtensionRegistry();
    for (const extension of options.extensions ?? []) register(extensions, extension);
    const { maxDepth = 1024 } = options;
    const settings = { ...options, maxDepth: maxDepth - (inArray ? 1 : 0) };
    const config = encodeConfig(settings, extensions);
    this.#spans = options.extensions !== undefined || config.rich;
    this.#packing = new Packing(config, ENCODE_FEATURES);
  }

/** Packs a row. The bytes share memory with other rows. */
  pack(row: unknown): Uint8Array {
    const message = this.#packing.pack(row);
    if (this.#spans) {
      const view = new DataView(message.buffer, message.byteOffset, message.length);
      if (skipPlain(message, view, 0, message.length).end !== message.length)
        throw new MsgpackEncodeError('unsupported_type', '$', 'an ext is followed by the value that it refers to');
    }
    return message;
  }
}
