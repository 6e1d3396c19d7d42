/**
 * The features of unpacking, each for the options named after it. `packord` has all of them; an
 * instance of `packord/unpack` has those that it is given, so that a bundle contains no others.
 */
import { SharedStructures, StructureTable } from '../record/structures.ts';
import { readArray } from './arrays.ts';
import { CheckedDecoder } from './CheckedDecoder.ts';
import { type DecodeConfig, needsChecks, needsComparison } from './DecodeConfig.ts';
import { Decoder } from './Decoder.ts';
import type { DecodeFeatures } from './DecoderState.ts';
import { valueFollows as isFollowed, readExtension } from './extensions.ts';
import { readKey } from './keys.ts';
import { LimitedDecoder } from './LimitedDecoder.ts';
import { pathOf } from './Locator.ts';
import { readMore, valueFollows } from './more-types.ts';
import { readObject, readOther } from './objects.ts';
import { readDefined, readDefinition, readDefinitionKey, readId, readMessage, structureOf } from './records.ts';
import { revive } from './revive.ts';
import { checkNumber, readInner, readRich, readSet } from './rich.ts';
import { WideStrings } from './WideStrings.ts';

interface DecoderMaker {
  newDecoder(config: DecodeConfig, features: DecodeFeatures): Decoder;
}

/** What a decoder has, and the decoders that check every value. */
export interface ReadFeatures extends DecodeFeatures {
  readonly limits?: DecoderMaker;
  readonly checks?: DecoderMaker;
}

// Features are put together without spreads, which bundlers keep even where nothing uses the result.

/** Speed for maps of equal keys, by generated code, and for strings. */
export const prediction: ReadFeatures = {
  prediction: { newWideStrings: () => new WideStrings(), readObject, readOther, readArray, readKey },
};

const recordReader: ReadFeatures = {
  records: {
    newShared: (options) => new SharedStructures(options),
    newTable: () => new StructureTable(),
    readMessage,
    structureOf,
    readId,
    readDefined,
    readDefinition,
    readDefinitionKey,
  },
};

/** `records`, `structures` and the other options of records. */
export const records: ReadFeatures = /* @__PURE__ */ Object.assign({}, prediction, recordReader);

/** Typed arrays, bigints, and built-in classes as msgpackr has them. */
export const types: ReadFeatures = { types: { readMore, valueFollows } };

/** `rich` and `bigint`. */
export const rich: ReadFeatures = {
  rich: { checkNumber, readSet, readInner, readRich },
  types: { readMore, valueFollows },
};

/** The limits other than `maxDepth`. */
export const limits: ReadFeatures = {
  limits: { newDecoder: (config, features) => new LimitedDecoder(config, features) },
};

const checker: ReadFeatures = {
  checks: { newDecoder: (config, features) => new CheckedDecoder(config, features) },
};

/** `canonical`, `duplicateKey`, and the limits other than `maxDepth`. */
export const checks: ReadFeatures = /* @__PURE__ */ Object.assign({}, limits, checker);

/** `reviver`. */
export const reviver: ReadFeatures = { reviver: { revive } };

/** The paths of errors. */
export const paths: ReadFeatures = { paths: { pathOf } };

/** `extensions`, and what reads the ext types of other features. */
export const extensions: ReadFeatures = { extensions: { readExtension, valueFollows: isFollowed } };

/** All features of unpacking, but for schemas. */
export const DECODE_FEATURES: ReadFeatures = /* @__PURE__ */ Object.assign(
  {},
  records,
  rich,
  checks,
  reviver,
  paths,
  extensions,
);

/** Returns a decoder with the checks that options ask for, which the features have. */
export function decoderFor(config: DecodeConfig, features: ReadFeatures): Decoder {
  const { checks, limits } = features;
  const maker = needsComparison(config) ? checks : needsChecks(config) ? limits : undefined;
  return maker?.newDecoder(config, features) ?? new Decoder(config, features);
}
