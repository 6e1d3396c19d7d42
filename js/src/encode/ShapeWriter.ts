import type { RecordIds } from '../record/RecordIds.ts';
import type { EncodeConfig } from './EncodeConfig.ts';
import type { EncodeFeatures, ShapedWriter } from './EncodeFeatures.ts';
import type { EncoderState } from './EncoderState.ts';
import { writeFields, writeValues } from './shaped.ts';
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
