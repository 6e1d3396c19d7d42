/** Values of another realm: of a frame of a page, of jsdom or of Node's vm, whose classes are not those here. */

/** Returns what makes the value of a built-in class here from one of another realm, by the tag of the class. */
const MAKERS: Readonly<Record<string, (value: never) => object>> = {
  Map: (value) => new Map(Map.prototype.entries.call(value)),
  Set: (value) => new Set(Set.prototype.values.call(value)),
  Date: (value) => new Date(Date.prototype.getTime.call(value)),
  RegExp: ({ source, flags }: RegExp) => new RegExp(source, flags),
  Error: ({ name, message, cause }: Error) =>
    Object.assign(new Error(message), { name }, cause === undefined ? {} : { cause }),
  ArrayBuffer: (value) => new Uint8Array(ArrayBuffer.prototype.slice.call(value, 0)).slice().buffer,
};

/** Those of primitives. */
const BOXED: readonly string[] = ['Number', 'String', 'Boolean', 'BigInt'];

/** Those whose prototype has the tag; their methods refuse objects of other classes. */
const BRANDED: readonly string[] = ['Map', 'Set', 'ArrayBuffer', 'BigInt'];

/** Whether an object is of another realm, or has no prototype. */
export function isForeign(value: object): boolean {
  return !(value instanceof Object);
}

/** Returns the value of this realm for one of a built-in class of another; undefined for any other. */
export function nativeOf(value: object): object | undefined {
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  // The others have no such property: it is one of the program.
  if (BRANDED.includes(tag) !== Symbol.toStringTag in value) return undefined;
  const make = Object.hasOwn(MAKERS, tag) ? MAKERS[tag] : undefined;
  if (make === undefined && !BOXED.includes(tag)) return undefined;
  // Some programs have classes here whose prototypes are of another realm, as those of jest.
  const { [tag as 'Map']: Class } = globalThis;
  if (value instanceof Class) return undefined;
  try {
    return make?.(value as never) ?? Object(Class.prototype.valueOf.call(value));
  } catch {
    // It has the tag of a class of which it is not.
    return undefined;
  }
}
