import type { EncodeConfig } from '../encode/EncodeConfig.ts';
import type { ColumnMessages, EncodeFeatures } from '../encode/EncodeFeatures.ts';
import { ABSENT, Encoder } from '../encode/Encoder.ts';
import { isStackEnd, MsgpackEncodeError } from '../errors/errors.ts';
import { DIALECT, type InternalOptions } from '../options/dialect.ts';
import type { RecordIds } from '../record/RecordIds.ts';
import type { SharedStructures } from '../record/SharedStructures.ts';
import type { Packed } from '../wire/platform.ts';

/** Makes `pack` return the whole memory, with `start` and `end` of the message as its properties. */
export const REUSE_BUFFER_MODE = 512;
/** Makes the next message overwrite this one. */
export const RESET_BUFFER_MODE = 1024;
/** Leaves bytes free before the message; add their number, up to 255. */
export const RESERVE_START_SPACE = 2048;

/** The sum of all modes. */
const MODES = 0xeff;

/** Returns a mode; none where the function is that of `values.map`. A dialect has modes that do nothing. */
export function modeOf(mode: number, array: unknown, options: InternalOptions): number {
  if (Array.isArray(array)) return 0;
  if ((mode & MODES) !== mode && !options[DIALECT]) throw new TypeError(`There is no mode ${mode}`);
  return mode;
}

/** Writes a message directly after the last one, where the memory has room, and returns the memory. */
export const APPEND: number = 1 << 16;

/** Errors that have the path of their value. */
const explained: WeakSet<MsgpackEncodeError> = /* @__PURE__ */ new WeakSet();

/** Maximum number of times that a value is packed again because saving was declined. */
const MAX_RETRIES = 4;

function withPath(error: MsgpackEncodeError): MsgpackEncodeError {
  explained.add(error);
  return error;
}

/** What an instance packs with, whether it can unpack as well or not. */
export class Packing {
  /** Offset in memory after the last message, as in msgpackr. */
  offset = 0;
  /** Offset in memory of the last message. */
  begun = 0;
  /** Packs a value; `options` is a sum of the modes above. */
  readonly pack: (value: unknown, options?: number) => Packed;
  /** The options for records, and those of a dialect. */
  readonly #options: InternalOptions;
  readonly #features: EncodeFeatures;
  readonly #config: EncodeConfig;
  readonly #ids: RecordIds | null;
  /** What writes the messages, and owns their memory. */
  readonly encoder: Encoder;
  /** Writes messages with columns; null without them. */
  readonly #columns: ColumnMessages | null;
  #busy = false;
  /** Whether the program packs with this while it is called by another. */
  #isNested = false;

  constructor(
    config: EncodeConfig,
    features: EncodeFeatures,
    shared: SharedStructures | null = null,
    options: InternalOptions = {},
    modes?: typeof modeOf,
  ) {
    this.#config = config;
    this.#options = options;
    this.#features = features;
    const hasShared = options.structures !== undefined || options.saveStructures !== undefined;
    this.#ids =
      shared !== null && config.records ? (features.writeRecords?.newIds(shared, hasShared, options) ?? null) : null;
    this.encoder = this.#newEncoder(this.#ids);
    this.#columns = (config.columns && features.writeColumns?.newWriter(this.encoder, features)) || null;
    this.pack = (value, mode = 0, array?: unknown) =>
      this.run(value, mode && (modes?.(mode, array, options) ?? 0)) as Packed;
  }

  #newEncoder(ids: RecordIds | null): Encoder {
    const newEncoder = this.#options[DIALECT]?.newEncoder;
    const made = newEncoder?.(this.#config, this.#features, ids, this.#options as never);
    return made ?? new Encoder(this.#config, this.#features, ids);
  }

  /**
   * Packs a value as the modes say, or {@link APPEND}: that message is from `begun` to `offset`.
   *
   * @param known what functions of the program returned, where the value is packed again
   */
  run(given: unknown, options: number, retries = 0, known: unknown[] | null = null): Uint8Array {
    if (this.#busy) {
      const nested = this.#nested();
      const message = nested.run(given, options);
      this.begun = nested.begun;
      this.offset = nested.offset;
      return message;
    }
    const encoder = this.encoder;
    const ids = this.#ids;
    const config = this.#config;
    const { replacer } = config;
    const value =
      replacer === undefined || retries > 0 ? given : this.#features.writeReplacer?.replaceAll(given, replacer, config);
    let done = false;
    let isAbsent = false;
    let calls: unknown[] | null = null;
    this.#busy = true;
    try {
      encoder.begin((options & RESERVE_START_SPACE) !== 0 ? options & 0xff : 0, (options & APPEND) !== 0);
      if (known !== null) encoder.again(known);
      (this.#columns ?? encoder).message(value);
      done = !encoder.detached;
    } catch (error) {
      isAbsent = error === ABSENT;
      if (!isAbsent && !encoder.detached) throw this.#explain(error, value);
    } finally {
      this.#busy = false;
      calls = encoder.calls;
      if (calls !== null) encoder.again(null);
      if (!done) {
        encoder.pos = encoder.start;
        ids?.rollback();
      }
    }
    if (isAbsent) return this.run(value, options, retries + 1, calls);
    if (!done) {
      // A toJSON or an extension transferred the memory that the message was written into.
      if (retries >= MAX_RETRIES) throw new MsgpackEncodeError('unsupported_type', '$', 'its memory was transferred');
      return this.run(value, options, retries + 1, calls);
    }
    if (ids?.grown && !this.#save(ids)) {
      encoder.pos = encoder.start;
      ids.growing = retries < MAX_RETRIES;
      try {
        return this.run(value, options, retries + 1, calls);
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
      saved = ids.shared.save(from);
      return saved;
    } finally {
      this.#busy = false;
      if (!saved) {
        ids.rollback();
        ids.shared.takeOver();
      }
    }
  }

  #take(options: number): Uint8Array {
    const encoder = this.encoder;
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

  /** Makes another one with these options, for packing while this one is in use. */
  #nested(): Packing {
    const ids = this.#ids;
    const options: InternalOptions = {
      ...this.#options,
      shouldShareStructure: () => false,
      sequential: false,
      ...(ids === null ? {} : { maxSharedStructures: ids.maxShared, maxOwnStructures: ids.maxOwn }),
    };
    const structures = ids?.shared.list.slice(0, ids.sharedBefore);
    const shared = this.#features.writeRecords?.newShared({ structures }) ?? null;
    const nested = new Packing(this.#config, this.#features, shared, options);
    nested.#isNested = true;
    return nested;
  }

  /**
   * Returns the error with the path of the value at fault: packs again and records the path, with what functions of
   * the program returned. What they threw themselves has its path already.
   */
  #explain(error: unknown, value: unknown): unknown {
    const overflow = isStackEnd(error);
    if (overflow ? this.#isNested : !(error instanceof MsgpackEncodeError)) return error;
    if (explained.has(error as MsgpackEncodeError)) return error;
    const encoder = this.#newEncoder(null);
    encoder.trail = [];
    encoder.open = [];
    this.#busy = true;
    try {
      encoder.begin(0);
      encoder.again(this.encoder.calls);
      encoder.write(value);
    } catch (second) {
      if (second instanceof MsgpackEncodeError) return withPath(second);
    } finally {
      this.#busy = false;
    }
    return withPath(overflow ? new MsgpackEncodeError('depth_limit', '$') : (error as MsgpackEncodeError));
  }
}
