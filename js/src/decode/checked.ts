import type { DecodeConfig } from '../api/decode-config.ts';
import type { StructureTable } from '../record/structures.ts';
import { newHeader, readHeader } from '../wire/header.ts';
import * as M from '../wire/markers.ts';
import { compareBytes, isMinimal, KeyIdentities } from './canonical.ts';
import { setField } from './objects.ts';
import { Reader } from './reader.ts';

/**
 * The reader for options that look at every value: limits on lengths and on the number
 * of values, keys that must differ, and the canonical encoding. The order of the checks
 * is that of spec/format.md section 5.2.
 */
export class CheckedReader extends Reader {
  #nodes = 0;
  #identities: KeyIdentities | null = null;

  constructor(config: DecodeConfig, structures?: StructureTable) {
    super(config, structures);
    this.fast = false;
    this.inline = 0;
  }

  override message(alone = false): unknown {
    this.#nodes = 0;
    try {
      return super.message(alone);
    } finally {
      this.#identities = null;
    }
  }

  /** What tells the key at a position from others. */
  identity(at: number): string {
    this.#identities ??= new KeyIdentities(this.view, this.config.bigInts);
    return this.#identities.at(at);
  }

  override read(): unknown {
    const at = this.pos;
    if (at >= this.end) throw this.eof();
    const t = this.src[at] as number;
    if (t !== M.RESERVED) {
      const size = M.HEADER_SIZE[t] as number;
      if (at + size > this.end) throw this.eof();
      if (!this.#isRecordStart(t, at)) this.#count(at);
      this.#checkLength(t, at);
    }
    const value = super.read();
    if (this.config.canonical && !isContainer(t) && !isMinimal(this.view, at))
      throw this.fail('not_canonical', at);
    if (this.config.canonical && typeof value === 'bigint' && extTypeAt(t) !== 0) {
      const fits = value >= -(1n << 63n) && value < 1n << 64n;
      if (fits || !isShortest(this.src, this.pos - extLength(this.view, at), this.pos))
        throw this.fail('not_canonical', at);
    }
    return value;
  }

  /** Records are counted when their id is whole. */
  #isRecordStart(t: number, at: number): boolean {
    if (this.fix === 0x80) return false;
    if (t >= this.fix && t < 0x80) return true;
    const type = extTypeAt(t);
    return type !== 0 && this.src[at + type] === M.EXT_RECORD;
  }

  #count(at: number): void {
    if (++this.#nodes > this.config.maxNodes) throw this.fail('length_limit', at);
  }

  #checkLength(t: number, at: number): void {
    const { config, view, src } = this;
    const p = at + 1;
    if (t >= 0xa0 && t < 0xc0) this.#limit(t & 0x1f, config.maxStrLen, at);
    else if (t === M.STR8) this.#limit(src[p] as number, config.maxStrLen, at);
    else if (t === M.STR16) this.#limit(view.getUint16(p), config.maxStrLen, at);
    else if (t === M.STR32) this.#limit(view.getUint32(p), config.maxStrLen, at);
    else if (t === M.BIN8) this.#limit(src[p] as number, config.maxBinLen, at);
    else if (t === M.BIN16) this.#limit(view.getUint16(p), config.maxBinLen, at);
    else if (t === M.BIN32) this.#limit(view.getUint32(p), config.maxBinLen, at);
  }

  #limit(length: number, max: number, at: number): void {
    if (length > max) throw this.fail('length_limit', at);
  }

  override checkExt(length: number, at: number): void {
    this.#limit(length, this.config.maxExtLen, at);
  }

  override openArray(count: number, at: number): void {
    if (this.depth >= this.maxDepth) throw this.fail('depth_limit', at);
    this.#limit(count, this.config.maxArrayLen, at);
    super.openArray(count, at);
    if (this.config.canonical && !isMinimal(this.view, at)) throw this.fail('not_canonical', at);
  }

  override openMap(count: number, at: number): void {
    if (this.depth >= this.maxDepth) throw this.fail('depth_limit', at);
    this.#limit(count, this.config.maxMapLen, at);
    super.openMap(count, at);
    if (this.config.canonical && !isMinimal(this.view, at)) throw this.fail('not_canonical', at);
  }

  override openRecord(count: number, at: number): void {
    this.#count(at);
    if (this.depth >= this.maxDepth) throw this.fail('depth_limit', at);
    this.#limit(count, this.config.maxMapLen, at);
    super.openRecord(count, at);
  }

  override openDefinition(at: number): void {
    this.#count(at);
    super.openDefinition(at);
  }

  override checkDefinition(count: number, at: number): void {
    this.#limit(count, this.config.maxMapLen, at);
  }

  override integerId(at: number): void {
    this.#count(at);
  }

  override definitionKey(keys: readonly string[], index: number): string {
    const at = this.pos;
    // Keys of a structure are not values.
    this.#nodes--;
    const key = super.definitionKey(keys, index);
    if (this.config.uniqueKeys && keys.slice(0, index).includes(key))
      throw this.fail('duplicate_key', at);
    return key;
  }

  override object(count: number): object {
    const object = {};
    const keys = new KeyOrder(this);
    const outer = this.pending;
    for (let rest = count * 2; rest > 0; rest -= 2) {
      const at = this.pos;
      this.pending = outer + rest - 1;
      const key = this.key();
      keys.check(at);
      this.pending = outer + rest - 2;
      setField(object, key, this.read());
    }
    return object;
  }

  override entries(count: number): Map<unknown, unknown> {
    const map = new Map<unknown, unknown>();
    const keys = new KeyOrder(this);
    const outer = this.pending;
    for (let rest = count * 2; rest > 0; rest -= 2) {
      const at = this.pos;
      this.pending = outer + rest - 1;
      const key = this.read();
      keys.check(at);
      this.pending = outer + rest - 2;
      map.set(key, this.read());
    }
    return map;
  }
}

function isContainer(t: number): boolean {
  return (t >= 0x80 && t < 0xa0) || (t >= M.ARRAY16 && t <= M.MAP32);
}

/** How far behind its marker an ext has its type; 0 for what is no ext. */
function extTypeAt(t: number): number {
  if (t >= M.FIXEXT1 && t <= M.FIXEXT16) return 1;
  if (t === M.EXT8) return 2;
  if (t === M.EXT16) return 3;
  return t === M.EXT32 ? 5 : 0;
}

/** The length of the ext at a position. */
function extLength(view: DataView, at: number): number {
  const header = newHeader();
  readHeader(view, at, view.byteLength, header);
  return header.count;
}

/** Whether two's complement has no byte that says nothing. */
function isShortest(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < 2) return true;
  const sign = (bytes[start + 1] as number) >= 0x80 ? 0xff : 0;
  return bytes[start] !== sign;
}

/** Sees to it that the keys of one map differ and, in canonical encoding, are in order. */
class KeyOrder {
  readonly #reader: CheckedReader;
  readonly #seen = new Set<string>();
  #lastStart = -1;
  #lastEnd = -1;

  constructor(reader: CheckedReader) {
    this.#reader = reader;
  }

  /** To be called when the key that begins at a position was read. */
  check(at: number): void {
    const reader = this.#reader;
    const { canonical, uniqueKeys } = reader.config;
    if (!canonical && !uniqueKeys) return;
    const identity = reader.identity(at);
    if (this.#seen.has(identity)) throw reader.fail('duplicate_key', at);
    this.#seen.add(identity);
    if (!canonical) return;
    if (this.#lastStart >= 0) {
      const before = reader.src.subarray(this.#lastStart, this.#lastEnd);
      if (compareKeys(before, reader.src.subarray(at, reader.pos)) > 0)
        throw reader.fail('not_canonical', at);
    }
    this.#lastStart = at;
    this.#lastEnd = reader.pos;
  }
}

function strStart(bytes: Uint8Array): number {
  const t = bytes[0] as number;
  if (t >= 0xa0 && t < 0xc0) return 1;
  return t >= M.STR8 && t <= M.STR32 ? (M.HEADER_SIZE[t] as number) : -1;
}

/** Order of the canonical encodings of two keys: str by their text, before all others. */
export function compareKeys(a: Uint8Array, b: Uint8Array): number {
  const textA = strStart(a);
  const textB = strStart(b);
  if (textA < 0 || textB < 0) {
    if (textA >= 0) return -1;
    return textB >= 0 ? 1 : compareBytes(a, b);
  }
  return compareBytes(a.subarray(textA), b.subarray(textB));
}
