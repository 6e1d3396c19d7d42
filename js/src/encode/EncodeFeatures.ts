import type { PathPart } from '../errors/path.ts';
import type { SharedStructures, SharingOptions } from '../record/SharedStructures.ts';
import type { BundleBuilder } from './BundleBuilder.ts';
import type { EncodeConfig, Replacer } from './EncodeConfig.ts';
import type { EncoderState, MoreTypes, ScalarState } from './EncoderState.ts';
import type { RecordIds, RecordOptions } from './RecordIds.ts';
import type { References } from './References.ts';
import type { StringBatch } from './StringBatch.ts';
import type { Shape, Shapes } from './shapes.ts';

/** Makes packing fast: predicts the keys of objects, and generates code for frequent ones. */
interface Prediction {
  newShapes(): Shapes;
  newBatch(): StringBatch;
  writeFields(encoder: EncoderState, shapes: Shapes, object: object, shape: Shape): void;
  writeValues(encoder: EncoderState, shapes: Shapes, object: object, shape: Shape): void;
}

/** Writes the entries of objects and Maps that options omit, sort or convert. */
interface Selection {
  writeSelected(encoder: EncoderState, object: object, asRecord: boolean): void;
  writeSortedMap(encoder: EncoderState, map: ReadonlyMap<unknown, unknown>): void;
}

/** The parts of records: the list of shared structures and the ids. */
interface RecordParts {
  newShared(options: SharingOptions): SharedStructures;
  newIds(shared: SharedStructures, hasShared: boolean, options: RecordOptions): RecordIds;
}

/** What an entry point adds to the encoder of plain values. `features.ts` has all of them. */
export interface EncodeFeatures {
  readonly prediction?: Prediction;
  readonly records?: RecordParts;
  readonly selection?: Selection;
  readonly moreTypes?: MoreTypes;
  readonly structuredClone?: { newReferences(): References };
  readonly bundleStrings?: { newBundle(): BundleBuilder };
  /** Decides which floats take 32 bits. */
  readonly floats?: { fits32(encoder: ScalarState, value: number): boolean };
  readonly paths?: { formatPath(parts: readonly PathPart[]): string };
  readonly replacer?: {
    replaceAll(value: unknown, replacer: Replacer, config: EncodeConfig): unknown;
  };
}
