import type { ExtensionRegistry } from '../ext/extension.ts';

/** Returns the value that is written in place of one, as in `JSON.stringify`; or the keys to write. */
export type Replacer = ((this: unknown, key: unknown, value: unknown) => unknown) | readonly (string | number)[];

/**
 * Whether a property that is undefined was met. Until then none is looked for, as most programs have none: the
 * message in which one is met is written again.
 */
export interface Omission {
  met: boolean;
}

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
  readonly skipValues: readonly unknown[] | undefined;
  /** Set where properties that are undefined are left out. */
  readonly omission: Omission | null;
  /** Whether a lone surrogate is an error. */
  readonly strictText: boolean;
  readonly bigInts: boolean;
  readonly rich: boolean;
  /** What arrays of numbers become; 'bin' their bytes. */
  readonly typedArrays: 'numbers' | 'bin' | 'ext';
  readonly columns: boolean;
  readonly replacer: Replacer | undefined;
  /** 0, or what `useFloat32` of msgpackr asks for. */
  readonly float32: number;
  readonly lossless32: boolean;
  /** Writes numbers of more than 32 bits as float 64, so that 64-bit formats are bigints. */
  readonly largeAsFloat: boolean;
  /** Whether values without a type are an error. */
  readonly refuses: boolean;
  readonly useToJSON: boolean;
  // What `packord/msgpackr` does otherwise in the features.
  /** Writes Set, Error and RegExp after an ext. */
  readonly moreTypes?: boolean | undefined;
  readonly structuredClone?: boolean | undefined;
  readonly bundleStrings?: boolean | undefined;
  readonly numericKeys?: boolean | undefined;
  readonly msgpackrBytes?: boolean | undefined;
}
