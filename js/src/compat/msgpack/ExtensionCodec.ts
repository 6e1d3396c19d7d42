import { ExtData, type Extension, ExtensionRegistry } from '../../ext/extension.ts';
import * as M from '../../wire/markers.ts';
import { decodeTimestampExtension, EXT_TIMESTAMP, encodeTimestampExtension } from './timestamp.ts';

/** The payload of an ext: bytes, or a function that makes them for their position in the message. */
export type ExtPayload = Uint8Array | ((position: number) => Uint8Array);

/** An ext value that no codec reads: its type and its payload. */
export interface CodecExt {
  readonly type: number;
  readonly data: ExtPayload;
}

/** See {@link CodecExt}: the class of `packord`, whose data may be a function here. */
export const CodecExt: new (type: number, data: ExtPayload) => CodecExt = ExtData as unknown as new (
  type: number,
  data: ExtPayload,
) => CodecExt;

/** Returns the value for a payload. */
export type ExtensionDecoderType<ContextType> = (
  data: Uint8Array,
  extensionType: number,
  context: ContextType,
) => unknown;

/** Returns the payload for a value, or null for a value of another type. */
export type ExtensionEncoderType<ContextType> = (input: unknown, context: ContextType) => ExtPayload | null;

/** What encoders and decoders use of a codec. */
export interface ExtensionCodecType<ContextType> {
  /** Tells types of codecs with other contexts apart. */
  __brand?: ContextType;
  tryToEncode(object: unknown, context: ContextType): CodecExt | null;
  decode(data: Uint8Array, extType: number, context: ContextType): unknown;
}

interface Entry<ContextType> {
  readonly type: number;
  readonly encode: ExtensionEncoderType<ContextType>;
  readonly decode: ExtensionDecoderType<ContextType>;
}

/** The place of a type in the order in which types are tried: -1, -2 and so on before 0, 1 and so on. */
const rank = (type: number): number => (type < 0 ? -1 - type : 0x100 + type);

/**
 * The ext types of a program, by functions that are asked in turn for each value.
 *
 * @example
 * const codec = new ExtensionCodec();
 * codec.register({
 *   type: 5,
 *   encode: (value) => (value instanceof Point ? encode([value.x, value.y]) : null),
 *   decode: (data) => new Point(...decode(data)),
 * });
 */
export class ExtensionCodec<ContextType = undefined> implements ExtensionCodecType<ContextType> {
  /** The codec without types of the program: timestamps alone. Not by the name of the class, see `named`. */
  static readonly defaultCodec: ExtensionCodecType<undefined> = new this();

  /** Tells types of codecs with other contexts apart. */
  __brand?: ContextType;
  #entries: Entry<ContextType>[] = [];

  constructor() {
    this.register({
      type: EXT_TIMESTAMP,
      encode: encodeTimestampExtension,
      decode: decodeTimestampExtension,
    });
  }

  /** Registers a type, in place of an earlier registration of it. */
  register({ type, encode, decode }: Entry<ContextType>): void {
    const others = this.#entries.filter((entry) => entry.type !== type);
    this.#entries = [...others, { type, encode, decode }].sort((a, b) => rank(a.type) - rank(b.type));
  }

  /** Returns the ext for a value; null when it has none. */
  tryToEncode(object: unknown, context: ContextType): CodecExt | null {
    for (const { type, encode } of this.#entries) {
      const data = encode(object, context);
      if (data !== null && data !== undefined) return new CodecExt(type, data);
    }
    return object instanceof CodecExt ? object : null;
  }

  /** Returns the value of an ext; a CodecExt for a type that is not registered. */
  decode(data: Uint8Array, type: number, context: ContextType): unknown {
    const entry = this.#entries.find((other) => other.type === type);
    return entry === undefined ? new CodecExt(type, data) : entry.decode(data, type, context);
  }
}

/** The extensions of an instance whose ext types are all read by a codec. */
export class CodecRegistry extends ExtensionRegistry {
  /** Passed to the codec; that of the call, where decoders are used again. */
  context: unknown;
  readonly #codec: ExtensionCodecType<unknown>;
  readonly #known = new Map<number, Extension>();

  constructor(codec: ExtensionCodecType<unknown>, context: unknown) {
    super();
    this.context = context;
    this.#codec = codec;
  }

  override ofType(type: number): Extension | undefined {
    // packord reads the timestamps of the default codec itself.
    if (type === M.EXT_TIMESTAMP && this.#codec === ExtensionCodec.defaultCodec) return undefined;
    let extension = this.#known.get(type);
    if (extension === undefined) {
      extension = { type, unpack: (data) => this.#codec.decode(data, type, this.context) };
      this.#known.set(type, extension);
    }
    return extension;
  }
}
