import type { Feature, Options } from './options.ts';

/**
 * All options. An option has its type and comment in `options.ts`, its row here, and what it does to the settings in
 * `config.ts`.
 *
 * A row is `name=write/read:values`, with the features that writing and reading need, and the values: the default and
 * the others, or the default of a maximum. One string, because it is smaller in a bundle. Tests compare it with the
 * types, their comments, the docs and the options of containers.
 */
const TABLE =
  'records=records/records structures=records/records getStructures=records/records saveStructures=records ' +
  'sequential=records/records undefinedRecord=/records:integer,error columns=columns/columns ' +
  'maxExpansion=/columns:16 rich=rich/rich bigint=rich/rich canonical=selection/checks ' +
  'sortKeys=selection skipNil=selection utf8=selection:error,replace,raw float32=floats replacer=replacer ' +
  'reviver=/reviver maps:auto,map ' +
  'int64:auto,bigint,number,string timestamps:native,timestamp duplicateKey=/checks:last,error ' +
  'unknownExt:keep,error trailing:error,allow extensions context copyBuffers sliceStrings freezeData ' +
  'maxDepth:1024 maxStrLen=/limits:Infinity maxBinLen=/limits:Infinity maxExtLen=/limits:Infinity ' +
  'maxArrayLen=/limits:Infinity maxMapLen=/limits:Infinity maxNodes=/limits:Infinity maxRecordKeys:1024 ' +
  'maxBuffer:67108864 shouldShareStructure=records maxSharedStructures=records maxOwnStructures=records';

interface Row {
  /** The features that writing and reading need. */
  readonly needs: readonly string[];
  /** The default; undefined where any value is one. */
  readonly preset: string | number | undefined;
  /** The default and the other values, as text. */
  readonly values: readonly string[];
}

let rows: Map<string, Row> | undefined;

/** Returns the options by their names. */
function readTable(): ReadonlyMap<string, Row> {
  if (rows !== undefined) return rows;
  rows = new Map();
  for (const option of TABLE.split(' ')) {
    const [left = '', right] = option.split(':');
    const [name = '', needs = ''] = left.split('=');
    const values = right?.split(',') ?? [];
    const [first] = values;
    rows.set(name, { needs: needs.split('/'), preset: Number(first) || first, values });
  }
  return rows;
}

/** Returns the names of all options. */
export function optionNames(): readonly string[] {
  return [...readTable().keys()];
}

type WithDefault =
  | 'undefinedRecord'
  | 'maxExpansion'
  | 'utf8'
  | 'maps'
  | 'int64'
  | 'timestamps'
  | 'duplicateKey'
  | 'unknownExt'
  | 'trailing'
  | 'maxDepth'
  | 'maxStrLen'
  | 'maxBinLen'
  | 'maxExtLen'
  | 'maxArrayLen'
  | 'maxMapLen'
  | 'maxNodes'
  | 'maxRecordKeys'
  | 'maxBuffer';

/** The options that have one of a few values, or a number: each with its value. */
export type OptionValues = { readonly [Name in WithDefault]: NonNullable<Options[Name]> };

/** Returns the values of these options; throws for one that is not of them. */
export function valuesOf(options: Options): OptionValues {
  const all: Record<string, unknown> = {};
  for (const [name, { preset, values }] of readTable()) {
    if (preset === undefined) continue;
    const { [name as WithDefault]: value = preset } = options;
    const isNumber = typeof preset === 'number';
    if (isNumber ? typeof value !== 'number' || !(value >= 0) : !values.includes(value as string))
      throw new TypeError(
        `${name} must be ${isNumber ? 'a number from 0 up' : `one of ${values.join(', ')}`}, not ${String(value)}`,
      );
    all[name] = value;
  }
  return all as OptionValues;
}

/** The options that are functions of the program, and are called with the instance as `this`. */
const CALLBACKS = ['getStructures', 'saveStructures', 'shouldShareStructure'] as const;

/** Throws for an option that does not exist; `elsewhere` tells what another package's is here. */
export function checkNames(options: object, elsewhere?: (name: string) => string): void {
  for (const name of Object.keys(options))
    if (name !== 'features' && !readTable().has(name))
      throw new TypeError(`There is no option ${name}${elsewhere?.(name) ?? ''}`);
}

/** The values that ask for nothing: those that are absent, and the name of a default. */
const NOTHING: readonly unknown[] = [undefined, null, false, 'last', 'integer'];

/** The options that may be their feature in place of `true`. */
const FEATURES = ['records', 'columns', 'rich'] as const;

/** Returns options without the features in them, and these on top of others. */
export function separated<T extends Options>(
  { features: given = [], ...others }: T,
  preset: Feature = {},
): [Omit<T, 'features'>, Feature] {
  const options: Options = { ...others };
  const features = [preset, ...given];
  for (const name of FEATURES) {
    const { [name]: value } = options;
    if (typeof value !== 'object' || value === null) continue;
    features.push(value);
    options[name] = true;
  }
  return [options as T, Object.assign({}, ...features)];
}

/** Throws for an option that needs a feature which is not there. */
export function checkFeatures(
  options: Options,
  features: Feature,
  use: 'write' | 'read',
  refusal: (name: string, need: string) => string = (_, need) => `needs the feature ${need}: { features: [${need}] }`,
): void {
  for (const name of Object.keys(options) as (keyof Options)[]) {
    const need = readTable().get(name)?.needs[use === 'write' ? 0 : 1];
    if (!need || NOTHING.includes(options[name])) continue;
    const key = use === 'read' ? need : `write${need[0]?.toUpperCase()}${need.slice(1)}`;
    if (!(key in features)) throw new TypeError(`${name} ${refusal(name, need)}`);
  }
}

/**
 * Returns the options with callbacks that are called with `instance` as `this`. A method of a
 * subclass with the name of a callback replaces it.
 */
export function bindCallbacks<T extends Options>(options: T, instance: object, others: readonly string[] = []): T {
  const bound = { ...options } as Record<string, unknown>;
  const own = instance as Record<string, unknown>;
  for (const name of [...CALLBACKS, ...others]) {
    const given = bound[name];
    // Looked up when it is called, as another one may be assigned.
    if (typeof own[name] === 'function')
      bound[name] = (...args: unknown[]) => (own[name] as (...args: unknown[]) => unknown)(...args);
    else if (typeof given === 'function') bound[name] = given.bind(instance);
  }
  return bound as T;
}

/** An instance whose options are its properties. */
interface WithOptions {
  readonly options?: Record<string, unknown>;
  /** Takes another value of an option; without it, setting one throws. */
  setOption?(name: string, value: unknown): void;
}

/** Lets options of instances be read as their properties. */
export function exposeOptions(prototype: object, names: readonly string[]): void {
  for (const name of names) {
    if (name in prototype) continue;
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: WithOptions) {
        return this.options?.[name];
      },
      set(this: WithOptions, value: unknown) {
        if (this.setOption === undefined) throw new TypeError(`${name} can only be set by the constructor`);
        this.setOption(name, value);
      },
    });
  }
}
