import type { Options } from './options.ts';

/** The names of all options. One string, because it is smaller in a bundle. */
const NAMES = (
  'records structures getStructures sequential undefinedRecord columns maxExpansion rich bigint canonical maps int64 ' +
  'timestamps duplicateKey utf8 unknownExt trailing extensions context reviver copyBuffers sliceStrings freezeData ' +
  'maxDepth maxStrLen maxBinLen maxExtLen maxArrayLen maxMapLen maxNodes maxRecordKeys maxBuffer saveStructures ' +
  'shouldShareStructure maxSharedStructures maxOwnStructures float32 sortKeys skipNil replacer'
).split(' ') as (keyof Options)[];

/** The options that are functions of the program, and are called with the instance as `this`. */
const CALLBACKS = ['getStructures', 'saveStructures', 'shouldShareStructure'] as const;

/** Throws for an option that does not exist; `elsewhere` tells what another package's is here. */
export function checkNames(options: object, elsewhere?: (name: string) => string): void {
  for (const name of Object.keys(options))
    if (!NAMES.includes(name as keyof Options))
      throw new TypeError(`There is no option ${name}${elsewhere?.(name) ?? ''}`);
}

/** The values that ask for nothing: those that are absent, and the names of defaults. */
const DEFAULTS: readonly unknown[] = [undefined, null, false, 'last'];

/** Throws for an option that needs a feature which the instance was not given. */
export function checkFeatures<F extends object>(
  options: Options,
  features: F,
  needs: { readonly [name in keyof F]?: readonly (keyof Options)[] | undefined },
): void {
  for (const feature of Object.keys(needs) as (keyof F)[])
    for (const name of needs[feature] ?? [])
      if (!DEFAULTS.includes(options[name]) && features[feature] === undefined)
        throw new TypeError(`${name} needs the feature ${String(feature)}: { features: [...] }`);
}

/**
 * Returns the options with callbacks that are called with `instance` as `this`. A method of a
 * subclass with the name of a callback replaces it.
 */
export function bindCallbacks<T extends Options>(
  options: T,
  instance: object,
  others: readonly string[] = [],
): T {
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

/**
 * Lets the options of an instance be read as its properties. Setting one throws: the instance
 * was made with it.
 */
export function exposeOptions(
  prototype: object,
  optionsOf: (instance: never) => object,
  names: readonly string[] = NAMES,
): void {
  for (const name of names) {
    if (name in prototype) continue;
    Object.defineProperty(prototype, name, {
      configurable: true,
      get() {
        return (optionsOf(this as never) as Record<string, unknown> | undefined)?.[name];
      },
      set() {
        throw new TypeError(`${name} can only be set by the constructor`);
      },
    });
  }
}
