import type { PathPart } from '../errors/errors.ts';
import type { RecordIds, RecordOptions } from '../record/RecordIds.ts';
import type { SharedStructures, SharingOptions } from '../record/structures.ts';
import type { EncodeConfig, Omission } from './EncodeConfig.ts';
import type { EncoderState, MoreTypes, ObjectWriter, ScalarState, StringCollector } from './EncoderState.ts';
import type { StringBatch } from './StringBatch.ts';
import type { Shapes } from './shapes.ts';

/** What writes objects by their shapes. */
export interface ShapedWriter extends ObjectWriter {
  readonly shapes?: Shapes;
}

/** What writing columns uses of the encoder of the message. */
export interface ColumnTarget extends EncoderState {
  /** Makes an encoder like this one without records. */
  alike(config: EncodeConfig, outer: null): PlainEncoder;
  readonly calls: unknown[] | null;
  again(calls: unknown[] | null): void;
  readonly ids: RecordIds | null;
  readonly objects: ShapedWriter | null;
  /** Writes the value of the message without columns. */
  message(value: unknown): void;
}

/** Writes a message as plain MessagePack, from which columns are made. */
export interface PlainEncoder extends ColumnTarget {
  begin(): void;
  finish(): void;
}

/** Writes messages with containers that are stored by column. */
export interface ColumnMessages {
  message(value: unknown): void;
}

/** What an entry point adds to the encoder of plain values. `features.ts` has all of them. */
export interface EncodeFeatures {
  /** Makes packing fast: predicts the keys of objects, and generates code for frequent ones. */
  readonly writePrediction?: {
    newShapes(omission: Omission | null): Shapes;
    newBatch(): StringBatch | null;
    newObjects(config: EncodeConfig, features: EncodeFeatures, ids: RecordIds | null): ShapedWriter;
  };
  readonly writeRecords?: {
    newShared(options: SharingOptions): SharedStructures;
    newIds(shared: SharedStructures, options: RecordOptions): RecordIds;
  };
  /** Writes what options omit, sort or convert: entries of objects and Maps, elements of Sets. */
  readonly writeSelection?: {
    /** Returns null where no option selects. */
    newObjects(config: EncodeConfig): ObjectWriter | null;
    writeSelected(encoder: EncoderState, object: object, asRecord: boolean): void;
    writeSortedMap(encoder: EncoderState, map: ReadonlyMap<unknown, unknown>): void;
    selectedMap(encoder: EncoderState, map: ReadonlyMap<unknown, unknown>): ReadonlyMap<unknown, unknown>;
    /** Writes the elements of a set in their order. */
    writeElements?(encoder: EncoderState, elements: readonly unknown[]): void;
    /** Returns what refuses strings with lone surrogates, where an option does. */
    strictText?(config: EncodeConfig): StringCollector | null;
  };
  readonly writeRich?: MoreTypes;
  /** Writes a float under the options for floats; returns false for one that is written as it is. */
  readonly writeFloats?: { writeFloat(encoder: ScalarState, value: number): boolean };
  readonly writeExtensions?: {
    /** Writes what an extension makes of a value; returns false where there is none for it. */
    writeExtended(encoder: EncoderState, value: object): boolean;
  };
  readonly writePaths?: { formatPath(parts: readonly PathPart[]): string };
  /** `newWriter` returns null with options that columns do not go with. */
  readonly writeColumns?: {
    newWriter(encoder: ColumnTarget, features: EncodeFeatures): ColumnMessages | null;
  };
  readonly writeReplacer?: {
    replaceAll(value: unknown, config: EncodeConfig): unknown;
  };
}
