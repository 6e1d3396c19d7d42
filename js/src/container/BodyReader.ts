import type { UnpackrOptions } from '../api/options.ts';
import { UnpackrClass } from '../api/Unpackr.ts';
import { MsgpackDecodeError } from '../errors/errors.ts';
import type { Structures } from '../record/structures.ts';
import { bytesIn } from '../wire/memory.ts';
import type { ContainerHeader } from './ContainerHeader.ts';
import { type Codecs, codecOf } from './codecs.ts';
import type { BlockFrame } from './FrameReader.ts';
import { fault } from './fail.ts';

/** Options for reading values that a container file decides, or that concern whole messages. */
const EXCLUDED = [
  'useRecords',
  'objectsAsMaps',
  'structures',
  'getStructures',
  'sequential',
  'columns',
  'canonical',
  'bundleStrings',
  'structuredClone',
  'trailing',
  'reviver',
] as const;

/** Options for the values of rows: those of `Unpackr` that do not concern the message around them. */
export type ValueOptions = Omit<UnpackrOptions, (typeof EXCLUDED)[number]>;

/** Refuses options for reading that are not those of values. */
export function checkValueOptions(options: UnpackrOptions): void {
  for (const name of EXCLUDED)
    if (options[name] !== undefined) throw new TypeError(`Rows have no option ${name}`);
}

/** Returns the options for reading the values of a file. */
export function bodyOptions(header: ContainerHeader, options: ValueOptions): UnpackrOptions {
  const structures = header.structures.map((keys) => [...keys]) as Structures;
  return { mapsAsObjects: true, ...options, useRecords: true, structures, columns: true };
}

/** Unpacks the bodies of blocks, and reads their values. */
export class BodyReader {
  readonly options: UnpackrOptions;
  readonly #header: ContainerHeader;
  readonly #given: Codecs;
  readonly #platform: Codecs;
  readonly #unpackr: UnpackrClass;

  constructor(
    header: ContainerHeader,
    given: Codecs,
    platform: Codecs,
    options: ValueOptions = {},
  ) {
    this.#header = header;
    this.#given = given;
    this.#platform = platform;
    this.options = bodyOptions(header, options);
    this.#unpackr = new UnpackrClass(this.options);
  }

  /** Whether blocks of a codec can be unpacked. */
  knows(codec: string): boolean {
    return codecOf(codec, this.#given, this.#platform) !== undefined;
  }

  /**
   * Unpacks the body of a block.
   *
   * @throws MsgpackDecodeError of kind `invalid_ext`
   */
  async body(frame: BlockFrame): Promise<Uint8Array> {
    const { at, data, rawSize } = frame;
    const codec = codecOf(frame.codec ?? this.#header.codec, this.#given, this.#platform);
    let body: Uint8Array | undefined;
    try {
      body = bytesIn(
        await codec?.decompress(data, { rawSize, dictionary: this.#header.dictionary }),
      );
    } catch (error) {
      throw fault('invalid_ext', at, 'the data of the block does not unpack', error);
    }
    if (body?.length === rawSize) return body;
    throw fault('invalid_ext', at, `the data of the block does not unpack to ${rawSize} bytes`);
  }

  /**
   * Reads the values of a body: all rows or messages of the block.
   *
   * @throws MsgpackDecodeError at the block-array
   */
  values(frame: BlockFrame, body: Uint8Array): unknown[] {
    return this.valuesBy(this.#unpackr, frame, body);
  }

  /** Reads the values of a body with other options. */
  valuesBy(unpackr: UnpackrClass, { kind, at, count }: BlockFrame, body: Uint8Array): unknown[] {
    const values = inBlock(at, () =>
      kind === 1 ? unpackr.unpack(body) : body.length === 0 ? [] : unpackr.unpackMultiple(body),
    );
    if (!Array.isArray(values)) throw fault('invalid_ext', at, 'the rows of a block are an array');
    if (values.length !== count)
      throw fault('invalid_ext', at, `the count of the block is ${count}, not ${values.length}`);
    return values;
  }
}

/** Reads from a body; its faults are those of the block-array at an offset. */
export function inBlock<T>(at: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MsgpackDecodeError)) throw error;
    const { kind, offset, path, detail } = error;
    const place = `at byte ${offset} of the body${path === undefined ? '' : ` (${path})`}`;
    throw fault(kind, at, detail === undefined ? place : `${place}: ${detail}`, error.cause);
  }
}
