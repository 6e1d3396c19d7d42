/**
 * How a class or an ext type is packed and unpacked. Give `pack` and `unpack` for a
 * payload of bytes, or `write` and `read` to stand a value of the format in its place.
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
  /** Instances of it are packed by this extension. */
  Class?: (abstract new (...args: never[]) => T) | undefined;
  /** The ext type, 0 to 127; from -128 for those of MessagePack itself. */
  type?: number | undefined;
  /** The payload for an instance. */
  pack?: ((value: T, context: C) => Uint8Array) | undefined;
  /** The instance of a payload. The bytes are the caller's: copy what is kept. */
  unpack?: ((bytes: Uint8Array, context: C) => T) | undefined;
  /** The value in place of an instance. It follows the ext, or stands alone without `type`. */
  write?: ((value: T, context: C) => unknown) | undefined;
  /** The instance of the value that `write` made. */
  read?: ((value: unknown, context: C) => T) | undefined;
}

/**
 * An ext value that no extension reads: its type and its bytes. It packs to the same
 * bytes again, with the smallest header.
 *
 * @example
 * pack(new ExtData(5, Uint8Array.of(1))); // d4 05 01
 */
export class ExtData {
  /** -128 to 127. */
  readonly type: number;
  readonly data: Uint8Array;

  constructor(type: number, data: Uint8Array) {
    this.type = type;
    this.data = data;
  }
}

/** The extensions of one instance, or of all. */
export class ExtensionRegistry {
  readonly #parent: ExtensionRegistry | undefined;
  readonly #byType = new Map<number, Extension>();
  readonly #classes: Extension[] = [];

  constructor(parent?: ExtensionRegistry) {
    this.#parent = parent;
  }

  /** Later registrations come before earlier ones, and an instance's before those of all. */
  add(extension: Extension): void {
    const { type } = extension;
    if (type !== undefined && !(Number.isInteger(type) && type >= -128 && type <= 255))
      throw new TypeError(`An ext type is an integer from -128 to 127, not ${type}`);
    if (extension.Class !== undefined) {
      if (extension.pack === undefined && extension.write === undefined)
        throw new TypeError('An extension with a Class has a pack or a write function');
      if (extension.pack !== undefined && type === undefined)
        throw new TypeError('An extension with a pack function has a type');
      this.#classes.unshift(extension);
    }
    if (type !== undefined && (extension.unpack !== undefined || extension.read !== undefined))
      this.#byType.set((type << 24) >> 24, extension);
  }

  /** The extension that reads a type. */
  ofType(type: number): Extension | undefined {
    return this.#byType.get(type) ?? this.#parent?.ofType(type);
  }

  /** The extension that writes a value. */
  ofValue(value: object): Extension | undefined {
    for (const extension of this.#classes)
      if (value instanceof (extension.Class as abstract new () => object)) return extension;
    return this.#parent?.ofValue(value);
  }
}

/** Extensions of every instance, as `addExtension` makes them. */
export const globalExtensions: ExtensionRegistry = /* @__PURE__ */ new ExtensionRegistry();
