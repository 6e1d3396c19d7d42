import { Packing } from '../../api/Packing.ts';
import { skipPlain } from '../../columns/malformed.ts';
import { ENCODE_FEATURES } from '../../encode/features.ts';
import { MsgpackEncodeError } from '../../errors/errors.ts';
import { encodeConfig, registryOf } from '../../options/config.ts';
import type { Options } from '../../options/options.ts';
import { dataViewOf } from '../../wire/platform.ts';

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

/**
 * Returns a function that packs rows or messages as plain MessagePack. The bytes share memory with other rows.
 *
 * @param inArray whether rows are elements of an array, which counts as a container
 */
export function rowPacker(options: RowOptions, inArray: boolean): (row: unknown) => Uint8Array {
  for (const name of Object.keys(options))
    if (!NAMES.includes(name as keyof RowOptions)) throw new TypeError(`Rows have no option ${name}`);
  const { maxDepth = 1024 } = options;
  const config = encodeConfig({ ...options, maxDepth: maxDepth - (inArray ? 1 : 0) }, registryOf(options));
  const packing = new Packing(config, ENCODE_FEATURES);
  // A value can be written as several, by an extension of the program, or as msgpackr writes an Error.
  const spans = options.extensions !== undefined || config.rich;
  return (row) => {
    const message = packing.pack(row);
    if (spans && skipPlain(message, dataViewOf(message), 0, message.length).end !== message.length)
      throw new MsgpackEncodeError('unsupported_type', '$', 'an ext is followed by the value that it refers to');
    return message;
  };
}
