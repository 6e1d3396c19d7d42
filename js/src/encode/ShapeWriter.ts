import type { RecordIds } from '../record/RecordIds.ts';
import { MAX_KEYS } from '../record/structures.ts';
import type { EncodeConfig } from './EncodeConfig.ts';
import type { EncodeFeatures, ShapedWriter } from './EncodeFeatures.ts';
import type { EncoderState } from './EncoderState.ts';
import { type Shape, Shapes } from './shapes.ts';

export class ShapeWriter implements ShapedWriter {
  readonly shapes: Shapes;
  // Not private to the engine, as looking for methods that are takes a twentieth of writing a record.
  private readonly config: EncodeConfig;
  private readonly ids: RecordIds | null;
  /** Writes objects of which options select or sort some of the keys. */
  private readonly selecting: EncodeFeatures['writeSelection'];
  /** Whether plain objects are written by their shape. */
  private predict = false;

  constructor(config: EncodeConfig, { writeSelection }: EncodeFeatures, ids: RecordIds | null) {
    this.shapes = new Shapes(config.omission);
    this.config = config;
    this.ids = ids;
    this.selecting = writeSelection?.newObjects(config) ? writeSelection : undefined;
  }

  begin(encoder: EncoderState): void {
    const { shapes } = this;
    const ids = this.ids;
    this.predict = encoder.trail === null && this.selecting === undefined;
    for (const _ in Object.prototype) this.predict = false;
    const areNew = shapes.begin();
    if (ids !== null) {
      const find = (keys: readonly string[]) => shapes.ofKeys(keys);
      if (areNew) ids.forgetShapes(find);
      ids.begin(find);
    }
  }

  plain(encoder: EncoderState, object: object): void {
    if (!this.predict) {
      this.fields(encoder, object);
      return;
    }
    if (this.ids !== null) {
      this.shaped(encoder, object, this.shapes.ofPlain(object));
      return;
    }
    const found = this.shapes.find(object);
    // A dictionary has no shape.
    if (Array.isArray(found)) encoder.keyed(object, found);
    else this.map(encoder, object, found as Shape);
  }

  fields(encoder: EncoderState, object: object): void {
    const ids = this.ids;
    if (this.selecting !== undefined)
      this.selecting.writeSelected(encoder, object, ids !== null && (this.config.chooseRecord?.(object) ?? true));
    else if (ids === null) encoder.keyed(object);
    else this.shaped(encoder, object, this.shapes.ofKeys(encoder.metKeysOf(object)));
  }

  beginRecord(encoder: EncoderState, keys: readonly string[]): boolean {
    const shape = this.shapes.ofKeys(keys);
    return shape.isRecord && (this.ids as RecordIds).write(encoder, shape);
  }

  private shaped(encoder: EncoderState, object: object, shape: Shape): void {
    const { chooseRecord } = this.config;
    const ids = this.ids as RecordIds;
    const wanted = chooseRecord === undefined || chooseRecord(object);
    if (wanted && shape.isRecord && ids.write(encoder, shape)) {
      if (shape.values !== null) shape.values(encoder, object);
      else writeValues(encoder, this.shapes, object, shape);
      return;
    }
    this.map(encoder, object, shape);
  }

  private map(encoder: EncoderState, object: object, shape: Shape): void {
    const { keys } = shape;
    encoder.objectHeader(keys.length);
    if (keys.length === 0) return;
    if (encoder.trail !== null || encoder.bundle !== null) encoder.entries(object, keys);
    else if (shape.fields !== null) shape.fields(encoder, object);
    else writeFields(encoder, this.shapes, object, shape);
  }
}

/**
 * Writes the fields of a shape that has no generated encoder: keys four bytes at a time,
 * and values within for…in, where engines know their places.
 */
function writeFields(encoder: EncoderState, shapes: Shapes, object: object, shape: Shape): void {
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
function writeValues(encoder: EncoderState, shapes: Shapes, object: object, shape: Shape): void {
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
