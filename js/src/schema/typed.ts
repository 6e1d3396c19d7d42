/** The schemas of packord: unlike those of other libraries, they read values themselves. */
import type { Decoder } from '../decode/Decoder.ts';
import { FieldReader } from '../decode/FieldReader.ts';
import { type Found, foundAt, foundIn, isConverted, mismatch } from '../decode/found.ts';
import { type SchemaDecoder, schemaDecoder } from '../decode/SchemaDecoder.ts';
import type { ErrorKind } from '../errors/errors.ts';
import { isFixExt, KINDS, newHeader, readHeader } from '../wire/header.ts';
import { setField } from '../wire/keys.ts';
import { EXT_UNDEFINED } from '../wire/markers.ts';
import type { SchemaResult, StandardSchema } from './schema.ts';

type Path = readonly PropertyKey[];

/** What a schema throws where it refuses a value that was read before. */
class Refusal {
  readonly path: Path;
  readonly message: string;
  readonly errorKind: ErrorKind;

  constructor(path: Path, message: string, kind: ErrorKind = 'type_mismatch') {
    this.path = path;
    this.errorKind = kind;
    this.message = message;
  }
}

/**
 * A schema of packord. `unpack` and the methods of instances take it, and return values of its type.
 * They skip what it does not ask for. It has the interface Standard Schema too.
 */
export abstract class TypeSchema<Output = unknown> implements StandardSchema<Output> {
  /** Whether it is the schema of a field that may be absent. */
  readonly isOptional: boolean = false;

  /** What it expects, in errors. */
  abstract readonly expected: string;
  /** The types of the values that it may accept; undefined for all. @internal */
  readonly takes?: readonly Found[] | undefined;
  /** As that of its reader. @internal */
  readonly inline?: string | undefined;

  /** Reads the next value. @internal */
  abstract read(decoder: SchemaDecoder): Output;
  /** Returns a value that was read already as this schema has it. @internal */
  abstract accept(value: unknown, path: Path): Output;

  /** Returns what it makes of a value at a position that was read as another type, or throws. @internal */
  convert(decoder: SchemaDecoder, markerOffset: number, _value: unknown): unknown {
    throw mismatch(decoder, markerOffset, this.expected);
  }

  /** Refuses a value at the position whose header tells that it is of another type. */
  protected check(decoder: SchemaDecoder): void {
    if (this.takes === undefined) return;
    const found = foundAt(decoder, decoder.pos);
    if (found === undefined || this.takes.includes(found)) return;
    if (!isConverted(decoder, found, decoder.pos)) throw mismatch(decoder, decoder.pos, this.expected);
  }

  protected refusal(value: unknown, path: Path): Refusal {
    return new Refusal(path, `expected ${this.expected}, found ${foundIn(value)}`);
  }

  /** Returns a decoder with this schema in place of one without. @internal */
  decoderFor(decoder: Decoder): Decoder {
    const made = schemaDecoder(decoder);
    if (made === undefined) return decoder;
    made.root = this;
    return made;
  }

  get '~standard'(): {
    readonly version: 1;
    readonly vendor: 'packord';
    readonly validate: (value: unknown) => SchemaResult<Output>;
    readonly types?: { readonly input: unknown; readonly output: Output };
  } {
    const validate = (value: unknown): SchemaResult<Output> => {
      try {
        return { value: this.accept(value, []) };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { issues: [error] };
      }
    };
    return { version: 1, vendor: 'packord', validate };
  }
}

/** The type of what a schema returns. */
export type Infer<S> = S extends TypeSchema<infer Output> ? Output : never;

const NUMBERS: readonly Found[] = ['integer', 'float'];
/** What a schema returns for a value that it refuses. @internal */
export const REFUSED: unique symbol = /* @__PURE__ */ Symbol('refused');

/** What a schema of values that are read whole consists of. @internal */
export interface WholeType<Output> {
  /** What it expects, in errors. */
  readonly expected: string;
  /** The types of the values that it may accept; undefined for all. */
  readonly takes?: readonly Found[];
  readonly convert: (value: unknown) => Output | typeof REFUSED;
  /** Returns what is wrong with a refused value of a type that it takes; undefined for that type. */
  readonly misfit?: (found: Found, value: unknown) => readonly [ErrorKind, string] | undefined;
  readonly inline?: string;
}

/** A schema of values that are read whole. @internal */
export class WholeSchema<Output> extends TypeSchema<Output> {
  override readonly expected: string;
  override readonly takes: readonly Found[] | undefined;
  override readonly inline: string | undefined;
  readonly #type: WholeType<Output>;

  constructor(type: WholeType<Output>) {
    super();
    this.expected = type.expected;
    this.takes = type.takes;
    this.inline = type.inline;
    this.#type = type;
  }

  override read(decoder: SchemaDecoder): Output {
    const markerOffset = decoder.pos;
    if (decoder.careful) this.check(decoder);
    const given = decoder.read();
    const value = this.#type.convert(given);
    return value === REFUSED ? this.convert(decoder, markerOffset, given) : (value as Output);
  }

  override convert(decoder: SchemaDecoder, markerOffset: number, given: unknown): Output {
    const value = this.#type.convert(given);
    if (value !== REFUSED) return value as Output;
    const found = foundAt(decoder, markerOffset);
    const misfit = found === undefined ? undefined : this.#type.misfit?.(found, given);
    if (misfit !== undefined) throw decoder.fail(misfit[0], markerOffset, misfit[1]);
    throw mismatch(decoder, markerOffset, this.expected);
  }

  override accept(given: unknown, path: Path): Output {
    const value = this.#type.convert(given);
    if (value !== REFUSED) return value as Output;
    const misfit = this.#type.misfit?.(foundIn(given), given);
    if (misfit !== undefined) throw new Refusal(path, misfit[1], misfit[0]);
    throw this.refusal(given, path);
  }
}

function ofType<Output>(name: string, expected: string, found: Found): TypeSchema<Output> {
  return new WholeSchema<Output>({
    expected,
    takes: [found],
    convert: (value) => (typeof value === name ? (value as Output) : REFUSED),
    inline: name,
  });
}

/** Makes the schema of numbers of a name, which does not hold every integer. */
function numeric<Output>(
  name: string,
  type: Pick<WholeType<Output>, 'expected' | 'convert' | 'inline'>,
): TypeSchema<Output> {
  return new WholeSchema<Output>({
    ...type,
    takes: NUMBERS,
    misfit: (found, value) => (found === 'integer' ? ['out_of_range', `${value} does not fit ${name}`] : undefined),
  });
}

/** Any value. */
export const any: TypeSchema<unknown> = /* @__PURE__ */ new WholeSchema({
  expected: 'anything',
  convert: (value: unknown) => value,
  inline: '',
});
/** A string. */
export const string: TypeSchema<string> = /* @__PURE__ */ ofType('string', 'a str', 'str');
/** A number: a float, or an integer that is exact as one. */
export const number: TypeSchema<number> = /* @__PURE__ */ numeric('number', {
  expected: 'a float',
  convert: (value) => {
    if (typeof value === 'number') return value;
    return typeof value === 'bigint' && BigInt(Number(value)) === value ? Number(value) : REFUSED;
  },
  inline: 'number',
});
/** A boolean. */
export const boolean: TypeSchema<boolean> = /* @__PURE__ */ ofType('boolean', 'a bool', 'bool');
/** An integer from -(2^53 - 1) to 2^53 - 1, the range in which no two are the same number. */
export const integer: TypeSchema<number> = /* @__PURE__ */ numeric('integer', {
  expected: 'an integer',
  convert: (value) => (Number.isSafeInteger(value) ? (value as number) : REFUSED),
});
/** An integer of any size, read as a bigint. */
export const bigint: TypeSchema<bigint> = /* @__PURE__ */ numeric('bigint', {
  expected: 'an integer',
  convert: (value) => {
    if (typeof value === 'bigint') return value;
    return Number.isSafeInteger(value) ? BigInt(value as number) : REFUSED;
  },
});
/** Bytes. */
export const bytes: TypeSchema<Uint8Array> = /* @__PURE__ */ ofClass(Uint8Array, 'a bin', ['bin']);
/** A timestamp. With `timestamps: 'timestamp'`, use `instanceOf(Timestamp)`. */
export const date: TypeSchema<Date> = /* @__PURE__ */ ofClass(Date, 'a timestamp', ['timestamp']);

function ofClass<Output>(
  Class: abstract new (...args: never[]) => Output,
  expected: string,
  takes?: readonly Found[],
): TypeSchema<Output> {
  return new WholeSchema<Output>({
    expected,
    ...(takes && { takes }),
    convert: (value) => (value instanceof Class ? value : REFUSED),
  });
}

/**
 * A value of a class, such as one that an extension reads.
 *
 * @example
 * unpack(pack(new Date(0)), instanceOf(Date));
 */
export function instanceOf<Output>(Class: abstract new (...args: never[]) => Output): TypeSchema<Output> {
  return ofClass(Class, `a value of ${Class.name}`);
}

/** A schema around another one, which may expect the same. */
abstract class OuterSchema<Inner, Output> extends TypeSchema<Output> {
  override readonly expected: string;
  protected readonly of: TypeSchema<Inner>;

  constructor(of: TypeSchema<Inner>, expected: string = of.expected) {
    super();
    this.of = of;
    this.expected = expected;
  }
}

/**
 * One of these values: strings, numbers, booleans, null.
 *
 * @example
 * unpack(pack('b'), oneOf('a', 'b')); // 'b'
 */
export function oneOf<const Values extends readonly unknown[]>(...values: Values): TypeSchema<Values[number]> {
  const takes = values.map(foundIn).flatMap((found) => (found === 'integer' ? NUMBERS : [found]));
  return new WholeSchema<Values[number]>({
    expected: 'a variant',
    takes,
    convert: (value) => (values.includes(value) ? value : REFUSED),
    misfit: (found, value) => {
      if (!takes.includes(found)) return undefined;
      const shown = typeof value === 'string' ? `"${value}"` : String(value);
      return ['type_mismatch', `unknown variant ${shown}`];
    },
  });
}

class ArraySchema<Output> extends OuterSchema<Output, Output[]> {
  override readonly takes: readonly Found[] = ['array'];

  override read(decoder: SchemaDecoder): Output[] {
    const markerOffset = decoder.pos;
    const { pending } = decoder;
    const { inline } = this.of;
    if (decoder.careful) this.check(decoder);
    if (inline !== undefined && !(decoder.careful && foundAt(decoder, markerOffset) === 'array')) {
      // The decoder reads arrays of scalars faster than one element after another.
      const values: unknown = decoder.read();
      const isRight = (value: unknown) => inline === '' || typeof value === inline;
      if (Array.isArray(values) && values.every(isRight)) return values as Output[];
      decoder.goTo(markerOffset);
      decoder.pending = pending;
    }
    const container = decoder.enter();
    if (container?.kind !== 'array') throw mismatch(decoder, markerOffset, this.expected);
    const { count } = container;
    const values: Output[] = [];
    for (let left = count - 1; left >= 0; left--) {
      decoder.pending = pending + left;
      values.push(this.of.read(decoder));
    }
    decoder.depth--;
    return values;
  }

  override accept(value: unknown, path: Path): Output[] {
    if (!Array.isArray(value)) throw this.refusal(value, path);
    return value.map((element, i) => this.of.accept(element, [...path, i]));
  }
}

/**
 * An array of elements of one schema.
 *
 * @example
 * unpack(pack([1, 2]), array(number)); // [1, 2]
 */
export function array<Output>(of: TypeSchema<Output>): TypeSchema<Output[]> {
  return new ArraySchema(of, 'an array');
}

class SetSchema<Output> extends OuterSchema<Output[], Set<Output>> {
  override readonly takes: readonly Found[] = ['array'];

  override read(decoder: SchemaDecoder): Set<Output> {
    const markerOffset = decoder.pos;
    if (foundAt(decoder, markerOffset) !== 'ext') return new Set(this.of.read(decoder));
    if (decoder.careful) this.check(decoder);
    return this.convert(decoder, markerOffset, decoder.read());
  }

  override convert(decoder: SchemaDecoder, markerOffset: number, given: unknown): Set<Output> {
    if (!(given instanceof Set)) throw mismatch(decoder, markerOffset, this.expected);
    try {
      return this.accept(given, []);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw decoder.fail(error.errorKind, markerOffset, error.message);
    }
  }

  override accept(value: unknown, path: Path): Set<Output> {
    return new Set(this.of.accept(value instanceof Set ? [...value] : value, path));
  }
}

/**
 * A Set: an array by default, an ext with the option `rich`.
 *
 * @example
 * unpack(pack(new Set([1, 2])), set(number)); // Set { 1, 2 }
 */
export function set<Output>(of: TypeSchema<Output>): TypeSchema<Set<Output>> {
  return new SetSchema(array(of));
}

/** Returns the keys and values of what is an object to a decoder; undefined for something else. */
function entriesOf(value: unknown): Iterable<readonly [unknown, unknown]> | undefined {
  if (value instanceof Map) return value;
  const isObject = typeof value === 'object' && value !== null;
  return isObject && Object.getPrototypeOf(value) === Object.prototype ? Object.entries(value) : undefined;
}

class DictionarySchema<Output> extends OuterSchema<Output, { [key: string]: Output }> {
  override readonly takes: readonly Found[] = ['map'];

  override read(decoder: SchemaDecoder): { [key: string]: Output } {
    const markerOffset = decoder.pos;
    if (decoder.careful) this.check(decoder);
    const container = decoder.enter();
    if (container === null || container.kind === 'array') throw mismatch(decoder, markerOffset, this.expected);
    const object = {};
    const { kind, count, keys } = container;
    const { pending } = decoder;
    for (let left = count - 1; left >= 0; left--) {
      decoder.pending = pending + 2 * left + 1;
      const keyAt = decoder.pos;
      const key = kind === 'map' ? decoder.key() : keys[count - 1 - left];
      if (typeof key === 'object' && key !== null) throw mismatch(decoder, keyAt, 'a str');
      decoder.pending = pending + (kind === 'map' ? 2 * left : left);
      setField(object, String(key), this.of.read(decoder));
    }
    decoder.depth--;
    return object;
  }

  override accept(value: unknown, path: Path): { [key: string]: Output } {
    const entries = entriesOf(value);
    if (entries === undefined) throw this.refusal(value, path);
    const object = {};
    for (const [given, element] of entries) {
      const key = String(given);
      setField(object, key, this.of.accept(element, [...path, key]));
    }
    return object;
  }
}

/**
 * An object whose keys are data.
 *
 * @example
 * unpack(pack({ a: 1, b: 2 }), dictionary(number)); // { a: 1, b: 2 }
 */
export function dictionary<Output>(of: TypeSchema<Output>): TypeSchema<{ [key: string]: Output }> {
  return new DictionarySchema(of, 'a map');
}

class OptionalSchema<Output> extends OuterSchema<Output, Output | undefined> {
  override readonly isOptional: true = true;

  override read(decoder: SchemaDecoder): Output | undefined {
    return isUndefined(decoder) ? (decoder.read() as undefined) : this.of.read(decoder);
  }

  override accept(value: unknown, path: Path): Output | undefined {
    return value === undefined ? undefined : this.of.accept(value, path);
  }
}

/** Whether the next value is what `undefined` is written as: ext type 0 of one byte. */
function isUndefined({ src, view, pos, end }: SchemaDecoder): boolean {
  if (pos + 2 >= end || KINDS[src[pos] as number] !== 'ext') return false;
  const header = newHeader();
  readHeader(view, pos, end, header);
  return isFixExt(header) && header.count === 1 && header.type === EXT_UNDEFINED;
}

/**
 * A field that may be absent, or undefined.
 *
 * @example
 * unpack(pack({}), object({ name: optional(string) })); // {}
 */
export function optional<Output>(of: TypeSchema<Output>): OptionalSchema<Output> {
  return new OptionalSchema(of);
}

class NullableSchema<Output> extends OuterSchema<Output, Output | null> {
  override read(decoder: SchemaDecoder): Output | null {
    if (decoder.pos >= decoder.end || KINDS[decoder.src[decoder.pos] as number] !== 'nil') return this.of.read(decoder);
    decoder.pos++;
    return null;
  }

  override accept(value: unknown, path: Path): Output | null {
    return value === null ? null : this.of.accept(value, path);
  }
}

/**
 * A value, or null.
 *
 * @example
 * unpack(pack(null), nullable(string)); // null
 */
export function nullable<Output>(of: TypeSchema<Output>): TypeSchema<Output | null> {
  return new NullableSchema(of);
}

/** The schemas of the fields of an object. */
export interface Fields {
  readonly [name: string]: TypeSchema<unknown>;
}

type OptionalNames<F> = {
  [Name in keyof F]: F[Name] extends OptionalSchema<unknown> ? Name : never;
}[keyof F];

/** The object that has these fields. */
export type ObjectOf<F extends Fields> = {
  [Name in Exclude<keyof F, OptionalNames<F>>]: Infer<F[Name]>;
} & { [Name in OptionalNames<F>]?: Infer<F[Name]> };

class ObjectSchema<F extends Fields> extends TypeSchema<ObjectOf<F>> {
  override readonly expected: string = 'a map';
  override readonly takes: readonly Found[] = ['map'];
  readonly #fields: readonly (readonly [string, TypeSchema<unknown>])[];
  readonly #reader: FieldReader;

  constructor(given: F) {
    super();
    this.#fields = Object.entries(given);
    this.#reader = new FieldReader(this.#fields);
  }

  override read(decoder: SchemaDecoder): ObjectOf<F> {
    if (decoder.careful) this.check(decoder);
    return this.#reader.read(decoder) as ObjectOf<F>;
  }

  override accept(value: unknown, path: Path): ObjectOf<F> {
    const entries = entriesOf(value);
    if (entries === undefined) throw this.refusal(value, path);
    const values = new Map(entries);
    const object = {};
    for (const [name, schema] of this.#fields)
      if (values.has(name)) setField(object, name, schema.accept(values.get(name), [...path, name]));
      else if (!schema.isOptional) throw new Refusal(path, `missing field "${name}"`);
    return object as ObjectOf<F>;
  }
}

/**
 * An object with these fields. Other fields are skipped: nothing is built for them.
 *
 * @example
 * const User = object({ id: number, name: optional(string) });
 * unpack(pack({ id: 1, photo: new Uint8Array(100_000) }), User); // { id: 1 }
 */
export function object<F extends Fields>(fields: F): TypeSchema<ObjectOf<F>> {
  return new ObjectSchema(fields);
}
