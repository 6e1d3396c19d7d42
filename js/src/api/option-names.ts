import type { Options } from './options.ts';

/** The names of all options. */
const NAMES: Record<keyof Options, 1> = {
  useRecords: 1,
  structures: 1,
  getStructures: 1,
  sequential: 1,
  mapsAsObjects: 1,
  objectsAsMaps: 1,
  int64AsType: 1,
  int64AsNumber: 1,
  moreTypes: 1,
  structuredClone: 1,
  bundleStrings: 1,
  useBigIntExtension: 1,
  useFloat32: 1,
  copyBuffers: 1,
  sliceStrings: 1,
  freezeData: 1,
  allowArraysInMapKeys: 1,
  keyDecoder: 1,
  mapKeyConverter: 1,
  objectKeys: 1,
  reviver: 1,
  timestamps: 1,
  extensions: 1,
  context: 1,
  rawStrings: 1,
  utf8: 1,
  trailing: 1,
  duplicateKey: 1,
  unknownExt: 1,
  undefinedRecord: 1,
  canonical: 1,
  maxDepth: 1,
  maxStrLen: 1,
  maxStrLength: 1,
  maxBinLen: 1,
  maxBinLength: 1,
  maxExtLen: 1,
  maxExtLength: 1,
  maxArrayLen: 1,
  maxArrayLength: 1,
  maxMapLen: 1,
  maxMapLength: 1,
  maxNodes: 1,
  maxRecordKeys: 1,
  maxBuffer: 1,
  maxIncompleteBufferSize: 1,
  saveStructures: 1,
  shouldShareStructure: 1,
  maxSharedStructures: 1,
  maxOwnStructures: 1,
  variableMapSize: 1,
  largeBigIntToFloat: 1,
  largeBigIntToString: 1,
  float32: 1,
  forceIntegerToFloat: 1,
  useToJSON: 1,
  encodeUndefinedAsNil: 1,
  ignoreUndefined: 1,
  skipValues: 1,
  sortKeys: 1,
  coercibleKeyAsNumber: 1,
  useTimestamp32: 1,
  onInvalidDate: 1,
  mapAsEmptyObject: 1,
  setAsEmptyObject: 1,
  writeFunction: 1,
  replacer: 1,
};

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
    if (!Object.hasOwn(NAMES, name)) throw new TypeError(`There is no option ${name}`);
}

/**
 * Returns the options with callbacks that are called with `instance` as `this`. A method of a
 * subclass with the name of a callback replaces it.
 */
export function bindCallbacks<T extends Options>(options: T, instance: object): T {
  const bound: T = { ...options };
  for (const name of CALLBACKS) {
    const callback: unknown = (instance as Options)[name] ?? options[name];
    if (typeof callback === 'function') bound[name] = callback.bind(instance);
  }
  return bound;
}

/**
 * Lets the options of an instance be read as its properties. Setting one throws: the instance
 * was made with it.
 */
export function exposeOptions(prototype: object, optionsOf: (instance: never) => Options): void {
  for (const name of Object.keys(NAMES) as (keyof Options)[]) {
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
