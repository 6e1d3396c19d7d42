import type { PathPart } from '../errors/path.ts';
import type { RecordIds, RecordOptions } from '../record/RecordIds.ts';
import type { SharedStructures, SharingOptions } from '../record/SharedStructures.ts';
import type { EncodeConfig, Omission, Replacer } from './EncodeConfig.ts';
import type { EncoderState, MoreTypes, ScalarState, StringCollector } from './EncoderState.ts';
import type { StringBatch } from './StringBatch.ts';
import type { Shape, Shapes } from './shapes.ts';

/** Makes packing fast: predicts the keys of objects, and generates code for frequent ones. */
interface Prediction {
  newShapes(omission: Omission | null): Shapes;
  newBatch(): StringBatch | null;
  writeFields(encoder: EncoderState, shapes: Shapes, object: object, shape: Shape): void;
  writeValues(encoder: EncoderState, shapes: Shapes, object: object, shape: Shape): void;
}

/** Writes what options omit, sort or convert: entries of objects and Maps, elements of Sets. */
interface Selection {
  writeSelected(encoder: EncoderState, object: object, asRecord: boolean): void;
  writeSortedMap(encoder: EncoderState, map: ReadonlyMap<unknown, unknown>): void;
  writeElements(encoder: EncoderState, elements: readonly unknown[]): void;
  /** Refuses strings with lone surrogates. */
  readonly strictText: StringCollector;
}

/** What writing columns uses of the encoder of the message. */
export interface ColumnTarget extends ScalarState {
  /** Makes an encoder like this one without records. */
  alike(config: EncodeConfig, outer: null): PlainEncoder;
  readonly calls: unknown[] | null;
  again(calls: unknown[] | null): void;
  readonly ids: RecordIds | null;
  readonly shapes: Shapes | null;
  /** Prepares the shapes for objects, and the ids for records. */
  prepare(): void;
  /** Writes the value of the message without columns. */
  message(value: unknown): void;
}

/** Writes a message as plain MessagePack, from which columns are made. */
export interface PlainEncoder extends ColumnTarget {
  begin(reserved: number): void;
  finish(): void;
}

/** Writes messages with containers that are stored by column. */
export interface ColumnMessages {
  /** Writes the value of a message, which the encoder has begun. */
  message(value: unknown): void;
}

/** The parts of records: the list of shared structures and the ids. */
interface RecordParts {
  newShared(options: SharingOptions): SharedStructures;
  newIds(shared: SharedStructures, hasShared: boolean, options: RecordOptions): RecordIds;
}

/** What an entry point adds to the encoder of plain values. `features.ts` has all of them. */
export interface EncodeFeatures {
  readonly writePrediction?: Prediction;
  readonly writeRecords?: RecordParts;
  readonly writeSelection?: Selection;
  readonly writeRich?: MoreTypes;
  /** Decides which floats take 32 bits. */
  readonly writeFloats?: { fits32(encoder: ScalarState, value: number): boolean };
  readonly writePaths?: { formatPath(parts: readonly PathPart[]): string };
  /** `newWriter` returns null with options that columns do not go with. */
  readonly writeColumns?: {
    newWriter(encoder: ColumnTarget, features: EncodeFeatures): ColumnMessages | null;
  };
  readonly writeReplacer?: {
    replaceAll(value: unknown, replacer: Replacer, config: EncodeConfig): unknown;
  };
}
