import type { DecoderState } from './DecoderState.ts';

/**
 * A generated decoder of maps: it compares the bytes of each key with those expected, which
 * is far cheaper than reading the key. It returns undefined when the first key differs, and null as `readObject`.
 * `make` builds the same object from values that were read without it.
 */
export interface MapDecoder {
  (decoder: DecoderState, shape: MapShape): object | null | undefined;
  make(values: readonly unknown[]): object;
}

/** The keys that objects have in common, in their order. */
export interface MapShape {
  readonly keys: readonly string[];
  /** Index in the table of shapes. */
  readonly place: number;
  /** Uses without a generated decoder, within the window of that number. */
  uses: number;
  window: number;
  read: MapDecoder | null;
  /** The next shape at the same place. */
  next: MapShape | undefined;
}

/** Continues an object whose next key is not the predicted one. */
export type OnMiss = (decoder: DecoderState, shape: MapShape, values: unknown[], outerPending: number) => object | null;
