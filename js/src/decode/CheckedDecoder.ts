import { isShortest } from '../ext/bigint.ts';
import { newHeader, readHeader } from '../wire/header.ts';
import { isInteger } from '../wire/integers.ts';
import { compareKeys } from '../wire/keys.ts';
import * as M from '../wire/markers.ts';
import { isMinimal, KeyIdentities } from './canonical.ts';
import type { DecodeConfig } from './DecodeConfig.ts';
import { Decoder } from './Decoder.ts';
import type { DecodeFeatures, KeyCheck } from './DecoderState.ts';

type LengthLimit = 'maxStrLen' | 'maxBinLen' | 'maxExtLen' | 'maxArrayLen' | 'maxMapLen';

/**
 * The decoder in checked mode, for the options that apply to every value: limits on lengths
 * and on the number of values, keys that must differ, and the canonical encoding. The order
 * of the checks is that of spec/format.md section 5.2.
 */
export class CheckedDecoder extends Decoder {
  #identities: KeyIdentities | null = null;
  readonly #header = newHeader();
  /** The keys of the definition that is being read. */
  readonly #names = new Set<string>();

  constructor(config: DecodeConfig, features: DecodeFeatures) {
    super(config, features);
    this.fast = false;
    this.inline = 0;
    this.shortcuts = false;
  }

  override body(alone: boolean): unknown {
    this.nodes = 0;
    try {
      return super.body(alone);
    } finally {
      this.#identities = null;
    }
  }

  /** Returns what distinguishes the key at a position from others. */
  identity(position: number): string {
    this.#identities ??= new KeyIdentities(this.view, this.config.bigInts, this.readsSets());
    return this.#identities.at(position);
  }

  /** Whether ext 86 is read as a set. */
  readsSets(): boolean {
    return this.config.rich;
  }

  override read(): unknown {
    const markerOffset = this.pos;
    if (markerOffset >= this.end) throw this.eof();
    const t = this.src[markerOffset] as number;
    if (t !== M.RESERVED) {
      const header = this.#header;
      if (!readHeader(this.view, markerOffset, this.end, header)) throw this.eof();
      const { kind, count, type } = header;
      const isDefinition = kind === 'ext' && type === M.EXT_RECORD && this.fix !== 0x80;
      // A record is counted when its id was read.
      if (!isDefinition && !(t >= this.fix && t < 0x80)) this.#count(markerOffset);
      if (kind === 'str') this.#limit(count, 'maxStrLen', markerOffset);
      else if (kind === 'bin') this.#limit(count, 'maxBinLen', markerOffset);
    }
    const value = super.read();
    if (this.config.canonical && !isContainer(t)) this.checkForm(value, markerOffset);
    return this.config.integersAsBigInt && typeof value === 'number' && isInteger(t)
      ? BigInt(value)
      : value;
  }

  /** Checks that a value that was read has its canonical form. */
  protected checkForm(value: unknown, markerOffset: number): void {
    if (!isMinimal(this.view, markerOffset)) throw this.fail('not_canonical', markerOffset);
    this.#checkBigInt(value, markerOffset);
  }

  /** Checks an ext that was read as a bigint: its value has to need one, of minimal length. */
  #checkBigInt(value: unknown, markerOffset: number): void {
    if (!this.config.bigInts || (typeof value !== 'bigint' && typeof value !== 'number')) return;
    const header = this.#header;
    readHeader(this.view, markerOffset, this.end, header);
    if (header.kind !== 'ext' || header.type !== M.EXT_BIGINT) return;
    const fits = value >= -(2 ** 63) && value < 2 ** 64;
    if (fits || !isShortest(this.src.subarray(this.pos - header.count, this.pos)))
      throw this.fail('not_canonical', markerOffset);
  }

  #count(markerOffset: number): void {
    if (++this.nodes > this.config.maxNodes)
      throw this.fail('length_limit', markerOffset, `maxNodes is ${this.config.maxNodes}`);
  }

  #limit(length: number, option: LengthLimit, markerOffset: number): void {
    const max = this.config[option];
    if (length > max) throw this.fail('length_limit', markerOffset, `${option} is ${max}`);
  }

  override checkExt(length: number, markerOffset: number): void {
    this.#limit(length, 'maxExtLen', markerOffset);
  }

  override openArray(count: number, markerOffset: number): void {
    this.#checkContainer(count, 'maxArrayLen', markerOffset);
    super.openArray(count, markerOffset);
    this.#checkHeader(markerOffset);
  }

  override openMap(count: number, markerOffset: number): void {
    this.#checkContainer(count, 'maxMapLen', markerOffset);
    super.openMap(count, markerOffset);
    this.#checkHeader(markerOffset);
  }

  #checkContainer(count: number, option: LengthLimit, markerOffset: number): void {
    if (this.depth >= this.maxDepth) throw this.fail('depth_limit', markerOffset);
    this.#limit(count, option, markerOffset);
  }

  #checkHeader(markerOffset: number): void {
    if (this.config.canonical && !isMinimal(this.view, markerOffset))
      throw this.fail('not_canonical', markerOffset);
  }

  override openRecord(count: number, markerOffset: number): void {
    this.#count(markerOffset);
    this.#checkContainer(count, 'maxMapLen', markerOffset);
    super.openRecord(count, markerOffset);
  }

  override openDefinition(markerOffset: number): void {
    this.#count(markerOffset);
    super.openDefinition(markerOffset);
  }

  override checkDefinition(count: number, markerOffset: number): void {
    // Below 0 it is in a message that is passed over, of which the definitions alone count.
    if (this.depth > 0) this.#limit(count, 'maxMapLen', markerOffset);
  }

  override integerId(markerOffset: number): void {
    this.#count(markerOffset);
  }

  override definitionKey(keys: readonly string[], index: number): string {
    const markerOffset = this.pos;
    // Keys of a structure are not values.
    this.nodes--;
    const key = super.definitionKey(keys, index);
    if (index === 0) this.#names.clear();
    if (this.config.uniqueKeys && this.#names.has(key))
      throw this.fail('duplicate_key', markerOffset);
    this.#names.add(key);
    return key;
  }

  /** Returns the checks of the keys of one map. */
  override keyOrder(): KeyOrder {
    return new KeyOrder(this);
  }
}

function isContainer(t: number): boolean {
  return (t >= 0x80 && t < 0xa0) || (t >= M.ARRAY16 && t <= M.MAP32);
}

/** Checks that the keys of one map differ and, in canonical encoding, are in order. */
class KeyOrder implements KeyCheck {
  readonly #decoder: CheckedDecoder;
  readonly #seen = new Set<string>();
  #lastStart = -1;
  #lastEnd = -1;

  constructor(decoder: CheckedDecoder) {
    this.#decoder = decoder;
  }

  /** Checks the key that begins at a position and was read. */
  check(markerOffset: number): void {
    const decoder = this.#decoder;
    const { canonical, uniqueKeys } = decoder.config;
    if (!canonical && !uniqueKeys) return;
    const identity = decoder.identity(markerOffset);
    if (this.#seen.has(identity)) throw decoder.fail('duplicate_key', markerOffset);
    this.#seen.add(identity);
    if (!canonical) return;
    if (this.#lastStart >= 0) {
      const before = decoder.src.subarray(this.#lastStart, this.#lastEnd);
      if (compareKeys(before, decoder.src.subarray(markerOffset, decoder.pos)) > 0)
        throw decoder.fail('not_canonical', markerOffset);
    }
    this.#lastStart = markerOffset;
    this.#lastEnd = decoder.pos;
  }
}
