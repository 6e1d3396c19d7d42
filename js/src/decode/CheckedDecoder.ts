import { isShortest } from '../ext/bigint.ts';
import { readHeader } from '../wire/header.ts';
import { compareKeys } from '../wire/keys.ts';
import * as M from '../wire/markers.ts';
import { isMinimal } from '../wire/minimal.ts';
import { KeyIdentities } from './canonical.ts';
import type { KeyCheck } from './DecoderState.ts';
import { LimitedDecoder } from './LimitedDecoder.ts';

/** The decoder for keys that must differ and for the canonical encoding, and for limits. */
export class CheckedDecoder extends LimitedDecoder {
  #identities: KeyIdentities | null = null;
  /** The keys of the definition that is being read. */
  readonly #names = new Set<string>();

  override body(alone: boolean): unknown {
    try {
      return super.body(alone);
    } finally {
      this.#identities = null;
    }
  }

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
    const t = this.src[markerOffset] as number;
    const value = super.read();
    if (this.config.canonical && !M.isArray(t) && !M.isMap(t)) this.checkForm(value, markerOffset);
    return value;
  }

  protected checkForm(value: unknown, markerOffset: number): void {
    if (!isMinimal(this.view, markerOffset)) throw this.fail('not_canonical', markerOffset);
    this.#checkBigInt(value, markerOffset);
  }

  /** Checks an ext that was read as a bigint: its value has to need one, of minimal length. */
  #checkBigInt(value: unknown, markerOffset: number): void {
    if (!this.config.bigInts || (typeof value !== 'bigint' && typeof value !== 'number')) return;
    const header = this.header;
    readHeader(this.view, markerOffset, this.end, header);
    if (header.kind !== 'ext' || header.type !== M.EXT_BIGINT) return;
    const fits = value >= -(2 ** 63) && value < 2 ** 64;
    if (fits || !isShortest(this.src.subarray(this.pos - header.count, this.pos)))
      throw this.fail('not_canonical', markerOffset);
  }

  override openArray(count: number, markerOffset: number): void {
    super.openArray(count, markerOffset);
    this.#checkHeader(markerOffset);
  }

  override openMap(count: number, markerOffset: number): void {
    super.openMap(count, markerOffset);
    this.#checkHeader(markerOffset);
  }

  #checkHeader(markerOffset: number): void {
    if (this.config.canonical && !isMinimal(this.view, markerOffset)) throw this.fail('not_canonical', markerOffset);
  }

  override definitionKey(keys: readonly string[], index: number): string {
    const markerOffset = this.pos;
    const key = super.definitionKey(keys, index);
    if (index === 0) this.#names.clear();
    if (this.config.uniqueKeys && this.#names.has(key)) throw this.fail('duplicate_key', markerOffset);
    this.#names.add(key);
    return key;
  }

  override keyOrder(): KeyOrder {
    return new KeyOrder(this);
  }
}

/** Checks that the keys of one map differ and, in canonical encoding, are in order. */
class KeyOrder implements KeyCheck {
  readonly #decoder: CheckedDecoder;
  readonly #seen = new Set<string>();
  #last: Uint8Array | undefined;

  constructor(decoder: CheckedDecoder) {
    this.#decoder = decoder;
  }

  check(markerOffset: number, property?: string): void {
    const decoder = this.#decoder;
    const { canonical, uniqueKeys } = decoder.config;
    if (!canonical && !uniqueKeys) return;
    const identity = property === undefined ? decoder.identity(markerOffset) : String(property);
    if (this.#seen.has(identity)) throw decoder.fail('duplicate_key', markerOffset);
    this.#seen.add(identity);
    if (!canonical) return;
    const key = decoder.src.subarray(markerOffset, decoder.pos);
    if (this.#last !== undefined && compareKeys(this.#last, key) > 0) throw decoder.fail('not_canonical', markerOffset);
    this.#last = key;
  }
}
