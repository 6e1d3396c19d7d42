/**
 * The features of packing, each for the options named after it. `packord` has all of them; an
 * instance of `packord/pack` has those that it is given, so that a bundle contains no others.
 */
import { SharedStructures } from '../record/SharedStructures.ts';
import { BundleBuilder } from './BundleBuilder.ts';
import type { EncodeFeatures } from './EncodeFeatures.ts';
import { writeSelected, writeSortedMap } from './fields.ts';
import { writeLargeBigInt, writeTypedArray } from './more-types.ts';
import { RecordIds } from './RecordIds.ts';
import { References } from './References.ts';
import { replaceAll } from './replace.ts';
import { StringBatch } from './StringBatch.ts';
import { writeFields, writeValues } from './shaped.ts';
import { Shapes } from './shapes.ts';

/** Speed for objects of equal keys, by generated code, and for strings. */
export const prediction: EncodeFeatures = {
  prediction: {
    newShapes: () => new Shapes(),
    newBatch: () => new StringBatch(),
    writeFields,
    writeValues,
  },
};

/** `useRecords`, `structures` and the other options of records. */
export const records: EncodeFeatures = {
  ...prediction,
  records: {
    newShared: (options) => new SharedStructures(options),
    newIds: (shared, hasShared, options) => new RecordIds(shared, hasShared, options),
  },
};

/** `canonical`, `sortKeys`, `ignoreUndefined`, `skipValues` and `coercibleKeyAsNumber`. */
export const selection: EncodeFeatures = { selection: { writeSelected, writeSortedMap } };

/** `moreTypes` and `useBigIntExtension`. */
export const moreTypes: EncodeFeatures = { moreTypes: { writeTypedArray, writeLargeBigInt } };

/** `structuredClone`. */
export const structuredClone: EncodeFeatures = {
  ...moreTypes,
  structuredClone: { newReferences: () => new References() },
};

/** `bundleStrings`. */
export const bundleStrings: EncodeFeatures = {
  bundleStrings: { newBundle: () => new BundleBuilder() },
};

/** `replacer`. */
export const replacer: EncodeFeatures = { replacer: { replaceAll } };

/** All features of packing. */
export const ENCODE_FEATURES: EncodeFeatures = {
  ...records,
  ...selection,
  ...structuredClone,
  ...bundleStrings,
  ...replacer,
};
