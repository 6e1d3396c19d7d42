import { NO_IDS } from '../record/structures.ts';
import { type Header, newHeader, readHeader } from '../wire/header.ts';
import * as M from '../wire/markers.ts';
import type { DecodeConfig } from './DecodeConfig.ts';
import { Decoder } from './Decoder.ts';
import type { DecodeFeatures } from './DecoderState.ts';

type LengthLimit = 'maxStrLen' | 'maxBinLen' | 'maxExtLen' | 'maxArrayLen' | 'maxMapLen';

/**
 * The decoder for the options that apply to every value: limits on lengths and on the number of values. The order
 * of the checks is that of spec/format.md section 5.2.
 */
export class LimitedDecoder extends Decoder {
  protected readonly header: Header = newHeader();

  constructor(config: DecodeConfig, features: DecodeFeatures) {
    super(config, features);
    this.fast = false;
    this.inline = 0;
    this.shortcuts = false;
  }

  override body(alone: boolean): unknown {
    this.nodes = 0;
    return super.body(alone);
  }

  override read(): unknown {
    const markerOffset = this.pos;
    if (markerOffset >= this.end) throw this.eof();
    const t = this.src[markerOffset] as number;
    const header = this.header;
    if (!readHeader(this.view, markerOffset, this.end, header)) throw this.eof();
    const { kind, count, type } = header;
    if (kind !== 'reserved') {
      const isDefinition = kind === 'ext' && type === M.EXT_RECORD && this.fix !== NO_IDS;
      // A record is counted when its id was read.
      if (!isDefinition && !(t >= this.fix && t < NO_IDS)) this.countId(markerOffset);
      if (kind === 'str') this.#limit(count, 'maxStrLen', markerOffset);
      else if (kind === 'bin') this.#limit(count, 'maxBinLen', markerOffset);
    }
    const value = super.read();
    return this.config.integersAsBigInt && typeof value === 'number' && kind === 'integer' ? BigInt(value) : value;
  }

  countId(markerOffset: number): void {
    if (++this.nodes > this.config.maxNodes)
      throw this.fail('length_limit', markerOffset, `maxNodes is ${this.config.maxNodes}`);
  }

  #limit(length: number, option: LengthLimit, markerOffset: number): void {
    const max = this.config[option];
    if (length > max) throw this.fail('length_limit', markerOffset, `${option} is ${max}`);
  }

  checkExt(length: number, markerOffset: number): void {
    this.#limit(length, 'maxExtLen', markerOffset);
  }

  override openArray(count: number, markerOffset: number): void {
    this.#checkContainer(count, 'maxArrayLen', markerOffset);
    super.openArray(count, markerOffset);
  }

  override openMap(count: number, markerOffset: number): void {
    this.#checkContainer(count, 'maxMapLen', markerOffset);
    super.openMap(count, markerOffset);
  }

  #checkContainer(count: number, option: LengthLimit, markerOffset: number): void {
    if (this.depth >= this.maxDepth) throw this.fail('depth_limit', markerOffset);
    this.#limit(count, option, markerOffset);
  }

  override openRecord(count: number, markerOffset: number): void {
    this.countId(markerOffset);
    this.#checkContainer(count, 'maxMapLen', markerOffset);
    super.openRecord(count, markerOffset);
  }

  checkDefinition(count: number, markerOffset: number): void {
    // Below 0 it is in a message that is passed over, of which the definitions alone count.
    if (this.depth > 0) this.#limit(count, 'maxMapLen', markerOffset);
  }

  definitionKey(_keys: readonly string[], _index: number): string {
    // Keys of a structure are not values.
    this.nodes--;
    return this.features.records?.readDefinitionKey(this) as string;
  }
}
