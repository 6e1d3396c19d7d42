import { Writer } from '../encode/writer.ts';
import { MsgpackEncodeError } from '../errors/errors.ts';
import { BundleWriter } from '../ext/bundle-writer.ts';
import { References } from '../ext/references.ts';
import { RecordIds } from '../record/ids.ts';
import { type EncodeConfig, encodeConfig } from './encode-config.ts';
import type { Options } from './options.ts';
import { COMPATIBLE, type InternalOptions, UnpackrClass } from './unpackr.ts';

/** `pack` gives the whole memory, with `start` and `end` of the message as its properties. */
export const REUSE_BUFFER_MODE = 512;
/** The next message is written over this one. */
export const RESET_BUFFER_MODE = 1024;
/** Added to a number of bytes up to 255 that are left free before the message. */
export const RESERVE_START_SPACE = 2048;

/** Among the options of `pack`: {@link PackrClass.append}. */
const APPEND = 1 << 16;

/** How often a value is packed again because the shared structures were not saved. */
const MAX_RETRIES = 4;

/**
 * Packs values, and unpacks them as {@link UnpackrClass} does. Objects of the same keys
 * are written as records, unless `useRecords` is false.
 *
 * @example
 * const packr = new Packr();
 * const bytes = packr.pack([{ x: 1 }, { x: 2 }]);
 * packr.unpack(bytes); // [{ x: 1 }, { x: 2 }]
 */
export class PackrClass extends UnpackrClass {
  /** Where the next message will begin, as in msgpackr. */
  offset = 0;
  /** Where the last message begins. @internal */
  begun = 0;
  /** Packs a value; see {@link PackrClass.encode}. */
  readonly pack: (value: unknown, options?: number) => Buffer;
  /**
   * Packs a value. The bytes share memory with those of other messages, as small
   * Buffers do.
   *
   * @param options a sum of REUSE_BUFFER_MODE, RESET_BUFFER_MODE and RESERVE_START_SPACE
   * @throws MsgpackEncodeError
   * @example
   * packr.encode({ x: 1 }, RESERVE_START_SPACE + 4); // four bytes are free before the message
   */
  readonly encode: (value: unknown, options?: number) => Buffer;
  readonly #encodeConfig: EncodeConfig;
  readonly #ids: RecordIds | null;
  readonly #writer: Writer;
  readonly #options: InternalOptions;
  #busy = false;

  constructor(options: InternalOptions = {}) {
    const hasShared = options.structures !== undefined || options.saveStructures !== undefined;
    super(
      hasShared && options.structures === undefined && options.getStructures === undefined
        ? { ...options, structures: [] }
        : options,
    );
    this.#options = options;
    const compatible = options[COMPATIBLE] ?? false;
    this.#encodeConfig = encodeConfig(options, this.extensions, compatible);
    // A sequential packer of msgpackr has a list, and so as few of its own as one that shares.
    const maxOwnStructures =
      options.maxOwnStructures ?? (compatible && options.sequential ? 32 : undefined);
    this.#ids = this.#encodeConfig.records
      ? new RecordIds(this.shared, hasShared, { ...options, maxOwnStructures })
      : null;
    this.#writer = new Writer(this.#encodeConfig, this.#ids);
    this.pack = (value, encodeOptions = 0) => this.#pack(value, encodeOptions, 0) as Buffer;
    this.encode = this.pack;
  }

  #pack(value: unknown, options: number, retries: number): Uint8Array {
    if (this.#busy) return this.#nested().pack(value, options);
    const writer = this.#writer;
    const ids = this.#ids;
    const config = this.#encodeConfig;
    let done = false;
    this.#busy = true;
    try {
      writer.begin(
        (options & RESERVE_START_SPACE) !== 0 ? options & 0xff : 0,
        (options & APPEND) !== 0,
      );
      if (config.structuredClone) writer.references = new References();
      if (config.bundleStrings && typeof value !== 'string') writer.bundle = new BundleWriter();
      const { bundle, references } = writer;
      writer.message(value);
      bundle?.finish(writer);
      references?.finish(writer, bundle?.written ?? []);
      done = true;
    } catch (error) {
      throw this.#explain(error, value);
    } finally {
      this.#busy = false;
      if (!done) {
        writer.pos = writer.start;
        writer.bundle = null;
        writer.references = null;
        ids?.rollback();
      }
    }
    if (ids?.grown && !this.#save(ids)) {
      writer.pos = writer.start;
      ids.growing = retries < MAX_RETRIES;
      try {
        return this.#pack(value, options, retries + 1);
      } finally {
        ids.growing = true;
      }
    }
    return this.#take(options);
  }

  /** Saves the grown list; what was not saved is forgotten. */
  #save(ids: RecordIds): boolean {
    const from = ids.sharedBefore;
    let saved = false;
    this.#busy = true;
    try {
      saved = this.shared.save(from);
      return saved;
    } finally {
      this.#busy = false;
      if (!saved) {
        ids.rollback();
        if (this.shared.canLoad) this.shared.reload();
      }
    }
  }

  #take(options: number): Uint8Array {
    const writer = this.#writer;
    const { start, pos } = writer;
    this.offset = pos;
    this.begun = start;
    let message: Uint8Array;
    if ((options & APPEND) !== 0) {
      message = writer.buf;
      writer.finish();
    } else if ((options & REUSE_BUFFER_MODE) !== 0) {
      message = writer.buf;
      Object.assign(message, { start, end: pos });
    } else message = writer.take();
    if ((options & RESET_BUFFER_MODE) !== 0) writer.pos = start;
    return message;
  }

  /** Another instance with these options, for packing while this one is at work. */
  #nested(): PackrClass {
    const nested = new PackrClass({
      ...this.#options,
      structures: this.shared.list.slice(0, this.#ids?.sharedBefore ?? 0),
      getStructures: undefined,
      saveStructures: undefined,
      shouldShareStructure: () => false,
      sequential: false,
      ...(this.#ids === null
        ? {}
        : { maxSharedStructures: this.#ids.maxShared, maxOwnStructures: this.#ids.maxOwn }),
    } as Options);
    return nested;
  }

  /** The error with the path of the value at fault, found by writing once more step by step. */
  #explain(error: unknown, value: unknown): unknown {
    const overflow = error instanceof RangeError && /call stack|recursion/.test(error.message);
    if (!overflow && !(error instanceof MsgpackEncodeError)) return error;
    const writer = new Writer(this.#encodeConfig, null);
    writer.trail = [];
    writer.open = [];
    if (this.#encodeConfig.structuredClone) writer.references = new References();
    this.#busy = true;
    try {
      writer.begin(0);
      writer.write(value);
    } catch (second) {
      if (second instanceof MsgpackEncodeError) return second;
    } finally {
      this.#busy = false;
    }
    return overflow ? new MsgpackEncodeError('depth_limit', '$') : error;
  }

  /**
   * Packs a value at once behind the message before where the memory has room, and gives
   * the memory. The message lies there from `begun` to `offset`.
   *
   * @internal
   */
  append(value: unknown): Uint8Array {
    if (!this.#busy) return this.#pack(value, APPEND, 0);
    const message = this.#nested().pack(value);
    this.begun = 0;
    this.offset = message.length;
    return message;
  }

  /**
   * Writes the next messages into this memory, whose content is no longer needed.
   *
   * @example
   * packr.useBuffer(Buffer.alloc(65_536));
   */
  useBuffer(buffer: Uint8Array): void {
    this.#writer.useMemory(buffer);
  }

  /** The place in memory where the next message may begin. */
  get position(): number {
    return this.#writer.pos;
  }

  set position(value: number) {
    this.#writer.pos = value;
  }

  /** Says that no packed message is in use any more, so that their memory can be. */
  resetMemory(): void {
    this.#writer.pos = 0;
  }

  /** Forgets the shared structures. */
  clearSharedData(): void {
    this.shared.clear();
  }
}
