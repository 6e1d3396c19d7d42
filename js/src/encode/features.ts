/**
 * The features of packing, each for the options named after it. `packord` has all of them; an
 * instance of `packord/pack` has those that it is given, so that a bundle contains no others.
 */
import { formatPath } from '../errors/errors.ts';
import { RecordIds } from '../record/RecordIds.ts';
import { SharedStructures } from '../record/structures.ts';
import type { EncodeFeatures } from './EncodeFeatures.ts';
import { newObjects, selectedMap, strictText, writeElements, writeSelected, writeSortedMap } from './fields.ts';
import { writeFloat } from './floats.ts';
import { writeExtended } from './instances.ts';
import { writeLargeBigInt, writeParts, writeRich, writeSet, writeTypedArray } from './more-types.ts';
import { replaceAll } from './replace.ts';
import { ShapeWriter } from './ShapeWriter.ts';
import { StringBatch } from './StringBatch.ts';
import { Shapes } from './shapes.ts';

// Features are put together without spreads, which bundlers keep even where nothing uses the result.

/** Speed for objects of equal keys, by generated code, and for strings. */
export const prediction: EncodeFeatures = {
  writePrediction: {
    newShapes: (omission) => new Shapes(omission),
    newBatch: () => new StringBatch(),
    newObjects: (config, features, ids) => new ShapeWriter(config, features, ids),
  },
};

const recordWriter: EncodeFeatures = {
  writeRecords: {
    newShared: (options) => new SharedStructures(options),
    newIds: (shared, options) => new RecordIds(shared, options),
  },
};

/** `records`, `structures` and the other options of records. */
export const records: EncodeFeatures = /* @__PURE__ */ Object.assign({}, prediction, recordWriter);

/** `float32`. */
export const floats: EncodeFeatures = { writeFloats: { writeFloat } };

/** `canonical`, `sortKeys`, `skipNil`, and `utf8: 'error'`. */
export const selection: EncodeFeatures = {
  writeSelection: { newObjects, writeSelected, writeSortedMap, selectedMap, writeElements, strictText },
  writeFloats: { writeFloat },
};

/** `sortKeys` without the others. */
export const sorting: EncodeFeatures = {
  writeSelection: { newObjects, writeSelected, writeSortedMap, selectedMap },
};

/** `rich` and `bigint`. */
export const rich: EncodeFeatures = {
  writeRich: { writeTypedArray, writeLargeBigInt, writeParts, writeSet, writeRich },
};

/** The paths of errors. */
export const paths: EncodeFeatures = { writePaths: { formatPath } };

/** `replacer`. */
export const replacer: EncodeFeatures = { writeReplacer: { replaceAll } };

/** `extensions`. */
export const extensions: EncodeFeatures = { writeExtensions: { writeExtended } };

/** All features of packing. */
export const ENCODE_FEATURES: EncodeFeatures = /* @__PURE__ */ Object.assign(
  {},
  records,
  selection,
  rich,
  paths,
  replacer,
  extensions,
);
