import type { Options } from './options.ts';

/** The names of all options. One string, because it is smaller in a bundle. */
const NAMES = (
  'useRecords structures getStructures sequential mapsAsObjects objectsAsMaps ' +
  'int64AsType integersAsBigInt int64AsNumber moreTypes columns maxExpansion structuredClone bundleStrings useBigIntExtension ' +
  'useFloat32 copyBuffers sliceStrings freezeData allowArraysInMapKeys keyDecoder ' +
  'mapKeyConverter objectKeys reviver timestamps extensions context rawStrings utf8 ' +
  'trailing duplicateKey unknownExt undefinedRecord canonical maxDepth maxStrLen ' +
  'maxStrLength maxBinLen maxBinLength maxExtLen maxExtLength maxArrayLen ' +
  'maxArrayLength maxMapLen maxMapLength maxNodes maxRecordKeys maxBuffer ' +
  'maxIncompleteBufferSize saveStructures shouldShareStructure maxSharedStructures ' +
  'maxOwnStructures variableMapSize largeBigIntToFloat largeBigIntToString float32 ' +
  'forceIntegerToFloat useToJSON encodeUndefinedAsNil ignoreUndefined skipValues ' +
  'sortKeys coercibleKeyAsNumber useTimestamp32 onInvalidDate mapAsEmptyObject ' +
  'setAsEmptyObject writeFunction replacer'
).split(' ') as (keyof Options)[];

/** The options that are functions of the program, and are called with the instance as `this`. */
const CALLBACKS = [
  'getStructures',
  'saveStructures',
  'shouldShareStructure',
  'onInvalidDate',
  'writeFunction',
  'mapKeyConverter',
] as const;

/** Throws for an option that does not exist. */
export function checkNames(options: object): void {
  for (const name of Object.keys(options))
    if (!NAMES.includes(name as keyof Options)) throw new TypeError(`There is no option ${name}`);
}

/** The values that ask for nothing: those that are absent, and the names of defaults. */
const DEFAULTS: readonly unknown[] = [undefined, null, false, 'all', 'last'];

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
export function bindCallbacks<T extends Options>(options: T, instance: object): T {
  const bound = { ...options } as Record<string, unknown>;
  const own = instance as Record<string, unknown>;
  for (const name of CALLBACKS) {
    const { [name]: given } = options;
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
export function exposeOptions(prototype: object, optionsOf: (instance: never) => Options): void {
  for (const name of NAMES) {
    if (name in prototype) continue;
    Object.defineProperty(prototype, name, {
      configurable: true,
      get() {
        return optionsOf(this as never)?.[name];
      },
      set() {
        throw new TypeError(`${name} can only be set by the constructor`);
      },
    });
  }
}
