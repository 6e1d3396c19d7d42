/**
 * The features of packing, each for the options named after it. `packord` has all of them; an
 * instance of `packord/pack` has those that it is given, so that a bundle contains no others.
 */
import { formatPath } from '../errors/path.ts';
import { SharedStructures } from '../record/SharedStructures.ts';
import type { EncodeFeatures } from './EncodeFeatures.ts';
import { strictText, writeElements, writeSelected, writeSortedMap } from './fields.ts';
import { fits32 } from './floats.ts';
import {
  writeLargeBigInt,
  writeParts,
  writeRich,
  writeSet,
  writeTag,
  writeTypedArray,
} from './more-types.ts';
import { RecordIds } from './RecordIds.ts';
import { replaceAll } from './replace.ts';
import { StringBatch } from './StringBatch.ts';
import { writeFields, writeValues } from './shaped.ts';
import { Shapes } from './shapes.ts';

// Without spreads, which bundlers keep even where nothing uses the result.
const predicting: EncodeFeatures['prediction'] = {
  newShapes: (omission) => new Shapes(omission),
  newBatch: () => new StringBatch(),
  writeFields,
  writeValues,
};
const recordWriter: EncodeFeatures['records'] = {
  newShared: (options) => new SharedStructures(options),
  newIds: (shared, hasShared, options) => new RecordIds(shared, hasShared, options),
};
const selecting: EncodeFeatures['selection'] = {
  writeSelected,
  writeSortedMap,
  writeElements,
  strictText,
};
const typeWriter: EncodeFeatures['rich'] = {
  writeTypedArray,
  writeLargeBigInt,
  writeTag,
  writeParts,
  writeSet,
  writeRich,
};

/** Speed for objects of equal keys, by generated code, and for strings. */
export const prediction: EncodeFeatures = { prediction: predicting };

/** `records`, `structures` and the other options of records. */
export const records: EncodeFeatures = { prediction: predicting, records: recordWriter };

/** `canonical`, `sortKeys`, `skipNil`, and `utf8: 'error'`. */
export const selection: EncodeFeatures = { selection: selecting };

/** `rich` and `bigint`. */
export const rich: EncodeFeatures = { rich: typeWriter };

/** `float32`. */
export const floats: EncodeFeatures = { floats: { fits32 } };

/** The paths of errors. */
export const paths: EncodeFeatures = { paths: { formatPath } };

/** `replacer`. */
export const replacer: EncodeFeatures = { replacer: { replaceAll } };

/** All features of packing. */
export const ENCODE_FEATURES: EncodeFeatures = {
  prediction: predicting,
  records: recordWriter,
  selection: selecting,
  rich: typeWriter,
  floats: { fits32 },
  paths: { formatPath },
  replacer: { replaceAll },
};
