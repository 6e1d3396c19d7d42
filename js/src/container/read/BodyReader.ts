import { UnpackrClass } from '../../api/Unpackr.ts';
import { columns } from '../../columns/read/columns.ts';
import { MsgpackDecodeError } from '../../errors/errors.ts';
import type { UnpackrOptions } from '../../options/options.ts';
import { type Codec, type Codecs, codecOf } from '../codec/codecs.ts';
import { blockFault } from '../source/fail.ts';
import { BlockBody, type BlockFrame, type BlockHead } from './BlockFrame.ts';

/** Options for reading values that a container file decides, or that concern whole messages. */
const EXCLUDED = [
  'records',
  'structures',
  'getStructures',
  'sequential',
  'columns',
  'canonical',
  'trailing',
  'reviver',
] as const;

/** Options for the values of rows: those of `Unpackr` that do not concern the message around them. */
export type ValueOptions = Omit<UnpackrOptions, (typeof EXCLUDED)[number]>;

export function checkValueOptions(options: UnpackrOptions): void {
  for (const name of EXCLUDED) if (options[name] !== undefined) throw new TypeError(`Rows have no option ${name}`);
}

export class BodyReader {
  readonly options: UnpackrOptions;
  readonly #codec: string;
  readonly #codecOf: (name: string) => Codec | undefined;
  readonly #unpackr: UnpackrClass;

  /** @param codec the codec of blocks that name none */
  constructor(codec: string, given: Codecs, platform: Codecs, options: ValueOptions) {
    this.#codec = codec;
    this.#codecOf = (name) => codecOf(name, given, platform);
    this.options = { ...options, columns };
    this.#unpackr = new UnpackrClass(this.options);
  }

  knows(codec: string): boolean {
    return this.#codecOf(codec) !== undefined;
  }

  body(frame: BlockFrame): BlockBody {
    return new BlockBody(frame, this.#codecOf(frame.head.codec ?? this.#codec) as Codec);
  }

  async values(body: BlockBody, unpackr: UnpackrClass = this.#unpackr): Promise<unknown[]> {
    await body.readAll();
    const { bytes, frame } = body;
    const { head } = frame;
    const values = inBlock(head, () =>
      head.kind === 1 ? unpackr.unpack(bytes) : bytes.length === 0 ? [] : unpackr.unpackMultiple(bytes),
    );
    if (!Array.isArray(values)) throw blockFault(head, 'the rows of a block are an array');
    checkCount(head, values.length);
    return values;
  }
}

export function checkCount(head: BlockHead, count: number): void {
  if (count !== head.count) throw blockFault(head, `the count of the block is ${head.count}, not ${count}`);
}

/** Reads from a body; its faults are those of the block-array. */
export function inBlock<T>(head: BlockHead, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MsgpackDecodeError)) throw error;
    const { kind, offset, path, detail, cause } = error;
    const place = `at byte ${offset} of the body${path === undefined ? '' : ` (${path})`}`;
    throw blockFault(head, detail === undefined ? place : `${place}: ${detail}`, kind, cause);
  }
}
