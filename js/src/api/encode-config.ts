import type { ExtensionRegistry } from '../ext/extension.ts';
import { MAX_KEYS } from '../record/structures.ts';
import type { Options } from './options.ts';

/** Options of writing with every default filled in. */
export interface EncodeConfig {
  /** Whether records are on: then integers from 64 to 127 take two bytes. */
  readonly records: boolean;
  readonly chooseRecord: ((value: object) => boolean) | undefined;
  readonly extensions: ExtensionRegistry;
  readonly context: unknown;
  readonly maxDepth: number;
  readonly maxRecordKeys: number;
  readonly canonical: boolean;
  readonly sortKeys: boolean;
  readonly variableMapSize: boolean;
  readonly bigInts: boolean;
  readonly largeBigIntToFloat: boolean;
  readonly largeBigIntToString: boolean;
  readonly float32: number;
  readonly lossless32: boolean;
  readonly forceIntegerToFloat: boolean;
  readonly moreTypes: boolean;
  readonly structuredClone: boolean;
  readonly bundleStrings: boolean;
  readonly useToJSON: boolean;
  readonly undefinedAsNil: boolean;
  readonly ignoreUndefined: boolean;
  readonly skipValues: readonly unknown[] | undefined;
  readonly numericKeys: boolean;
  readonly timestamp32: boolean;
  readonly onInvalidDate: (() => unknown) | undefined;
  readonly mapAsEmptyObject: boolean;
  readonly setAsEmptyObject: boolean;
  readonly writeFunction: ((fn: (...args: never[]) => unknown) => unknown) | undefined;
  /** Bytes as msgpackr writes them wherever packord's own defaults are better. */
  readonly compatible: boolean;
}

/** Fills in the defaults. */
export function encodeConfig(
  options: Options,
  extensions: ExtensionRegistry,
  compatible: boolean,
): EncodeConfig {
  const canonical = options.canonical ?? false;
  const moreTypes = options.moreTypes ?? options.structuredClone ?? false;
  const recordsOff = options.useRecords === false || options.objectsAsMaps === true;
  return {
    records: !canonical && !recordsOff,
    chooseRecord: typeof options.useRecords === 'function' ? options.useRecords : undefined,
    extensions,
    context: options.context,
    maxDepth: options.maxDepth ?? 1024,
    maxRecordKeys: options.maxRecordKeys ?? (compatible ? Number.POSITIVE_INFINITY : MAX_KEYS),
    canonical,
    sortKeys: canonical || (options.sortKeys ?? false),
    variableMapSize: options.variableMapSize ?? !compatible,
    bigInts: options.useBigIntExtension ?? moreTypes,
    largeBigIntToFloat: options.largeBigIntToFloat ?? false,
    largeBigIntToString: options.largeBigIntToString ?? false,
    float32: canonical ? 0 : Number(options.useFloat32 ?? 0),
    lossless32: !canonical && (options.float32 ?? false),
    forceIntegerToFloat: options.forceIntegerToFloat ?? false,
    moreTypes,
    structuredClone: options.structuredClone ?? false,
    bundleStrings: options.bundleStrings ?? false,
    useToJSON: options.useToJSON ?? true,
    undefinedAsNil: options.encodeUndefinedAsNil ?? false,
    ignoreUndefined: options.ignoreUndefined ?? false,
    skipValues: options.skipValues,
    numericKeys: options.coercibleKeyAsNumber ?? false,
    timestamp32: options.useTimestamp32 ?? false,
    onInvalidDate: options.onInvalidDate,
    mapAsEmptyObject: options.mapAsEmptyObject ?? false,
    setAsEmptyObject: options.setAsEmptyObject ?? false,
    writeFunction: options.writeFunction,
    compatible,
  };
}
