import type { ExtensionRegistry } from '../ext/extension.ts';

/** Returns the value that is written in place of one, as in `JSON.stringify`; or the keys to write. */
export type Replacer =
  | ((this: unknown, key: unknown, value: unknown) => unknown)
  | readonly (string | number)[];

/** The options for writing, with every default filled in. */
export interface EncodeConfig {
  /** Whether records are on. Then integers from 64 to 127 take two bytes. */
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
  /** Writes numbers of more than 32 bits as float 64, so that 64-bit formats are bigints. */
  readonly largeAsFloat: boolean;
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
  readonly replacer: Replacer | undefined;
  /** Whether containers may be stored by column. */
  readonly columns: boolean;
  /** Behaves as msgpackr where packord's own defaults differ. */
  readonly compatible: boolean;
  /** As `compatible`, for what the canonical encoding defines. */
  readonly msgpackrBytes: boolean;
}
