import type { ErrorKind } from '../errors/errors.ts';
import type { Structure, ValueSource } from '../record/structures.ts';
import type { DecodeConfig } from './DecodeConfig.ts';

/** The strings of a message that were moved to its end; see `BundledStrings`. */
export interface StringBundle {
  /** Position after them. */
  readonly end: number;
  /** Returns the next string; undefined for a malformed count. */
  take(count: unknown): string | undefined;
}

/**
 * What the functions that read one type each use of the decoder. `Decoder` implements it;
 * the functions import this file alone, so that there is no circle of imports.
 *
 * Positions count in the whole ArrayBuffer. `markerOffset` is the position of the marker of the
 * value that is being read.
 */
export interface DecoderState extends ValueSource {
  readonly config: DecodeConfig;
  /** Position of offset 0. */
  readonly base: number;
  readonly maxDepth: number;
  depth: number;
  /** Elements of arrays below this marker are integers; 0 when each value has to be checked. */
  readonly inline: number;
  /** Whether generated decoders may be used. */
  readonly fast: boolean;
  /** Objects of a structured clone by their id. */
  references: Map<number, unknown> | null;
  bundle: StringBundle | null;

  /** Makes the error of a position. */
  fail(kind: ErrorKind, position: number, detail?: string, cause?: unknown): unknown;
  /** Makes the error of bytes that end too early. */
  eof(): unknown;
  /** Reads the str whose payload of `length` bytes is next. */
  string(length: number): string | Uint8Array;
  /** Returns a part of the input, given by offsets, for the program to keep. */
  bytes(start: number, end: number): Uint8Array;
  /** Reads the key of an entry that goes into an object. */
  key(): string | number;
  /** Reads entries into an object without looking for a shape. */
  finishObject(object: object, count: number, outerPending: number): void;
  /** Checks the depth and the budget for an array. */
  openArray(count: number, markerOffset: number): void;
  openDefinition(markerOffset: number): void;
  checkDefinition(count: number, markerOffset: number): void;
  checkExt(length: number, markerOffset: number): void;
  definitionKey(keys: readonly string[], index: number): string;
  define(index: number, structure: Structure, lead: number, wide: boolean): void;
}
