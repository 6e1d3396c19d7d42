import { decodeConfig } from '../api/decode-options.ts';
import type { UnpackrOptions } from '../api/options.ts';
import { UnpackrClass } from '../api/Unpackr.ts';
import type { DecodeConfig } from '../decode/DecodeConfig.ts';
import { type BodyReader, inBlock } from './BodyReader.ts';
import { columnAt, openColumns } from './body-columns.ts';
import { orderedType } from './compare.ts';
import type { BlockFrame } from './FrameReader.ts';
import { MISSING } from './paths.ts';
import { type CheckedCondition, matches, meets } from './predicate.ts';

/** Options with which values are those of the file, as they are compared. */
const EXACT = {
  mapsAsObjects: false,
  timestamps: 'timestamp',
  int64AsType: 'auto',
  integersAsBigInt: false,
  moreTypes: false,
  useBigIntExtension: false,
  useFloat32: 0,
  rawStrings: false,
  extensions: [],
  freezeData: false,
} as const;

/** Options that change no value that is compared. */
const HARMLESS: readonly string[] = [
  'mapsAsObjects',
  'sliceStrings',
  'copyBuffers',
  'freezeData',
  'useRecords',
  'structures',
  'columns',
  'maxDepth',
  'maxExpansion',
];

/** What a key that is not a str can become as the key of an object. */
const OTHER_KEY = /^(-?[0-9].*|-?Infinity|NaN|true|false|null|undefined)$/;

/** Selects the rows of blocks that match a predicate. */
export class RowFilter {
  readonly #reader: BodyReader;
  readonly #conditions: readonly CheckedCondition[];
  readonly #exact: UnpackrOptions;
  /** Whether the program's options read rows as they are compared. */
  readonly #isExact: boolean;
  #config: DecodeConfig | undefined;
  #unpackr: UnpackrClass | undefined;

  constructor(reader: BodyReader, conditions: readonly CheckedCondition[]) {
    this.#reader = reader;
    this.#conditions = conditions;
    const { options } = reader;
    this.#exact = { ...options, ...EXACT };
    this.#isExact =
      conditions.every(isPlain) &&
      Object.keys(options).every(
        (name) => options[name as keyof UnpackrOptions] === undefined || HARMLESS.includes(name),
      );
  }

  /** Reads the values of a body that match. */
  values(frame: BlockFrame, body: Uint8Array): unknown[] {
    if (this.#conditions.length === 0) return this.#reader.values(frame, body);
    const mask = this.#byColumns(frame, body) ?? this.#byRows(frame, body);
    if (mask === undefined)
      return this.#reader.values(frame, body).filter((row) => matches(row, this.#conditions));
    if (!mask.includes(1)) return [];
    return this.#reader.values(frame, body).filter((_, row) => mask[row] === 1);
  }

  /** Returns which rows of a body match, 1 for each that does. */
  mask(frame: BlockFrame, body: Uint8Array): Uint8Array {
    const mask = this.#byColumns(frame, body) ?? this.#byRows(frame, body);
    return (
      mask ??
      Uint8Array.from(this.#reader.values(frame, body), (row) =>
        matches(row, this.#conditions) ? 1 : 0,
      )
    );
  }

  /** Looks at the columns of the conditions alone; undefined where there are no such columns. */
  #byColumns({ kind, at, count }: BlockFrame, body: Uint8Array): Uint8Array | undefined {
    if (kind !== 1) return undefined;
    return inBlock(at, () => {
      this.#config ??= decodeConfig(this.#exact, false);
      const columns = openColumns(body, this.#config);
      if (columns === undefined || columns.rows.n !== count) return undefined;
      const mask = new Uint8Array(count).fill(1);
      for (const { parts, op, constant } of this.#conditions) {
        const values = columnAt(columns, parts);
        if (values === undefined) return undefined;
        for (let row = 0; row < count; row++)
          if (!meets(values === null ? MISSING : values[row], op, constant)) mask[row] = 0;
      }
      return mask;
    });
  }

  /** Reads the rows as they are compared; undefined where that is how the program reads them. */
  #byRows(frame: BlockFrame, body: Uint8Array): Uint8Array | undefined {
    if (this.#isExact) return undefined;
    this.#unpackr ??= new UnpackrClass(this.#exact);
    const rows = this.#reader.valuesBy(this.#unpackr, frame, body);
    return Uint8Array.from(rows, (row) => (matches(row, this.#conditions) ? 1 : 0));
  }
}

/** Whether a condition finds the same in rows that a program reads without options. */
function isPlain({ parts, op, constant }: CheckedCondition): boolean {
  const constants = op === 'in' ? (constant as readonly unknown[]) : [constant];
  return (
    !parts.some((part) => OTHER_KEY.test(part)) &&
    constants.every((value) => typeof value !== 'object' || value === null) &&
    !constants.some((value) => orderedType(value) === 'time')
  );
}
