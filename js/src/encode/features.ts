/**
 * The features of packing, each for the options named after it. `packord` has all of them; an
 * instance of `packord/pack` has those that it is given, so that a bundle contains no others.
 */
import { formatPath } from '../errors/path.ts';
import { RecordIds } from '../record/RecordIds.ts';
import { SharedStructures } from '../record/SharedStructures.ts';
import type { EncodeFeatures } from './EncodeFeatures.ts';
import { strictText, writeElements, writeSelected, writeSortedMap } from './fields.ts';
import { fits32 } from './floats.ts';
import { writeLargeBigInt, writeParts, writeRich, writeSet, writeTypedArray } from './more-types.ts';
import { replaceAll } from './replace.ts';
import { StringBatch } from './StringBatch.ts';
import { writeFields, writeValues } from './shaped.ts';
import { Shapes } from './shapes.ts';

// Without spreads, which bundlers keep even where nothing uses the result.
const predicting: EncodeFeatures['writePrediction'] = {
  newShapes: (omission) => new Shapes(omission),
  newBatch: () => new StringBatch(),
  writeFields,
  writeValues,
};
const recordWriter: EncodeFeatures['writeRecords'] = {
  newShared: (options) => new SharedStructures(options),
  newIds: (shared, hasShared, options) => new RecordIds(shared, hasShared, options),
};
const selecting: EncodeFeatures['writeSelection'] = {
  writeSelected,
  writeSortedMap,
  writeElements,
  strictText,
};
const typeWriter: EncodeFeatures['writeRich'] = {
  writeTypedArray,
  writeLargeBigInt,
  writeParts,
  writeSet,
  writeRich,
};

/** Speed for objects of equal keys, by generated code, and for strings. */
export const prediction: EncodeFeatures = { writePrediction: predicting };

/** `records`, `structures` and the other options of records. */
export const records: EncodeFeatures = { writePrediction: predicting, writeRecords: recordWriter };

/** `canonical`, `sortKeys`, `skipNil`, and `utf8: 'error'`. */
export const selection: EncodeFeatures = { writeSelection: selecting };

/** `rich` and `bigint`. */
export const rich: EncodeFeatures = { writeRich: typeWriter };

/** `float32`. */
export const floats: EncodeFeatures = { writeFloats: { fits32 } };

/** The paths of errors. */
export const paths: EncodeFeatures = { writePaths: { formatPath } };

/** `replacer`. */
export const replacer: EncodeFeatures = { writeReplacer: { replaceAll } };

/** All features of packing. */
export const ENCODE_FEATURES: EncodeFeatures = {
  writePrediction: predicting,
  writeRecords: recordWriter,
  writeSelection: selecting,
  writeRich: typeWriter,
  writeFloats: { fits32 },
  writePaths: { formatPath },
  writeReplacer: { replaceAll },
};
