import { readArray } from '../../decode/arrays.ts';
import { CheckedDecoder } from '../../decode/CheckedDecoder.ts';
import { type DecodeConfig, needsChecks } from '../../decode/DecodeConfig.ts';
import { Decoder } from '../../decode/Decoder.ts';
import type { DecodeFeatures } from '../../decode/DecoderState.ts';
import { enterRecord } from '../../decode/records.ts';
import { isStackEnd, MsgpackDecodeError } from '../../errors/errors.ts';
import { ExtData } from '../../ext/extension.ts';
import { NO_IDS, type Structure } from '../../record/structures.ts';
import { type Header, newHeader, readHeader } from '../../wire/header.ts';
import * as M from '../../wire/markers.ts';
import { HashGuard } from './HashGuard.ts';
import type { Host } from './Host.ts';
import { Payload } from './Payload.ts';

type PayloadReader = NonNullable<ReturnType<Host['reader']>>;

/** Number of keys of a map above which it is checked that their hashes differ. */
const FEW_KEYS = 64;

/** Returns features with which records become values of the host. */
function withRecords(features: DecodeFeatures): DecodeFeatures {
  const { records } = features;
  if (records === undefined) return features;
  return {
    ...features,
    records: {
      ...records,
      // What looks for the place of a fault reads without the host.
      readId(decoder, t, markerOffset) {
        if (!(decoder instanceof HostDecoder)) return records.readId(decoder, t, markerOffset);
        const structure = enterRecord(decoder, t, markerOffset);
        return structure === undefined ? t : decoder.recordValues(structure);
      },
      readDefined(decoder, length, markerOffset) {
        if (!(decoder instanceof HostDecoder)) return records.readDefined(decoder, length, markerOffset);
        return decoder.recordValues(records.readDefinition(decoder, length, markerOffset));
      },
    },
  };
}

/** A decoder that builds values of a host. The checks of options are only made where one asks for them. */
export class HostDecoder extends CheckedDecoder {
  readonly #host: Host;
  readonly #checks: boolean;
  /** Number of payloads that are being read, within each other. */
  #level = 0;
  readonly #header: Header = newHeader();
  /** The keys of the structures of records, as the host has them. */
  readonly #keys: WeakMap<Structure, readonly unknown[]> = new WeakMap();

  constructor(config: DecodeConfig, features: DecodeFeatures, host: Host) {
    super(config, withRecords(features));
    this.#host = host;
    this.#checks = needsChecks(config);
    this.fast = !this.#checks;
    if (!this.#checks) this.inline = this.fix;
  }

  override read(): unknown {
    if (this.#level > 0 && this.#isExt()) {
      const markerOffset = this.pos;
      this.pos += this.#header.size;
      const ext = this.ext(this.#header.type, this.#header.count, markerOffset);
      if (this.config.canonical) this.checkForm(ext, markerOffset);
      return ext;
    }
    const value = this.#checks ? super.read() : Decoder.prototype.read.call(this);
    // A small integer may have the form of a large one.
    return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }

  /** Whether an ext is next: in payloads it is read by fewer functions, as the stack ends there first. */
  #isExt(): boolean {
    return readHeader(this.view, this.pos, this.end, this.#header) && this.#header.kind === 'ext';
  }

  override readsSets(): boolean {
    return this.#host.reader(M.EXT_RICH_SET) !== undefined;
  }

  override array(count: number, markerOffset: number): unknown {
    return this.#host.array(readArray(this, count, markerOffset));
  }

  override object(count: number): object {
    const host = this.#host;
    const guard = count > FEW_KEYS ? new HashGuard() : null;
    const order = this.#checks ? this.keyOrder() : null;
    const entries = new Array(2 * count);
    let pending = this.pending + 2 * count;
    for (let i = 0; i < entries.length; i += 2) {
      const markerOffset = this.pos;
      this.pending = --pending;
      const key = host.key(this.mapKey());
      order?.check(markerOffset);
      if (guard !== null) this.#guard(guard, key, markerOffset);
      entries[i] = key;
      this.pending = --pending;
      entries[i + 1] = this.read();
    }
    return host.map(entries) as object;
  }

  override entries(count: number): Map<unknown, unknown> {
    return this.object(count) as Map<unknown, unknown>;
  }

  #guard(guard: HashGuard, key: unknown, markerOffset: number): void {
    if (!guard.accepts(this.#host.hash(key)))
      throw this.fail('length_limit', markerOffset, 'the hashes of too many keys are the same');
  }

  recordValues(structure: Structure): object {
    const keys = this.#keysOf(structure);
    const entries = new Array(2 * keys.length);
    const outerPending = this.pending;
    for (let i = 0; i < keys.length; i++) {
      entries[2 * i] = keys[i];
      this.pending = outerPending + keys.length - i - 1;
      entries[2 * i + 1] = this.read();
    }
    this.depth--;
    return this.#host.map(entries) as object;
  }

  #keysOf(structure: Structure): readonly unknown[] {
    const known = this.#keys.get(structure);
    if (known !== undefined) return known;
    const keys = structure.keys.map((key) => this.#host.key(key));
    if (keys.length > FEW_KEYS) {
      const guard = new HashGuard();
      for (const key of keys) this.#guard(guard, key, this.pos);
    }
    this.#keys.set(structure, keys);
    return keys;
  }

  override ext(type: number, length: number, markerOffset: number): unknown {
    const reader = this.#host.reader(type);
    const isUndefined = type === M.EXT_UNDEFINED && length === 1;
    if (reader === undefined && !isUndefined) return super.ext(type, length, markerOffset);
    this.checkExt(length, markerOffset);
    const start = this.pos;
    const end = start + length;
    if (end > this.end) throw this.eof();
    if (reader === undefined) {
      this.pos = end;
      if (this.src[start] !== 0 && this.config.unknownExt === 'error')
        throw this.fail('unknown_ext', markerOffset, `type ${type}`);
      return new ExtData(type, this.bytes(start - this.base, end - this.base));
    }
    const payload = new Payload(this, markerOffset);
    return this.#level > 0 ? this.#payload(reader, payload, end) : this.#outermost(reader, payload, end, markerOffset);
  }

  /** Reads a payload up to `end`. */
  #payload(reader: PayloadReader, payload: Payload, end: number): unknown {
    const { end: outerEnd, pending, depth } = this;
    const level = ++this.#level;
    this.end = end;
    this.pending = 0;
    const value = reader(payload);
    payload.close();
    if (this.#level !== level) throw new Error('a fault in an ext of the payload');
    this.#level--;
    this.pos = end;
    this.end = outerEnd;
    this.pending = pending;
    this.depth = depth;
    return value;
  }

  /**
   * Reads the payload of an ext that is in no other. Records are off within it, its values do not count as
   * nodes, and each fault is one of this ext (spec/extensions.md section 2).
   */
  #outermost(reader: PayloadReader, payload: Payload, to: number, markerOffset: number): unknown {
    const { end, pending, fix, inline, depth, nodes } = this;
    this.fix = NO_IDS;
    if (inline > 0) this.inline = NO_IDS;
    this.nodes = Number.NEGATIVE_INFINITY;
    try {
      return this.#payload(reader, payload, to);
    } catch (cause) {
      const fault = cause instanceof MsgpackDecodeError ? cause : undefined;
      // The ext was a container too deep itself, rather than one in its payload.
      const isDepth = fault?.kind === 'depth_limit' && fault.offset === markerOffset - this.base;
      if (isDepth || isStackEnd(cause)) throw cause;
      const detail = cause instanceof Error ? cause.message : String(cause);
      throw this.fail('invalid_ext', markerOffset, detail, cause);
    } finally {
      payload.close();
      this.#level = 0;
      this.pos = to;
      this.end = end;
      this.pending = pending;
      this.fix = fix;
      this.inline = inline;
      this.depth = depth;
      this.nodes = nodes;
    }
  }
}
