import type { EncoderState } from '../../encode/EncoderState.ts';
import type { Payload } from './Payload.ts';

/** What a host writes into. */
export interface HostOutput extends EncoderState {
  /** Writes a value as packord does, without asking the host. */
  writeOwn(value: unknown): void;
  /** Writes a map, or a record, of keys and values by turns. */
  pairs(entries: readonly unknown[]): void;
  /** Writes an ext whose payload `write` writes, without records; it counts as a container. */
  extOf(type: number, write: (encoder: this) => void): void;
}

/**
 * What another language that compiles to JavaScript decides about its own data: ClojureScript
 * builds persistent collections by it, and writes them.
 */
export interface Host {
  /** Whether {@link write} is asked for strings, numbers and booleans too. */
  readonly takesPrimitives: boolean;
  /** Returns the value for the elements of an array, which belong to it. */
  array(elements: unknown[]): unknown;
  /** Returns the key for one that was read. */
  key(key: unknown): unknown;
  /** Returns the hash by which maps of the host find a key, as an integer. */
  hash(key: unknown): number;
  /** Returns the map for keys and values by turns. The last of equal keys counts. */
  map(entries: unknown[]): unknown;
  /** Returns the function that reads an ext type; undefined for one that is kept as ExtData. */
  reader(type: number): ((payload: Payload) => unknown) | undefined;
  /** Writes a value; returns false for one that is JavaScript's own, which packord writes. */
  write(encoder: HostOutput, value: unknown): boolean;
}
