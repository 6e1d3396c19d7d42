import { MsgpackDecodeError } from '../errors/errors.ts';
import { Decoder } from './Decoder.ts';
import { Skipper } from './Walker.ts';

/** Reads the value at the position as a schema has it; the pending elements after it are counted. */
export interface ValueReader {
  read(decoder: SchemaDecoder): unknown;
  /** Returns what it makes of a value at a position that was read as another type, or throws. */
  convert(decoder: SchemaDecoder, markerOffset: number, value: unknown): unknown;
  /** Whether the field that it reads may be absent. */
  readonly isOptional: boolean;
  /** What `typeof` returns for its values, where these are read as they are; '' for any value. */
  readonly inline?: string | undefined;
}

/** A decoder that skips what its schema does not ask for. */
export class SchemaDecoder extends Skipper {
  root: ValueReader | null = null;
  /** Whether a value of a wrong type is refused before its payload is read. */
  careful = false;

  /** @param decoder the structures that this one knows are known here */
  constructor(decoder: Decoder) {
    super(decoder.config, decoder.features, decoder.structures);
  }

  override body(alone: boolean): unknown {
    this.pending = 0;
    this.depth = 0;
    this.forget();
    const start = this.pos;
    let value: unknown;
    try {
      value = (this.root as ValueReader).read(this);
    } catch (error) {
      if (error instanceof MsgpackDecodeError) this.#readCarefully(start);
      throw error;
    }
    if (alone && this.pos !== this.end) throw this.fail('trailing_bytes', this.pos);
    return value;
  }

  /**
   * Reads a message with a fault once more, to find the first one: an error of the type comes before
   * those of the payload (spec/errors.md section 3), and without it most values take one check less.
   */
  #readCarefully(start: number): void {
    this.goTo(start);
    this.pending = 0;
    this.depth = 0;
    this.careful = true;
    try {
      (this.root as ValueReader).read(this);
    } finally {
      this.careful = false;
    }
  }
}

const known = new WeakMap<Decoder, SchemaDecoder>();

/**
 * Returns a decoder that reads with a schema in place of another; undefined where an option applies
 * to every value, so that none may be skipped.
 */
export function schemaDecoder(decoder: Decoder): SchemaDecoder | undefined {
  const { config } = decoder;
  const isPlain = Object.getPrototypeOf(decoder) === Decoder.prototype;
  if (!isPlain || config.structuredClone || config.bundleStrings || config.reviver !== null) return undefined;
  let made = known.get(decoder);
  if (made === undefined) {
    made = new SchemaDecoder(decoder);
    known.set(decoder, made);
  }
  return made;
}
