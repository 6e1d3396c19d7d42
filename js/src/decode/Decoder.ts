import { FIRST_ID, NO_IDS, type StructureTable } from '../record/structures.ts';
import { countAt } from '../wire/header.ts';
import { setField } from '../wire/keys.ts';
import * as M from '../wire/markers.ts';
import type { DecodeConfig } from './DecodeConfig.ts';
import { type DecodeFeatures, type DecoderState, type KeyCheck, type StringBundle, UNREAD } from './DecoderState.ts';
import { builtInAt, passExt } from './extensions.ts';
import { StringDecoder } from './StringDecoder.ts';

/** What reads records, where they are on. It is not read by a getter, which costs a tenth of reading one. */
type Records = NonNullable<DecodeFeatures['records']>;

/** Number of keys of one map above which they are not looked for in the cache: they would fill it. */
const MANY_KEYS = 4096;

/**
 * Reads one message at a time from bytes in memory (spec/format.md section 5). All state
 * is in the instance, so that several can be used at the same time.
 */
export class Decoder extends StringDecoder implements DecoderState {
  /** Elements that open containers announced and that follow the current value. */
  pending = 0;
  depth = 0;
  /** Markers below this one are integers: `NO_IDS`, or `FIRST_ID` while records are on. */
  fix: number;
  inline: number;
  shortcuts: boolean;
  maxDepth: number;
  /** Whether generated decoders may be used: not in the checked mode. */
  fast = true;
  readonly features: DecodeFeatures;
  readonly structures: StructureTable | null;
  hold = false;
  whole = false;
  loaded = false;
  references: Map<number, unknown> | null = null;
  bundle: StringBundle | null = null;
  alone = false;
  nodes = 0;
  /** Unsigned 64-bit integers with an upper half below this are exact as numbers, and read so. */
  readonly safeHigh: number;
  readonly mixed: boolean;
  level = 0;

  constructor(
    config: DecodeConfig,
    features: DecodeFeatures,
    structures: StructureTable | null = features.records?.newTable() ?? null,
  ) {
    super(config, features);
    this.features = features;
    this.structures = structures;
    this.fix = config.records ? FIRST_ID : NO_IDS;
    this.inline = this.fix;
    this.shortcuts = !config.freezeData;
    this.maxDepth = config.maxDepth;
    this.mixed = config.maps === 'auto';
    this.safeHigh = config.int64 === 'auto' || config.int64 === 'number' ? 0x200000 : 0;
  }

  /** Reads the next message. With `alone`, bytes that follow it are an error. */
  message(alone = false): unknown {
    const { config, features } = this;
    const value = config.records ? features.records?.readMessage(this, alone) : this.body(alone);
    return config.reviver === null ? value : features.reviver?.revive(value, config.reviver);
  }

  body(alone: boolean): unknown {
    this.pending = 0;
    this.depth = 0;
    const { references } = this.features;
    references?.begin(this);
    const value = this.read();
    references?.finish(this);
    if (alone && this.pos !== this.end) throw this.fail('trailing_bytes', this.pos);
    return value;
  }

  syncShared(): void {
    if (this.config.sharedList !== null) this.structures?.sync(this.config.sharedList());
  }

  /** Enters one container more: the one place where reading counts depth. */
  deepen(markerOffset: number): void {
    if (++this.depth > this.maxDepth) throw this.fail('depth_limit', markerOffset);
  }

  /** Enters a container of `count` elements: checks the depth and the budget. */
  #open(count: number, markerOffset: number): void {
    this.deepen(markerOffset);
    if (this.pending + count > this.end - this.pos) throw this.eof();
  }

  openArray(count: number, markerOffset: number): void {
    this.#open(count, markerOffset);
  }

  openMap(count: number, markerOffset: number): void {
    this.#open(count * 2, markerOffset);
  }

  openRecord(count: number, markerOffset: number): void {
    this.#open(count, markerOffset);
  }

  /** Reads any value. `pending` counts the elements that follow it. */
  read(): unknown {
    const markerOffset = this.pos;
    if (markerOffset >= this.end) throw this.eof();
    const t = this.src[markerOffset] as number;
    this.pos = markerOffset + 1;
    if (t < 0x80) return t < this.fix ? t : (this.features.records as Records).readId(this, t, markerOffset);
    if (t < 0x90) return this.#map(t & 0x0f, markerOffset);
    if (t < 0xa0) return this.array(t & 0x0f, markerOffset);
    if (t < 0xc0) return this.string(t & 0x1f);
    if (t >= 0xe0) return t - 0x100;
    return this.#wide(t, markerOffset);
  }

  /** The markers from c0 to df. */
  #wide(t: number, markerOffset: number): unknown {
    const p = markerOffset + 1;
    // Nine bytes are enough for every header, so the exact size matters near the end only.
    if (markerOffset + 9 > this.end && t !== M.RESERVED && markerOffset + (M.HEADER_SIZE[t] as number) > this.end)
      throw this.eof();
    const { src, view } = this;
    switch (t) {
      case M.FLOAT64:
        this.pos = markerOffset + 9;
        return view.getFloat64(p);
      case M.UINT8:
        this.pos = markerOffset + 2;
        return src[p];
      case M.UINT16:
        this.pos = markerOffset + 3;
        return ((src[p] as number) << 8) | (src[p + 1] as number);
      case M.UINT32:
        this.pos = markerOffset + 5;
        return view.getUint32(p);
      case M.NIL:
        return null;
      case M.FALSE:
        return false;
      case M.TRUE:
        return true;
      case M.STR8:
        this.pos = markerOffset + 2;
        return this.string(src[p] as number);
      case M.STR16:
        this.pos = markerOffset + 3;
        return this.string(view.getUint16(p));
      case M.INT8:
        this.pos = markerOffset + 2;
        return ((src[p] as number) << 24) >> 24;
      case M.INT16:
        this.pos = markerOffset + 3;
        return view.getInt16(p);
      case M.INT32:
        this.pos = markerOffset + 5;
        return view.getInt32(p);
      case M.ARRAY16:
        this.pos = markerOffset + 3;
        return this.array(view.getUint16(p), markerOffset);
      case M.MAP16:
        this.pos = markerOffset + 3;
        return this.#map(view.getUint16(p), markerOffset);
      case M.UINT64: {
        this.pos = markerOffset + 9;
        const high = view.getUint32(p);
        const low = view.getUint32(p + 4);
        return high < this.safeHigh ? high * 0x100000000 + low : this.#int64(high, low, false);
      }
      case M.BIN8:
        this.pos = markerOffset + 2;
        return this.#bin(src[p] as number);
      default:
        this.pos = markerOffset + (M.HEADER_SIZE[t] as number);
        return this.#rare(t, markerOffset);
    }
  }

  #rare(t: number, markerOffset: number): unknown {
    const p = markerOffset + 1;
    const { view } = this;
    switch (t) {
      case M.RESERVED: {
        const { peer } = this.features;
        if (peer === undefined) throw this.fail('reserved_marker', markerOffset);
        return peer.readReserved(this, markerOffset);
      }
      case M.INT64:
        return this.#int64(view.getInt32(p), view.getUint32(p + 4), true);
      case M.FLOAT32: {
        const value = view.getFloat32(p);
        return this.config.roundFloat32 === null ? value : this.config.roundFloat32(value);
      }
    }
    const count = countAt(view, markerOffset);
    switch (t) {
      case M.BIN16:
      case M.BIN32:
        return this.#bin(count);
      case M.STR32:
        return this.string(count);
      case M.ARRAY32:
        return this.array(count, markerOffset);
      case M.MAP32:
        return this.#map(count, markerOffset);
    }
    const type = view.getInt8(this.pos - 1);
    if (type === M.EXT_RECORD && this.fix !== NO_IDS && (t === M.FIXEXT1 || t === M.FIXEXT2))
      return (this.features.records as Records).readDefined(this, count, markerOffset);
    return this.ext(type, count, markerOffset);
  }

  array(count: number, markerOffset: number): unknown {
    const { prediction } = this.features;
    if (prediction !== undefined) return prediction.readArray(this, count, markerOffset);
    this.openArray(count, markerOffset);
    const array: unknown[] = [];
    for (let pending = this.pending + count; array.length < count; ) {
      this.pending = --pending;
      array.push(this.read());
    }
    this.depth--;
    return this.config.freezeData ? Object.freeze(array) : array;
  }

  ext(type: number, length: number, markerOffset: number): unknown {
    const { extensions } = this.features;
    return extensions === undefined
      ? builtInAt(this, type, passExt(this, type, length, markerOffset), length, markerOffset)
      : extensions.readExtension(this, type, length, markerOffset);
  }

  /** Converts the integer of 64 bits that was read, whose halves are given. */
  #int64(high: number, low: number, signed: boolean): number | bigint | string {
    const { int64 } = this.config;
    const value = high * 0x100000000 + low;
    const isExact = this.features.peer?.isExact(value, low) ?? Number.isSafeInteger(value);
    if (int64 === 'number' || (int64 === 'auto' && isExact)) return value;
    const at = this.pos - 8;
    const exact = signed ? this.view.getBigInt64(at) : this.view.getBigUint64(at);
    return int64 === 'string' ? exact.toString() : exact;
  }

  #bin(length: number): Uint8Array {
    const start = this.pos - this.base;
    if (this.pos + length > this.end) throw this.eof();
    this.pos += length;
    return this.bytes(start, start + length);
  }

  #map(count: number, markerOffset: number): unknown {
    this.openMap(count, markerOffset);
    const map = this.config.maps === 'map' ? this.entries(count) : this.object(count);
    this.depth--;
    return this.config.freezeData ? Object.freeze(map) : map;
  }

  /**
   * Reads the entries of a map as an object, or as a Map where a key is not a str. Nested values are read by the
   * function that is called last, so that they take as few frames of the stack as they can.
   */
  object(count: number): object {
    const { prediction } = this.features;
    if (count === 0) return {};
    return prediction !== undefined && this.fast
      ? (prediction.readObject(this, count) ?? prediction.readOther(this, count))
      : this.finishObject({}, count, this.pending);
  }

  entries(count: number): Map<unknown, unknown> {
    return this.finishMap(new Map(), UNREAD, count, this.pending);
  }

  finishMap(map: Map<unknown, unknown>, first: unknown, count: number, outerPending: number): Map<unknown, unknown> {
    const order = this.keyOrder?.();
    for (let left = count; left > 0; left--) {
      const markerOffset = this.pos;
      let key = first;
      if (key === UNREAD || left < count) {
        this.pending = outerPending + 2 * left - 1;
        key = this.mapKey();
        order?.check(markerOffset);
      }
      this.pending = outerPending + 2 * (left - 1);
      map.set(key, this.read());
    }
    return map;
  }

  protected mapKey(): unknown {
    const { pos, features } = this;
    const t = this.src[pos] as number;
    const isShort = pos < this.end && M.shortStrHeader(t) === 1;
    if (!isShort || !this.fast || features.prediction === undefined) return this.read();
    this.pos = pos + 1;
    return features.prediction.readKey(this, t & 0x1f);
  }

  /** Reads the key of an entry that goes into an object; `many` tells that it has many. */
  key(many = false): unknown {
    const markerOffset = this.pos;
    if (markerOffset >= this.end) throw this.eof();
    const t = this.src[markerOffset] as number;
    const size = this.fast ? M.shortStrHeader(t) : 0;
    const start = markerOffset + size;
    let key: unknown;
    if (size > 0 && start <= this.end) {
      const length = size === 1 ? t & 0x1f : (this.src[start - 1] as number);
      const { prediction } = this.features;
      this.pos = start;
      if (this.config.keyDecoder) key = this.features.objectKeys?.decodeKey(this, length);
      else key = many || prediction === undefined ? this.string(length) : prediction.readKey(this, length);
    } else key = this.read();
    return this.fieldOf(key, markerOffset);
  }

  /** Returns the key of an object for a key of any type; one that is not a str as it is, if it makes a Map. */
  fieldOf(key: unknown, markerOffset: number): unknown {
    const { objectKeys } = this.features;
    return this.mixed || objectKeys === undefined ? key : objectKeys.keyOf(this, key, markerOffset);
  }

  /** Returns the checks of the keys of one map, where there are any. */
  keyOrder?(): KeyCheck;

  finishObject(object: object, count: number, outerPending: number): object {
    const order = this.keyOrder?.();
    /** The keys in their order, from the first one on that comes before others in objects. */
    let keys: string[] | null = null;
    let map: Map<unknown, unknown> | null = null;
    for (let left = count; left > 0; left--) {
      const markerOffset = this.pos;
      this.pending = outerPending + 2 * left - 1;
      const key = this.key(count > MANY_KEYS) as string;
      order?.check(markerOffset, this.mixed ? undefined : key);
      if (this.mixed && map === null) {
        if (typeof key !== 'string') map = mapOf(object, keys);
        else if (keys !== null) keys.push(key);
        else if (startsWithDigit(key)) keys = [...Object.keys(object), key];
      }
      this.pending = outerPending + 2 * (left - 1);
      if (map === null) setField(object, key, this.read());
      else map.set(key, this.read());
    }
    return map ?? object;
  }
}

function startsWithDigit(key: string): boolean {
  const code = key.charCodeAt(0);
  return code >= 0x30 && code <= 0x39;
}

/** Returns the entries of an object as a Map, in the order of the keys if that is known to differ. */
function mapOf(object: object, keys: readonly string[] | null): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  const names = keys ?? Object.keys(object);
  for (const key of names) map.set(key, (object as Record<string, unknown>)[key]);
  return map;
}
