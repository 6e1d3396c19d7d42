import type { ErrorKind, MsgpackDecodeError } from '../errors/errors.ts';
import type { SharedStructures, SharingOptions, Structure, StructureTable, ValueSource } from '../record/structures.ts';
import type { DecodeConfig, Reviver } from './DecodeConfig.ts';
import type { WideStrings } from './WideStrings.ts';

/** The strings of a message that were moved to its end; see `BundledStrings`. */
export interface StringBundle {
  readonly end: number;
  /** Returns the next string; undefined for a malformed count. */
  take(count: unknown): string | undefined;
}

/**
 * What an {@link ExtReader} returns for a type that it does not read. One for all copies of the package, as a
 * feature may be of another than the instance.
 */
export const UNKNOWN: unique symbol = /* @__PURE__ */ Symbol.for('packord.unknown');

/** Stands for a key of a Map that is still to be read. */
export const UNREAD: unique symbol = /* @__PURE__ */ Symbol.for('packord.unread');

/** Reads the payload of an ext that was passed over; returns `UNKNOWN` for one of a type that it does not read. */
export type ExtReader = (
  decoder: DecoderState,
  type: number,
  start: number,
  length: number,
  markerOffset: number,
) => unknown;

interface ValueFollower {
  /** Whether an ext of this type and length is followed by the value that it refers to. */
  valueFollows(config: DecodeConfig, type: number, length: number): boolean;
}

/** What an entry point adds to the decoder of plain values. `features.ts` has all of them. */
export interface DecodeFeatures {
  /** Makes reading fast: predicts the keys of maps, generates code for frequent ones, batches strings. */
  readonly prediction?: {
    newWideStrings(): WideStrings;
    /** Returns null for a map that {@link readOther} reads, when these frames of the stack are gone. */
    readObject(decoder: DecoderState, count: number): object | null;
    readOther(decoder: DecoderState, count: number): object;
    readArray(decoder: DecoderState, count: number, markerOffset: number): unknown[];
    readKey(decoder: DecoderState, length: number): string | Uint8Array;
  };
  /** Reads records: their ids, definitions and values, and the messages that have them. */
  readonly records?: {
    newShared(options: SharingOptions): SharedStructures;
    newTable(): StructureTable;
    readMessage(decoder: DecoderState, alone: boolean): unknown;
    structureOf(decoder: DecoderState, t: number, markerOffset: number): Structure | undefined;
    /** Reads the record whose id begins with a byte that was read, or the integer that it is. */
    readId(decoder: DecoderState, t: number, markerOffset: number): unknown;
    /** Reads a definition of one or two bytes, and the record after it. */
    readDefined(decoder: DecoderState, length: number, markerOffset: number): object;
    readDefinition(decoder: DecoderState, length: number, markerOffset: number): Structure;
    readDefinitionKey(decoder: DecoderState): string;
  };
  /** Reads the ext types 83 to 89. */
  readonly rich?: {
    /** Checks the length of a number as an ext, whose reading takes more than linear time. */
    checkNumber(decoder: DecoderState, type: number, length: number, markerOffset: number): void;
    /** Reads the payload of a set, which was passed over, in no other set or in one. */
    readSet(decoder: DecoderState, start: number, length: number, markerOffset: number): unknown;
    readInner(decoder: DecoderState, start: number, length: number, markerOffset: number): unknown;
    readonly readRich: ExtReader;
  };
  /** Reads typed arrays, bigints, and the ext types of msgpackr for built-in classes. */
  readonly types?: ValueFollower & {
    readonly readMore: ExtReader;
  };
  /** What the package that an entry point replaces reads otherwise. */
  readonly peer?: {
    /** Returns the value of the marker c1, which was read. */
    readReserved(decoder: DecoderState, markerOffset: number): unknown;
    /** Whether calls may have options that are not there, which are passed over. */
    readonly anyOption: boolean;
    /** Whether a number is taken for an integer of 64 bits, whose lower half is given. */
    isExact(value: number, low: number): boolean;
    /** Returns the date for a timestamp of another length than the format has. */
    dateOf(length: number): Date | undefined;
  };
  /** Reads the ext types that refer to other places of the message. */
  readonly references?: ValueFollower & {
    /** Begins a message: what one that failed has left is gone. */
    begin(decoder: DecoderState): void;
    finish(decoder: DecoderState): void;
    readonly readReference: ExtReader;
  };
  readonly columns?: {
    /** Whether a payload has the version that is read. */
    isReadable(decoder: DecoderState, start: number, length: number): boolean;
    readColumns(decoder: DecoderState, start: number, length: number, markerOffset: number): unknown;
  };
  readonly objectKeys?: {
    /** Returns the key of an object for one of any type. */
    keyOf(decoder: DecoderState, key: unknown, markerOffset: number): string | number;
    decodeKey(decoder: DecoderState, length: number): unknown;
  };
  /** Reads extensions, and the ext types of other features. */
  readonly extensions?: {
    /** Reads the payload of an ext whose header was read. */
    readExtension(decoder: DecoderState, type: number, length: number, markerOffset: number): unknown;
    valueFollows(decoder: DecoderState, type: number, length: number): boolean;
  };
  readonly reviver?: { revive(value: unknown, reviver: Reviver): unknown };
  readonly paths?: {
    /** Returns the path of a fault in a message, with the number that the message has in a stream. */
    pathOf(
      decoder: DecoderState,
      bytes: Uint8Array,
      start: number,
      end: number,
      fault: MsgpackDecodeError,
      message: number,
    ): string;
  };
}

export interface KeyCheck {
  /** Checks the key that begins at a position and was read, and the property that it becomes. */
  check(markerOffset: number, property?: string): void;
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
  readonly features: DecodeFeatures;
  /** The structures that are known; null without records. */
  readonly structures: StructureTable | null;
  /** Whether definitions stay in force for the following messages, until the caller undoes them. */
  readonly hold: boolean;
  /** Whether a whole message is being read, which can be read again, and whether it is read again. */
  whole: boolean;
  loaded: boolean;
  /** The bytes that the caller passed. */
  readonly source: Uint8Array;
  /** Position of offset 0. */
  readonly base: number;
  maxDepth: number;
  depth: number;
  /** Elements of arrays below this marker are integers; 0 when each value has to be checked. */
  inline: number;
  /** Whether points and empty containers are made here, without `array` and `object`. */
  readonly shortcuts: boolean;
  /** Whether generated decoders may be used. */
  readonly fast: boolean;
  /** Objects of a structured clone by their id. */
  references: Map<number, unknown> | null;
  bundle: StringBundle | null;

  /** Whether no value refers to another: in columns, where there are no records either. */
  alone: boolean;
  /** Values of the message so far, in checked mode. */
  nodes: number;
  fix: number;
  end: number;
  /** Whether more bytes may follow those that are open. */
  partial: boolean;

  /** Opens bytes, to read the messages between two offsets. */
  open(source: Uint8Array, start: number, end: number): void;
  /** Adds the structures that the shared list gained since the last message. */
  syncShared(): void;
  /** Reads the next message, of which nothing outlasts it. */
  body(alone: boolean): unknown;
  fail(kind: ErrorKind, position: number, detail?: string, cause?: unknown): unknown;
  /** Makes the error of bytes that end too early. */
  eof(): unknown;
  /** Reads the str whose payload of `length` bytes is next. */
  string(length: number): string | Uint8Array;
  /** Returns a part of the input, given by offsets, for the program to keep. */
  bytes(start: number, end: number): Uint8Array;
  /** Reads the key of an entry that goes into an object; one that is not a str, where objects have none such. */
  key(): unknown;
  /** Reads entries into an object without looking for a shape; returns a Map where a key is not a str. */
  finishObject(object: object, count: number, outerPending: number): object;
  /** Reads the value of a key, or the key as well if it is `UNREAD`, and the entries after it, into a Map. */
  finishMap(map: Map<unknown, unknown>, key: unknown, count: number, outerPending: number): Map<unknown, unknown>;
  /** Whether a map with a key that is not a str becomes a Map. */
  readonly mixed: boolean;
  /** Number of ext values around this one whose payloads are values. */
  level: number;
  /** Returns the str whose payload of `length` bytes begins at a position. */
  stringAt(start: number, length: number): string | Uint8Array;
  isAscii(start: number, end: number): boolean;
  /** Returns the key of an object for a key of any type. */
  fieldOf(key: unknown, markerOffset: number): unknown;
  /** Reads the elements of an array whose header was read. */
  array(count: number, markerOffset: number): unknown;
  /** Enters one container more; checks the depth. */
  deepen(markerOffset: number): void;
  /** Checks the depth and the budget for an array. */
  openArray(count: number, markerOffset: number): void;
  /** Counts a value that `read` did not count: a definition, or an integer that could be an id. */
  countId?(markerOffset: number): void;
  /** Checks the limits on the number of keys of a definition. */
  checkDefinition?(count: number, markerOffset: number): void;
  /** Checks the limits on the length of an ext. */
  checkExt?(length: number, markerOffset: number): void;
  /** Reads the next key of a definition under limits; those before it are in `keys`. */
  definitionKey?(keys: readonly string[], index: number): string;
  /** Defines a structure whose keys were read, where a decoder keeps more than the table of structures. */
  define?(index: number, structure: Structure, lead: number, wide: boolean): void;
  /** Checks the depth and the budget for a record. */
  openRecord(count: number, markerOffset: number): void;
}
