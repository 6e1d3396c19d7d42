import { MsgpackDecodeError } from '../errors/errors.ts';
import { formatPath, type PathPart } from '../errors/path.ts';
import { RecordOverlay } from '../record/overlay.ts';
import { newHeader, readHeader } from '../wire/header.ts';
import { Reader } from './reader.ts';

/** A container on the way to the place that is looked for. */
interface Frame {
  readonly kind: 'array' | 'map' | 'record';
  readonly count: number;
  readonly keys: readonly string[];
  readonly start: number;
  /** Number of the element, or of the key or value of a map. */
  at: number;
  /** For a map: where the current entry's key begins and ends. */
  keyStart: number;
  keyEnd: number;
}

/** What reading threw, as users get it: an error of the bytes with its path. */
export function explain(
  error: unknown,
  reader: Reader,
  bytes: Uint8Array,
  start: number,
  end: number,
): unknown {
  if (error instanceof RangeError && /call stack|recursion/.test(error.message))
    return new MsgpackDecodeError('depth_limit', Math.max(0, reader.pos - 1 - reader.base));
  if (!(error instanceof MsgpackDecodeError) || error.path !== undefined) return error;
  if (error.offset < start || error.offset > end) return error;
  return locate(error, bytes, start, end, reader);
}

/**
 * An error with the path of the place where it happened. The packed data is walked over
 * once more up to there; what can't be walked over ends the path.
 */
function locate(
  error: MsgpackDecodeError,
  bytes: Uint8Array,
  start: number,
  end: number,
  reader: Reader,
): MsgpackDecodeError {
  const path = formatPath(new Locator(bytes, start, end, reader).pathTo(error.offset));
  return new MsgpackDecodeError(error.kind, error.offset, {
    path,
    cause: error.cause,
    ...(error.detail === undefined ? {} : { detail: error.detail }),
  });
}

class Locator {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #end: number;
  readonly #reader: Reader;
  readonly #records: RecordOverlay<readonly string[]> | null;
  readonly #frames: Frame[] = [];
  readonly #header = newHeader();
  #pos: number;

  constructor(bytes: Uint8Array, start: number, end: number, reader: Reader) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#pos = start;
    this.#end = end;
    this.#reader = reader;
    this.#records = reader.config.records
      ? new RecordOverlay(reader.structures, (keys) => keys)
      : null;
  }

  pathTo(target: number): PathPart[] {
    do {
      if (this.#pos >= target || !this.#value(target)) break;
    } while (this.#frames.length > 0);
    // A fault within a key has the path of the map.
    const key = this.#frames.findIndex(isKey);
    const way = key < 0 ? this.#frames : this.#frames.slice(0, key);
    return way.map((frame) => this.#part(frame));
  }

  /** Walks over one header; false when the target lies in what it announces, or it is none. */
  #value(target: number): boolean {
    const header = this.#header;
    const start = this.#pos;
    if (!readHeader(this.#view, start, this.#end, header)) return false;
    const record = this.#records?.start(this.#view, start, this.#end, header);
    if (record?.kind === 'record') {
      const keys = this.#records?.structure(record.index) as readonly string[];
      return this.#enter('record', keys.length, keys, record.size);
    }
    if (record?.kind === 'definition') return this.#definition(record.index, record.size, target);
    if (record !== undefined && record.kind !== 'none') return false;
    const { kind, size, count, type } = header;
    if (kind === 'array') return this.#enter('array', count, [], size);
    if (kind === 'map') return this.#enter('map', count * 2, [], size);
    if (kind === 'reserved') return false;
    const next = start + size + count;
    if (next > target || next > this.#end) return false;
    this.#pos = next;
    if (kind === 'ext' && this.#reader.valueFollows(type, count)) return this.#value(target);
    this.#done(start);
    return true;
  }

  #definition(index: number, size: number, target: number): boolean {
    const lead = this.#view.getUint8(this.#pos + 2);
    let p = this.#pos + size;
    const header = this.#header;
    if (!readHeader(this.#view, p, this.#end, header) || header.kind !== 'array') return false;
    const { count } = header;
    p += header.size;
    const keys: string[] = [];
    const key = newHeader();
    for (let i = 0; i < count; i++) {
      if (!readHeader(this.#view, p, this.#end, key) || key.kind !== 'str') return false;
      p += key.size;
      keys.push(new TextDecoder().decode(this.#bytes.subarray(p, p + key.count)));
      p += key.count;
      if (p > target || p > this.#end) return false;
    }
    this.#records?.define(index, lead, keys, size === 4);
    return this.#enter('record', keys.length, keys, p - this.#pos);
  }

  #enter(kind: Frame['kind'], count: number, keys: readonly string[], size: number): boolean {
    const start = this.#pos;
    this.#pos += size;
    // What announces more than there is has no elements that could be at fault.
    if (count > this.#end - this.#pos) return false;
    if (count === 0) this.#done(start);
    else this.#frames.push({ kind, count, keys, start, at: 0, keyStart: start, keyEnd: start });
    return true;
  }

  /** A whole value was walked over, and with it perhaps the containers that it ends. */
  #done(start: number): void {
    let from = start;
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      if (isKey(frame)) {
        frame.keyStart = from;
        frame.keyEnd = this.#pos;
      }
      if (++frame.at < frame.count) return;
      from = frame.start;
      this.#frames.pop();
    }
  }

  #part(frame: Frame): PathPart {
    if (frame.kind === 'array') return frame.at;
    if (frame.kind === 'record') return frame.keys[frame.at] as string;
    const reader = new Reader({ ...this.#reader.config, mapsAsObjects: false, utf8: 'replace' });
    reader.open(this.#bytes, frame.keyStart, frame.keyEnd);
    try {
      return { key: reader.message() };
    } catch {
      return { key: undefined };
    }
  }
}

function isKey(frame: Frame): boolean {
  return frame.kind === 'map' && frame.at % 2 === 0;
}
