import type { EncodeErrorKind, PathPart } from '../errors/errors.ts';
import type { Extension } from '../ext/extension.ts';
import type { RichValue } from '../ext/rich.ts';
import type { EncodeConfig } from './EncodeConfig.ts';

/** Is shown each string: moves some to the end of the message, or refuses some. */
export interface StringCollector {
  /** Takes a string and writes its placeholder; returns false for one that stays in place. */
  add(encoder: ScalarState, value: string): boolean;
}

/** Writes what the options `rich` and `bigint` add. */
export interface MoreTypes {
  writeTypedArray(encoder: ScalarState, value: ArrayBuffer | ArrayBufferView): void;
  writeLargeBigInt(encoder: ScalarState, value: bigint): void;
  /** Writes an Error or a RegExp as an ext and the array of its parts, as msgpackr does. */
  writeParts(encoder: EncoderState, value: Error | RegExp): void;
  writeSet(encoder: EncoderState, set: ReadonlySet<unknown>): void;
  writeRich(encoder: EncoderState, value: RichValue): void;
}

/**
 * What the functions and classes that write one type each use of the encoder: here the part
 * of `ScalarEncoder`. They import this file alone, so that there is no circle of imports.
 */
export interface ScalarState {
  readonly config: EncodeConfig;
  buf: Uint8Array;
  view: DataView;
  pos: number;
  /** Position of the message in `buf`. */
  start: number;
  bundle: StringCollector | null;
  readonly moreTypes: MoreTypes | undefined;
  /** The path of the value that is being written, where it is recorded. */
  readonly trail: PathPart[] | null;
  /** Below this position there is room for any header or number. */
  readonly limit: number;

  fail(kind: EncodeErrorKind, detail?: string): Error;
  /** Makes room for `bytes` more. */
  reserve(bytes: number): void;
  byte(value: number): void;
  raw(bytes: Uint8Array): void;
  number(value: number): void;
  /** Writes an integer of 32 bits, whatever the options for numbers. */
  integer(value: number): void;
  float(value: number): void;
  /** Writes a bigint as any integer, in the smallest format. */
  anyInteger(value: bigint): void;
  float32(value: number): void;
  string(value: string): void;
  /** Writes a str in one call into the platform. */
  stringAtOnce(value: string): void;
  /** Writes the header of a str, of a size that is given. */
  strHeader(pos: number, size: number, length: number): void;
  bin(bytes: Uint8Array): void;
  arrayHeader(count: number): void;
  mapHeader(count: number): void;
  extHeader(type: number, length: number): void;
  ext(type: number, payload: Uint8Array): void;
}

/** Writes objects by their shapes, as records, or as options select; key by key without one. */
export interface ObjectWriter {
  begin(encoder: EncoderState): void;
  plain(encoder: EncoderState, object: object): void;
  /** Writes the own enumerable fields of any object. */
  fields(encoder: EncoderState, object: object): void;
  /** Writes the id or definition of a record with these keys; returns false if it has to be a map. */
  beginRecord?(encoder: EncoderState, keys: readonly string[]): boolean;
}

/** What they use of the whole `Encoder`. */
export interface EncoderState extends ScalarState {
  readonly objects: ObjectWriter | null;
  depth: number;
  readonly maxDepth: number;
  /** Number of replacements, as those of `toJSON`, around the current value. */
  replacements: number;
  /** The containers that are being written, where they are recorded. */
  readonly open: object[] | null;

  begin(): void;
  write(value: unknown): void;
  /** Returns the payload that an extension packs a value as; nothing where it was written. */
  payloadOf(extension: Extension, value: object): unknown;
  /** Enters a container: checks the depth, and for cycles where containers are recorded. */
  enter(container: object): void;
  leave(): void;
  array(array: readonly unknown[]): void;
  /** Writes the payloads of ext values, without records; null before the first one. */
  inner: EncoderState | null;
  /** Makes an encoder like this one without records, for payloads of ext values of another one. */
  alike(config: EncodeConfig, outer: EncoderState | null): EncoderState;
  map(map: ReadonlyMap<unknown, unknown>): void;
  /** Writes the elements of a set: in the order of their bytes, where equal values have equal bytes. */
  elements(elements: readonly unknown[]): void;
  /** Writes the header of an object that is written as a map. */
  objectHeader(count: number): void;
  /** Writes an object as a map, key by key. */
  keyed(object: object, keys?: readonly string[]): void;
  /** Writes fields whose keys are written as any string. */
  entries(object: object, keys: readonly string[]): void;
  field(value: unknown): void;
  /** Writes a property that is undefined, if it is not left out. */
  absent(): void;
  /** Returns the keys of an object that are written. */
  keysOf(object: object): string[];
  /** As {@link keysOf}, but for properties that are undefined before one was met. */
  metKeysOf(object: object): string[];
  /** Writes the own enumerable fields of an object. */
  fieldsOf(object: object): void;
  /** Records the place of the next element in the container that is being written. */
  mark(part: PathPart): void;
  /** Writes the strings that wait, so that the bytes can be read. */
  complete(): void;
  /** Returns what a function of the program returns; it is called once, however often the message is written. */
  call<T>(run: () => T): T;
}

/** Writes the values of an object, with or without its keys. */
export type ObjectEncoder = (encoder: EncoderState, object: object) => void;
