import type { EncodeConfig } from '../encode/EncodeConfig.ts';
import type { ExtensionRegistry } from '../ext/extension.ts';
import { MAX_KEYS } from '../record/structures.ts';
import type { Options } from './options.ts';

/** Fills in the defaults of the options for writing. */
export function encodeConfig(
  options: Options,
  extensions: ExtensionRegistry,
  compatible: boolean,
): EncodeConfig {
  const canonical = options.canonical ?? false;
  const moreTypes = options.moreTypes ?? options.structuredClone ?? false;
  const sorted = canonical || (options.sortKeys ?? false);
  // What is sorted is written before its place is known, and a reference is a place.
  if (sorted && options.structuredClone)
    throw new TypeError('canonical and sortKeys need structuredClone to be off');
  const recordsOff = options.useRecords === false || options.objectsAsMaps === true;
  return {
    records: !canonical && !recordsOff,
    chooseRecord: typeof options.useRecords === 'function' ? options.useRecords : undefined,
    extensions,
    context: options.context,
    maxDepth: options.maxDepth ?? 1024,
    maxRecordKeys: options.maxRecordKeys ?? (compatible ? Number.POSITIVE_INFINITY : MAX_KEYS),
    canonical,
    sortKeys: sorted,
    variableMapSize: canonical || (options.variableMapSize ?? !compatible),
    bigInts: options.useBigIntExtension ?? moreTypes,
    largeBigIntToFloat: options.largeBigIntToFloat ?? false,
    largeBigIntToString: options.largeBigIntToString ?? false,
    float32: canonical ? 0 : Number(options.useFloat32 ?? 0),
    lossless32: !canonical && (options.float32 ?? false),
    forceIntegerToFloat: !canonical && (options.forceIntegerToFloat ?? false),
    largeAsFloat: !canonical && (compatible || options.int64AsType === 'bigint'),
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
    columns: options.columns ?? false,
    replacer: options.replacer ?? undefined,
    compatible,
    msgpackrBytes: compatible && !canonical,
  };
}
