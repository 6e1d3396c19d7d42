import { MAX_KEYS } from '../record/structures.ts';
import type { EncoderState } from './EncoderState.ts';
import type { Shape, Shapes } from './shapes.ts';

/**
 * Writes the fields of a shape that has no generated encoder: keys four bytes at a time,
 * and values within for…in, where engines know their places.
 */
export function writeFields(encoder: EncoderState, shapes: Shapes, object: object, shape: Shape): void {
  if (shape.words.length === 0) shape.measure();
  shapes.used(shape, false);
  const { keys, words } = shape;
  let i = 0;
  for (const key in object) {
    if (key !== keys[i]) break;
    writeKey(encoder, words[i] as Int32Array, shape, i++);
    encoder.field((object as Record<string, unknown>)[key]);
  }
  // The remaining ones where a getter or a toJSON changed the object.
  if (i < keys.length) encoder.entries(object, keys.slice(i));
}

function writeKey(encoder: EncoderState, words: Int32Array, shape: Shape, index: number): void {
  if (words.length === 0) {
    encoder.raw(shape.keyBytes[index] as Uint8Array);
    return;
  }
  if (encoder.pos > encoder.limit) encoder.reserve(1);
  const { view, pos } = encoder;
  for (let i = 0; i < words.length; i++) view.setInt32(pos + 4 * i, words[i] as number);
  encoder.pos = pos + (shape.lengths[index] as number);
}

/** Writes the values of a record whose shape has no generated encoder. */
export function writeValues(encoder: EncoderState, shapes: Shapes, object: object, shape: Shape): void {
  shapes.used(shape, true);
  const { keys } = shape;
  let i = 0;
  // Engines sort the keys of a large object each time that it is walked over.
  if (keys.length <= MAX_KEYS)
    for (const key in object) {
      if (key !== keys[i]) break;
      encoder.field((object as Record<string, unknown>)[key]);
      i++;
    }
  // The remaining ones where the object changed.
  for (; i < keys.length; i++) encoder.field((object as Record<string, unknown>)[keys[i] as string]);
}
