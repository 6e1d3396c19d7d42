import { BundleBuilder } from '../encode/BundleBuilder.ts';
import type { EncodeConfig } from '../encode/EncodeConfig.ts';
import { Encoder } from '../encode/Encoder.ts';
import { RecordIds } from '../encode/RecordIds.ts';
import { References } from '../encode/References.ts';
import { replaceAll } from '../encode/replace.ts';
import { MsgpackEncodeError } from '../errors/errors.ts';
import type { Packed } from '../wire/platform.ts';
import { type Callable, callable } from './callable.ts';
import { encodeConfig } from './encode-options.ts';
import type { Options } from './options.ts';
import { COMPATIBLE, DIALECT, type InternalOptions, UnpackrClass } from './Unpackr.ts';

/** Makes `pack` return the whole memory, with `start` and `end` of the message as its properties. */
export const REUSE_BUFFER_MODE = 512;
/** Makes the next message overwrite this one. */
export const RESET_BUFFER_MODE = 1024;
/** Leaves bytes free before the message; add their number, up to 255. */
export const RESERVE_START_SPACE = 2048;

/** The option of {@link PackrClass.append}. */
const APPEND = 1 << 16;

/** Maximum number of times that a value is packed again because saving was declined. */
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
  /** Offset in memory after the last message, as in msgpackr. */
  offset = 0;
  /** Offset in memory of the last message. @internal */
  begun = 0;
  /** Packs a value; see {@link PackrClass.encode}. */
  readonly pack: (value: unknown, options?: number) => Packed;
  /**
   * Packs a value. The bytes share memory with other messages, as small Buffers do.
   *
   * @param options a sum of REUSE_BUFFER_MODE, RESET_BUFFER_MODE and RESERVE_START_SPACE
   * @throws MsgpackEncodeError
   * @example
   * packr.encode({ x: 1 }, RESERVE_START_SPACE + 4); // four bytes are free before the message
   */
  readonly encode: (value: unknown, options?: number) => Packed;
  readonly #encodeConfig: EncodeConfig;
  readonly #ids: RecordIds | null;
  readonly #encoder: Encoder;
  #busy = false;

  constructor(given: InternalOptions = {}) {
    super(given);
    const { options } = this;
    const hasShared = options.structures !== undefined || options.saveStructures !== undefined;
    const compatible = options[COMPATIBLE] ?? false;
    this.#encodeConfig = encodeConfig(options, this.extensions, compatible);
    // A sequential packer of msgpackr has a shared list, and with it the lower maximum.
    const maxOwnStructures =
      options.maxOwnStructures ?? (compatible && options.sequential ? 32 : undefined);
    this.#ids = this.#encodeConfig.records
      ? new RecordIds(this.shared, hasShared, { ...options, maxOwnStructures })
      : null;
    this.#encoder = this.#newEncoder(this.#ids);
    this.pack = (value, encodeOptions = 0) => this.#pack(value, encodeOptions, 0) as Packed;
    this.encode = this.pack;
  }

  #newEncoder(ids: RecordIds | null): Encoder {
    const newEncoder = this.options[DIALECT]?.newEncoder;
    return newEncoder?.(this.#encodeConfig) ?? new Encoder(this.#encodeConfig, ids);
  }

  #pack(given: unknown, options: number, retries: number): Uint8Array {
    if (this.#busy) return this.#nested().pack(given, options);
    const encoder = this.#encoder;
    const ids = this.#ids;
    const config = this.#encodeConfig;
    const { replacer } = config;
    const value =
      replacer === undefined || retries > 0 ? given : replaceAll(given, replacer, config);
    let done = false;
    this.#busy = true;
    try {
      encoder.begin(
        (options & RESERVE_START_SPACE) !== 0 ? options & 0xff : 0,
        (options & APPEND) !== 0,
      );
      const references = config.structuredClone ? new References() : null;
      const bundle = config.bundleStrings && typeof value !== 'string' ? new BundleBuilder() : null;
      encoder.references = references;
      encoder.bundle = bundle;
      encoder.message(value);
      bundle?.finish(encoder);
      references?.finish(encoder, bundle?.written ?? []);
      done = !encoder.detached;
    } catch (error) {
      if (!encoder.detached) throw this.#explain(error, value);
    } finally {
      this.#busy = false;
      if (!done) {
        encoder.pos = encoder.start;
        encoder.bundle = null;
        encoder.references = null;
        ids?.rollback();
      }
    }
    if (!done) {
      // A toJSON or an extension transferred the memory that the message was written into.
      if (retries >= MAX_RETRIES)
        throw new MsgpackEncodeError('unsupported_type', '$', 'its memory was transferred');
      return this.#pack(value, options, retries + 1);
    }
    if (ids?.grown && !this.#save(ids)) {
      encoder.pos = encoder.start;
      ids.growing = retries < MAX_RETRIES;
      try {
        return this.#pack(value, options, retries + 1);
      } finally {
        ids.growing = true;
      }
    }
    return this.#take(options);
  }

  /** Saves the list after it grew; undoes what was not saved. */
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
        this.shared.takeOver();
      }
    }
  }

  #take(options: number): Uint8Array {
    const encoder = this.#encoder;
    const { start, pos } = encoder;
    this.offset = pos;
    this.begun = start;
    let message: Uint8Array;
    if ((options & APPEND) !== 0) {
      message = encoder.buf;
      encoder.finish();
    } else if ((options & REUSE_BUFFER_MODE) !== 0) {
      message = encoder.buf;
      Object.assign(message, { start, end: pos });
    } else message = encoder.take();
    if ((options & RESET_BUFFER_MODE) !== 0) encoder.pos = start;
    return message;
  }

  /** Makes another instance with these options, for packing while this one is in use. */
  #nested(): PackrClass {
    const nested = new PackrClass({
      ...this.options,
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

  /** Returns the error with the path of the value at fault: packs again and records the path. */
  #explain(error: unknown, value: unknown): unknown {
    const overflow = error instanceof RangeError && /call stack|recursion/.test(error.message);
    if (!overflow && !(error instanceof MsgpackEncodeError)) return error;
    const encoder = this.#newEncoder(null);
    encoder.trail = [];
    encoder.open = [];
    if (this.#encodeConfig.structuredClone) encoder.references = new References();
    this.#busy = true;
    try {
      encoder.begin(0);
      encoder.write(value);
    } catch (second) {
      if (second instanceof MsgpackEncodeError) return second;
    } finally {
      this.#busy = false;
    }
    return overflow ? new MsgpackEncodeError('depth_limit', '$') : error;
  }

  /**
   * Packs a value directly after the last message, where the memory has room, and returns the
   * memory. The message is from `begun` to `offset`.
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
   * Writes the next messages into this memory, and overwrites its content.
   *
   * @example
   * packr.useBuffer(Buffer.alloc(65_536));
   */
  useBuffer(buffer: Uint8Array): void {
    this.#encoder.useMemory(buffer);
  }

  /** Offset in memory at which the next message may begin. */
  get position(): number {
    return this.#encoder.pos;
  }

  set position(value: number) {
    this.#encoder.pos = value;
  }

  /** Reuses the memory of all messages that were packed, which must no longer be in use. */
  resetMemory(): void {
    this.#encoder.pos = 0;
  }

  /** Replaces the shared structures by an empty list. */
  clearSharedData(): void {
    this.shared.clear();
  }
}

/** Packs and unpacks; see {@link PackrClass}. May be called without `new`. */
export type Packr = PackrClass;
export const Packr: Callable<typeof PackrClass> = /* @__PURE__ */ callable(PackrClass, 'Packr');

let packr: PackrClass | undefined;

/**
 * Packs a value as plain MessagePack, objects as maps.
 *
 * @param options a sum of REUSE_BUFFER_MODE, RESET_BUFFER_MODE and RESERVE_START_SPACE
 * @throws MsgpackEncodeError
 * @example
 * pack({ id: 1 }); // 81 a2 69 64 01
 */
export function pack(value: unknown, options?: number): Packed {
  packr ??= new PackrClass({ useRecords: false });
  return packr.pack(value, options);
}
