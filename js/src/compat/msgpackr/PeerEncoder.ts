import type { EncodeConfig } from '../../encode/EncodeConfig.ts';
import type { EncodeFeatures } from '../../encode/EncodeFeatures.ts';
import { Encoder } from '../../encode/Encoder.ts';
import { errorParts, writeTag } from '../../encode/more-types.ts';
import { C1Type, type Extension } from '../../ext/extension.ts';
import { isTimestamp } from '../../ext/Timestamp.ts';
import type { RecordIds } from '../../record/RecordIds.ts';
import * as M from '../../wire/markers.ts';
import { BundleBuilder } from './BundleBuilder.ts';
import type { MsgpackrOptions } from './options.ts';
import { References } from './References.ts';

/** Strings do not wait where positions in the message are kept: one that is not ASCII moves the bytes after it. */
function withoutBatch(options: MsgpackrOptions, features: EncodeFeatures): EncodeFeatures {
  const { writePrediction } = features;
  if (!(options.structuredClone || options.bundleStrings) || !writePrediction) return features;
  return { ...features, writePrediction: { ...writePrediction, newBatch: () => null } };
}

/** What msgpackr writes otherwise than packord. */
export class PeerEncoder extends Encoder {
  readonly #options: MsgpackrOptions;
  readonly #given: EncodeFeatures;
  /** The objects that were met, where identity is kept. */
  #references: References | null = null;

  constructor(
    config: EncodeConfig,
    features: EncodeFeatures,
    ids: RecordIds | null,
    options: MsgpackrOptions,
    outer: Encoder | null = null,
  ) {
    super(config, withoutBatch(options, features), ids, outer);
    this.#options = options;
    this.#given = features;
    if (options.forceIntegerToFloat && !config.canonical) this.inline = 0;
  }

  override alike(config: EncodeConfig, outer: Encoder | null): Encoder {
    return new PeerEncoder(config, this.#given, null, this.#options, outer);
  }

  override begin(adjacent = false): void {
    super.begin(adjacent);
    this.#references = this.#options.structuredClone ? new References() : null;
  }

  override message(value: unknown): void {
    const bundles = this.#options.bundleStrings && typeof value !== 'string';
    const bundle = bundles ? new BundleBuilder() : null;
    if (bundle !== null) this.bundle = bundle;
    super.message(value);
    bundle?.finish(this);
    this.#references?.finish(this, bundle?.written ?? []);
  }

  override number(value: number): void {
    if (this.inline === 0) this.float(value);
    // Its -0 is the integer 0.
    else super.number(value === 0 ? 0 : value);
  }

  override bigint(value: bigint): void {
    const { largeBigIntToFloat, largeBigIntToString } = this.#options;
    const isSigned = BigInt.asIntN(64, value) === value;
    const fits = isSigned || BigInt.asUintN(64, value) === value;
    if (fits && !this.config.canonical) this.integer64(value, isSigned);
    else if (fits) super.bigint(value);
    else if (largeBigIntToFloat) this.float(Number(value));
    else if (largeBigIntToString) this.string(value.toString());
    else super.bigint(value);
  }

  override absence(): void {
    if (this.#options.encodeUndefinedAsNil) this.nil();
    else super.absence();
  }

  override func(value: (...args: never[]) => unknown): void {
    if (this.config.extensions.ofValue(value) !== undefined) super.func(value);
    else this.write(this.call(() => this.#options.writeFunction?.(value)));
  }

  override objectHeader(count: number): void {
    if (this.config.canonical || this.#options.variableMapSize || count > 0xffff) super.objectHeader(count);
    else this.header(M.MAP16, count);
  }

  override object(value: object): void {
    if (!this.#references?.repeated(this, value)) super.object(value);
  }

  /** The functions of extensions may write into the message themselves. */
  override payloadOf(extension: Extension, value: object): unknown {
    const pack = extension.pack as ((value: object, ...more: unknown[]) => unknown) | undefined;
    const allocateForWrite = (size: number): object => {
      this.reserve(size);
      const { buf: target, view: targetView, pos: position } = this;
      this.pos += size;
      return { target, targetView, position };
    };
    return pack?.(value, allocateForWrite, this.write.bind(this));
  }

  protected override instance(value: object): void {
    const { mapAsEmptyObject, setAsEmptyObject } = this.#options;
    const { moreTypes } = this.config;
    if (value instanceof Date && !isTimestamp(value)) {
      if (!this.#date(value)) super.instance(value);
    } else if (value instanceof Map) {
      if (mapAsEmptyObject) this.mapHeader(0);
      // Two functions fewer on the stack, which 1,024 Maps within each other come close to.
      else this.map(value);
    } else if (value instanceof Set) {
      if (setAsEmptyObject) this.write({});
      else {
        if (moreTypes) writeTag(this, M.EXT_SET);
        this.elements([...value]);
      }
    } else if (value instanceof Error || value instanceof RegExp) {
      const isError = value instanceof Error;
      if (moreTypes) writeTag(this, isError ? M.EXT_ERROR : M.EXT_REGEXP);
      this.array(isError ? errorParts(value) : [value.source, value.flags]);
    } else if (value instanceof C1Type) this.byte(M.RESERVED);
    else super.instance(value);
  }

  /** Writes a date as msgpackr does; returns false if packord writes the same. */
  #date(date: Date): boolean {
    const { onInvalidDate, useTimestamp32 } = this.#options;
    const { canonical } = this.config;
    const ms = date.getTime();
    if (Number.isNaN(ms)) {
      if (onInvalidDate !== undefined) this.write(this.call(onInvalidDate));
      else if (!canonical) this.ext(M.EXT_TIMESTAMP, Uint8Array.of(0xff));
      else return false;
      return true;
    }
    const seconds = Math.floor(ms / 1000);
    // What 32 bits do not hold keeps its milliseconds.
    if (!useTimestamp32 || ms % 1000 === 0 || seconds < 0 || seconds > 0xffffffff) return false;
    this.write(new Date(seconds * 1000));
    return true;
  }
}
