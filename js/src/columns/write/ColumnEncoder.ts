import type { EncodeConfig } from '../../encode/EncodeConfig.ts';
import type { ColumnTarget, EncodeFeatures, PlainEncoder } from '../../encode/EncodeFeatures.ts';
import { ScalarEncoder } from '../../encode/ScalarEncoder.ts';
import * as M from '../../wire/markers.ts';
import { ColumnWriter } from './ColumnWriter.ts';
import { KeyLists } from './KeyLists.ts';
import { PlainCopier } from './PlainCopier.ts';
import * as T from './Tape.ts';

/** What a value must have to be a candidate: elements or entries, and bytes. */
const MIN_ELEMENTS = 8;
const MIN_SIZE = 512;
/** Number of candidates that are refused before none of the values in them is tried. */
const MAX_REFUSED = 2;
/** Size of the largest header of an ext. */
const MAX_HEADER = 6;
/** Maximum size of a plain message: positions in the tape have 31 bits. */
const MAX_PLAIN = 0x7fffffff;

/** Writes values as messages of their own: without columns, and with no structure defined before. */
interface AloneWriter {
  /** Begins all messages of one tape. */
  begin(): void;
  /** Returns the size of the message of a value. */
  sizeOf(index: number): number;
}

/**
 * Writes messages in which containers are stored by column where the rule of spec/columns.md section
 * 6.2 says so: first all of a message as plain MessagePack, then from those bytes.
 */
export class ColumnEncoder {
  readonly #encoder: ColumnTarget;
  readonly #plain: PlainEncoder;
  readonly #tape: T.Tape = new T.Tape();
  readonly #lists: KeyLists = new KeyLists(this.#tape);
  readonly #columns: ColumnWriter;
  readonly #out: PlainCopier;
  /** Null while records are off: a value alone is then its plain bytes. */
  readonly #alone: AloneWriter | null;

  constructor(encoder: ColumnTarget, features: EncodeFeatures) {
    const { config, ids, objects } = encoder;
    this.#encoder = encoder;
    this.#plain = encoder.alike({ ...config, records: false }, null);
    this.#columns = new ColumnWriter(this.#tape, this.#lists);
    this.#out = new PlainCopier(this.#tape, this.#lists, encoder, ids, objects?.shapes ?? null);
    this.#alone = ids === null ? null : this.#newAlone(config, features, ids.maxOwn);
  }

  #newAlone(
    config: EncodeConfig,
    { writePrediction, writeRecords }: EncodeFeatures,
    maxOwnStructures: number,
  ): AloneWriter | null {
    if (writePrediction === undefined || writeRecords === undefined) return null;
    const target = new ScalarEncoder(config, {});
    const shapes = writePrediction.newShapes(null);
    const ids = writeRecords.newIds(writeRecords.newShared({}), { maxOwnStructures });
    const find = (keys: readonly string[]) => shapes.ofKeys(keys);
    const copier = new PlainCopier(this.#tape, this.#lists, target, ids, shapes);
    return {
      begin() {
        shapes.begin();
        copier.begin();
      },
      sizeOf(index) {
        target.begin();
        ids.begin(find);
        copier.value(index);
        const size = target.pos - target.start;
        target.finish();
        target.pos = target.start;
        return size;
      },
    };
  }

  /** Writes the value of a message, which the encoder has begun. */
  message(value: unknown): void {
    const plain = this.#plain;
    if (typeof value !== 'object' || value === null) {
      this.#encoder.message(value);
      return;
    }
    const encoder = this.#encoder;
    // Records begin with the message: what fails before there are any goes back to here, and no further.
    encoder.objects?.begin(encoder);
    plain.begin();
    plain.again(encoder.calls);
    try {
      plain.message(value);
    } finally {
      encoder.again(plain.calls);
      plain.again(null);
    }
    try {
      if (!this.ofPlain(plain.buf, plain.start, plain.pos)) encoder.message(value);
    } finally {
      plain.finish();
      plain.pos = plain.start;
    }
  }

  /**
   * Writes the value of a message that is there as plain MessagePack; returns false if there are no
   * columns in it, and nothing was written.
   */
  ofPlain(bytes: Uint8Array, start: number, end: number): boolean {
    const tape = this.#tape;
    if (end - start < MIN_SIZE || end > MAX_PLAIN) return false;
    try {
      if (!tape.read(bytes, start, end, spanningTypes(this.#plain.config))) return false;
      this.#lists.read();
      this.#encoder.objects?.begin(this.#encoder);
      this.#out.begin();
      this.#alone?.begin();
      this.#walk(0, 0);
      return true;
    } finally {
      tape.clear();
    }
  }

  /** Writes a value in which containers may be stored by column; `refused` of those around it were not. */
  #walk(index: number, refused: number): void {
    const tape = this.#tape;
    const type = tape.type[index] as number;
    const isMap = type === T.MAPPING;
    if ((type !== T.ARRAY && !isMap) || tape.size(index) < MIN_SIZE || refused === MAX_REFUSED) {
      this.#out.value(index);
      return;
    }
    const candidate = this.#isLarge(index, isMap) && !tape.isBarred(index);
    const columns = this.#columns;
    const { payload } = columns;
    if (
      candidate &&
      columns.write(index) &&
      payload.size + MAX_HEADER < (this.#alone?.sizeOf(index) ?? tape.size(index))
    ) {
      this.#encoder.ext(M.EXT_COLUMNS, payload.bytes.subarray(0, payload.size));
      return;
    }
    const end = tape.next[index] as number;
    const isRecord = this.#out.header(index);
    for (let child = index + 1; child < end; child = tape.next[child] as number) {
      if (isMap) {
        if (!isRecord) this.#out.value(child);
        child = tape.next[child] as number;
      }
      this.#walk(child, refused + (candidate ? 1 : 0));
    }
  }

  /** Whether a container has elements enough, and a map such values. */
  #isLarge(index: number, isMap: boolean): boolean {
    const tape = this.#tape;
    const entries = tape.entries(index);
    if (entries < MIN_ELEMENTS || !isMap) return entries >= MIN_ELEMENTS;
    const { type, next } = tape;
    let containers = 0;
    let strings = 0;
    for (let key = index + 1; key < (next[index] as number); ) {
      const value = next[key] as number;
      const t = type[value];
      if (t === T.ARRAY || t === T.MAPPING) containers++;
      else if (t === T.STRING) strings++;
      key = next[value] as number;
    }
    return strings === entries || 8 * containers >= 7 * entries;
  }
}

/** Returns the ext types that the writer puts before a value which belongs to them. */
function spanningTypes({ rich, moreTypes, extensions }: EncodeConfig): ReadonlySet<number> {
  const types = new Set<number>(rich || moreTypes ? [M.EXT_SET, M.EXT_ERROR, M.EXT_REGEXP] : []);
  for (let registry: typeof extensions | undefined = extensions; registry !== undefined; ) {
    for (const { type, write } of registry.classes)
      if (type !== undefined && write !== undefined) types.add((type << 24) >> 24);
    registry = registry.parent;
  }
  return types;
}
