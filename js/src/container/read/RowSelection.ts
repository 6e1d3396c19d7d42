import { UnpackrClass } from '../../api/Unpackr.ts';
import type { DecodeConfig } from '../../decode/DecodeConfig.ts';
import { decodeConfig } from '../../options/config.ts';
import type { UnpackrOptions } from '../../options/options.ts';
import { setField } from '../../wire/keys.ts';
import { type CheckedCondition, isMapping, MISSING, meets, orderedType, partsOf, valueAt } from '../index/predicate.ts';
import type { BlockBody, BlockFrame } from './BlockFrame.ts';
import type { BodyReader } from './BodyReader.ts';
import { BodyColumns } from './body-columns.ts';

/**
 * The values of a column in the order of the rows: numbers as a typed array where they are stored as one,
 * others as an array, with null for nil and undefined for a missing value.
 */
// biome-ignore lint/suspicious/noExplicitAny: values have the type that their user expects
export type ColumnValues = ArrayLike<any>;

/** Some columns of one block. */
export interface ColumnBatch<Path extends string> {
  /** Number of rows. */
  readonly count: number;
  /** The values of each row, by path. */
  readonly columns: { readonly [path in Path]: ColumnValues };
}

/** Options with which values are those of the file, as they are compared. */
const EXACT = {
  maps: 'map',
  timestamps: 'timestamp',
  int64: 'auto',
  rich: false,
  bigint: false,
  extensions: [],
  freezeData: false,
} as const;

/** Options that change no value that is compared. */
const HARMLESS: readonly string[] = [
  'maps',
  'sliceStrings',
  'copyBuffers',
  'freezeData',
  'columns',
  'maxDepth',
  'maxExpansion',
];

/** What a key that is not a str can become as the key of an object. */
const OTHER_KEY = /^(-?[0-9].*|-?Infinity|NaN|true|false|null|undefined)$/;

/** Reads the rows of blocks that match a predicate, all of them or some of their keys. */
export class RowSelection {
  readonly #reader: BodyReader;
  readonly #conditions: readonly CheckedCondition[];
  readonly #select: ReadonlySet<string> | undefined;
  /** Options of rows as the program reads them, and as they are compared. */
  readonly #config: DecodeConfig;
  readonly #exact: UnpackrOptions;
  readonly #exactConfig: DecodeConfig;
  /** Whether the program's options read rows as they are compared. */
  readonly #isExact: boolean;
  #unpackr: UnpackrClass | undefined;

  /** @param select the keys that rows have of theirs; without it all */
  constructor(reader: BodyReader, conditions: readonly CheckedCondition[], select: readonly string[] | undefined) {
    this.#reader = reader;
    this.#conditions = conditions;
    this.#select = select && new Set(select);
    const { options } = reader;
    this.#exact = { ...options, ...EXACT };
    this.#config = decodeConfig(options);
    this.#exactConfig = decodeConfig(this.#exact);
    this.#isExact =
      conditions.every(isPlain) &&
      Object.keys(options).every(
        (name) => options[name as keyof UnpackrOptions] === undefined || HARMLESS.includes(name),
      );
  }

  /** Whether some chunks of a block need not be read. */
  get isPartial(): boolean {
    return this.#select !== undefined;
  }

  async values(frame: BlockFrame): Promise<unknown[]> {
    const body = this.#reader.body(frame);
    const select = this.#select;
    // What is to be read whole is checked whole.
    if (select === undefined) await body.readAll();
    const { mask, rows } = await this.#match(body);
    if (mask?.includes(1) === false) return [];
    const table = select && rows === undefined ? await BodyColumns.open(body, this.#config) : undefined;
    const has = (key: string): boolean => select?.has(key) === true;
    await table?.load(has);
    const values = rows ?? table?.rowsWith(has) ?? (await this.#reader.values(body));
    const found = mask === undefined ? values : values.filter((_, row) => mask[row] === 1);
    return table || select === undefined ? found : found.map((row) => projected(row, has));
  }

  async columns<Path extends string>(frame: BlockFrame, paths: readonly Path[]): Promise<ColumnBatch<Path>> {
    const body = this.#reader.body(frame);
    const { mask, rows: whole } = await this.#match(body);
    const { count } = frame.head;
    const left = mask === undefined ? count : mask.reduce((sum, one) => sum + one, 0);
    const columns: Partial<Record<Path, ColumnValues>> = {};
    if (left > 0) {
      const table = whole === undefined ? await BodyColumns.open(body, this.#config) : undefined;
      const lists = paths.map(partsOf);
      const keys = keysOf(lists);
      await table?.load(keys);
      let rows = whole;
      for (const [i, path] of paths.entries()) {
        const parts = lists[i] as string[];
        let values: ColumnValues | null | undefined = table?.columnAt(parts);
        if (values === undefined) {
          rows ??= table?.rowsWith(keys) ?? (await this.#reader.values(body));
          values = rows.map((row) => {
            const value = valueAt(row, parts);
            return value === MISSING ? undefined : value;
          });
        }
        values ??= new Array(count).fill(undefined);
        columns[path] = mask === undefined ? values : selected(values, mask);
      }
    }
    return { count: left, columns: columns as ColumnBatch<Path>['columns'] };
  }

  /**
   * Returns which rows of a body match, 1 for each that does, or no mask if all do. Rows that were read as the
   * program reads them are returned as well.
   */
  async #match(body: BlockBody): Promise<{ mask?: Uint8Array; rows?: unknown[] }> {
    const conditions = this.#conditions;
    if (conditions.length === 0) return {};
    const table = await BodyColumns.open(body, this.#exactConfig);
    if (!this.#isExact) this.#unpackr ??= new UnpackrClass(this.#exact);
    const whole = table === undefined ? await this.#reader.values(body, this.#unpackr) : undefined;
    const keys = keysOf(conditions.map((condition) => condition.parts));
    await table?.load(keys);
    let rows = whole;
    const mask = new Uint8Array(body.frame.head.count).fill(1);
    for (const { parts, op, constant } of conditions) {
      const values = table?.columnAt(parts);
      if (values === undefined) rows ??= table?.rowsWith(keys);
      for (let row = 0; row < mask.length; row++) {
        const value = values === undefined ? valueAt(rows?.[row], parts) : values?.[row];
        if (!meets(values === null ? MISSING : value, op, constant)) mask[row] = 0;
      }
    }
    return this.#isExact && whole !== undefined ? { mask, rows: whole } : { mask };
  }
}

/** Returns whether a key is the first part of one of some paths; the empty path has all keys. */
function keysOf(paths: readonly (readonly string[])[]): (key: string) => boolean {
  const keys = new Set(paths.map(([key]) => key));
  return (key) => keys.has(key) || keys.has(undefined);
}

function projected(row: unknown, has: (key: string) => boolean): unknown {
  if (typeof row !== 'object' || row === null || !isMapping(row)) return row;
  let copy: object;
  if (row instanceof Map) copy = new Map([...row].filter(([key]) => typeof key === 'string' && has(key)));
  else {
    copy = {};
    for (const key of Object.keys(row)) if (has(key)) setField(copy, key, row[key]);
  }
  return Object.isFrozen(row) ? Object.freeze(copy) : copy;
}

function selected(values: ColumnValues, mask: Uint8Array): ColumnValues {
  const keeps = (_: unknown, row: number): boolean => mask[row] === 1;
  return ArrayBuffer.isView(values) ? (values as Uint8Array).filter(keeps) : Array.prototype.filter.call(values, keeps);
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
