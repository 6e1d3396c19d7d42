import { bytesIn } from '../wire/platform.ts';

/**
 * Defines how a class or an ext type is packed and unpacked: `pack` and `unpack` for a payload
 * of bytes, or `write` and `read` for a value of the format in its place.
 *
 * @example
 * packr.addExtension({
 *   Class: Point,
 *   type: 5,
 *   pack: (point) => Uint8Array.of(point.x, point.y),
 *   unpack: (bytes) => new Point(bytes[0], bytes[1]),
 * });
 */
// biome-ignore lint/suspicious/noExplicitAny: a handler takes whatever its class makes
export interface Extension<T = any, C = any> {
  /** The class whose instances this extension packs. */
  Class?: (abstract new (...args: never[]) => T) | undefined;
  /** The ext type, 0 to 127; from -128 for those of MessagePack itself. */
  type?: number | undefined;
  /** Returns the payload for an instance. */
  pack?: ((value: T, context: C) => Uint8Array) | undefined;
  /** Returns the instance for a payload. The bytes are part of the input: copy what is kept. */
  unpack?: ((bytes: Uint8Array, context: C) => T) | undefined;
  /** Returns the value for an instance. It follows the ext, or replaces the instance without `type`. */
  write?: ((value: T, context: C) => unknown) | undefined;
  /** Returns the instance for the value that `write` returned. */
  read?: ((value: unknown, context: C) => T) | undefined;
}

/**
 * An ext value that no extension reads: its type and its payload. It packs to the same bytes
 * again, with the smallest header.
 *
 * @example
 * pack(new ExtData(5, Uint8Array.of(1))); // d4 05 01
 */
export class ExtData {
  /** -128 to 127. */
  readonly type: number;
  readonly data: Uint8Array;

  /** @throws RangeError for a type that is not an integer from -128 to 127; TypeError for other than bytes */
  constructor(type: number, data: Uint8Array) {
    if ((type << 24) >> 24 !== type)
      throw new RangeError(`The type of an ext is an integer from -128 to 127, not ${type}`);
    // Those of packord/msgpack may be functions.
    const bytes = typeof data === 'function' ? data : bytesIn(data);
    if (bytes === undefined) throw new TypeError('The data of an ext must be bytes');
    this.type = type;
    this.data = bytes;
  }

  /** Tells the encoder what this is: it may be of another build of the package. @internal */
  get '~packord'(): 'ext' {
    return 'ext';
  }
}

/** Whether an object is an ExtData, of any copy of the class. */
export function isExtData(value: object): value is ExtData {
  return (value as Partial<ExtData>)['~packord'] === 'ext';
}

/** Functions whose values are not objects, which no extension sees. */
const PRIMITIVES: readonly unknown[] = [BigInt, Boolean, Number, String, Symbol];

/** The extensions of one instance, or of all. */
export class ExtensionRegistry {
  readonly parent: ExtensionRegistry | undefined;
  /** Those that read, by type. */
  readonly byType: Map<number, Extension> = new Map();
  /** Those that write, the last one first. */
  readonly classes: Extension[] = [];

  constructor(parent?: ExtensionRegistry) {
    this.parent = parent;
  }

  /** Returns the extension that reads a type. */
  ofType(type: number): Extension | undefined {
    return this.byType.get(type) ?? this.parent?.ofType(type);
  }

  /** Returns the extension that writes a value. */
  ofValue(value: object): Extension | undefined {
    for (const extension of this.classes)
      if (value instanceof (extension.Class as abstract new () => object)) return extension;
    return this.parent?.ofValue(value);
  }
}

/**
 * Registers an extension, before earlier ones and before those of all instances. Not a method, so
 * that a bundle which registers none has no code of it.
 */
export function register(registry: ExtensionRegistry, extension: Extension): void {
  const { type, Class, pack, write, unpack, read } = extension;
  if (type !== undefined && !(Number.isInteger(type) && type >= -128 && type <= 255))
    throw new TypeError(`An ext type must be an integer from -128 to 127, not ${type}`);
  if (Class !== undefined) {
    if (PRIMITIVES.includes(Class)) throw new TypeError('An extension cannot have the Class of primitive values');
    if (pack === undefined && write === undefined)
      throw new TypeError('An extension with a Class must have a pack or a write function');
    if (pack !== undefined && type === undefined)
      throw new TypeError('An extension with a pack function must have a type');
    registry.classes.unshift(extension);
  }
  if (type !== undefined && (unpack !== undefined || read !== undefined))
    registry.byType.set((type << 24) >> 24, extension);
}

/** The class of {@link C1}. */
export class C1Type {
  readonly name = 'MessagePack 0xC1';
}

/** The value of the byte c1 in `packord/msgpackr`. The format forbids it. */
export const C1: C1Type = /* @__PURE__ */ new C1Type();
