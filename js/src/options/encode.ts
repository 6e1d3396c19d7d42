import type { EncodeConfig } from '../encode/EncodeConfig.ts';
import type { ExtensionRegistry } from '../ext/extension.ts';
import { DIALECT, type InternalOptions } from './dialect.ts';
import type { Options } from './options.ts';
import { valuesOf } from './table.ts';

/** Whether records are on: if that is asked for, or implied by shared structures. */
export function hasRecords(options: Options): boolean {
  if (options.canonical) return false;
  const { records, structures, getStructures, saveStructures } = options;
  return Boolean(records ?? structures ?? getStructures ?? saveStructures);
}

/** Fills in the defaults of the options for writing. */
export function encodeConfig(options: InternalOptions, extensions: ExtensionRegistry): EncodeConfig {
  const values = valuesOf(options);
  const canonical = options.canonical ?? false;
  const rich = Boolean(options.rich);
  return {
    records: hasRecords(options),
    chooseRecord: typeof options.records === 'function' ? options.records : undefined,
    extensions,
    context: options.context,
    maxDepth: values.maxDepth,
    maxRecordKeys: values.maxRecordKeys,
    canonical,
    sortKeys: canonical || (options.sortKeys ?? false),
    skipValues: options.skipNil ? [null] : undefined,
    omission: { met: false },
    strictText: canonical || options.utf8 === 'error',
    bigInts: options.bigint ?? rich,
    rich,
    typedArrays: rich ? 'ext' : 'numbers',
    columns: Boolean(options.columns),
    replacer: options.replacer ?? undefined,
    float32: 0,
    lossless32: !canonical && (options.float32 ?? false),
    largeAsFloat: !canonical && options.int64 === 'bigint',
    refuses: true,
    useToJSON: true,
    ...options[DIALECT]?.encode?.(options as never),
  };
}
