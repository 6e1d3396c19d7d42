import type { EncodeConfig } from '../encode/EncodeConfig.ts';
import type { ColumnMessages, EncodeFeatures } from '../encode/EncodeFeatures.ts';
import { ABSENT, Encoder } from '../encode/Encoder.ts';
import { isStackEnd, MsgpackEncodeError } from '../errors/errors.ts';
import { DIALECT, type InternalOptions } from '../options/dialect.ts';
import type { RecordIds } from '../record/RecordIds.ts';
import type { SharedStructures } from '../record/structures.ts';
import type { Packed } from '../wire/platform.ts';
import type { Modes } from './modes.ts';

/** Errors that have the path of their value. */
const explained: WeakSet<MsgpackEncodeError> = /* @__PURE__ */ new WeakSet();

/** Maximum number of times that a value is packed again, because saving was declined or its memory is gone. */
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
  /** Packs a value; `mode` is a sum of modes. */
  readonly pack: (value: unknown, mode?: number) => Packed;
  /** The options for records, and those of a dialect. */
  readonly #options: InternalOptions;
  readonly #features: EncodeFeatures;
  readonly #config: EncodeConfig;
  readonly #ids: RecordIds | null;
  /** What writes the messages, and owns their memory. */
  readonly encoder: Encoder;
  /** Writes messages with columns; null without them. */
  readonly #columns: ColumnMessages | null;
  readonly #modes: Modes | undefined;
  #busy = false;
  /** Whether the program packs with this while it is called by another. */
  #isNested = false;

  constructor(
    config: EncodeConfig,
    features: EncodeFeatures,
    shared: SharedStructures | null = null,
    options: InternalOptions = {},
    modes?: Modes,
  ) {
    this.#config = config;
    this.#options = options;
    this.#features = features;
    this.#modes = modes;
    this.#ids = (shared !== null && config.records && features.writeRecords?.newIds(shared, options)) || null;
    this.encoder = this.#newEncoder(this.#ids);
    this.#columns = (config.columns && features.writeColumns?.newWriter(this.encoder, features)) || null;
    this.pack = (value, mode = 0, array?: unknown) =>
      this.run(value, mode && (modes?.of(mode, array, options) ?? 0)) as Packed;
  }

  #newEncoder(ids: RecordIds | null): Encoder {
    const newEncoder = this.#options[DIALECT]?.newEncoder;
    const made = newEncoder?.(this.#config, this.#features, ids, this.#options as never);
    return made ?? new Encoder(this.#config, this.#features, ids);
  }

  /**
   * Packs a value as a mode says. The message is from `begun` to `offset`.
   *
   * @param known what functions of the program returned, where the value is packed again
   */
  run(given: unknown, mode: number, retries = 0, known: unknown[] | null = null): Uint8Array {
    if (this.#busy) {
      const nested = this.#nested();
      const message = nested.run(given, mode);
      this.begun = nested.begun;
      this.offset = nested.offset;
      return message;
    }
    const encoder = this.encoder;
    const ids = this.#ids;
    const modes = mode === 0 ? undefined : this.#modes;
    const { writeReplacer } = this.#features;
    const value = writeReplacer === undefined || retries > 0 ? given : writeReplacer.replaceAll(given, this.#config);
    let done = false;
    let calls: unknown[] | null = null;
    this.#busy = true;
    try {
      if (modes === undefined) encoder.begin();
      else modes.begin(encoder, mode);
      if (known !== null) encoder.again(known);
      (this.#columns ?? encoder).message(value);
      done = !encoder.detached;
    } catch (error) {
      if (error !== ABSENT && !encoder.detached) throw this.#explain(error, value);
    } finally {
      this.#busy = false;
      calls = encoder.calls;
      if (calls !== null) encoder.again(null);
      if (!done) {
        encoder.pos = encoder.start;
        ids?.rollback();
      }
    }
    if (!done) {
      // It met the first property that is undefined, or a toJSON or an extension transferred the memory.
      if (retries >= MAX_RETRIES) throw new MsgpackEncodeError('unsupported_type', '$', 'its memory was transferred');
      return this.run(value, mode, retries + 1, calls);
    }
    if (ids?.grown) {
      this.#busy = true;
      try {
        done = ids.save();
      } finally {
        this.#busy = false;
      }
      if (!done) {
        encoder.pos = encoder.start;
        return ids.retry(retries < MAX_RETRIES, () => this.run(value, mode, retries + 1, calls));
      }
    }
    this.offset = encoder.pos;
    this.begun = encoder.start;
    return modes === undefined ? encoder.take() : modes.take(encoder, mode);
  }

  /** Makes another one with these options, for packing while this one is in use. */
  #nested(): Packing {
    const [shared, options] = this.#ids?.nested(this.#options) ?? [null, this.#options];
    const nested = new Packing(this.#config, this.#features, shared, options, this.#modes);
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
      encoder.begin();
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
